/** What a format must provide, as types in six parts. One folder per format implements this; no other code may know a format's field names. */
import type {
	Amendment,
	Block,
	Capabilities,
	EntriesWithLeaf,
	Entry,
	EntryId,
	FormatId,
	Header,
	Json,
	JsonObject,
	Loss,
	Profile,
	Rule,
	Session,
	Severity,
} from '../model/index.ts';
import type { Repair } from './shared/check/repair.ts';
import type { BuildContext, ContextFiles, WireMessage } from './shared/context/context.ts';
import type { ResumePathRules } from './shared/context/resume-path.ts';
import type { LivePart } from './shared/live.ts';
import type { Manage, SessionIndex } from './shared/places/manage.ts';
import type { UsageRules } from './shared/places/usage.ts';
import type { ProfileRules } from './shared/profiles.ts';
import type { Flaw, Line, Position } from './shared/read/line.ts';
import type { ReadPosition, RecordReader } from './shared/read/line-reader.ts';
import type { HasEntries, SeenFile } from './shared/read/seen-files.ts';
import type { ToolWords } from './shared/tool-calls.ts';

export type { FileEdit, Manage, Relinked, SessionIndex } from './shared/places/manage.ts';

/** One format: what is special about it as data, and its six parts. */
export interface Codec {
	readonly id: FormatId;
	/** The client's name as its users know it. */
	readonly name: string;
	/** The agents whose sessions have this format, by the names that commands take. */
	readonly agents: readonly Agent[];
	readonly capabilities: Capabilities;
	/** How an existing session shows which profile it was begun in. */
	readonly profiles: ProfileRules;
	/** The client's tools in neutral words. Absent: calls are not translated. */
	readonly toolCalls?: ToolWords;
	/** The provider for sessions that do not name one. */
	readonly provider?: string;

	readonly read: ReadPart;
	readonly write: WritePart;
	readonly context: ContextPart;
	readonly check: CheckPart;
	readonly places: PlacesPart;
	readonly live: LivePart;
}

/** Reading: from bytes to entries. */
export interface ReadPart {
	/**
	 * The dialect that a record belongs to, or undefined when no file of this format holds such a record. Claims of
	 * codecs must be disjoint: the first record that one claims decides a file's format.
	 */
	claims(value: Json): string | undefined;
	/** The format's own name for a block, where it differs from the neutral one. */
	blockName?(block: Block): string | undefined;
	reader(from?: ReadPosition): RecordReader;
	/** Makes a decoder. `state` comes from an earlier decoder's `state()`: reading in pieces equals reading at once. */
	decoder(state?: Json): LineDecoder;
	/**
	 * The header fields that a side file adds, such as a manifest's folder and title. `id` is that of the side file: in a
	 * list of many sessions it tells which one is meant.
	 */
	sideHeader?(role: SideFile['role'], bytes: Uint8Array, id?: string): Header;
	/** The entries with the compaction that a sidecar records; undefined where the client ignores the sidecar. */
	cutBy?(session: Session, sidecar: Uint8Array, losses: Loss[]): EntriesWithLeaf | undefined;
	/** The tool call that started each sub-agent with a file of its own, by the sub-agent's id. */
	subagentCalls?(session: Session): ReadonlyMap<string, string>;
	/** The files that the session's tools have shown, each in its last known state. Absent: it cannot be told. */
	seenFiles?(session: HasEntries): readonly SeenFile[];
}

/** Writing: from entries to bytes. */
export interface WritePart {
	encode(input: EncodeInput): Encoded;
	/** The bytes of `encode` in pieces, for callers that write them one by one and hold none. */
	encodeInPieces(input: EncodeInput): EncodedPieces;
	/** A copy of the session up to an entry, under another id, with the lineage that the client itself records. */
	fork(input: ForkInput): Forked;
	/** The id that the client (or the format's document) would give a new session, from 16 random bytes and the time. */
	newId(random: Uint8Array, time: Date, profile?: Profile): string;
	/** False for an id under which the client would not find a session, or would take it for another kind. */
	takesId(id: string): boolean;
	/** The id of a new entry, from 16 random bytes; a format without entry ids takes any. */
	newEntryId(random: Uint8Array): EntryId;
	/** True where a reply is one record: written in parts, its calls would seem to be unanswered. */
	readonly wholeReplies?: boolean;
	/** Adds what a foreign conversation needs so that every version of the client can resume it. */
	adopt?(told: EntriesWithLeaf, to: Adoption, losses: Loss[]): EntriesWithLeaf;
	/**
	 * What an entry needs for a session to be written window by window. `first`: it must be known before the first line
	 * is written. `all`: what is written for it depends on entries anywhere in the session.
	 */
	inPassing?(entry: Entry): 'first' | 'all' | undefined;
}

/** Context: what the client makes of a session when it resumes it. */
export interface ContextPart {
	/** The client's text for a result that never came; `tool` is the name of the tool. */
	unanswered(tool: string): string;
	/** How lines link to each other, in formats whose handles are opened by links alone. */
	readonly resumePath?: ResumePathRules;
	/** The client versions whose resume rules are known, oldest first. */
	readonly clients?: readonly string[];
	/** The messages that the client sends when it resumes the session. */
	readonly build: BuildContext;
	/** The fields of a line that `build` reads from the index: dotted paths, two levels at most. */
	readonly envelope?: readonly string[];
	/** True where `build` can answer from the last lines of a file, or says that it needs more. */
	readonly fromTail?: boolean;
	/** The side files that `build` needs where they exist. */
	readonly sideFiles?: readonly (keyof ContextFiles)[];
	/** The messages by the rules of the format's document, where it has any. */
	readonly seed?: (bytes: Uint8Array) => readonly WireMessage[];
}

/** Checking: what is wrong with a file, and how to mend it. */
export interface CheckPart {
	/** Every rule that the validator may report, flaws included. */
	readonly rules: readonly Rule[];
	validator(report: Report): LineValidator;
	/** How a damaged file of this format is mended, rule by rule. */
	readonly repair?: Repair;
}

/** Texts by which a line is recognised without parsing. The format's clients write them in one way only. */
export interface Listing {
	/** The beginnings of lines that give the session a title; a later one in this list counts more, wherever its line stands. */
	readonly titles: readonly string[];
	/** The text right before the name of the git branch, with its opening quote. */
	readonly branch?: string;
}

/** Turns lines into entries, in order. Never throws on content. */
export interface LineDecoder {
	/** Returns the record's type in the format's own words. */
	visit(line: Line, sink: DecodeSink): string;
	/** The decoder's state: serialisable and small, because it is stored per file. */
	state(): Json;
}

export interface DecodeSink {
	entry(entry: Entry): void;
	/** Takes a prompt's text in place of an entry, which takes much longer to make, from decoders that support it. */
	prompt?(text: string): void;
	/** Sets header fields; of two patches the later wins, field by field. */
	header(patch: Header): void;
	issue: Report;
}

/** Reports that a rule is broken. `at` defaults to the line being visited; `null` is the file as a whole. */
export type Report = (
	rule: string,
	message: string,
	where?: { readonly at?: Position | null; readonly path?: string },
) => void;

export interface LineValidator {
	visit(line: Line): void;
	/** Checks what only the whole file can tell: links, pairs, missing parts. */
	end(): void;
}

export interface EncodeInput {
	readonly profile: Profile;
	/** The session's id; `header` is its header, both as they are to be written. */
	readonly id: string;
	readonly header: Header;
	/** The absolute path of the main file, where known: some clients find a session only through it. */
	readonly path?: string;
	/** In order. The parent of each is among them, in `after`, or null. */
	readonly entries: readonly Entry[];
	/**
	 * The entry of `entries` that the conversation goes on from, or `null` where all was taken back. Absent: the last of
	 * the conversation, as for new entries that follow one another. The leaf of the existing file is `after.leaf`.
	 */
	readonly leaf?: EntryId | null | undefined;
	/**
	 * The entries behind these in parts, where not all are held at once: iterate once, and drop each part before the
	 * next. Entries name nothing outside their part, except that its first follows the last one before it; none has an
	 * agent, and each part goes on from its last. What all lines depend on (title, first time, first model) is in
	 * `entries`.
	 */
	readonly more?: Iterable<readonly Entry[]>;
	/** The client version that lines name as their writer, where they name one. Default: the newest known. */
	readonly version?: string;
	/**
	 * The reference to the source. It is written into a new file of the profile `client` where the client ignores it;
	 * formats without such a place leave it out. It is called as late as possible: some formats state it last, when all
	 * of the source has been read.
	 */
	readonly reference?: () => JsonObject;
	/** The session in the existing file: only what is new is encoded. Absent: a new file. */
	readonly after?: Session;
	/** Set during a run: lines then state what only a running client knows, such as the folder of its shell. */
	readonly live?: { readonly folder?: string };
	/** The list that losses are added to. Default: a new one. */
	readonly losses?: Loss[];
}

export interface Adoption {
	/** The id of the new session. */
	readonly session: string;
	readonly profile: Profile;
	/**
	 * Set where these entries continue a conversation that was adopted before: its first entry with a time, if any. Then
	 * none of them starts anew, and no compaction is on an abandoned branch.
	 */
	readonly begun?: Entry;
}

export interface Encoded {
	/** Lines to append, a whole new file of lines, or a whole document. */
	readonly bytes: Uint8Array;
	readonly losses: readonly Loss[];
	/** Side files, by path relative to the main file's folder. */
	readonly beside: readonly { readonly path: string; readonly bytes: Uint8Array }[];
}

export interface EncodedPieces {
	/** To be iterated once. Losses and side files are complete after that. */
	readonly pieces: Iterable<string | Uint8Array>;
	readonly losses: readonly Loss[];
	readonly beside: Encoded['beside'];
	/** What was not known when it was written; to be called after all pieces were taken. */
	amended?(): Amendment;
}

export interface ForkInput {
	/** The whole session, decoded. */
	readonly session: Session;
	/** The last entry to copy, which must be in the conversation; `null` where nothing of it is copied. */
	readonly at: EntryId | null;
	/** The path to it as the client follows it, from the root or the last compaction on; only with linked lines. */
	readonly path?: readonly EntryId[];
	/** The new session's id; `time` is when it begins. */
	readonly id: string;
	readonly time: string;
	/** The absolute path of the old main file; `to` is that of the new one. */
	readonly from: string;
	readonly to: string;
	/** The profile of both: a copy continues in the profile of its original. */
	readonly profile: Profile;
	/** The bytes of the old session's side files, where the format has such files and they exist. */
	readonly manifest?: Uint8Array;
	readonly compaction?: Uint8Array;
	/** True: the copy goes on from all that was said. Compactions and their summaries are left out. */
	readonly uncompacted?: boolean;
}

export interface Forked {
	/** The new main file. Old records keep their bytes wherever the format allows it. */
	readonly pieces: Iterable<Uint8Array>;
	/** Side files, by path relative to the main file's folder. */
	readonly beside: Encoded['beside'];
	readonly losses: readonly Loss[];
}

/** A program that writes and resumes sessions of a format. */
export interface Agent {
	readonly name: string;
	/** True for OpenClaw, which shares pi's format but keeps its sessions in the folder that the document names. */
	readonly ownFolder?: boolean;
	/** True for an agent that starts in any folder. */
	readonly anyFolder?: boolean;
	/** Its tools, in lower case, where it leaves calls of any other out of what it sends to a model. Absent: it sends all. */
	readonly knows?: readonly string[];
	/** The command that a person types to go on; every word is `quoted` for the shell. */
	resume(session: { readonly id: string; readonly cwd: string; readonly path: string }): string;
}

/** For each flaw, how severe it is for the format's client, and what the client does. */
export type FlawEffects = { readonly [F in Flaw]: { readonly severity: Severity; readonly effect: string } };

/** The machine whose sessions are searched. It is data, so that other platforms can be asked about from here. */
export interface Machine {
	readonly platform: 'linux' | 'darwin' | 'win32';
	readonly home: string;
	readonly env: { readonly [name: string]: string | undefined };
}

/** What a search for sessions needs of a file system. Missing folders and files count as empty. */
export interface Folders {
	list(folder: string): readonly { readonly name: string; readonly folder: boolean }[];
	/** The first bytes of a file. */
	head(path: string, length: number): Uint8Array;
	/** True for a regular file that no link leads to below the folder that it shares with `main`. Absent: all are. */
	isPlain?(main: string, path: string): boolean;
	/** The ids of the sessions in a database file. Absent: databases are not searched. */
	stored?(file: string): readonly string[];
}

export interface Location {
	/** A file, or `DB#SESSION` for a session inside a database. */
	readonly path: string;
	readonly id: string;
	/** The agent that it belongs to, where several share the format. */
	readonly agent?: string;
	/** For a sub-agent's own file: the id of its session, whether that still exists or not. */
	readonly parent?: string;
}

/** `display`: what the client shows of the session. `edits`: its later changes to messages that it sent. */
export type SideRole =
	| 'subagent'
	| 'subagent-meta'
	| 'manifest'
	| 'compaction'
	| 'backup'
	| 'index'
	| 'trace'
	| 'output'
	| 'display'
	| 'edits';

export interface SideFile {
	readonly path: string;
	readonly role: SideRole;
	/** The sub-agent's id for the first two roles; in a list of many sessions the id of the one meant. */
	readonly id?: string;
}

/** A client's SQLite store of sessions: queries and rows, but no connection. */
export interface SessionDatabase {
	/** A query for a count named `found`, which is not zero in such a database. */
	readonly isStore: string;
	/** A query for the `id` of each session and when it was `updated`, newest first. */
	readonly sessions: string;
	/** A query for the rows of the session that is its one parameter. */
	readonly rows: string;
	/** The rows as the lines that they would be in a file. */
	transcript(rows: Iterable<{ readonly [column: string]: unknown }>): Uint8Array;
}

/** Places: where the client keeps its sessions, and what people do to them there. */
export interface PlacesPart {
	/** The ending of a main file's name. */
	readonly ending: string;
	/** Prefixes of the environment variables that lead the client to other folders. */
	readonly variables?: readonly string[];
	/** Absent: the client keeps no sessions in a database. */
	readonly database?: SessionDatabase;
	/** The folders with the client's sessions. With `folders` the client's own settings count too. */
	roots(machine: Machine, folders?: Folders): readonly string[];
	/** The main files of all sessions; on request sub-agents' own files too, each after its session. */
	sessions(
		machine: Machine,
		folders: Folders,
		options?: { readonly subagents?: boolean | undefined },
	): Iterable<Location>;
	/** The session's id where a folder states it and the main file's name does not. */
	idOf?(path: string, folders?: Folders): string | undefined;
	/** The agent of a session by where it lies, for a format of several agents. Undefined: not known. */
	agentOf?(path: string): string | undefined;
	/** The side files of the session with this main file. Links are excluded: they may lead to any file of the user. */
	sideFiles(path: string, folders: Folders): readonly SideFile[];
	/** The manifest, where title and folder of the session stand in a file of its own: a list that remembers them asks whether it has changed. */
	manifest?(path: string): string | undefined;
	/**
	 * The folder for such files of the session at the absolute `path`: copies of files from before a change, or outputs
	 * too long for the conversation. Absent: the client has no such files.
	 */
	sideFolder?(path: string, role: 'backup' | 'output'): string;
	/** The path at which a new session is found by its client (`published`: where the format's document puts it). */
	place(
		machine: Machine,
		session: { readonly id: string; readonly cwd: string; readonly created?: string; readonly profile?: Profile },
		folders?: Folders,
	): string;
	/** What people do to whole sessions. Absent: they can be read and written, but not renamed, moved or kept. */
	readonly manage?: Manage;
	/** The client's own list of its sessions, where that is a database. */
	readonly index?: SessionIndex;
	/** What a list of sessions searches behind their first lines. Absent: the first lines say everything. */
	readonly listing?: Listing;
	/** How records state responses and their costs. Absent: they do not. */
	readonly usage?: UsageRules;
}
