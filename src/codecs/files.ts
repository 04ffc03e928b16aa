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
} from '../model/index.ts';

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
