/** A conversation as it happens: what new entries tell, with calls before anything has come of them. */
import type { Entry, ToolCallBlock, ToolResultBlock } from '../model/index.ts';
import { partsOf, type TellOptions, type TranscriptPart, toolPart } from './transcript.ts';

export class LiveTranscript {
	readonly #options: TellOptions;
	/** Calls that nothing has answered yet. */
	readonly #open = new Map<string, ToolCallBlock>();

	constructor(options: TellOptions) {
		this.#options = options;
	}

	/** A call is told when it is made and again when its answer comes, or once where both are among these entries. */
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

	/** Nothing that was told before holds any more. */
	forget(): void {
		this.#open.clear();
	}

	#note(call: ToolCallBlock, isAnswered: boolean): void {
		if (!isAnswered) this.#open.set(call.id, call);
	}

	/** The answer to a call that was told as open. */
	#answered(result: ToolResultBlock, from: Entry): readonly TranscriptPart[] {
		const call = this.#open.get(result.call);
		if (!call) return [];
		this.#open.delete(result.call);
		return [toolPart(call, result, from)];
	}
}

/** True for entries that a reader would count: those that tell something by themselves. */
export function tellsSomething(entry: Entry, options: TellOptions): boolean {
	return partsOf(entry, () => undefined, options).length > 0;
}

function stillOpen(part: TranscriptPart): TranscriptPart {
	return part.kind === 'tool' && part.output === undefined ? { ...part, open: true } : part;
}

function blocksOf(entry: Entry) {
	return entry.kind === 'message' ? entry.content : [];
}
