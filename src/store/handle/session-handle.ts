/** The types of a session handle: its options with their defaults, its calls and what they give, and the conflict error with its words. The work is done in `handle.ts`. */
import type { Machine, Noted, Observed, RunEnd } from '../../codecs/index.ts';
import type { Log } from '../../log/index.ts';
import type { Entry, EntryId, FormatId, Header, Loss, MessageEntry, Profile } from '../../model/index.ts';
import { InputError } from '../errors.ts';
import type { SessionChange } from '../follow/follow.ts';
import type { ForkedSession, ForkOptions } from '../manage/fork.ts';
import type { RunNote } from '../own-data/run-notes.ts';
import type { Draft } from './draft.ts';
import type { KeptState } from './kept-files.ts';

export interface HandleOptions {
	/**
	 * The profile to write in. Default: the one that the session was begun in, and `client` for a new session, so that
	 * its own client can go on with it at once.
	 */
	readonly profile?: Profile;
	/** The client version that new lines name, in formats whose lines name one. */
	readonly version?: string;
	/** `append` resolves only when what it wrote survives a power failure. Appends that wait together share one sync. */
	readonly durable?: boolean;
	/** Where to work. Default: this machine and its files, with lock files in our own data folder. */
	readonly machine?: Machine;
	readonly log?: Log;
	/** The clock, in milliseconds. One that goes backwards does no harm. */
	readonly now?: () => number;
	/** Where new ids come from, for callers that need the same ids again. */
	readonly random?: (bytes: number) => Uint8Array;
}

export interface SessionFacts {
	readonly id: string;
	readonly format: FormatId;
	readonly dialect: string;
	readonly header: Header;
}

export interface Appended {
	/**
	 * The entries as they are in the file now, with ids, times and records. Where a reply is one record (all formats but
	 * Claude Code's), its blocks come together when it is complete: with the block that has a `stop`, or before whatever
	 * follows it.
	 */
	readonly entries: readonly Entry[];
	readonly losses: readonly Loss[];
}

export interface Rewound {
	/** Where the conversation goes on, in the file at `path`; `null` where it begins anew. */
	readonly leaf: EntryId | null;
	readonly path: string;
	readonly id: string;
	/** The prompt that was taken back. */
	readonly prompt?: MessageEntry;
	/** Set where the client cannot be led back in the old file: the conversation goes on in this new session. */
	readonly fork?: ForkedSession;
}

/** Somebody else has written to the session. */
export interface CaughtUp {
	/** Where the conversation went on before. */
	readonly leaf: EntryId | null;
	/** It still goes through there. */
	readonly isOnPath: boolean;
}

/** The folders in which work is done; an undefined one no longer exists. */
export interface Surroundings {
	/** The project's folder. */
	readonly cwd?: string;
	/** The folder inside the project in which a command would run. */
	readonly folder?: string;
	readonly gitBranch?: string | undefined;
}

export interface SessionHandle extends AsyncDisposable {
	readonly path: string;
	readonly session: SessionFacts;
	readonly profile: Profile;
	/** Where it works: its lock files and what clients have no place for are there. */
	readonly machine: Machine;
	/** Where the conversation goes on, as far as this handle has read. */
	readonly leaf: EntryId | null;
	/**
	 * Appends the drafts one after the other behind the leaf, in one write. The first call takes the session's lease.
	 * Blocks of one reply may be given one by one, each with the reply's `response.id`.
	 */
	append(...drafts: readonly Draft[]): Promise<Appended>;
	/** The conversation goes on from the entry, or with `null` from its beginning; with `takesBack` from before it, where it is a prompt. */
	rewind(to: EntryId | null, options?: { readonly takesBack?: boolean }): Promise<Rewound>;
	fork(at?: EntryId, options?: Pick<ForkOptions, 'to'>): Promise<ForkedSession>;
	/** The changes from now on, whoever writes them. Ends with the signal. */
	changes(signal: AbortSignal): AsyncIterable<SessionChange>;
	/** Reads what others have written since the handle last read or wrote; undefined where they have written nothing. */
	caughtUp(): Promise<CaughtUp | undefined>;
	/** Resolves when everything written so far survives a power failure. */
	sync(): Promise<void>;
	/** Gives the session's lease back until the next write, so that others may go on with the session meanwhile. */
	rest(): Promise<void>;
	/** Sets the folders that are recorded with every following entry, where the format records them. */
	describe(now: Surroundings): void;
	/**
	 * Keeps a file as it is before a change and returns the state for a checkpoint. `file` has the form in which
	 * checkpoints name it, null bytes mean that it does not exist, `last` is its state in the checkpoint before.
	 */
	keepFile(file: string, bytes: Uint8Array | null, last: KeptState | undefined): Promise<KeptState>;
	/** The folder for long outputs: beside the session, or our own where the client has no place for them. */
	readonly outputFolder: string;
	/** True where the copies that `keepFile` makes are numbered on from one prompt to the next. */
	readonly keepsCopies: boolean;
	/** Reports that something happened, to programs that watch the client. */
	observe(observed: Observed): void;
	/** Keeps a note beside the session, in our own data, for what its format has no place for. */
	note(noted: Noted): void;
	/** The notes that are kept beside the session, oldest first. */
	readonly notes: readonly RunNote[];
	/** Records that a run has ended, in the side file where the session's client looks for that. */
	ended(end: RunEnd): Promise<void>;
}

/** Thrown when the conversation went on elsewhere before an append: nothing was written. */
export class SessionConflict extends InputError {
	override readonly name: string = 'SessionConflict';
}

export function noLongerThere(path: string, entry: EntryId): SessionConflict {
	const what = `the conversation in ${path} no longer goes through ${entry}, which this was to follow`;
	return new SessionConflict('conflict', `${what}: nothing was written. Look at what it says now, then try again.`);
}
