/** The shape in which a context is put together: who says what, and which entry each block comes from. */
import type { EntryId, JsonObject } from '../../../model/index.ts';

export interface Part {
	readonly block: JsonObject;
	/** Absent for what the client invents. */
	readonly from?: EntryId;
}

/** Of the user or of the model. Tool results are the user's, and stand in turns of their own. */
export interface Turn {
	readonly role: string;
	readonly parts: readonly Part[];
	/** The message it was made of, for a turn with nothing in it. */
	readonly from?: EntryId;
}

export function isResult(part: Part): boolean {
	return part.block.type === 'tool_result';
}

/** A turn with results and nothing else. */
export function isAnswer(turn: Turn): boolean {
	return turn.role === 'user' && turn.parts.length > 0 && turn.parts.every(isResult);
}

/** A message with the entry that it is in the decoded session; none for what the client adds. */
export interface Named {
	readonly message: JsonObject;
	readonly id?: EntryId;
}
