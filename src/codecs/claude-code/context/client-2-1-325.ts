/** The messages that Claude Code 2.1.325 sends of the lines that it continues: open calls, blank replies, and its answer to a prompt that nobody answered. */
import { type JsonObject, stringAt } from '../../../model/index.ts';
import { sentReply, sentUser } from './blocks.ts';
import type { Lines } from './lines.ts';
import {
	isAnswer,
	isBlank,
	isText,
	isThinking,
	messagePiece,
	type Piece,
	queuedPiece,
	textBlock,
	textOf,
} from './pieces.ts';
import { unanswered } from './unanswered.ts';
import {
	type Building,
	callIds,
	failedResult,
	joined,
	messagesOf,
	noContent,
	noResponse,
	paired,
	resultIds,
	resultsFirst,
	withoutStubs,
} from './wire.ts';

export function newMessages(
	lines: Lines,
	path: readonly number[],
	ahead: readonly Piece[],
	exact: boolean,
	model: string,
): readonly Building[] {
	const pieces = path.flatMap((line) => pieceOf(lines, line, exact) ?? []);
	const ordered = resultsBehindCalls(pieces);
	const said = withoutStubs(withoutBlanks(withoutOpenCalls(ordered)));
	const all = [...ahead, ...said];
	const turns = isFreshCut(lines, path) ? all : endedTurn(all);
	const messages = messagesOf(turns, { users: joinedUsers, sameReply }).map((message) => sentReply(message, model));
	const whole = paired(messages, {
		once: true,
		emptied: noContent,
		emptiedFirst: '[Orphaned tool result removed due to conversation resume]',
		emptiedReply: '[Tool use interrupted]',
	});
	return whole.map((message, at) => sentUser(message, at === whole.length - 1)).filter(isSomething);
}

const isSomething = (message: Building): boolean => message.content.length > 0;

function pieceOf(lines: Lines, line: number, exact: boolean): Piece | undefined {
	switch (lines.type(line)) {
		case 'user':
		case 'assistant':
			return lines.value(line).isVirtual === true ? undefined : messagePiece(lines, line);
		case 'system':
			return commandPiece(lines, line);
		case 'attachment':
			return exact ? undefined : queuedPiece(lines, line);
	}
	return undefined;
}

/** A client command and its output, which are sent as the user's text. */
function commandPiece(lines: Lines, line: number): Piece | undefined {
	if (lines.index.field(line, 'subtype') !== 'local_command') return undefined;
	const value = lines.value(line);
	if (value.isDisplayOnly === true) return undefined;
	const content = [textBlock(stringAt(value, 'content') || noContent)];
	return { role: 'user', content, note: true, entry: lines.entryId(line), line };
}

/** Moves a result that was written before its call, but within the same turn, behind it. */
function resultsBehindCalls(pieces: readonly Piece[]): readonly Piece[] {
	const calls = new Map<string, number>();
	pieces.forEach((piece, at) => {
		if (piece.role === 'assistant') for (const id of callIds(piece.content)) if (!calls.has(id)) calls.set(id, at);
	});
	const moved = new Map<number, Piece[]>();
	const left = pieces.map((piece, at) => {
		const call = isAnswer(piece) ? calls.get(resultIds(piece.content)[0] ?? '') : undefined;
		if (call === undefined || call < at) return piece;
		if (pieces.slice(at, call).some((between) => between.role === 'user' && !between.note && !isAnswer(between)))
			return piece;
		moved.set(call, [...(moved.get(call) ?? []), piece]);
		return undefined;
	});
	if (moved.size === 0) return pieces;
	return left.flatMap((piece, at) => [...(piece ? [piece] : []), ...(moved.get(at) ?? [])]);
}

/**
 * Drops lines whose calls were all left open, unless the file ends there: then the client says that it does not know
 * how the calls ended.
 */
function withoutOpenCalls(pieces: readonly Piece[]): readonly Piece[] {
	const answered = new Set(pieces.flatMap((piece) => (piece.role === 'user' ? resultIds(piece.content) : [])));
	const open = (piece: Piece): readonly string[] =>
		piece.role === 'assistant' ? callIds(piece.content).filter((call) => !answered.has(call)) : [];
	const end = openEnd(pieces);
	const kept = pieces.filter((piece) => {
		const calls = callIds(piece.content);
		return piece.role === 'user' || calls.length === 0 || end.has(piece) || open(piece).length < calls.length;
	});
	const results = [...end].flatMap(open).map((call) => failedResult(call, unanswered));
	if (results.length === 0) return kept;
	return [...kept, ...results.map((result): Piece => ({ role: 'user', content: [result] }))];
}

/** The replies of the last turn, if it ends with results; else the reply that it ends with. */
function openEnd(pieces: readonly Piece[]): ReadonlySet<Piece> {
	const end: Piece[] = [];
	const last = pieces.findLast((piece) => !piece.note);
	const answered = last !== undefined && isAnswer(last);
	for (const piece of pieces.toReversed()) {
		if (piece.note || isAnswer(piece)) continue;
		if (piece.role === 'user' || (!answered && end[0] && !isSameReply(piece, end[0]))) break;
		end.unshift(piece);
	}
	return new Set(end);
}

function isSameReply(one: Piece, other: Piece): boolean {
	return !one.loose && !other.loose && one.response === other.response;
}

function withoutBlanks(pieces: readonly Piece[]): readonly Piece[] {
	return pieces.filter(
		(piece) =>
			piece.role === 'user' ||
			!piece.content.some(isText) ||
			!piece.content.every((block) => isBlank(block) || isThinking(block)),
	);
}

/** True right after a compaction, where the client has noted its additions to the summary and waits for a prompt. */
function isFreshCut(lines: Lines, path: readonly number[]): boolean {
	const last = path.findLastIndex((line) => lines.type(line) === 'user' || lines.type(line) === 'assistant');
	const line = path[last];
	if (line === undefined || lines.value(line).isCompactSummary !== true) return false;
	return path.slice(last + 1).some((after) => lines.type(after) === 'attachment');
}

const commandText = /^<(command-name|local-command-stdout|local-command-stderr)>/;

/** Adds a reply that says so to a prompt that nobody answered; a command and its output need none. */
function endedTurn(pieces: readonly Piece[]): readonly Piece[] {
	const last = pieces.findLastIndex((piece) => !piece.note);
	if (last === -1 || pieces[last]?.role !== 'user' || isCommand(pieces.slice(0, last + 1))) return pieces;
	const answer: Piece = { role: 'assistant', content: [textBlock(noResponse)] };
	return [...pieces.slice(0, last + 1), answer, ...pieces.slice(last + 1)];
}

/** True for the client's caveat, followed only by a command and its output. */
function isCommand(pieces: readonly Piece[]): boolean {
	for (const piece of pieces.toReversed()) {
		if (piece.note) continue;
		if (piece.role !== 'user') return false;
		const text = textOf(piece.content[0]);
		if (piece.meta && text.startsWith('<local-command-caveat>')) return true;
		if (!commandText.test(text)) return false;
	}
	return false;
}

/** Joins two user messages; a text that another follows ends in a line break. */
function joinedUsers(first: Building, second: Building): Building {
	const last = first.content.at(-1);
	const next = second.content[0];
	const head =
		last && next && isText(last) && isText(next)
			? [...first.content.slice(0, -1), { ...last, text: `${textOf(last)}\n` }]
			: first.content;
	return { ...joined(first, second, resultsFirst([...head, ...second.content])), bare: false };
}

/** The index of the message that the reply began with, if no prompt is between; -1 otherwise. */
function sameReply(messages: readonly Building[], piece: Piece): number {
	if (piece.line === undefined || piece.loose) return -1;
	for (let at = messages.length - 1; at >= 0; at -= 1) {
		const message = messages[at] as Building;
		if (message.role === 'user' && !message.content.some((block: JsonObject) => block.type === 'tool_result'))
			return -1;
		if (message.role === 'user' || message.line === undefined) continue;
		if (isSameReply(message, piece)) return at;
	}
	return -1;
}
