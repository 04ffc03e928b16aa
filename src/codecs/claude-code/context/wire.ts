/** Puts pieces together to the messages of a request, completes pairs of calls and results, and has the client's texts for what is missing. */
import { type EntryId, type Json, type JsonObject, stringAt } from '../../../model/index.ts';
import { isCall, isResult, isThinking, type Piece, textBlock } from './pieces.ts';

/** A message while it is put together. */
export interface Building extends Piece {
	readonly from: readonly EntryId[];
}

export const noResponse = 'No response requested.';
export const noContent = '(no content)';
const missingResult = '[Tool result missing due to internal error]';

/** A text block that the client puts in place of a reply. */
export function replyText(text: string): JsonObject {
	return { type: 'text', text, citations: [] };
}

function building(piece: Piece): Building {
	return { ...piece, from: piece.entry === undefined ? [] : [piece.entry] };
}

export function joined(first: Building, second: Building, content: readonly JsonObject[]): Building {
	return { ...first, content, from: [...first.from, ...second.from.filter((id) => !first.from.includes(id))] };
}

/** How the two client versions differ in putting messages together. */
export interface Joining {
	/** Joins two consecutive user messages. */
	users(first: Building, second: Building): Building;
	/** The index of the message that a piece's reply began with; -1 where it begins here. */
	sameReply(messages: readonly Building[], piece: Piece): number;
}

export function messagesOf(pieces: readonly Piece[], join: Joining): readonly Building[] {
	const messages: Building[] = [];
	for (const piece of pieces) {
		const next = building(piece);
		const isUser = piece.role === 'user';
		if (piece.error || (isUser && next.content.length === 0)) continue;
		const last = messages.length - 1;
		const at = isUser ? (messages[last]?.role === 'user' ? last : -1) : join.sameReply(messages, piece);
		const before = messages[at];
		if (!before) messages.push(next);
		else messages[at] = isUser ? join.users(before, next) : joined(before, next, [...before.content, ...next.content]);
	}
	return messages;
}

/** The pieces without replies of which only thinking is left. */
export function withoutStubs(pieces: readonly Piece[]): readonly Piece[] {
	const isStub = (piece: Piece): boolean => piece.content.length > 0 && piece.content.every(isThinking);
	const replies = new Set<Json | undefined>(); // replies without an id are not in it
	for (const piece of pieces) {
		if (piece.response && !isStub(piece)) replies.add(piece.response);
	}
	return pieces.filter((piece) => piece.role === 'user' || !isStub(piece) || replies.has(piece.response));
}

/** The blocks with results first, or the API refuses the message. */
export function resultsFirst(content: readonly JsonObject[]): readonly JsonObject[] {
	return [...content.filter(isResult), ...content.filter((block) => !isResult(block))];
}

export function callIds(content: readonly JsonObject[]): readonly string[] {
	return content.filter(isCall).flatMap((block) => stringAt(block, 'id') ?? []);
}

export function resultIds(content: readonly JsonObject[]): readonly string[] {
	return content.filter(isResult).flatMap((block) => stringAt(block, 'tool_use_id') ?? []);
}

export function failedResult(call: string, text: string): JsonObject {
	return { type: 'tool_result', content: text, is_error: true, tool_use_id: call };
}

export interface Pairing {
	/** True to drop all but the first of equal calls and results. */
	readonly once: boolean;
	/**
	 * The text for a message of which nothing is left; without it the message is dropped. The last message is always
	 * dropped: the next prompt would be joined to it.
	 */
	readonly emptied?: string;
	/** The text for the first message of which nothing is left. Without it the first message keeps its orphans. */
	readonly emptiedFirst?: string;
	/** The text for a reply of which nothing is left. */
	readonly emptiedReply?: string;
}

/** Gives every call a result right behind it, and drops every result without a call. */
export function paired(messages: readonly Building[], how: Pairing): readonly Building[] {
	const done: Building[] = [];
	const seen = new Set<string>();
	for (let at = 0; at < messages.length; at += 1) {
		const message = messages[at] as Building;
		if (message.role === 'user') {
			done.push(firstPaired(message, at, how));
			continue;
		}
		const reply = how.once ? withoutRepeats(message, seen, how) : message;
		done.push(reply);
		const next = messages[at + 1];
		const follows = next?.role === 'user' ? next : undefined;
		const emptied = at + 2 < messages.length ? how.emptied : undefined;
		const answer = answerTo(callIds(reply.content), follows, { once: how.once, ...(emptied ? { emptied } : {}) });
		if (answer) done.push(answer);
		if (follows) at += 1;
	}
	return done;
}

function firstPaired(message: Building, at: number, how: Pairing): Building {
	if (at > 0 || how.emptiedFirst === undefined || resultIds(message.content).length === 0) return message;
	const content = message.content.filter((block) => !isResult(block));
	return content.length > 0 ? { ...message, content } : { ...message, content: [textBlock(how.emptiedFirst)] };
}

function withoutRepeats(message: Building, seen: Set<string>, how: Pairing): Building {
	const content = message.content.filter((block) => {
		const id = isCall(block) ? stringAt(block, 'id') : undefined;
		if (id === undefined) return true;
		if (seen.has(id)) return false;
		seen.add(id);
		return true;
	});
	if (content.length === message.content.length) return message;
	if (content.length > 0 || how.emptiedReply === undefined) return { ...message, content };
	return { ...message, content: [replyText(how.emptiedReply)] };
}

function answerTo(calls: readonly string[], next: Building | undefined, how: Pairing): Building | undefined {
	const given = new Set(next ? resultIds(next.content) : []);
	const missing = calls.filter((call) => !given.has(call)).map((call) => failedResult(call, missingResult));
	if (!next) return missing.length > 0 ? { role: 'user', content: missing, from: [] } : undefined;
	const wanted = new Set(calls);
	const used = new Set<string>();
	const rest = next.content.filter((block) => {
		if (!isResult(block)) return true;
		const id = stringAt(block, 'tool_use_id') ?? '';
		if (!wanted.has(id) || (how.once && used.has(id))) return false;
		used.add(id);
		return true;
	});
	if (missing.length === 0 && rest.length === next.content.length) return next;
	const content = [...missing, ...rest];
	if (content.length > 0) return { ...next, content };
	return how.emptied === undefined ? undefined : { ...next, content: [textBlock(how.emptied)] };
}
