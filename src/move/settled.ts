/** Whether a window of a session can be written as it is: most can, and to find that out takes one look at each entry. */
import { type Block, type Entry, type EntryId, type MessageEntry, responseKey } from '../model/index.ts';

/**
 * True where `straighten`, `tidy` and `pairCalls` would change and tell nothing but the summaries of compactions: each entry of the
 * conversation follows the one before it, nothing is blank or failed, and results come right after the reply that made their calls.
 * Only for windows (`windows.ts`), in which every id and every call is there once, and every result answers a call of the same one.
 */
export function isSettled(entries: readonly Entry[], after: EntryId): boolean {
	const window = new Settled(after);
	for (const entry of entries) if (!window.takes(entry)) return false;
	return window.open === 0;
}

class Settled {
	/** Calls that have no result so far, all of one reply. */
	open = 0;
	#last: EntryId;
	/** The last entry of the conversation has results. */
	#answered = false;
	/** Somebody has said something to the model. */
	#prompted = false;
	#reply: string | undefined;
	readonly #requests = new Map<string, string | undefined>();

	constructor(after: EntryId) {
		this.#last = after;
	}

	takes(entry: Entry): boolean {
		if (entry.agent !== undefined || entry.records.length > 0 || entry.kind === 'summary') return false;
		if (!this.#follows(entry)) return false;
		if (entry.parent === undefined) return true;
		this.#last = entry.id;
		this.#answered = false;
		return entry.kind !== 'message' || this.#takesMessage(entry);
	}

	#follows({ kind, parent, logicalParent }: Entry): boolean {
		if (kind === 'compaction') {
			this.#prompted = true;
			// Results that only a cut follows count as left behind.
			if (parent === null) return logicalParent === this.#last && !this.#answered;
		}
		if (logicalParent !== undefined) return false;
		return parent === undefined ? kind !== 'message' && kind !== 'compaction' : parent === this.#last;
	}

	#takesMessage(entry: MessageEntry): boolean {
		if (entry.role === 'system' || entry.audience === 'user' || entry.content.length === 0) return false;
		return entry.role === 'assistant' ? this.#takesReply(entry) : this.#takesPrompt(entry);
	}

	#takesPrompt({ content }: MessageEntry): boolean {
		let speaks = false;
		for (const block of content) {
			if (isBlank(block)) return false;
			if (block.type !== 'tool_result') speaks = true;
			else {
				this.open -= 1;
				this.#answered = true;
			}
		}
		this.#prompted = true;
		return !speaks || this.open === 0;
	}

	#takesReply({ content, response }: MessageEntry): boolean {
		if (!this.#prompted || response?.error !== undefined || response?.synthetic) return false;
		const reply = response && responseKey(response);
		if (this.open > 0 && (reply === undefined || reply !== this.#reply)) return false;
		this.#reply = reply;
		for (const block of content) {
			if (isBlank(block) || block.type === 'tool_result') return false;
			if (block.type === 'tool_call') this.open += 1;
		}
		return response?.id === undefined || this.#namesOneRequest(response.id, response.request);
	}

	/** All lines of a reply name the same. */
	#namesOneRequest(reply: string, request: string | undefined): boolean {
		if (this.#requests.has(reply)) return this.#requests.get(reply) === request;
		this.#requests.set(reply, request);
		return true;
	}
}

function isBlank(block: Block): boolean {
	return block.type === 'text' && block.text.trim() === '';
}
