/** What the messages of a session look like to a model: the shapes that every codec's context shares. */
import type { EntryId } from '../../../model/index.ts';
import type { WireMessage } from '../../../wires/index.ts';
import type { LineIndex } from '../read/line-index.ts';

export type { WireMessage };

export interface ContextOptions {
	/** Whose resume rules: a version of the format's client. Default: the version that wrote the last message, else the newest known. */
	readonly client?: string;
	/** The entry to resume at, instead of the one the client would choose. */
	readonly at?: EntryId;
	/**
	 * Exactly what the client sends, also where we keep more: a summary in the style of Claude Code's document, and what the
	 * user asked while the client was busy. Default: false.
	 */
	readonly exact?: boolean;
	/** Who shall answer, where a client converts its history for that. Default: who answered last in the session. */
	readonly target?: { readonly provider: string; readonly model: string };
	/** The wire protocol in which the target is asked, such as `anthropic-messages`. Default: that of the last answer. */
	readonly api?: string;
	/** Files beside the session that change what its client sends: those that the codec's `contextFiles` names. */
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
	/** For each message the entries it was made from; empty for what the client invents. */
	readonly from: readonly (readonly EntryId[])[];
	/** Why the client would not resume this session at all, in its own words or ours. */
	readonly refused?: string;
	/** Nobody knows the rules of this client: `refused` says that, and the client may well resume the session. */
	readonly unknown?: true;
}

/**
 * A codec's context function. Pure: everything it needs comes through the index. `more`: the index is partial, and lines
 * before its first one could change the answer.
 */
export type BuildContext = (index: LineIndex, options: ContextOptions) => Context | 'more';
