/** One question to the model: streamed, written down block by block, asked again where that may help. */
import type { AssistantMessage, ToolCall } from '../codecs/openclaw/index.ts';
import type { AgentConfig, RetryRules } from './config.ts';
import type { Failure, ModelEvent, ModelRequest } from './contracts.ts';
import type { AgentEvent, AssistantMessageEvent } from './events.ts';
import type { Journal, ReplyJournal } from './journal.ts';
import { ReplyBuilder } from './reply-builder.ts';

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
	emit(event: AgentEvent): void;
}

const retryDefaults = { times: 5, firstWaitMs: 1000, longestWaitMs: 30_000 } as const satisfies RetryRules;

export async function askModel(request: ModelRequest, asking: Asking): Promise<Answer> {
	const { config, journal, signal } = asking;
	const { times, firstWaitMs, longestWaitMs } = { ...retryDefaults, ...config.retry };
	for (let attempt = 1; ; attempt += 1) {
		const reply = journal.reply();
		const attempted = await attemptOnce(request, reply, asking);
		const { failure } = attempted;
		if (failure === undefined) return attempted;
		const wanted = failure.retryAfterMs ?? firstWaitMs * 2 ** (attempt - 1);
		if (!failure.retry || attempt > times || signal.aborted) {
			await reply.broken(attempted.message);
			asking.emit({ type: 'message_end', message: attempted.message });
			return attempted;
		}
		const waitMs = Math.min(wanted, longestWaitMs);
		config.observe?.({ type: 'retry', failure, attempt, of: times, waitMs });
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
	const { config, signal, emit } = asking;
	const malformed = new Map<string, string>();
	let message: AssistantMessage | undefined;
	let failure: Failure | undefined;
	for await (const event of safely(config, request, signal)) {
		switch (event.type) {
			case 'response':
				reply.names(event);
				break;
			case 'malformed-call':
				malformed.set(event.callId, event.raw);
				break;
			case 'failure':
				failure = event.failure;
				break;
			case 'start':
				message = event.partial;
				emit({ type: 'message_start', message });
				break;
			case 'done':
				message = event.message;
				settle(message, config, reply);
				await reply.done(message);
				update(message, event, emit);
				emit({ type: 'message_end', message });
				break;
			case 'error':
				message = event.error;
				settle(message, config, reply);
				update(message, event, emit);
				break;
			default:
				message = event.partial;
				if (isEnd(event)) {
					named(reply, config);
					await reply.block(event.contentIndex, event.partial);
				}
				update(message, event, emit);
		}
	}
	if (message === undefined) throw new Error(`the provider ${config.provider.id} ended a stream without any event`);
	return failure === undefined ? { message, malformed } : { message, malformed, failure };
}

function isEnd(event: AssistantMessageEvent): event is Extract<AssistantMessageEvent, { type: `${string}_end` }> {
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
function named(reply: ReplyJournal, { host }: AgentConfig): void {
	if (reply.id === undefined) reply.names({ id: `msg_${host.randomHex(24)}` });
}

/** A stream that breaks its promise, by throwing or by ending in silence, fails like any other. */
async function* safely(
	config: AgentConfig,
	request: ModelRequest,
	signal: AbortSignal,
): AsyncGenerator<ModelEvent, void> {
	const { provider, host } = config;
	let last: ModelEvent | undefined;
	let problem = 'the connection ended in the middle of a reply';
	try {
		for await (const event of provider.stream(request, signal)) {
			last = event;
			yield event;
		}
		if (last?.type === 'done' || last?.type === 'error') return;
	} catch (error) {
		problem = error instanceof Error ? error.message : String(error);
	}
	const builder = new ReplyBuilder({ api: provider.api, provider: provider.id, model: request.model, now: host.now() });
	if (last && 'partial' in last) builder.message.content.push(...last.partial.content);
	if (last === undefined) yield builder.start();
	const code = signal.aborted ? 'aborted' : 'cut';
	yield* builder.failed({ code, message: problem, retry: code === 'cut' });
}

export function callsOf(message: AssistantMessage): readonly ToolCall[] {
	return message.content.filter((block) => block.type === 'toolCall');
}
