/** The types of the console's state and of what changes it: finished blocks, running calls, the queue, the status line; and the order of modes on Shift-Tab. */

import type { LoopEvent, RunResult } from '../agent/config.ts';
import type { PermissionMode } from '../agent/contracts.ts';
import type { AgentEvent } from '../agent/events.ts';
import type { ClientFacts } from '../client/listener.ts';
import type { ChecklistItem } from '../export/checklist.ts';
import type { Json } from '../model/index.ts';

/** Something that was said or done and cannot change any more: the same whether it was seen happening or read from a session. */
export type Block =
	| { readonly kind: 'prompt'; readonly text: string }
	/** One top-level block of a reply's Markdown. `first`: with it a text of the reply begins. */
	| { readonly kind: 'reply'; readonly text: string; readonly first: boolean }
	| { readonly kind: 'thinking'; readonly text: string }
	| ({ readonly kind: 'picture' } & ShownPicture)
	/** A file that went along with the prompt above it. */
	| { readonly kind: 'file'; readonly name: string; readonly size: number }
	| ({ readonly kind: 'tool' } & ShownTool)
	| { readonly kind: 'error' | 'note' | 'said'; readonly text: string }
	| { readonly kind: 'compaction'; readonly text: string }
	/** What is in the session before the first block; undefined where nobody has counted. */
	| { readonly kind: 'omitted'; readonly entries: number | undefined };

export interface ShownPicture {
	/** The name of its file; absent where it has none. */
	readonly name?: string;
	readonly mime: string;
	readonly base64: string;
}

/** A call that is over, as it is shown. */
export interface ShownTool {
	readonly name: string;
	readonly subject: string;
	readonly change?: string;
	readonly list?: readonly ChecklistItem[];
	/** Absent: it has no result. */
	readonly output?: string;
	/** What came of it, as Markdown: a plan, the report of an agent. */
	readonly markdown?: string;
	/** The Markdown is never folded. */
	readonly isWhole?: true;
	readonly pictures?: readonly ShownPicture[];
	readonly isError: boolean;
	/** The user has changed the call before it was run. */
	readonly edited?: true;
	/** Typed by the user behind `!`. */
	readonly own?: true;
}

export interface RunningTool {
	readonly id: string;
	readonly name: string;
	readonly input: Json;
	readonly since: number;
	/** The end of what it has written so far. */
	readonly tail: string;
	/** What its sub-agent has done, the last steps first forgotten; and how many there were. */
	readonly steps: readonly string[];
	readonly stepCount: number;
	readonly own?: true;
	/** When it has ended, although calls before it go on. */
	readonly until?: number;
	/** It is over, and waits for calls before it: blocks are in the order of the calls. */
	readonly done?: ShownTool;
}

export interface Live {
	/** The end of the open text of a reply, which may still become another Markdown block. */
	readonly reply: string;
	/** A block of the open text is finished already. */
	readonly replyBegun: boolean;
	readonly thinking: string | undefined;
	readonly thinkingSince: number;
	/** How many parts of the open reply have streamed: a reply that did not stream is taken from its end. */
	readonly streamed: number;
	readonly tools: readonly RunningTool[];
}

export interface Status {
	readonly model: string;
	readonly mode: PermissionMode;
	readonly branch?: string;
	/** The agent whose session it is: `pi`, not the format that it shares with `openclaw`. */
	readonly format?: string;
	readonly folder?: string;
	readonly title?: string;
	readonly sessionId?: string;
	/** The tokens of the last request and its answer. */
	readonly tokens: number;
	readonly window?: number;
	/** Commands and sub-agents that run in the background. */
	readonly background?: number;
	/** Of the whole session; null where that is not known. */
	readonly costUsd: number | null;
	/** Said for a while in place of the keys. */
	readonly hint?: { readonly text: string; readonly until: number };
	readonly retry?: { readonly text: string; readonly tries: string; readonly until: number };
}

/** A prompt that was typed while another was answered. */
export interface Queued {
	readonly text: string;
	/** It waits for the end of the turn; else the run hears it between two of its steps, if there are any. */
	readonly after?: true;
	/** The session says that it waits. */
	readonly announced?: true;
	/** The turn that it waited for was stopped: it is sent when its user says so. */
	readonly held?: true;
}

export interface State {
	readonly now: number;
	/** Finished and not drawn yet. */
	readonly blocks: readonly Block[];
	readonly live: Live;
	/** Since when a prompt is being answered. */
	readonly busySince: number | undefined;
	/** What is being done other than answering: `compacting`. */
	readonly doing: string | undefined;
	readonly outputTokens: number;
	readonly todos: readonly ChecklistItem[];
	readonly hidesTodos: boolean;
	/** Also while nothing is answered. */
	readonly showsTodos: boolean;
	/** Questions that wait for the user, and since when: nothing else goes on meanwhile, and no time is counted. */
	readonly asking?: { readonly questions: number; readonly since: number };
	/** What the model thinks is shown, and not only that it does. */
	readonly showsThinking: boolean;
	/** Prompts that wait for the next step of the run, or for its end. */
	readonly queue: readonly Queued[];
	readonly status: Status;
}

export type Action =
	| { readonly type: 'tick'; readonly now: number }
	| { readonly type: 'toggle-todos' | 'toggle-thinking' }
	| { readonly type: 'prompt'; readonly text: string }
	| { readonly type: 'busy'; readonly busy: boolean }
	/** A question to the user has come, or is answered. */
	| { readonly type: 'asking'; readonly asks: boolean }
	| { readonly type: 'event'; readonly event: AgentEvent }
	| { readonly type: 'loop'; readonly event: LoopEvent }
	| { readonly type: 'begin'; readonly facts: ClientFacts }
	| { readonly type: 'result'; readonly result: RunResult }
	| { readonly type: 'said'; readonly text: string }
	| { readonly type: 'note'; readonly text: string }
	| { readonly type: 'error'; readonly text: string }
	| { readonly type: 'blocks'; readonly blocks: readonly Block[] }
	| { readonly type: 'queue'; readonly queue: readonly Queued[] }
	| { readonly type: 'status'; readonly status: Partial<Status> }
	| { readonly type: 'hint'; readonly text: string; readonly forMs: number }
	| { readonly type: 'own-command'; readonly id: string; readonly command: string }
	| { readonly type: 'own-output'; readonly id: string; readonly text: string }
	| { readonly type: 'own-ended'; readonly id: string; readonly output: string; readonly isError: boolean }
	/** The first blocks were drawn. */
	| { readonly type: 'taken'; readonly count: number };

export const nothingLive: Live = {
	reply: '',
	replyBegun: false,
	thinking: undefined,
	thinkingSince: 0,
	streamed: 0,
	tools: [],
};

export function newState(now: number, status: Partial<Status> = {}): State {
	return {
		now,
		blocks: [],
		live: nothingLive,
		busySince: undefined,
		doing: undefined,
		outputTokens: 0,
		todos: [],
		hidesTodos: false,
		showsTodos: false,
		showsThinking: false,
		queue: [],
		status: { model: '', mode: 'default', tokens: 0, costUsd: 0, ...status },
	};
}

const modes: readonly PermissionMode[] = ['default', 'acceptEdits', 'plan'];

/** The mode that Shift-Tab goes to. */
export function modeAfter(mode: PermissionMode): PermissionMode {
	return modes[(modes.indexOf(mode) + 1) % modes.length] ?? 'default';
}
