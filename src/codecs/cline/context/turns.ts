/** Turns: who says what while a context is built, and the entry of each block. */
import type { EntryId, JsonObject } from '../../../model/index.ts';

export interface Part {
	readonly block: JsonObject;
	/** Absent for what the client invents. */
	readonly from?: EntryId;
}

/** A turn of the user or the model. Tool results are the user's, in turns of their own. */
export interface Turn {
	readonly role: string;
	readonly parts: readonly Part[];
	/** The entry of the message, for an empty turn. */
	readonly from?: EntryId;
}

export function isResult(part: Part): boolean {
	return part.block.type === 'tool_result';
}

/** True for a turn of results only. */
export function isAnswer(turn: Turn): boolean {
	return turn.role === 'user' && turn.parts.length > 0 && turn.parts.every(isResult);
}

/** A message with its entry in the decoded session; no entry for what the client adds. */
export interface Named {
	readonly message: JsonObject;
	readonly id?: EntryId;
}
