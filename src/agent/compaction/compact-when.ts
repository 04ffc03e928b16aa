/** The token limits of compaction: how tokens are estimated, the usual window, the room for a reply, the reserve, and when compacting is given up because the context fills at once. */
import type { AgentMessage, AssistantMessage, Message } from '../../model/index.ts';
import type { AgentConfig, CompactionRules } from '../config.ts';
import type { Tool } from '../contracts.ts';

/** The window of a model, in tokens, where nobody says how much it can take. */
export const usualWindow = 200_000;
/** Tokens that a request leaves free for its reply, and the reserve before that, as in Claude Code. Of a smaller window it is a share. */
const replyRoom = { most: 20_000, share: 0.1 };
const reserve = { most: 13_000, share: 0.065 };

/** Letters and digits that models usually take as one token: few enough that a text is rather counted too long than too short. */
const lettersPerToken = 4;
const digitsPerToken = 3;
/** What APIs count for an image of usual size. */
const imageTokens = 1600;
/** What stands around a message and around each of its parts. */
const aroundTokens = 8;

function part({ most, share }: { readonly most: number; readonly share: number }, window: number): number {
	return Math.min(most, Math.floor(window * share));
}

/** The tokens that a request may have, with room left for its reply. */
export function requestRoom({ window }: CompactionRules): number {
	return window - part(replyRoom, window);
}

/** The tokens from which on the conversation is compacted. */
export function compactionLimit(rules: CompactionRules): number {
	const room = requestRoom(rules);
	const usual = room - part(reserve, rules.window);
	return rules.percent === undefined ? usual : Math.min(usual, Math.floor((room * rules.percent) / 100));
}

/**
 * A text in tokens, estimated: words by their length, every other sign by itself. Code and JSON have three times as many tokens as
 * prose of the same length, so that a length alone would say little.
 */
export function textTokens(text: string): number {
	let tokens = 0;
	let letters = 0;
	let digits = 0;
	for (let at = 0; at < text.length; at += 1) {
		const code = text.charCodeAt(at) | 0x20; // as a small letter; digits stay what they are
		if (code >= 0x61 && code <= 0x7a) {
			if (letters % lettersPerToken === 0) tokens += 1;
			letters += 1;
			digits = 0;
			continue;
		}
		letters = 0;
		if (code >= 0x30 && code <= 0x39) {
			if (digits % digitsPerToken === 0) tokens += 1;
			digits += 1;
			continue;
		}
		digits = 0;
		if (text.charCodeAt(at) > 0x20) tokens += 1;
	}
	return tokens;
}

/** Messages in tokens, estimated. */
export function messageTokens(messages: readonly AgentMessage[]): number {
	return messages.reduce((sum, message) => sum + tokensOf(message), 0);
}

function tokensOf(message: AgentMessage): number {
	// Messages that an application adds have shapes of their own.
	if (message.role !== 'user' && message.role !== 'assistant' && message.role !== 'toolResult')
		return textTokens(JSON.stringify(message));
	const { content } = message;
	if (typeof content === 'string') return aroundTokens + textTokens(content);
	let sum = aroundTokens;
	for (const block of content) sum += aroundTokens + blockTokens(block);
	return sum;
}

function blockTokens(block: Exclude<Message['content'], string>[number]): number {
	if (block.type === 'text') return textTokens(block.text);
	if (block.type === 'image') return imageTokens;
	if (block.type === 'thinking') return textTokens(block.thinking) + textTokens(block.thinkingSignature ?? '');
	return textTokens(block.name) + textTokens(JSON.stringify(block.arguments));
}

/** What every request begins with. */
export type RequestHead = Pick<AgentConfig, 'system' | 'tools'>;

/** What the next request holds, in tokens, estimated part by part. */
export interface RequestParts {
	readonly system: number;
	readonly tools: number;
	readonly messages: number;
}

export function requestParts(messages: readonly AgentMessage[], { system, tools }: RequestHead): RequestParts {
	const described = offeredOf(tools).map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
	return {
		system: textTokens(system),
		tools: textTokens(JSON.stringify(described)),
		messages: messageTokens(messages),
	};
}

/** The tools that the model is told of. */
export function offeredOf(tools: readonly Tool[]): readonly Tool[] {
	return tools.filter(({ unlisted }) => !unlisted);
}

/** The last reply that reported how long the conversation was with it. */
export function lastCounted(messages: readonly AgentMessage[]): AssistantMessage | undefined {
	return messages.findLast(
		(message): message is AssistantMessage => message.role === 'assistant' && message.usage.totalTokens > 0,
	);
}

/** What the next request would have: what the last reply reported, and an estimate of everything since; or of everything. */
export function contextTokens(messages: readonly AgentMessage[], head: RequestHead): number {
	const last = lastCounted(messages);
	if (last) return last.usage.totalTokens + messageTokens(messages.slice(messages.indexOf(last) + 1));
	return estimatedTokens(messages, head);
}

/** The same, all of it estimated: for a conversation that was never sent. */
export function estimatedTokens(messages: readonly AgentMessage[], head: RequestHead): number {
	const { system, tools, messages: said } = requestParts(messages, head);
	return system + tools + said;
}

/** How soon the context was full again: carried from run to run, because somebody who drives the client starts many. */
export interface Refills {
	/** How many times in a row it was full again within a few replies. */
	quick: number;
	/** Replies since the last compaction; undefined before the first. */
	replies: number | undefined;
}

/** Full again within so many replies after a compaction, so many times in a row: compacting helps no more. As in Claude Code 2.1.325. */
const soon = 3;
const mostQuick = 3;

export const thrashing =
	`Autocompact is thrashing: the context refilled to the limit within ${soon} turns of the previous compact, ${mostQuick} times in a row. ` +
	'A file that is read or the output of a tool is probably too large for the context window: read it in parts, or begin a new session.';

/** Notes that the context is full; true where compacting it would not help, because it did not help before. */
export function isThrashing(refills: Refills): boolean {
	refills.quick = refills.replies !== undefined && refills.replies <= soon ? refills.quick + 1 : 0;
	refills.replies = 0;
	return refills.quick >= mostQuick;
}
