/** The checkpoint that each prompt begins with: which files are in it, how large a file may be that is copied into it, and by which names. */
import { codeOf } from '../../log/errors.ts';
import type { FileSnapshot } from '../../model/index.ts';
import type { SessionHandle } from '../../store/handle/handle.ts';
import type { AgentConfig, Conversation } from '../config.ts';

/** Larger files are changed without a copy: undoing that is not worth filling a disk at every prompt. */
const largest = 64 * 1024 * 1024;

/**
 * Every prompt begins with a checkpoint of all files that were changed before it; a file that changes for the first time is added to
 * it. So one file has one state per prompt, however often the prompt changes it.
 */
export class Checkpoints {
	readonly #handle: SessionHandle;
	readonly #tracked: Conversation['tracked'];
	readonly #config: Pick<AgentConfig, 'cwd' | 'host'>;

	constructor(handle: SessionHandle, tracked: Conversation['tracked'], config: Pick<AgentConfig, 'cwd' | 'host'>) {
		this.#handle = handle;
		this.#tracked = tracked;
		this.#config = config;
	}

	/** The files that were changed so far, as they are before the next prompt changes them. */
	async atPrompt(): Promise<readonly FileSnapshot[]> {
		if (!this.#handle.keepsCopies) this.#tracked.clear();
		for (const [path, last] of this.#tracked) {
			const bytes = await this.#read(path);
			if (bytes !== undefined) this.#tracked.set(path, await this.#handle.keepFile(path, bytes, last));
		}
		return this.#files();
	}

	/** All that the prompt has changed, with one file more; undefined where that file is among them already. */
	async changing(path: string, before: Uint8Array | null): Promise<readonly FileSnapshot[] | undefined> {
		const name = withinFolder(path, this.#config.cwd);
		if (this.#tracked.has(name) || (before !== null && before.length > largest)) return undefined;
		this.#tracked.set(name, await this.#handle.keepFile(name, before, undefined));
		return this.#files();
	}

	#files(): readonly FileSnapshot[] {
		return [...this.#tracked].map(([path, state]) => ({ path, state }));
	}

	/** Null: it is gone. Undefined: it is something that is not copied. */
	async #read(name: string): Promise<Uint8Array | null | undefined> {
		const { cwd, host } = this.#config;
		const path = isAbsolute(name) ? name : `${cwd.replace(/[\\/]+$/, '')}/${name}`;
		try {
			const facts = await host.files.stat(path);
			if (!facts) return null;
			return facts.regular && facts.size <= largest ? await host.files.read(path) : undefined;
		} catch (error) {
			// A command may have closed the file to us, or made a link of it that leads to itself: that is no reason to end the run.
			if (codeOf(error) !== undefined) return undefined;
			throw error;
		}
	}
}

/** Checkpoints name files as the project knows them. */
function withinFolder(path: string, cwd: string): string {
	const base = cwd.replace(/[\\/]+$/, '');
	return path.startsWith(`${base}/`) || path.startsWith(`${base}\\`) ? path.slice(base.length + 1) : path;
}

function isAbsolute(path: string): boolean {
	return /^(?:[\\/]|[A-Za-z]:[\\/])/.test(path);
}

/** True for a name that leads nowhere but into the project: a session that is resumed may name whatever its author liked. */
export function leadsInside(name: string): boolean {
	return !isAbsolute(name) && !name.split(/[\\/]/).includes('..');
}
