/** What validation remembers of a line until the whole file is known. */
import type { Json, JsonObject } from '../../../model/index.ts';
import type { Position } from '../../shared/read/line.ts';

export interface ToolRef {
	readonly id: string;
	readonly path: string;
}

/** A line of the conversation graph. */
export interface Node {
	readonly uuid: string;
	readonly parent: string | null;
	readonly at: Position;
	readonly length: number;
	/** The checksum of the line's bytes, which tells it from another line of the same length. */
	readonly sum: number;
	readonly type: string;
	/** The sub-agent's id; empty where the line does not state it; absent on the main thread. */
	readonly agent?: string;
	/** Milliseconds; NaN when the line has no readable time. */
	readonly time: number;
	readonly isMessage: boolean;
	/** True for a user line with more than tool results. */
	readonly isPrompt: boolean;
	readonly isBoundary: boolean;
	/** A boundary's data about the messages that it kept. */
	readonly metadata?: JsonObject;
	readonly isCompactSummary: boolean;
	readonly calls: readonly ToolRef[];
	readonly results: readonly ToolRef[];
	readonly response?: string;
	readonly request?: string;
}

export const noRefs: readonly ToolRef[] = [];

/** A `last-prompt` line, which states where the conversation went on when it was written. */
export interface Pointer {
	/** The line that the conversation went on from; `null`: everything was taken back. */
	readonly leaf: Json;
	/** True when what followed `leaf` until then was taken back. */
	readonly explicit: boolean;
	readonly at: Position;
}

/** What the checks at the end of a file need. */
export interface Remembered {
	/** Lines by uuid; of equal ones the last. */
	readonly nodes: ReadonlyMap<string, Node>;
	/** Every `last-prompt` line that states a leaf. */
	readonly pointers: readonly Pointer[];
	/** Lines that cannot be read. */
	readonly unreadable: readonly Position[];
	readonly summaries: readonly { readonly leaf: string; readonly at: Position }[];
	/** Messages with a file snapshot. */
	readonly snapshots: ReadonlySet<string>;
	/** Messages without a uuid. */
	readonly loose: readonly Position[];
	/** Replies without a `message.id`. */
	readonly anonymous: readonly Position[];
}
