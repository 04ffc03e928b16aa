/** What every codec's context shares: its options, and the messages that a model would receive. */
import type { EntryId } from '../../../model/index.ts';
import type { WireMessage } from '../../../wires/index.ts';
import type { LineIndex } from '../read/line-index.ts';

export type { WireMessage };

export interface ContextOptions {
	/** The client version whose resume rules apply. Default: the one that wrote the last message, else the newest. */
	readonly client?: string;
	/** The entry to resume at, instead of the one the client would choose. */
	readonly at?: EntryId;
	/**
	 * True: exactly what the client sends. False (default) adds what we keep besides: a summary in the style of Claude
	 * Code's document, and what the user asked while the client was busy.
	 */
	readonly exact?: boolean;
	/** The model to answer, where a client converts its history for it. Default: the one that answered last. */
	readonly target?: { readonly provider: string; readonly model: string };
	/** The API of the target, such as `anthropic-messages`. Default: that of the last answer. */
	readonly api?: string;
	/** The side files that change what the client sends, as the codec's `context.sideFiles` lists them. */
	readonly side?: ContextFiles;
}

export interface ContextFiles {
	readonly compaction?: Uint8Array;
	/** A list of many sessions, and the id of this one in it. */
	readonly index?: { readonly bytes: Uint8Array; readonly id: string };
}

export interface Context {
	/** The client version whose rules were applied. */
	readonly client: string;
	readonly provider?: string;
	readonly model?: string;
	readonly system?: string;
	readonly messages: readonly WireMessage[];
	/** For each message the entries that it was made from; empty for what the client invents. */
	readonly from: readonly (readonly EntryId[])[];
	/** The last entry that a compaction in a side file was made of: its place is not among the entries. */
	readonly compacted?: EntryId;
	/** Why the client would not resume the session, in its own words or ours. */
	readonly refused?: string;
	/** True when nobody knows the rules of this client: it may well resume the session, whatever `refused` says. */
	readonly unknown?: true;
}

/**
 * A codec's context function, without side effects: all input comes through the index. `more`: the index is partial,
 * and lines before its first one could change the answer.
 */
export type BuildContext = (index: LineIndex, options: ContextOptions) => Context | 'more';
