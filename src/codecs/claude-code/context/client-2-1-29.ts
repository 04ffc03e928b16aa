/** The messages that Claude Code 2.1.29 sends of the lines that it continues: which calls it drops, what it joins, and which lines make it fail. */
import { type Json, type JsonObject, objectAt } from '../../../model/index.ts';
import type { Lines } from './lines.ts';
import { isCall, isResult, messagePiece, type Piece, queuedPiece, textBlock } from './pieces.ts';
import {
	type Building,
	callIds,
	type Joining,
	joined,
	messagesOf,
	noResponse,
	paired,
	resultIds,
	resultsFirst,
	withoutStubs,
} from './wire.ts';

/** Why the client fails on one of the lines: it takes the content of each for granted. */
export function oldRefusal(lines: Lines, path: readonly number[]): string | undefined {
	for (const line of path) {
		if (!lines.isMessage(line)) continue;
		const content = objectAt(lines.value(line), 'message')?.content;
		if (typeof content === 'string' && lines.type(line) === 'user') continue;
		if (Array.isArray(content) && (content as readonly Json[]).every((block) => block !== null)) continue;
		return `Failed to resume session: the content of line ${lines.index.position(line).line} is not what the client expects`;
	}
	return undefined;
}

export function oldMessages(
	lines: Lines,
	path: readonly number[],
	ahead: readonly Piece[],
	exact: boolean,
): readonly Building[] {
	const pieces = path.flatMap((line) => blocksOf(lines, line, exact));
	const said = [...ahead, ...withoutStubs(withoutOpenCalls(pieces))];
	const last = said.at(-1);
	if (last?.role === 'user' && !last.note) said.push({ role: 'assistant', content: [textBlock(noResponse)] });
	return paired(messagesOf(said, joining), { once: false });
}

/** One piece per block, because the client splits lines when it loads them. Any other line still ends a turn. */
function blocksOf(lines: Lines, line: number, exact: boolean): readonly Piece[] {
	if (!lines.isMessage(line)) {
		const queued = exact || lines.type(line) !== 'attachment' ? undefined : queuedPiece(lines, line);
		return [queued ?? { role: 'user', note: true, content: [] }];
	}
	const piece = messagePiece(lines, line);
	return piece ? piece.content.map((block) => ({ ...piece, content: [ownFields(block)] })) : [];
}

const callFields: ReadonlySet<string> = new Set(['type', 'id', 'name', 'input']);

function ownFields(block: JsonObject): JsonObject {
	if (!isCall(block)) return block;
	const own = Object.fromEntries(Object.entries(block).filter(([key]) => callFields.has(key)));
	return block.name === 'ExitPlanMode' ? withoutPlan(own) : own;
}

/** The client takes the plan from a file of its own, and leaves out of a call what an older one has put there. */
function withoutPlan(block: JsonObject): JsonObject {
	const input = objectAt(block, 'input');
	if (input?.plan === undefined) return block;
	const { plan: _, ...rest } = input;
	return { ...block, input: rest };
}

function withoutOpenCalls(pieces: readonly Piece[]): readonly Piece[] {
	const answered = new Set(pieces.flatMap((piece) => (piece.role === 'user' ? resultIds(piece.content) : [])));
	return pieces.filter((piece) => callIds(piece.content).every((call) => piece.role === 'user' || answered.has(call)));
}

const joining: Joining = {
	users: (first, second) => joined(first, second, resultsFirst([...first.content, ...second.content])),
	sameReply,
};

/** The index of the message that the reply began with, if only results are between; -1 otherwise. */
function sameReply(messages: readonly Building[], piece: Piece): number {
	for (let at = messages.length - 1; at >= 0; at -= 1) {
		const message = messages[at] as Building;
		if (message.role === 'assistant')
			return message.response === piece.response && message.line !== undefined && piece.line !== undefined ? at : -1;
		if (!message.content.some(isResult)) return -1;
	}
	return -1;
}
