/** Writes one reply of the model into its session while it arrives: block by block or as a whole, and what stays of a reply that broke off. */
import type { AssistantMessage, Block, EntryId, JsonObject, ModelResponse } from '../../model/index.ts';
import type { ResponseEvent } from '../contracts.ts';
import { neutralStop, neutralUsage, replyBlock } from './blocks.ts';
import type { Journal } from './journal.ts';

/**
 * One reply. Where the format has a line per block, each is written when the next begins: only then is it known not to be the
 * last, and the last carries why the reply ended.
 */
export class ReplyJournal {
	readonly #journal: Journal;
	/** Where the conversation goes on if this reply fails and another takes its place. */
	readonly #before: EntryId | null;
	#response: ModelResponse = {};
	/** Why it ended, where the published words have none for it. */
	#stop: Pick<ModelResponse, 'stop' | 'stopSequence'> = {};
	#pending: Block | undefined;
	/** How many blocks have ended. */
	#finished = 0;
	#written = 0;

	constructor(journal: Journal) {
		this.#journal = journal;
		this.#before = journal.leaf;
	}

	/** An id that is written stays: the blocks of a reply are found by it. */
	names({ id, request, model, stop, stopSequence }: Omit<ResponseEvent, 'type'>): void {
		if (stop !== undefined) this.#stop = { stop, ...(stopSequence === undefined ? {} : { stopSequence }) };
		const kept = this.#response.id ?? id;
		this.#response = {
			...this.#response,
			...(kept === undefined ? {} : { id: kept }),
			...(request === undefined ? {} : { request }),
			...(model === undefined ? {} : { model }),
		};
	}

	get id(): string | undefined {
		return this.#response.id;
	}

	/** A block is finished. */
	async block(index: number, partial: AssistantMessage): Promise<void> {
		if (!this.#journal.perBlock) return;
		const content = partial.content[index];
		if (content === undefined) return;
		const before = this.#pending;
		this.#pending = replyBlock(content);
		this.#finished = index + 1;
		if (before) await this.#write([before], this.#facts(partial));
	}

	/** The reply is whole. */
	async done(message: AssistantMessage): Promise<void> {
		const response = { ...this.#whole(message), stop: neutralStop(message.stopReason), ...this.#stop };
		if (!this.#journal.perBlock) await this.#write(message.content.map(replyBlock), response, this.#own(message));
		else if (this.#pending) await this.#write([this.#pending], response);
		else if (message.content.length === 0) await this.#write([], response);
		this.#pending = undefined;
	}

	/** It broke off, and nobody asks again: what had arrived of it stays. */
	async broken(message: AssistantMessage): Promise<void> {
		const { rules } = this.#journal;
		const rest = message.content.slice(this.#finished).map(replyBlock);
		const blocks = this.#pending ? [this.#pending, ...rest] : rest;
		this.#pending = undefined;
		const kept = blocks.filter(isSaid).filter((block) => rules.abortedCalls !== 'drop' || block.type !== 'tool_call');
		if (message.stopReason === 'aborted' && kept.length === 0 && !rules.emptyAborted) return;
		const stop = neutralStop(message.stopReason);
		const error = message.stopReason === 'error' ? { error: message.errorMessage ?? 'the reply broke off' } : {};
		const response = { ...this.#whole(message), stop };
		// Where blocks have lines of their own, why the reply failed has one too.
		if (this.#journal.perBlock && kept.length > 0 && 'error' in error) {
			await this.#write(kept, this.#facts(message));
			await this.#write([], { ...response, id: `${response.id}_error`, ...error });
		} else await this.#write(kept, { ...response, ...error }, this.#own(message));
	}

	/** It broke off and another reply takes its place: what was written of it is left on a branch of its own. */
	abandoned(): EntryId | null | undefined {
		this.#pending = undefined;
		return this.#written > 0 ? this.#before : undefined;
	}

	#facts({ provider, api, model, usage }: AssistantMessage): ModelResponse {
		return { provider, api, model, usage: neutralUsage(usage), ...this.#response };
	}

	/** What only the format's own fields can say of a whole reply. */
	#own({ usage }: AssistantMessage): { readonly extra?: JsonObject } {
		const extra = this.#journal.rules.usageFields?.(usage as unknown as JsonObject);
		return extra === undefined ? {} : { extra };
	}

	#whole(message: AssistantMessage): ModelResponse {
		const { usage: _, ...facts } = this.#facts(message);
		const goesOn = message.stopReason === 'toolUse';
		return { ...facts, ...this.#journal.used(neutralUsage(message.usage), message.usage.cost.total, goesOn) };
	}

	async #write(
		content: readonly Block[],
		response: ModelResponse,
		own: { readonly extra?: JsonObject } = {},
	): Promise<void> {
		this.#written += 1;
		await this.#journal.add({ kind: 'message', role: 'assistant', content, response, ...own });
	}
}

function isSaid(block: Block): boolean {
	if (block.type === 'text') return block.text.trim() !== '';
	return block.type !== 'thinking' || block.text !== '' || block.redacted !== undefined;
}
