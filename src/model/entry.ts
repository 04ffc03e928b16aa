/** Entries: the neutral meaning of a session; each is one step of the conversation or one fact about it. */
import type { Block } from './block.ts';
import type { SessionEvent } from './event.ts';
import type { JsonObject } from './json.ts';
import type { ModelResponse } from './usage.ts';

export type EntryId = string;

export interface EntryBase {
	readonly id: EntryId;
	/** The entry that it follows; `null` for a root; absent for an entry beside the conversation. */
	readonly parent?: EntryId | null;
	/** The entry before it in time, where `parent` does not name it, as at a compaction. */
	readonly logicalParent?: EntryId;
	/** ISO 8601, as precise as the source. */
	readonly time?: string;
	/** The sub-agent whose thread it belongs to; absent on the main thread. */
	readonly agent?: string;
	/** Indexes of the records it was read from; empty for an entry that is not written yet. */
	readonly records: readonly number[];
	/** Fields of the source line that the neutral model has no name for. A codec writes back only its own. */
	readonly extra?: JsonObject;
}

export interface MessageEntry extends EntryBase {
	readonly kind: 'message';
	readonly role: 'user' | 'assistant' | 'system';
	readonly content: readonly Block[];
	readonly response?: ModelResponse;
	/** Who gets it: `model` = sent but not shown as a prompt, `user` = shown but never sent. Absent: both. */
	readonly audience?: 'model' | 'user';
	/** How it came about, if not as a plain prompt or reply: `compaction`, `interruption`, `shell`, `command`, `custom:NAME` … */
	readonly origin?: string;
}

/** A compaction: from here on the conversation goes on from a summary. */
export interface CompactionEntry extends EntryBase {
	readonly kind: 'compaction';
	/** Absent where the client writes the summary as a message of its own. */
	readonly summary?: string;
	/** The first entry before the compaction that stays in the model's context. */
	readonly keptFrom?: EntryId;
	readonly tokensBefore?: number;
	readonly tokensAfter?: number;
	readonly trigger?: string;
	/** The response that brought the summary, while a run writes it: what it used is counted where the format has a place for that. */
	readonly response?: ModelResponse;
	/** What the session is called, while a run writes it: a client that lists sessions by their summaries would rename it. */
	readonly title?: string;
}

/** A text that stands for a part of the conversation: a title, a published-style compaction, an abandoned branch. */
export interface SummaryEntry extends EntryBase {
	readonly kind: 'summary';
	readonly text: string;
	readonly of: 'conversation' | 'branch';
	readonly leaf?: EntryId;
}

/** Settings that hold from here on. */
export interface SettingEntry extends EntryBase {
	readonly kind: 'setting';
	readonly set: Settings;
}

export interface Settings {
	readonly model?: string;
	readonly provider?: string;
	readonly thinking?: string;
	readonly permissionMode?: string;
	readonly mode?: string;
	readonly title?: string | null;
	readonly cwd?: string;
	readonly agentName?: string;
	readonly agentColor?: string;
	readonly tag?: string | null;
	readonly tools?: readonly string[];
	readonly systemPrompt?: string;
}

/** The state of files before something changed them. */
export interface CheckpointEntry extends EntryBase {
	readonly kind: 'checkpoint';
	/** The message whose changes the checkpoint can undo. */
	readonly of?: EntryId;
	/** True when it replaces an earlier checkpoint of the same message. */
	readonly update: boolean;
	readonly files: readonly FileSnapshot[];
}

export interface FileSnapshot {
	readonly path: string;
	readonly state:
		| { readonly is: 'absent'; readonly version?: number }
		| { readonly is: 'inline'; readonly text: string }
		| { readonly is: 'backup'; readonly name: string; readonly version?: number; readonly time?: string };
}

export interface LabelEntry extends EntryBase {
	readonly kind: 'label';
	readonly target: EntryId;
	/** `null` removes the label. */
	readonly text: string | null;
}

/** The conversation goes on from `target`, whatever comes last in the file. */
export interface LeafEntry extends EntryBase {
	readonly kind: 'leaf';
	readonly target: EntryId | null;
}

/** Changes afterwards what the model gets of `target`; `null` removes it. */
export interface EditEntry extends EntryBase {
	readonly kind: 'edit';
	readonly target: EntryId;
	readonly replacement: readonly Block[] | null;
}

/** The end of a run, in each client's own words. */
export interface OutcomeEntry extends EntryBase {
	readonly kind: 'outcome';
	readonly status: string;
	readonly costUsd?: number;
	readonly turns?: number;
	readonly durationMs?: number;
}

/** The start of a session: the header line of a format that has one. */
export interface StartEntry extends EntryBase {
	readonly kind: 'start';
	readonly session: string;
	readonly cwd?: string;
	readonly version?: number;
	readonly parentSession?: string;
}

export interface EventEntry extends EntryBase {
	readonly kind: 'event';
	readonly event: SessionEvent;
}

/** A line we do not model: kept in its place in the conversation and in the file. */
export interface OpaqueEntry extends EntryBase {
	readonly kind: 'opaque';
	readonly type: string;
}

export type Entry =
	| MessageEntry
	| CompactionEntry
	| SummaryEntry
	| SettingEntry
	| CheckpointEntry
	| LabelEntry
	| LeafEntry
	| EditEntry
	| OutcomeEntry
	| StartEntry
	| EventEntry
	| OpaqueEntry;

export type EntryKind = Entry['kind'];
export type EntryOf<K extends EntryKind> = Extract<Entry, { kind: K }>;
