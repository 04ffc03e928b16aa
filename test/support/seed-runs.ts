/** Sessions that the command itself wrote, in both profiles, for holding them against what a document says a client does. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Profile } from '../../src/model/index.ts';
import type { ScriptInput } from '../../src/providers/script.ts';
import { ClientStage, type Ended, type Frame, framesIn } from './client.ts';
import { trust } from './permission-run.ts';

export const profiles: readonly Profile[] = ['client', 'published'];

/** A line of Claude Code's format. */
export interface Line extends Frame {
	readonly uuid?: string;
	readonly parentUuid?: string | null;
	readonly sessionId?: string;
	readonly timestamp?: string;
	readonly isMeta?: boolean;
	readonly requestId?: string;
	readonly toolUseResult?: unknown;
	readonly snapshot?: { readonly trackedFileBackups: Tracked };
	readonly message?: {
		readonly id?: string;
		readonly role?: string;
		readonly stop_reason?: string | null;
		readonly content?: string | readonly SomeBlock[];
	};
}

/** The state of files by path: the text itself, or the name of its copy. */
export interface Tracked {
	readonly [path: string]: string | { readonly backupFileName: string };
}

export interface SomeBlock {
	readonly type: string;
	readonly id?: string;
	readonly tool_use_id?: string;
	readonly text?: string;
	readonly signature?: string;
}

/** A script to play, or the address of a model server. */
export type Answers = ScriptInput | { readonly url: string };

/** Everything is allowed: what is looked at is what was written. */
const allowed = ['--permission-mode', 'bypassPermissions'];

export class SeedStage extends ClientStage {
	readonly profile: Profile;
	/** The main file: named by us for the document's profile, found where the client looks for it otherwise. */
	main = '';
	/** How many lines there were before the last run. */
	#before = 0;

	constructor(profile: Profile) {
		super();
		this.profile = profile;
		mkdirSync(join(this.cwd, '.git'));
		trust(this);
		this.checkOut('main');
		mkdirSync(join(this.cwd, '.claude/commands'), { recursive: true });
		writeFileSync(join(this.cwd, '.claude/commands/implement-spec.md'), '# Spec Implementation Workflow\n\n$ARGUMENTS');
	}

	checkOut(branch: string): void {
		writeFileSync(join(this.cwd, '.git/HEAD'), `ref: refs/heads/${branch}\n`);
	}

	/** A new session. */
	async begin(prompt: string, answers: Answers, ...flags: readonly string[]): Promise<Ended> {
		const published = join(this.cwd, '..', 'published', 'session.jsonl');
		const where = this.profile === 'published' ? ['--session-profile', 'published', '--session-file', published] : [];
		const ended = await this.#ask(prompt, answers, [...where, ...flags]);
		this.main = this.profile === 'published' ? published : ((await this.sessions())[0]?.path ?? '');
		return ended;
	}

	/** The same session goes on. */
	async goOn(prompt: string, answers: Answers, ...flags: readonly string[]): Promise<Ended> {
		this.#before = this.all().length;
		return await this.#ask(prompt, answers, ['-r', this.main, ...flags]);
	}

	async #ask(prompt: string, answers: Answers, flags: readonly string[]): Promise<Ended> {
		const server = 'url' in answers;
		const model = server ? ['--model', 'anthropic/claude-sonnet-4-5'] : ['--script', this.script(answers)];
		const env = server ? { ANTHROPIC_BASE_URL: answers.url, ANTHROPIC_API_KEY: 'key' } : {};
		const ended = await this.run(['-p', prompt, ...model, ...allowed, ...flags], { env });
		if (ended.code !== 0) throw new Error(ended.err);
		return ended;
	}

	all(): readonly Line[] {
		return framesIn(readFileSync(this.main, 'utf8')) as readonly Line[];
	}

	/** What the last run added. */
	added(): readonly Line[] {
		return this.all().slice(this.#before);
	}
}

export function messages(lines: readonly Line[]): readonly Line[] {
	return lines.filter(({ type }) => type === 'user' || type === 'assistant');
}

export function ofType(lines: readonly Line[], type: string): readonly Line[] {
	return lines.filter((line) => line.type === type);
}

export function blocks(line: Line | undefined): readonly SomeBlock[] {
	const content = line?.message?.content;
	return typeof content === 'string' || content === undefined ? [] : content;
}

/** The message that a line follows. What is no message, such as the date that the client notes, is looked through. */
export function messageAbove(line: Line, lines: readonly Line[]): Line | undefined {
	const byId = new Map(lines.map((one) => [one.uuid, one]));
	let above = byId.get(line.parentUuid ?? '');
	while (above && above.type !== 'user' && above.type !== 'assistant') above = byId.get(above.parentUuid ?? '');
	return above;
}

/** True for a line that answers a call. */
export function isResult(line: Line): boolean {
	return blocks(line).some(({ type }) => type === 'tool_result');
}

/** The files that the first update of a snapshot keeps, by path. */
export function keptIn(lines: readonly Line[]): Tracked {
	const update = ofType(lines, 'file-history-snapshot').find(({ isSnapshotUpdate }) => isSnapshotUpdate === true);
	return update?.snapshot?.trackedFileBackups ?? {};
}

export function copyOf(kept: Tracked, path: string): string {
	const state = kept[path];
	return typeof state === 'object' ? state.backupFileName : '';
}
