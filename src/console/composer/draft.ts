/** What stands in the line of input unsent, on the disk half a second after the last key: a console that is killed leaves it to the next one's history. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../../log/errors.ts';
import { readIfThere } from '../../log/regular-file.ts';
import { isEnded } from '../../log/writer-lock.ts';
import { isObject, parsedJson } from '../../model/index.ts';
import { thisMachine } from '../../store/find/folders.ts';
import { closeDataFolder, dataFolder } from '../../store/own-data/data-folder.ts';
import { keepInHistory } from './history.ts';

const pauseMs = 500;
const longestRead = 1 << 18;

/** One for each process, whose number is its name. */
function draftFolder(): string {
	return join(dataFolder(thisMachine()), 'console-drafts');
}

export class Draft {
	readonly cwd: string;
	readonly #text: () => string;
	readonly #file = join(draftFolder(), `${process.pid}.json`);
	#timer: NodeJS.Timeout | undefined;
	#isKept = false;

	constructor(cwd: string, text: () => string) {
		this.cwd = cwd;
		this.#text = text;
	}

	/** A key was pressed in the line. What was sent or cleared is in the history, and no draft from then on. */
	changed(): void {
		if (this.#text() === '') this.#forget();
		else this.#timer ??= setTimeout(() => this.#keep(), pauseMs).unref();
	}

	#keep(): void {
		this.#timer = undefined;
		const text = this.#text();
		onDisk(() => {
			closeDataFolder(thisMachine());
			mkdirSync(draftFolder(), { recursive: true, mode: 0o700 });
			writeFileSync(this.#file, JSON.stringify({ text, cwd: this.cwd, at: Date.now() }), { mode: 0o600 });
			this.#isKept = true;
		});
	}

	#forget(): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		if (this.#isKept) onDisk(() => rmSync(this.#file, { force: true }));
		this.#isKept = false;
	}

	/** The line is cleared next: what stands in it is in the history. */
	remember(): void {
		keepInHistory(this.#text(), this.cwd, Date.now());
	}

	/** The console ends, and has had the time to say so. */
	[Symbol.dispose](): void {
		this.remember();
		this.#forget();
	}
}

/** Takes what killed consoles have left over into the history; true where one of them was in this folder. */
export function takeLostDrafts(cwd: string): boolean {
	let isHere = false;
	onDisk(() => {
		for (const name of readdirSync(draftFolder())) {
			const pid = Number(/^(\d{1,9})\.json$/.exec(name)?.[1]);
			if (!(pid > 0) || (pid !== process.pid && !isEnded(pid))) continue;
			const file = join(draftFolder(), name);
			const value = parsedJson(readIfThere(file, longestRead)?.toString('utf8') ?? '');
			rmSync(file, { force: true });
			if (!isObject(value) || typeof value.text !== 'string' || typeof value.cwd !== 'string') continue;
			const isKept = keepInHistory(value.text, value.cwd, Number(value.at) || Date.now());
			isHere ||= isKept && value.cwd === cwd;
		}
	});
	return isHere;
}

/** A folder that is not there, or cannot be written, is no reason not to go on. */
function onDisk(work: () => void): void {
	try {
		work();
	} catch (error) {
		if (codeOf(error) === undefined) throw error;
	}
}
