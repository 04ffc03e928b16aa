/** Which files a session has seen, and how they were when it last did. */
import {
	type Entry,
	type EntryId,
	isObject,
	type Json,
	type JsonObject,
	type Session,
	type ToolCallBlock,
	type ToolResultBlock,
	withoutTrailingBlanks,
} from '../../../model/index.ts';

export interface SeenFile {
	/** As the session names it; relative to its folder where it is not absolute. */
	readonly path: string;
	/** The entry whose result showed it. */
	readonly entry: EntryId;
	/** Its bytes by their hash, in lower-case hex, or its text. A tool may have shown it with other line ends. */
	readonly is: { readonly sha256: string } | { readonly text: string };
	readonly mtimeNs?: string;
}

export interface ToolRun {
	readonly entry: Entry;
	readonly call: ToolCallBlock;
	readonly input: JsonObject;
	readonly result: ToolResultBlock;
}

const noInput: JsonObject = {};

/** The results of a session that did not fail, in order, each with its call. */
export function* toolRuns(session: Session): Generator<ToolRun> {
	const calls = new Map<string, ToolCallBlock>();
	for (const entry of session.entries) {
		if (entry.kind !== 'message') continue;
		for (const block of entry.content) {
			if (block.type === 'tool_call') calls.set(block.id, block);
			if (block.type !== 'tool_result' || block.isError) continue;
			const call = calls.get(block.call);
			if (call) yield { entry, call, input: isObject(call.input) ? call.input : noInput, result: block };
		}
	}
}

/** Files by path; what was seen last counts. */
export class SeenFiles {
	readonly #files = new Map<string, SeenFile>();

	see(path: Json | undefined, entry: Entry, text: Json | undefined): void {
		if (typeof path !== 'string' || path === '') return;
		// A change whose outcome the session does not hold leaves nothing to compare with.
		if (typeof text !== 'string') this.#files.delete(path);
		else this.#files.set(path, { path, entry: entry.id, is: { text } });
	}

	put(file: SeenFile): void {
		this.#files.set(file.path, file);
	}

	textOf(path: Json | undefined): string | undefined {
		const is = typeof path === 'string' ? this.#files.get(path)?.is : undefined;
		return is && 'text' in is ? is.text : undefined;
	}

	list(): readonly SeenFile[] {
		return [...this.#files.values()];
	}
}

/** One text put in place of another; undefined where that is not there, or there more than once and only one was meant. */
export function replaced(
	text: string | undefined,
	old: Json | undefined,
	now: Json | undefined,
	all = false,
): string | undefined {
	if (text === undefined || typeof old !== 'string' || typeof now !== 'string' || old === '') return undefined;
	const parts = text.split(old);
	if (parts.length < 2 || (parts.length > 2 && !all)) return undefined;
	return parts.join(now);
}

/** The text of a result that is nothing but text. */
export function plainText(result: ToolResultBlock): string | undefined {
	const [only] = result.content;
	return result.content.length === 1 && only?.type === 'text' ? only.text : undefined;
}

/**
 * Takes a call of one of Reprise's own tools, under whose names sessions of every format go on. False: it is another client's.
 */
export function seeOwnTool({ call, input, entry, result }: ToolRun, seen: SeenFiles): boolean {
	const { file_path: path, old_string: old, new_string: now } = input;
	if (typeof path !== 'string') return false;
	if (call.name === 'Write') seen.see(path, entry, written(input.content, path));
	else if (call.name === 'Edit') {
		const made = old === '' ? now : replaced(seen.textOf(path), old, written(now, path), input.replace_all === true);
		seen.see(path, entry, made);
	} else if (call.name === 'Read') {
		const isWhole = input.offset === undefined && input.limit === undefined;
		if (isWhole) seen.see(path, entry, unnumbered(plainText(result)));
	} else return false;
	return true;
}

/** As the tools write it. */
function written(text: Json | undefined, path: string): Json | undefined {
	return typeof text === 'string' ? withoutTrailingBlanks(text, path) : text;
}

const numberedLine = /^ *\d+(?:→|\t)/;

/** The text that was shown with line numbers, without what was told behind it; undefined where it was shown in another way. */
function unnumbered(shown: string | undefined): string | undefined {
	const lines = shown?.replace(/\n*<system-reminder>[\s\S]*<\/system-reminder>\s*$/, '').split('\n');
	if (!lines?.every((line) => numberedLine.test(line))) return undefined;
	return lines.map((line) => line.replace(numberedLine, '')).join('\n');
}
