/** What one line adds to a message that is sent: its blocks, whether it is a note, a prompt that was queued, or an error text that stays out. */
import { type EntryId, isObject, type Json, type JsonObject, objectAt, stringAt } from '../../../model/index.ts';
import type { Lines } from './lines.ts';

export interface Piece {
	readonly role: 'user' | 'assistant';
	readonly content: readonly JsonObject[];
	/** True when the content was a bare text: the client treats an empty one differently from an empty block. */
	readonly bare?: boolean;
	/** True for a piece from a line that is no message. It never ends a turn. */
	readonly note?: boolean;
	/** `message.id`: pieces of one reply share it, as do all that have none. */
	readonly response?: Json | undefined;
	/** True where nothing names the reply: 2.1.325 takes the piece for a whole one. */
	readonly loose?: boolean;
	readonly model?: string | undefined;
	/** True for a text that the client showed in place of a reply; it is not sent. */
	readonly error?: boolean;
	readonly meta?: boolean;
	/** Absent for what the client makes up. */
	readonly entry?: EntryId;
	readonly line?: number;
}

export const textBlock = (text: string): JsonObject => ({ type: 'text', text });

export const isText = (block: JsonObject): boolean => block.type === 'text';
export const isCall = (block: JsonObject): boolean => block.type === 'tool_use';
export const isResult = (block: JsonObject): boolean => block.type === 'tool_result';
export const isThinking = (block: JsonObject): boolean =>
	block.type === 'thinking' || block.type === 'redacted_thinking';

export function textOf(block: JsonObject | undefined): string {
	return (block && stringAt(block, 'text')) ?? '';
}

export function isBlank(block: JsonObject): boolean {
	return isText(block) && textOf(block).trim() === '';
}

/** True for results of calls and nothing else. */
export function isAnswer(piece: Piece): boolean {
	return piece.role === 'user' && !piece.note && piece.content.length > 0 && piece.content.every(isResult);
}

/** The piece of a message line. Content that is neither a text nor a list gives `undefined`. */
export function messagePiece(lines: Lines, line: number): Piece | undefined {
	const value = lines.value(line);
	const message = objectAt(value, 'message');
	const content = message && contentOf(message.content);
	if (!message || !content) return undefined;
	const base = { ...content, entry: lines.entryId(line), line, ...(value.isMeta === true ? { meta: true } : {}) };
	if (value.type === 'user') return { ...base, role: 'user' };
	const model = stringAt(message, 'model');
	const error = value.isApiErrorMessage === true && model === '<synthetic>';
	const loose = !message.id && !value.requestId;
	return {
		...base,
		role: 'assistant',
		response: message.id,
		model,
		...(loose ? { loose } : {}),
		...(error ? { error } : {}),
	};
}

function contentOf(content: Json | undefined): Pick<Piece, 'content' | 'bare'> | undefined {
	if (typeof content === 'string') return { content: [textBlock(content)], bare: true };
	return Array.isArray(content) ? { content: (content as readonly Json[]).filter(isObject) } : undefined;
}

/** The piece of what the user asked while the client was busy, in the user's own words. */
export function queuedPiece(lines: Lines, line: number): Piece | undefined {
	const attachment = objectAt(lines.value(line), 'attachment');
	if (attachment?.type !== 'queued_command' || attachment.isMeta === true) return undefined;
	if (attachment.commandMode !== undefined && attachment.commandMode !== 'prompt') return undefined;
	const content = contentOf(attachment.prompt);
	if (!content || content.content.length === 0) return undefined;
	return { ...content, role: 'user', note: true, entry: lines.entryId(line), line };
}
