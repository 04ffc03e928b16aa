/** One question to the model: streamed, written down block by block, asked again where that may help (`retry.ts`); a stream that throws or ends in silence is a failure. */
import { type AssistantMessage, errorText, type ToolCall } from '../../model/index.ts';
import type { AgentConfig } from '../config.ts';
import type { Failure, ModelEvent, ModelRequest } from '../contracts.ts';
import type { AgentEvent, AssistantMessageEvent } from '../events.ts';
import type { Journal } from '../recording/journal.ts';
import type { ReplyJournal } from '../recording/reply-journal.ts';
import { ReplyBuilder } from './reply-builder.ts';
import { retryAfter } from './retry.ts';

export interface Answer {
	readonly message: AssistantMessage;
	/** Present when there is no answer, or only a part of one. */
	readonly failure?: Failure;
	/** Calls whose arguments were no JSON object, with what the model wrote instead. */
	readonly malformed: ReadonlyMap<string, string>;
}

export interface Asking {
	readonly config: AgentConfig;
	readonly journal: Journal;
	readonly signal: AbortSignal;
	/** True for a failure that somebody else deals with: the session only says that the attempt failed. */
	leaves?(failure: Failure): boolean;
	emit(event: AgentEvent): void;
}

export async function askModel(request: ModelRequest, asking: Asking): Promise<Answer> {
	const { config, journal, signal } = asking;
	for (let attempt = 1; ; attempt += 1) {
		const reply = journal.reply();
		const attempted = await attemptOnce(request, reply, asking);
		const { failure } = attempted;
		if (failure === undefined) return attempted;
		if (asking.leaves?.(failure)) {
			await journal.failedAttempt(failure, attempt, reply.abandoned());
			asking.emit({ type: 'message_end', message: attempted.message });
			return attempted;
		}
		const next = signal.aborted ? { failure } : retryAfter(failure, attempt, config.retry);
		if ('failure' in next) {
			if (next.failure !== failure) attempted.message.errorMessage = next.failure.message;
			if (!signal.aborted) config.observe?.({ type: 'failed', failure: next.failure });
			await reply.broken(attempted.message);
			asking.emit({ type: 'message_end', message: attempted.message });
			return { ...attempted, failure: next.failure };
		}
		const { waitMs, of } = next;
		config.observe?.({ type: 'retry', failure, attempt, of, waitMs });
		await journal.failedAttempt(failure, attempt, reply.abandoned());
		await config.host.sleep(waitMs, signal);
		if (signal.aborted) {
			asking.emit({ type: 'message_end', message: attempted.message });
			return { ...attempted, failure: { code: 'aborted', message: interrupted, retry: false } };
		}
	}
}

const interrupted = 'interrupted while waiting to ask again';

async function attemptOnce(request: ModelRequest, reply: ReplyJournal, asking: Asking): Promise<Answer> {
	const attempt = new Attempt(reply, asking);
	for (const event of await listen(request, attempt, asking)) await attempt.hear(event);
	const { message, malformed, failure } = attempt;
	if (message === undefined) {
		throw new Error(`the provider ${asking.config.provider.id} ended a stream without any event`);
	}
	return failure === undefined ? { message, malformed } : { message, malformed, failure };
}

/** What has been heard of one reply. */
class Attempt {
	readonly #reply: ReplyJournal;
	readonly #asking: Asking;
	readonly malformed = new Map<string, string>();
	message: AssistantMessage | undefined;
	failure: Failure | undefined;
	#told = false;

	constructor(reply: ReplyJournal, asking: Asking) {
		this.#reply = reply;
		this.#asking = asking;
	}

	/** Passes an event on, after what it ends is written. Pieces are many: of those nobody has to wait for anything. */
	hear(event: ModelEvent): Promise<void> | undefined {
		const { config, emit } = this.#asking;
		switch (event.type) {
			case 'response':
				this.#reply.names(event);
				if (event.limits) config.observe?.({ type: 'limits', limits: event.limits });
				if (event.note !== undefined) config.observe?.({ type: 'note', text: event.note });
				return undefined;
			case 'malformed-call':
				this.malformed.set(event.callId, event.raw);
				return undefined;
			case 'failure':
				this.failure = event.failure;
				if (event.failure.limits) config.observe?.({ type: 'limits', limits: event.failure.limits });
				return undefined;
			case 'start':
				this.message = event.partial;
				emit({ type: 'message_start', message: event.partial });
				return undefined;
			case 'done':
				return this.#done(event);
			case 'error':
				this.message = event.error;
				settle(event.error, config, this.#reply);
				update(event.error, event, emit);
				return undefined;
			default:
				this.message = event.partial;
				if (!this.#told) this.#tell();
				if (isEnd(event)) return this.#blockEnd(event);
				update(event.partial, event, emit);
				return undefined;
		}
	}

	#tell(): void {
		const { config } = this.#asking;
		this.#told = true;
		config.observe?.({ type: 'reply', id: named(this.#reply, config) });
	}

	async #done(event: Extract<AssistantMessageEvent, { type: 'done' }>): Promise<void> {
		const { config, emit } = this.#asking;
		const { message } = event;
		this.message = message;
		settle(message, config, this.#reply);
		await this.#reply.done(message);
		update(message, event, emit);
		emit({ type: 'message_end', message });
	}

	async #blockEnd(event: BlockEnd): Promise<void> {
		await this.#reply.block(event.contentIndex, event.partial);
		update(event.partial, event, this.#asking.emit);
	}
}

type BlockEnd = Extract<AssistantMessageEvent, { type: `${string}_end` }>;

function isEnd(event: AssistantMessageEvent): event is BlockEnd {
	return event.type === 'text_end' || event.type === 'thinking_end' || event.type === 'toolcall_end';
}

function update(message: AssistantMessage, event: AssistantMessageEvent, emit: Asking['emit']): void {
	emit({ type: 'message_update', message, assistantMessageEvent: event });
}

function settle(message: AssistantMessage, config: AgentConfig, reply: ReplyJournal): void {
	const { provider, model, usage } = message;
	const cost = config.price?.(model, provider, usage);
	if (cost) usage.cost = cost;
	named(reply, config);
}

/** The blocks of a reply belong together by its id, and some servers give none. */
function named(reply: ReplyJournal, { host }: AgentConfig): string {
	const id = reply.id ?? `msg_${host.randomHex(24)}`;
	reply.names({ id });
	return id;
}

/**
 * Listens to a stream until it ends. One that breaks its promise, by throwing or by ending in silence, fails like any other: what it
 * should have said is returned. Not a generator around the stream: that would cost as much as all else that is done for a piece.
 */
async function listen(request: ModelRequest, attempt: Attempt, asking: Asking): Promise<readonly ModelEvent[]> {
	const { config, signal } = asking;
	let events: AsyncIterator<ModelEvent> | undefined;
	let last: ModelEvent | undefined;
	for (;;) {
		let step: IteratorResult<ModelEvent>;
		try {
			events ??= config.provider.stream(request, signal)[Symbol.asyncIterator]();
			step = await events.next();
		} catch (error) {
			return broken(errorText(error), last, request, asking);
		}
		if (step.done) break;
		last = step.value;
		try {
			const written = attempt.hear(last);
			if (written !== undefined) await written;
		} catch (error) {
			await events.return?.(); // nobody listens any more
			throw error;
		}
	}
	if (last?.type === 'done' || last?.type === 'error') return [];
	return broken('the connection ended in the middle of a reply', last, request, asking);
}

function broken(
	problem: string,
	last: ModelEvent | undefined,
	request: ModelRequest,
	{ config: { provider, host }, signal }: Asking,
): readonly ModelEvent[] {
	const builder = new ReplyBuilder({ api: provider.api, provider: provider.id, model: request.model, now: host.now() });
	if (last && 'partial' in last) builder.message.content.push(...last.partial.content);
	const code = signal.aborted ? 'aborted' : 'cut';
	const failed = builder.failed({ code, message: problem, retry: code === 'cut' });
	return last === undefined ? [builder.start(), ...failed] : failed;
}

export function callsOf(message: AssistantMessage): readonly ToolCall[] {
	return message.content.filter((block) => block.type === 'toolCall');
}
