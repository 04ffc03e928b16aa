/** What a handle on a session is: its options, its calls and what they give. */
import type { Machine, Observed, RunEnd } from '../../codecs/index.ts';
import type { Log } from '../../log/index.ts';
import type { Entry, EntryId, FormatId, Header, Loss, Profile } from '../../model/index.ts';
import { InputError } from '../errors.ts';
import type { SessionChange } from '../follow/follow.ts';
import type { ForkedSession, ForkOptions } from '../manage/fork.ts';
import type { Draft } from './draft.ts';
import type { KeptState } from './kept-files.ts';

export interface HandleOptions {
	/**
	 * What is aimed at. Default: the profile that the session was begun in, and for a new one `client`: its own client can go on with
	 * it the next minute.
	 */
	readonly profile?: Profile;
	/** The version of the client that lines are said to be written by, where they say it. */
	readonly version?: string;
	/** `append` resolves only when what it wrote survives a power cut. Appends that wait together share one sync. */
	readonly durable?: boolean;
	/** Default: this machine and the files on it, locks in our own data folder. */
	readonly machine?: Machine;
	readonly log?: Log;
	/** Milliseconds. A clock that goes backwards does no harm. */
	readonly now?: () => number;
	/** Where new ids come from, for those who need the same ones again. */
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
	 * As they are in the file now, with ids, times and records. Where a reply is one record (all formats but Claude Code's),
	 * its blocks come together when it is whole: with the block that has a `stop`, or before whatever follows it.
	 */
	readonly entries: readonly Entry[];
	readonly losses: readonly Loss[];
}

export interface Rewound {
	/** Where the conversation goes on, in the file at `path`. */
	readonly leaf: EntryId;
	readonly path: string;
	readonly id: string;
	/** Nothing in the file could lead its client there: the conversation goes on in this new session, the old one is as it was. */
	readonly fork?: ForkedSession;
}

/** Where work is done; undefined: there is none any more. */
export interface Surroundings {
	/** The project's folder. */
	readonly cwd?: string;
	/** Where in it a command would run. */
	readonly folder?: string;
	readonly gitBranch?: string | undefined;
}

export interface SessionHandle extends AsyncDisposable {
	readonly path: string;
	readonly session: SessionFacts;
	readonly profile: Profile;
	/** Where the conversation goes on, as far as this handle has read. */
	readonly leaf: EntryId | null;
	/**
	 * Appends the drafts one after the other behind the leaf, in one write. The first call takes the session's lock. Blocks
	 * of one reply may be given one by one, each with the reply's `response.id`.
	 */
	append(...drafts: readonly Draft[]): Promise<Appended>;
	rewind(to: EntryId): Promise<Rewound>;
	fork(at?: EntryId, options?: Pick<ForkOptions, 'to'>): Promise<ForkedSession>;
	/** What is written from now on, by whomever. Ends with the signal. */
	changes(signal: AbortSignal): AsyncIterable<SessionChange>;
	/** Resolves when everything written so far survives a power cut. */
	sync(): Promise<void>;
	/** From now on this holds, where the format records it with every entry. */
	describe(now: Surroundings): void;
	/**
	 * Keeps a file as it is before a change and returns what a checkpoint says of it. `file` is named as checkpoints name it, null
	 * stands for no file, `last` is what the checkpoint before said of it.
	 */
	keepFile(file: string, bytes: Uint8Array | null, last: KeptState | undefined): Promise<KeptState>;
	/** Where output goes that is too long for the conversation: beside the session, or in our own folder where its client has no place for it. */
	readonly outputFolder: string;
	/** True where the copies that `keepFile` makes go on counting from one prompt to the next. */
	readonly keepsCopies: boolean;
	/** Says that something happened, to those who watch the client. */
	observe(observed: Observed): void;
	/** Says that a run has ended, in the file beside the session where its client looks for that. */
	ended(end: RunEnd): Promise<void>;
}

/** The conversation went on elsewhere while something was about to be appended: nothing was written. */
export class SessionConflict extends InputError {
	override readonly name: string = 'SessionConflict';
}
