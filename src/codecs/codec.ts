/** What a session format must provide. One folder per format implements this; nothing else may know a format's field names. */
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
import type { SeenFile } from './shared/read/seen-files.ts';
import type { ToolWords } from './shared/tool-calls.ts';

export type { FileEdit, Manage, Relinked, SessionIndex } from './shared/places/manage.ts';

/** One format: what is special about it as data, and the six things that it does. */
export interface Codec {
	readonly id: FormatId;
	/** The client's name as its users know it. */
	readonly name: string;
	/** The agents whose sessions have this format, by the names that commands take. */
	readonly agents: readonly Agent[];
	readonly capabilities: Capabilities;
	/** How a session that is there already tells which profile it was begun in. */
	readonly profiles: ProfileRules;
	/** The client's tools in words that other agents understand. Absent: calls stay as they are. */
	readonly toolCalls?: ToolWords;
	/** Who answers in the client's sessions where they do not say. */
	readonly provider?: string;

	readonly read: ReadPart;
	readonly write: WritePart;
	readonly context: ContextPart;
	readonly check: CheckPart;
	readonly places: PlacesPart;
	readonly live: LivePart;
}

/** From bytes to entries. */
export interface ReadPart {
	/**
	 * The dialect that a record belongs to, or undefined when no file of this format holds such a record. Disjoint between
	 * codecs: the first record that anybody claims decides what a file is.
	 */
	claims(value: Json): string | undefined;
	/** The format's own name for a block, where it differs from the neutral one. */
	blockName?(block: Block): string | undefined;
	reader(from?: ReadPosition): RecordReader;
	/** `state` is what an earlier decoder's `state()` gave: reading in pieces equals reading once. */
	decoder(state?: Json): LineDecoder;
	/**
	 * The header fields that a side file of the session adds, such as a manifest's folder and title. `id` is that of the
	 * side file: in a list of many sessions it tells which one is meant.
	 */
	sideHeader?(role: SideFile['role'], bytes: Uint8Array, id?: string): Header;
	/** The session's entries with the cut that a compaction sidecar of it makes; undefined where the client ignores it. */
	cutBy?(session: Session, sidecar: Uint8Array, losses: Loss[]): EntriesWithLeaf | undefined;
	/** The tool call that started each sub-agent with a file of its own, by the sub-agent's id. */
	subagentCalls?(session: Session): ReadonlyMap<string, string>;
	/** The files that the session's tools have shown, each as it was when that last happened. Absent: it cannot be told. */
	seenFiles?(session: Session): readonly SeenFile[];
}

/** From entries to bytes. */
export interface WritePart {
	encode(input: EncodeInput): Encoded;
	/** The same bytes as `encode` gives, for those who write them down one after the other and hold none. */
	encodeInPieces(input: EncodeInput): EncodedPieces;
	/** A copy of the session up to an entry, under another id, with the lineage that the client itself records. */
	fork(input: ForkInput): Forked;
	/** The id that the client (or the format's document) would give a new session, from 16 random bytes and the time. */
	newId(random: Uint8Array, time: Date, profile?: Profile): string;
	/** False for an id by which the client would not find a session, or would take it for another kind. */
	takesId(id: string): boolean;
	/** The id of a new entry, from 16 random bytes; a format without ids of its own takes any. */
	newEntryId(random: Uint8Array): EntryId;
	/** A reply is one record: written in parts, its calls would count as left without an answer. */
	readonly wholeReplies?: boolean;
	/** Adds what a conversation from elsewhere needs so that every version of the client can resume it. */
	adopt?(told: EntriesWithLeaf, to: Adoption, losses: Loss[]): EntriesWithLeaf;
	/**
	 * What has to be known of an entry before a session can be written while it goes by. `first`: the entry has to be known before the
	 * first line is written. `all`: what is written of it depends on others, wherever they are.
	 */
	inPassing?(entry: Entry): 'first' | 'all' | undefined;
}

/** What the client makes of a session when it goes on with it. */
export interface ContextPart {
	/** What the client tells the model in place of a result that never came; `tool` is the name of the tool. */
	unanswered(tool: string): string;
	/** How lines follow each other, where a handle can be opened by that alone. */
	readonly resumePath?: ResumePathRules;
	/** The client versions whose resume rules are known, oldest first. */
	readonly clients?: readonly string[];
	/** The messages that the client sends when it resumes the session. */
	readonly build: BuildContext;
	/** The fields of a line that `build` asks for without the rest of it: dotted paths, two levels at most. */
	readonly envelope?: readonly string[];
	/** True where `build` answers from the last lines of a file alone, or says that it needs more. */
	readonly fromTail?: boolean;
	/** The side files that `build` needs where they exist. */
	readonly sideFiles?: readonly (keyof ContextFiles)[];
	/** The messages by the rules of the format's document, where it has any. */
	readonly seed?: (bytes: Uint8Array) => readonly WireMessage[];
}

/** What is wrong with a file, and how that is mended. */
export interface CheckPart {
	/** Every rule its validator may report, the flaws included. */
	readonly rules: readonly Rule[];
	validator(report: Report): LineValidator;
	/** How a damaged file of this format is mended, rule by rule. */
	readonly repair?: Repair;
}

/** Pieces of text by which a line is known without being parsed. The format's clients write them in one way only. */
export interface Listing {
	/** A line that gives the session a title begins with one of these. */
	readonly titles: readonly string[];
	/** What stands right before the name of the git branch, up to and with its opening quote. */
	readonly branch?: string;
}

/** Turns lines into entries, one after the other. Never throws on content. */
export interface LineDecoder {
	/** Returns the record's type in the format's own words. */
	visit(line: Line, sink: DecodeSink): string;
	/** Serialisable, and small: it is stored per file. */
	state(): Json;
}

export interface DecodeSink {
	entry(entry: Entry): void;
	/** For whoever wants nothing but the text of prompts: a decoder may tell it in place of an entry, which takes much longer to make. */
	prompt?(text: string): void;
	/** Later patches win, field by field. */
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
	/** What only the whole file can tell: chains, pairs, what is missing. */
	end(): void;
}

export interface EncodeInput {
	readonly profile: Profile;
	/** The session's id and header as they shall be written. */
	readonly id: string;
	readonly header: Header;
	/** The absolute path that the main file will have, where it is known: some clients find a session only through it. */
	readonly path?: string;
	/** In order. Each one's parent is either among them, in `after`, or null. */
	readonly entries: readonly Entry[];
	/**
	 * The one of `entries` that the conversation goes on from, or `null` where all was taken back. Absent: the last of the
	 * conversation, as in entries that are new and follow one another. The leaf of what the file holds already is `after.leaf`.
	 */
	readonly leaf?: EntryId | null | undefined;
	/**
	 * What comes after them, where not all are held at once: to be gone through once, and each part forgotten before the next.
	 * The entries of a part name nobody outside of it, but the first of the conversation follows the last one before the part;
	 * none has an agent, and each part goes on from its last. What all lines depend on (title, first time, first model) is in `entries`.
	 */
	readonly more?: Iterable<readonly Entry[]>;
	/** The version of the client that lines are said to be written by, where they say it. Default: the newest known. */
	readonly version?: string;
	/**
	 * Where the session came from, in words of our own. Written into a new file of the profile `client` where the client
	 * ignores it; formats without such a place leave it out. Asked for when it is written: some say it last, and by then all of
	 * the source has gone by.
	 */
	readonly reference?: () => JsonObject;
	/** The session as the file holds it already: then only what is new is encoded. Absent: a new file. */
	readonly after?: Session;
	/** It is written while it happens: lines say what only a running client knows, such as the folder that its shell is in. */
	readonly live?: { readonly folder?: string };
	/** Where losses go; a list of its own otherwise. */
	readonly losses?: Loss[];
}

export interface Adoption {
	/** The id of the new session. */
	readonly session: string;
	readonly profile: Profile;
	/**
	 * Set where these entries go on with a conversation that was adopted before: its first entry with a time, if it has any. None
	 * of them starts anew then, and no cut is on a branch that was left.
	 */
	readonly begun?: Entry;
}

export interface Encoded {
	/** Lines to append (or the whole new file), or the whole document. */
	readonly bytes: Uint8Array;
	readonly losses: readonly Loss[];
	/** Files that belong beside the main one, by path relative to its folder. */
	readonly beside: readonly { readonly path: string; readonly bytes: Uint8Array }[];
}

export interface EncodedPieces {
	/** To be gone through once. Losses and files beside are complete when it has ended. */
	readonly pieces: Iterable<string | Uint8Array>;
	readonly losses: readonly Loss[];
	readonly beside: Encoded['beside'];
	/** Where something was not known when it was written; to be asked for when all pieces have been taken. */
	amended?(): Amendment;
}

export interface ForkInput {
	/** The whole session, decoded. */
	readonly session: Session;
	/** The last entry to take over: an entry of the conversation. */
	readonly at: EntryId;
	/** The way there, as the client walks it, from the root or the last compaction on; where lines name each other. */
	readonly path?: readonly EntryId[];
	/** The new session's id, and when it begins. */
	readonly id: string;
	readonly time: string;
	/** The absolute paths of the old main file and of the new one. */
	readonly from: string;
	readonly to: string;
	/** The profile of both: a copy goes on as its original was begun. */
	readonly profile: Profile;
	/** Side files of the old session, where the format has them and they are there. */
	readonly manifest?: Uint8Array;
	readonly compaction?: Uint8Array;
}

export interface Forked {
	/** The new main file. Old records keep their bytes wherever the format allows it. */
	readonly pieces: Iterable<Uint8Array>;
	/** Files beside it, by path relative to its folder. */
	readonly beside: Encoded['beside'];
	readonly losses: readonly Loss[];
}

/** A program that writes and resumes sessions of a format. */
export interface Agent {
	readonly name: string;
	/** OpenClaw shares pi's format and has a folder of its own, the one that the document names. */
	readonly ownFolder?: boolean;
	/** Set for an agent that starts in whatever folder it is called. */
	readonly anyFolder?: boolean;
	/** What a person types to go on; every word is `quoted` for the shell. */
	resume(session: { readonly id: string; readonly cwd: string; readonly path: string }): string;
}

/** How bad each flaw is to the client of a format, and what it does. */
export type FlawEffects = { readonly [F in Flaw]: { readonly severity: Severity; readonly effect: string } };

/** The machine whose sessions are looked for. Data, so that other platforms can be asked about from here. */
export interface Machine {
	readonly platform: 'linux' | 'darwin' | 'win32';
	readonly home: string;
	readonly env: { readonly [name: string]: string | undefined };
}

/** The little that looking for sessions needs of a file system. Missing folders and files are empty. */
export interface Folders {
	list(folder: string): readonly { readonly name: string; readonly folder: boolean }[];
	/** The first bytes of a file. */
	head(path: string, length: number): Uint8Array;
	/** True for a regular file to which no link leads from the folder that it shares with the session `main`. Absent: all are. */
	isPlain?(main: string, path: string): boolean;
	/** The ids of the sessions inside a database file. Without this, databases are not looked into. */
	stored?(file: string): readonly string[];
}

export interface Location {
	/** A file, or `DB#SESSION` for a session inside a database. */
	readonly path: string;
	readonly id: string;
	/** The client it belongs to, where several share the format. */
	readonly agent?: string;
	/** Set for a sub-agent's own file: the id of the session it belongs to, whether that still exists or not. */
	readonly parent?: string;
}

/** `display`: what the client shows of the session. `edits`: what it changed afterwards in messages it sent. */
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
	/** The sub-agent's id for the first two roles; for a list of many sessions the id of the one meant. */
	readonly id?: string;
}

/** A client's store of sessions in SQLite: queries and rows, no connection. */
export interface SessionDatabase {
	/** A count that is not zero in such a database, under the name `found`. */
	readonly isStore: string;
	/** The `id` of each session and when it was `updated`, newest first. */
	readonly sessions: string;
	/** The rows of the session that is its one parameter. */
	readonly rows: string;
	/** Those rows as the lines that they would be in a file. */
	transcript(rows: Iterable<{ readonly [column: string]: unknown }>): Uint8Array;
}

/** Where the client keeps its sessions, and what people do to them there. */
export interface PlacesPart {
	/** How the name of a main file ends. */
	readonly ending: string;
	/** The environment variables by which the client is led to other folders, as the beginnings of their names. */
	readonly variables?: readonly string[];
	/** Absent: the client keeps no sessions in a database. */
	readonly database?: SessionDatabase;
	/** The folders under which the client keeps its sessions. With `folders`, what the client's own settings say counts too. */
	roots(machine: Machine, folders?: Folders): readonly string[];
	/** The main files of all sessions found there; on request sub-agents' own files too, each after its session. */
	sessions(
		machine: Machine,
		folders: Folders,
		options?: { readonly subagents?: boolean | undefined },
	): Iterable<Location>;
	/** The session's id where a folder says it and the name of its main file does not. */
	idOf?(path: string, folders?: Folders): string | undefined;
	/** The agent that a session is of by where it lies, for a format of several. Undefined: not known. */
	agentOf?(path: string): string | undefined;
	/** The files that belong to the session whose main file is `path`. Links are none of them: they may lead to anything that its user has. */
	sideFiles(path: string, folders: Folders): readonly SideFile[];
	/**
	 * Where such files of the session at `path` (absolute) are kept: copies of files from before a change, and outputs too long for the
	 * conversation. Absent: the client has no such files.
	 */
	sideFolder?(path: string, role: 'backup' | 'output'): string;
	/** Where a session is written so that its client finds it (`published`: where the format's document puts it). */
	place(
		machine: Machine,
		session: { readonly id: string; readonly cwd: string; readonly created?: string; readonly profile?: Profile },
		folders?: Folders,
	): string;
	/** What people do to whole sessions. Absent: they can be read and written, but not renamed, moved or kept. */
	readonly manage?: Manage;
	/** The client's own list of its sessions, where that is a database. */
	readonly index?: SessionIndex;
	/** What a list of sessions looks for in their last lines. Absent: nothing that is not in the first ones. */
	readonly listing?: Listing;
	/** What its records tell about responses and their costs. Absent: nothing. */
	readonly usage?: UsageRules;
}
