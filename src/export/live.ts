/** Shows a conversation as it happens: what new entries say, and calls before their results have come. */
import type { Entry, ToolCallBlock, ToolResultBlock } from '../model/index.ts';
import { partsOf, type TellOptions, type TranscriptPart, toolPart } from './transcript.ts';

export class LiveTranscript {
	readonly #options: TellOptions;
	/** Calls without a result so far. */
	readonly #open = new Map<string, ToolCallBlock>();

	constructor(options: TellOptions) {
		this.#options = options;
	}

	/** The parts of new entries. A call is shown when it is made and again with its result, or once if both are here. */
	tell(entries: readonly Entry[]): readonly TranscriptPart[] {
		const answers = new Map<string, ToolResultBlock>();
		for (const block of entries.flatMap(blocksOf)) if (block.type === 'tool_result') answers.set(block.call, block);
		const parts: TranscriptPart[] = [];
		for (const entry of entries) {
			for (const part of partsOf(entry, (call) => answers.get(call), this.#options)) parts.push(stillOpen(part));
			for (const block of blocksOf(entry)) {
				if (block.type === 'tool_call') this.#note(block, answers.has(block.id));
				else if (block.type === 'tool_result') parts.push(...this.#answered(block, entry));
			}
		}
		return parts;
	}

	/** Forgets open calls, when nothing that was shown before is valid any more. */
	forget(): void {
		this.#open.clear();
	}

	#note(call: ToolCallBlock, isAnswered: boolean): void {
		if (!isAnswered) this.#open.set(call.id, call);
	}

	/** The part for the result of a call that was shown as open. */
	#answered(result: ToolResultBlock, from: Entry): readonly TranscriptPart[] {
		const call = this.#open.get(result.call);
		if (!call) return [];
		this.#open.delete(result.call);
		return [toolPart(call, result, from)];
	}
}

/** True for an entry that a reader would count, because it shows something by itself. */
export function tellsSomething(entry: Entry, options: TellOptions): boolean {
	return partsOf(entry, () => undefined, options).length > 0;
}

function stillOpen(part: TranscriptPart): TranscriptPart {
	return part.kind === 'tool' && part.output === undefined ? { ...part, open: true } : part;
}

function blocksOf(entry: Entry) {
	return entry.kind === 'message' ? entry.content : [];
}
