/** Builds one reply of a model, piece by piece, and says so in the published events. Every provider streams through it. */
import type { AssistantMessage, MessageStop, ToolCall, MessageUsage as Usage } from '../../model/index.ts';
import type { Failure, ModelEvent } from '../contracts.ts';

type Content = AssistantMessage['content'][number];
/** pi marks thinking that the provider hides; the published type has no name for it. */
export type RedactedThinking = { readonly redacted?: true };

export interface ReplySource {
	readonly api: string;
	readonly provider: string;
	readonly model: string;
	/** Unix milliseconds. */
	readonly now: number;
}

export const zeroUsage = (): Usage => ({
	input: 0,
	output: 0,
	cacheRead: 0,
	cacheWrite: 0,
	totalTokens: 0,
	cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
});

/**
 * Each method returns the event to pass on. `partial` is one object that grows: whoever wants to keep a state copies it.
 * Copying it for every delta would make long replies quadratic.
 */
export class ReplyBuilder {
	readonly message: AssistantMessage;
	readonly #openCalls = new Set<ToolCall>();

	constructor({ api, provider, model, now }: ReplySource) {
		this.message = {
			role: 'assistant',
			content: [],
			api,
			provider,
			model,
			usage: zeroUsage(),
			stopReason: 'stop',
			timestamp: now,
		};
	}

	start(): ModelEvent {
		return { type: 'start', partial: this.message };
	}

	/** Tokens so far; costs are the loop's business. */
	count(tokens: Partial<Omit<Usage, 'cost' | 'totalTokens'>>): void {
		const usage = this.message.usage;
		Object.assign(usage, tokens);
		usage.totalTokens = usage.input + usage.output + usage.cacheRead + usage.cacheWrite;
	}

	textStart(): ModelEvent {
		return { type: 'text_start', contentIndex: this.#push({ type: 'text', text: '' }), partial: this.message };
	}

	textDelta(contentIndex: number, delta: string): ModelEvent {
		const block = this.#block(contentIndex, 'text');
		block.text += delta;
		return { type: 'text_delta', contentIndex, delta, partial: this.message };
	}

	textEnd(contentIndex: number, signature?: string): ModelEvent {
		const block = this.#block(contentIndex, 'text');
		if (signature) block.textSignature = signature;
		return { type: 'text_end', contentIndex, content: block.text, partial: this.message };
	}

	thinkingStart(redacted?: string): ModelEvent {
		const hidden = redacted === undefined ? {} : { thinkingSignature: redacted, redacted: true };
		const contentIndex = this.#push({ type: 'thinking', thinking: '', ...hidden });
		return { type: 'thinking_start', contentIndex, partial: this.message };
	}

	thinkingDelta(contentIndex: number, delta: string): ModelEvent {
		const block = this.#block(contentIndex, 'thinking');
		block.thinking += delta;
		return { type: 'thinking_delta', contentIndex, delta, partial: this.message };
	}

	thinkingEnd(contentIndex: number, signature?: string): ModelEvent {
		const block = this.#block(contentIndex, 'thinking');
		if (signature) block.thinkingSignature = signature;
		return { type: 'thinking_end', contentIndex, content: block.thinking, partial: this.message };
	}

	callStart(id: string, name: string): ModelEvent {
		const call: ToolCall = { type: 'toolCall', id, name, arguments: {} };
		this.#openCalls.add(call);
		const contentIndex = this.#push(call);
		return { type: 'toolcall_start', contentIndex, partial: this.message };
	}

	/** A piece of the arguments' JSON. */
	callDelta(contentIndex: number, delta: string): ModelEvent {
		return { type: 'toolcall_delta', contentIndex, delta, partial: this.message };
	}

	callEnd(contentIndex: number, given: Pick<ToolCall, 'arguments'> & Partial<ToolCall>): ModelEvent {
		const toolCall = Object.assign(this.#block(contentIndex, 'toolCall'), given);
		this.#openCalls.delete(toolCall);
		return { type: 'toolcall_end', contentIndex, toolCall, partial: this.message };
	}

	done(reason: MessageStop): ModelEvent {
		this.message.stopReason = reason;
		return { type: 'done', reason, message: this.message };
	}

	/** What ends a reply that failed: first why, then what had arrived of it. Half a call is of no use, and is left out. */
	failed(failure: Failure): readonly ModelEvent[] {
		const reason = failure.code === 'aborted' ? 'aborted' : 'error';
		this.message.stopReason = reason;
		this.message.errorMessage = failure.message;
		this.message.content = this.message.content.filter((block) => !this.#openCalls.has(block as ToolCall));
		return [
			{ type: 'failure', failure },
			{ type: 'error', reason, error: this.message },
		];
	}

	#push(block: Content): number {
		return this.message.content.push(block) - 1;
	}

	#block<T extends Content['type']>(index: number, type: T): Extract<Content, { type: T }> {
		const block = this.message.content[index];
		if (block?.type !== type) throw new Error(`block ${index} of the reply is no ${type}`);
		return block as Extract<Content, { type: T }>;
	}
}
