/** Finds which files a session has read or written, and the text that each had then, to notice later changes by others. */
import {
	compact,
	type Entry,
	type EntryId,
	isObject,
	type Json,
	type JsonObject,
	type ToolCallBlock,
	type ToolResultBlock,
	withoutTrailingBlanks,
} from '../../../model/index.ts';

export interface SeenFile {
	/** The path in the session's words; if relative, to its folder. */
	readonly path: string;
	/** The entry with the result that showed the file. */
	readonly entry: EntryId;
	/** When that was, where the entry says so. */
	readonly time?: string;
	/** The hash of its bytes in lower-case hex, or its text, which a tool may have shown with other line ends. */
	readonly is: { readonly sha256: string } | { readonly text: string };
	readonly mtimeNs?: string;
}

/** A session, or what is read of one in passing: its entries are asked for once, in order. */
export interface HasEntries {
	readonly entries: Iterable<Entry>;
}

export interface ToolRun {
	readonly entry: Entry;
	readonly call: ToolCallBlock;
	readonly input: JsonObject;
	readonly result: ToolResultBlock;
}

const noInput: JsonObject = {};

/** The successful results of a session in order, each with its call. */
export function* toolRuns(session: HasEntries): Generator<ToolRun> {
	const calls = new Map<string, ToolCallBlock>();
	for (const entry of session.entries) {
		if (entry.kind !== 'message') continue;
		for (const block of entry.content) {
			if (block.type === 'tool_call') calls.set(block.id, block);
			if (block.type !== 'tool_result' || block.isError) continue;
			const call = calls.get(block.call);
			// Forgotten, because inputs may be as long as files; a second result would show the same.
			calls.delete(block.call);
			if (call) yield { entry, call, input: isObject(call.input) ? call.input : noInput, result: block };
		}
	}
}

/** Files by path; the last state that was seen counts. */
export class SeenFiles {
	readonly #files = new Map<string, SeenFile>();

	see(path: Json | undefined, entry: Entry, text: Json | undefined): void {
		if (typeof path !== 'string' || path === '') return;
		// After a change with an unknown outcome there is nothing to compare with.
		if (typeof text !== 'string') this.#files.delete(path);
		else this.#files.set(path, { path, entry: entry.id, ...compact({ time: entry.time }), is: { text } });
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

/** Replaces one text by another; undefined where it is missing, or occurs several times though only one was meant. */
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

/** The text of a result that consists of text only. */
export function plainText(result: ToolResultBlock): string | undefined {
	const [only] = result.content;
	return result.content.length === 1 && only?.type === 'text' ? only.text : undefined;
}

/** Records a call of one of Reprise's own tools, which occur in sessions of every format. False for other tools. */
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

/** The text as our tools write it to a file. */
function written(text: Json | undefined, path: string): Json | undefined {
	return typeof text === 'string' ? withoutTrailingBlanks(text, path) : text;
}

const numberedLine = /^ *\d+(?:→|\t)/;

/** A text that was shown with line numbers, without numbers and remarks; undefined where it has none. */
function unnumbered(shown: string | undefined): string | undefined {
	const lines = shown?.replace(/\n*<system-reminder>[\s\S]*<\/system-reminder>\s*$/, '').split('\n');
	if (!lines?.every((line) => numberedLine.test(line))) return undefined;
	return lines.map((line) => line.replace(numberedLine, '')).join('\n');
}
