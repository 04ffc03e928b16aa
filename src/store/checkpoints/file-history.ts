/** The record of which calls, prompts and rewinds of a session changed which files: its shape, and its folder and file names in our own data. */
import { appendFileSync, closeSync, existsSync, fstatSync, fsyncSync, mkdirSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { Machine } from '../../codecs/index.ts';
import { deriveHex } from '../../codecs/shared/write/derive.ts';
import { readIfThere } from '../../log/regular-file.ts';
import { type EntryId, isObject, type Json, type NamedSession, parsedJson } from '../../model/index.ts';
import { dataFolder } from '../own-data/data-folder.ts';
import { Copies } from './copies.ts';
import { type FormedChange, readForm } from './forms.ts';

/** A step stands where it happened: the order of the steps is the order in time, whatever branch they belong to. */
export type HistoryStep = PromptStep | BeginStep | EndStep | RewindStep | CopiedStep;

export interface PromptStep {
	readonly is: 'prompt';
	readonly prompt: EntryId;
	readonly time: string;
	/** The session's folder. */
	readonly cwd: string;
}

/** A call is about to change files. Where no end follows, it was cut off, and nobody knows what it did. */
export interface BeginStep {
	readonly is: 'begin';
	readonly call: string;
	/** For a call of a sub-agent: the session's own call that waited for it. */
	readonly within?: string;
	readonly prompt?: EntryId;
	readonly tool: string;
	/** The command, or the file. */
	readonly what: string;
	/** What is known before it runs: the form of the one file that it names. */
	readonly files: readonly Omit<FormedChange, 'after'>[];
	/** For a command, which may change any file: what was in its folders, by the sum of the kept look. */
	readonly looks?: readonly KeptLook[];
	/** What was not looked at, in words for the user. */
	readonly missed?: readonly string[];
}

export interface KeptLook {
	readonly folder: string;
	/** The sum under which it is kept. */
	readonly sum: string;
	/** Patterns of files that git ignores and that were looked at all the same. */
	readonly ignored?: readonly string[];
}

export interface EndStep {
	readonly is: 'end';
	readonly call: string;
	readonly within?: string;
	readonly prompt?: EntryId;
	readonly changes: readonly FormedChange[];
	/** What was not looked at, in words for the user. */
	readonly missed: readonly string[];
	/** It was cut off, and this was found by whoever looked next: some of it may be the work of somebody else. */
	readonly late?: true;
}

/** Files were restored, or that was undone. */
export interface RewindStep {
	readonly is: 'rewind';
	readonly id: string;
	readonly time: string;
	/** The entry that was gone back to; absent where a rewind was undone. */
	readonly to?: EntryId;
	/** Where the conversation went on before, if it was moved too; `null` where it began anew. */
	readonly from?: EntryId | null;
	/** The rewind that this one undoes. */
	readonly undoes?: string;
	readonly changes: readonly FormedChange[];
}

/** All before it was the history of another session, of which this one is a copy. */
export interface CopiedStep {
	readonly is: 'copied';
	/** The other session's main file. */
	readonly path: string;
	readonly id: string;
	readonly time: string;
}

export class FileHistory {
	readonly folder: string;
	readonly copies: Copies;
	readonly #file: string;

	constructor(machine: Machine, session: NamedSession) {
		this.folder = join(historiesFolder(machine), nameOf(session));
		this.#file = join(this.folder, 'steps');
		this.copies = copiesOf(machine);
	}

	/** Where a rewind that is under way is written down. */
	get planFile(): string {
		return join(this.folder, 'rewind.json');
	}

	get exists(): boolean {
		return existsSync(this.#file);
	}

	append(step: HistoryStep, durable = false): void {
		this.appendAll([step], durable);
	}

	appendAll(steps: readonly HistoryStep[], durable = false): void {
		mkdirSync(this.folder, { recursive: true, mode: 0o700 });
		const torn = endsTorn(this.#file);
		const file = openSync(this.#file, 'a', 0o600);
		try {
			appendFileSync(file, `${torn ? '\n' : ''}${steps.map((step) => `${JSON.stringify(step)}\n`).join('')}`);
			if (durable) fsyncSync(file);
		} finally {
			closeSync(file);
		}
	}

	/** All steps in the order in which they happened. */
	steps(): readonly HistoryStep[] {
		return readSteps(this.folder);
	}
}

export function historiesFolder(machine: Machine): string {
	return join(dataFolder(machine), 'checkpoints', 'sessions');
}

export function copiesOf(machine: Machine): Copies {
	return new Copies(join(dataFolder(machine), 'checkpoints', 'copies'));
}

/** What projects were before commands; apart from the copies, which are what was in their files. */
export function looksOf(machine: Machine): Copies {
	return new Copies(join(dataFolder(machine), 'checkpoints', 'looks'));
}

function nameOf({ format, id }: NamedSession): string {
	return `${format}-${deriveHex(16, id)}`;
}

/** A line that a killed process left torn says nothing. */
export function readSteps(folder: string): readonly HistoryStep[] {
	const text = readIfThere(join(folder, 'steps'))?.toString('utf8') ?? '';
	return text.split('\n').flatMap((line) => {
		const step = line === '' ? undefined : stepOf(parsedJson(line));
		return step ? [step] : [];
	});
}

function stepOf(value: Json | undefined): HistoryStep | undefined {
	if (!isObject(value)) return undefined;
	const { is } = value;
	if (is === 'prompt' || is === 'copied') return value as unknown as HistoryStep;
	if (is === 'begin' && Array.isArray(value.files)) {
		return { ...value, files: value.files.flatMap((file) => changeOf(file) ?? []) } as unknown as HistoryStep;
	}
	if ((is === 'end' || is === 'rewind') && Array.isArray(value.changes)) {
		return { ...value, changes: value.changes.flatMap((change) => changeOf(change) ?? []) } as unknown as HistoryStep;
	}
	return undefined;
}

export function changeOf(value: Json): FormedChange | undefined {
	if (!isObject(value) || typeof value.path !== 'string') return undefined;
	return { path: value.path, before: readForm(value.before), after: readForm(value.after) };
}

function endsTorn(path: string): boolean {
	if (!existsSync(path)) return false;
	const file = openSync(path, 'r');
	try {
		const { size } = fstatSync(file);
		const last = Buffer.alloc(1);
		return size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last[0] !== 10;
	} finally {
		closeSync(file);
	}
}
