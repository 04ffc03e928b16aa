/** Puts what is noted of a call beside it: files have hooks and permissions behind all calls of a reply. */
import { type Entry, isPrompt } from '../model/index.ts';
import type { ToolPart, TranscriptPart } from './transcript.ts';

/** A call with what is known of it, or a part that belongs to none. */
export interface CallGroup {
	readonly call?: ToolPart;
	readonly parts: readonly TranscriptPart[];
}

export class CallBatch {
	#parts: TranscriptPart[] = [];
	#answered = false;

	/** Adds the parts of an entry; gives back what is complete. Calls are held until their results have come and something else begins. */
	add(entry: Entry, parts: readonly TranscriptPart[]): readonly CallGroup[] {
		const before = this.#isOver(entry) ? this.end() : [];
		if (this.#parts.length === 0 && !parts.some(({ kind }) => kind === 'tool')) return [...before, { parts }];
		this.#parts.push(...parts);
		this.#answered ||= entry.kind === 'message' && entry.content.some(({ type }) => type === 'tool_result');
		return before;
	}

	end(): readonly CallGroup[] {
		const parts = this.#parts;
		this.#parts = [];
		this.#answered = false;
		const calls = new Set(parts.flatMap((part) => (part.kind === 'tool' ? [part.call] : [])));
		const notes = Map.groupBy(parts, (part) => (part.kind === 'note' ? part.call : undefined));
		return parts.flatMap((part): readonly CallGroup[] => {
			if (part.kind === 'tool') return [{ call: part, parts: [part, ...(notes.get(part.call) ?? [])] }];
			return part.kind === 'note' && part.call !== undefined && calls.has(part.call) ? [] : [{ parts: [part] }];
		});
	}

	#isOver(entry: Entry): boolean {
		if (this.#parts.length === 0 || entry.kind !== 'message') return false;
		return entry.role === 'assistant' ? this.#answered : isPrompt(entry);
	}
}
