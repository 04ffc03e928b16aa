/** Asks the model for the summary of a compaction: how a conversation that is too long to be sent is shortened step by step, and how often a model without a summary is asked again. */
import {
	type AgentMessage,
	type AssistantMessage,
	errorText,
	type ImageContent,
	type TextContent,
} from '../../model/index.ts';
import type { AgentConfig, CompactionRules } from '../config.ts';
import type { Failure } from '../contracts.ts';
import { textOf } from '../recording/blocks.ts';
import { priced } from '../replies/consult.ts';
import { retryAfter } from '../replies/retry.ts';
import { contextTokens, messageTokens, requestRoom, textTokens } from './compact-when.ts';
import { type Summary, summaryIn } from './compact-words.ts';

export interface Summarising {
	readonly config: AgentConfig;
	readonly rules: CompactionRules;
	readonly messages: readonly AgentMessage[];
	readonly sessionId: string;
	readonly signal: AbortSignal;
	/** Hears what each reply used. */
	used(reply: AssistantMessage): void;
}

/** The parts of the room that are tried, one after the other: what is counted here is an estimate. */
const shares = [1, 0.8, 0.5, 0.25, 0.1];

/** Why there is no summary; `failure` where that is the provider's doing. */
interface Unsummarised {
	readonly problem: string;
	readonly failure?: Failure;
}

export async function summarise(request: string, asking: Summarising): Promise<Summarised | Unsummarised> {
	const { config, rules, messages } = asking;
	const room = requestRoom(rules) - textTokens(request);
	const last: AgentMessage = { role: 'user', content: request, timestamp: config.host.now() };
	let why: Unsummarised = { problem: 'the conversation is too long to be summarised' };
	for (const share of shares) {
		if (share === 1 && contextTokens(messages, config) > room) continue;
		const sent = share === 1 ? messages : fitted(messages, room * share);
		const answer = await answered([...sent, last], asking);
		if ('summary' in answer) return answer;
		why = answer;
		if (answer.failure?.code !== 'context-overflow') break;
	}
	return why;
}

/** `reply`: the one that has the summary, with its price. */
interface Summarised {
	readonly summary: Summary;
	readonly reply: AssistantMessage;
}

/** Asks again where that may help, as for any other request. */
async function answered(messages: readonly AgentMessage[], asking: Summarising): Promise<Summarised | Unsummarised> {
	const { config, signal } = asking;
	for (let attempt = 1; ; attempt += 1) {
		const { reply, failure } = await askOnce(messages, asking);
		if (signal.aborted) return { problem: 'interrupted' };
		if (reply && !failure) {
			const counted = priced(reply, config);
			asking.used(counted);
			const summary = summaryIn(textOf(reply.content));
			if (summary) return { summary, reply: counted };
			if (attempt >= 2) return { problem: 'the model wrote no summary' };
			continue;
		}
		if (!failure) return { problem: 'the model said nothing' };
		const next = retryAfter(failure, attempt, config.retry);
		if ('failure' in next) return { problem: next.failure.message, failure: next.failure };
		const { waitMs, of } = next;
		config.observe?.({ type: 'retry', failure, attempt, of, waitMs });
		await config.host.sleep(waitMs, signal);
	}
}

/** The same system prompt and tools as ever: what the provider has cached of the conversation serves once more. */
async function askOnce(messages: readonly AgentMessage[], { config, signal, sessionId }: Summarising) {
	const { provider, model, system, tools, maxTokens, thinking } = config;
	const request = {
		model,
		system,
		messages,
		tools: tools.filter(({ unlisted }) => !unlisted),
		sessionId,
		...(maxTokens === undefined ? {} : { maxTokens }),
		...(thinking === undefined ? {} : { thinking }),
	};
	let failure: Failure | undefined;
	let reply: AssistantMessage | undefined;
	try {
		for await (const event of provider.stream(request, signal)) {
			if (event.type === 'failure') failure = event.failure;
			else if (event.type === 'done') reply = event.message;
		}
	} catch (error) {
		failure = { code: 'cut', message: errorText(error), retry: true };
	}
	return { reply, failure };
}

/** A longer text of the conversation is shortened, to its first part and its end, where the whole is too long to be sent. In characters. */
const longestText = 2000;
const firstPart = 1400;

/** As much of the conversation as `tokens` hold: long texts shortened, then the oldest messages left out. */
function fitted(messages: readonly AgentMessage[], tokens: number): readonly AgentMessage[] {
	const short = messages.map(shortened);
	let from = 0;
	let left = messageTokens(short);
	while (from < short.length && left > tokens) {
		left -= messageTokens(short.slice(from, from + 1));
		from += 1;
	}
	// A result whose call is left out would be refused.
	while (short[from]?.role === 'toolResult') from += 1;
	if (from === 0) return short;
	return [
		{ role: 'user', content: '(The conversation before this is left out here.)', timestamp: 0 },
		...short.slice(from),
	];
}

function shortened(message: AgentMessage): AgentMessage {
	if (message.role === 'assistant') {
		// Signatures hold for whole replies: thinking is left out.
		const content = message.content.filter(({ type }) => type !== 'thinking');
		return {
			...message,
			content: content.map((block) => (block.type === 'text' ? { type: 'text', text: cut(block.text) } : block)),
		};
	}
	if (message.role !== 'user' && message.role !== 'toolResult') return message;
	if (message.role === 'user' && typeof message.content === 'string')
		return { ...message, content: cut(message.content) };
	return { ...message, content: (message.content as (TextContent | ImageContent)[]).map(shortBlock) };
}

function shortBlock(block: TextContent | ImageContent): TextContent {
	return { type: 'text', text: block.type === 'text' ? cut(block.text) : '[an image]' };
}

function cut(text: string): string {
	if (text.length <= longestText) return text;
	const end = text.slice(firstPart - longestText);
	return `${text.slice(0, firstPart)}\n[… ${text.length - longestText} characters left out …]\n${end}`;
}
