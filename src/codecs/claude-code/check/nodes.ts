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
	readonly type: string;
	/** The sub-agent's id; empty where the line does not say it; absent on the main thread. */
	readonly agent?: string;
	/** Milliseconds; NaN when the line has no time that can be read. */
	readonly time: number;
	readonly isMessage: boolean;
	/** A user line that is more than tool results. */
	readonly isPrompt: boolean;
	readonly isBoundary: boolean;
	/** What a boundary says about the messages that it kept. */
	readonly metadata?: JsonObject;
	readonly isCompactSummary: boolean;
	readonly calls: readonly ToolRef[];
	readonly results: readonly ToolRef[];
	readonly response?: string;
	readonly request?: string;
}

export const noRefs: readonly ToolRef[] = [];

/** A `last-prompt` line: where the conversation went on when it was written. */
export interface Pointer {
	/** `null`: everything was taken back. */
	readonly leaf: Json;
	/** True: what followed `leaf` until then was taken back. */
	readonly explicit: boolean;
	readonly at: Position;
}

/** Everything the end of a file needs to know. */
export interface Remembered {
	/** By uuid; the last of equal ones, in file order. */
	readonly nodes: ReadonlyMap<string, Node>;
	/** Every `last-prompt` line that says where to go on. */
	readonly pointers: readonly Pointer[];
	/** Lines that could not be read. */
	readonly unreadable: readonly Position[];
	readonly summaries: readonly { readonly leaf: string; readonly at: Position }[];
	/** Messages that a file snapshot was taken for. */
	readonly snapshots: ReadonlySet<string>;
	/** Messages without a uuid. */
	readonly loose: readonly Position[];
	/** Replies without a `message.id`. */
	readonly anonymous: readonly Position[];
}
