/** What the loop needs from outside: models, tools, hooks, permissions, a machine. Everything above this layer implements these. */

import type {
	AgentMessage,
	Api,
	FileState,
	ImageContent,
	Json,
	JsonObject,
	StopReason,
	TextContent,
} from '../model/index.ts';
import type { AssistantMessageEvent } from './events.ts';

export type * from './hook-points.ts';

/** A model behind an API. `stream` may be any function of this shape: a provider needs no registration anywhere. */
export interface Provider {
	/** As sessions name it: `anthropic`, `openai`, `google`, `ollama`, `offline` … */
	readonly id: string;
	/** The wire protocol as sessions name it: `anthropic-messages`, `openai-responses` … */
	readonly api: Api;
	readonly stream: Stream;
}

/**
 * Asks a model once, without retrying. Never throws and never ends in silence: whatever goes wrong is a `failure` followed by an
 * `error` event whose message holds what had arrived. After `signal` the stream ends with the reason `aborted`, at once.
 */
export type Stream = (request: ModelRequest, signal: AbortSignal) => AsyncIterable<ModelEvent>;

export interface ModelRequest {
	readonly model: string;
	readonly system: string;
	/** The whole conversation, whoever answered in it: a provider fits it to its API. */
	readonly messages: readonly AgentMessage[];
	readonly tools: readonly ToolSpec[];
	readonly maxTokens?: number;
	readonly thinking?: ThinkingLevel;
	/** Servers that cache by a key use it. */
	readonly sessionId?: string;
}

export type ThinkingLevel = 'off' | 'minimal' | 'low' | 'medium' | 'high';

/** The published events of a reply, and beside them what only the loop needs. */
export type ModelEvent = AssistantMessageEvent | ResponseEvent | MalformedCallEvent | FailureEvent;

/** The provider's own names for the reply, as soon as they are known. */
export interface ResponseEvent {
	readonly type: 'response';
	readonly id?: string;
	readonly request?: string;
	/** The model that really answers, where it is more exact than the one that was asked for. */
	readonly model?: string;
	/** Why the reply ends, where the published words have none for it, such as `stop_sequence`; and that sequence. */
	readonly stop?: StopReason;
	readonly stopSequence?: string;
}

/** The arguments of a tool call were no JSON object. The call itself stands in the reply with empty arguments. */
export interface MalformedCallEvent {
	readonly type: 'malformed-call';
	readonly callId: string;
	/** What the model wrote instead. */
	readonly raw: string;
}

export interface FailureEvent {
	readonly type: 'failure';
	readonly failure: Failure;
}

/** Why a request failed, in words for the user. */
export interface Failure {
	readonly code: FailureCode;
	/** One line: what happened, and what to do where somebody can do something. */
	readonly message: string;
	readonly status?: number;
	/** Asking again may help. */
	readonly retry: boolean;
	/** How long the server wants us to wait. */
	readonly retryAfterMs?: number;
}

export type FailureCode =
	| 'auth'
	| 'rate-limit'
	| 'overloaded'
	| 'server'
	| 'network'
	| 'cut'
	| 'context-overflow'
	| 'unknown-model'
	| 'bad-request'
	| 'aborted';

export interface ToolSpec {
	readonly name: string;
	readonly description: string;
	/** JSON Schema of the input: an object. */
	readonly inputSchema: JsonObject;
}

export interface Tool<I = unknown> extends ToolSpec {
	readonly effect: ToolEffect;
	/** The input as the tool takes it, or what is wrong with it in words for the model. */
	parse(input: Json): Parsed<I>;
	/** What permission rules are matched against: a command for Bash, absolute paths for files. */
	subjects(input: I, cwd: string): readonly string[];
	/** What it would do, changing nothing: run before somebody is asked, so that nobody is asked about what cannot work. */
	check?(input: I, context: ToolContext): Promise<Checked>;
	/** A failure of the tool's own work is an output with `isError`; a throw is a bug, and is reported as one. */
	run(input: I, context: ToolContext): Promise<ToolOutput>;
}

/** Why a call cannot work, as its output would be, or what it would make of a file. */
export type Checked = { readonly fails: ToolOutput } | { readonly change: FileChange };

/** The texts of a file; `before` is undefined where there is none. */
export interface FileChange {
	readonly before: string | undefined;
	readonly after: string;
}

export type ToolEffect = 'read' | 'write' | 'exec' | 'net' | 'agent';

export type Parsed<I> = { readonly ok: true; readonly input: I } | { readonly ok: false; readonly problem: string };

export interface ToolOutput {
	readonly content: readonly (TextContent | ImageContent)[];
	readonly isError?: boolean;
	/** Structured result for display and for `toolUseResult`; never sent to a model. */
	readonly details?: Json;
	/** The file that it read or wrote, as it is now. */
	readonly file?: FileState;
}

export interface ToolContext {
	/** Absolute: what relative paths of the input mean. A shell command may have moved it. */
	readonly cwd: string;
	/** The folders that the session works in, the project's first. */
	readonly folders: readonly string[];
	/** Where tools work from now on: one of those folders, or a folder in one. */
	moveTo(folder: string): void;
	/** Where output goes that is too long for the conversation. */
	readonly outputFolder: string;
	readonly signal: AbortSignal;
	readonly host: Host;
	readonly callId: string;
	/** Files that the conversation has read or written, by absolute path: nothing is overwritten unseen. */
	readonly seen: Map<string, SeenContent>;
	/** Something to show while it runs. */
	update(partial: JsonObject): void;
	/** Called before a file changes, so that the change can be undone. `before` is null where there is none. */
	changing(path: string, before: Uint8Array | null): Promise<void>;
}

export interface SeenContent {
	readonly sha256: string;
	readonly mtimeMs: number;
}

/** A tool call that is about to run. */
export interface PendingCall {
	readonly id: string;
	readonly tool: Tool;
	readonly input: Json;
	readonly subjects: readonly string[];
	/** Why somebody is asked. */
	readonly reason?: string;
	/** What it would make of a file, for tools that can tell. */
	readonly change?: FileChange;
	/** The rule that would allow calls like this one; undefined where no rule can. */
	suggest?(): Promise<string | undefined>;
}

/** `default` asks before anything is written or run, `bypassPermissions` never asks. */
export type PermissionMode = 'default' | 'acceptEdits' | 'plan' | 'bypassPermissions' | 'dontAsk';

export type Decision =
	| { readonly is: 'allow'; readonly input?: Json; readonly reason?: string }
	/** `text`: what the model is told, where that is more than the reason. */
	| { readonly is: 'deny'; readonly reason: string; readonly text?: string }
	| { readonly is: 'ask'; readonly reason?: string }
	/** The run ends here with the call unanswered: somebody else decides later. */
	| { readonly is: 'defer' }
	| { readonly is: 'pass' };

/** What a person, or whoever stands for one, answers. */
export type Verdict =
	| {
			readonly allow: true;
			readonly input?: Json;
			/** A rule that allows calls like this one from now on, until the session is left. */
			readonly always?: string;
	  }
	| { readonly allow: false; readonly reason: string; readonly interrupt?: boolean };

export type Ask = (call: PendingCall, signal: AbortSignal) => Promise<Verdict>;

/** The one seam to the machine. */
export interface Host {
	readonly files: HostFiles;
	/** Names and links, for permission decisions. */
	readonly names: FileView;
	/** The user's home. */
	readonly home: string;
	readonly run: RunCommand;
	now(): number;
	/** Random hexadecimal digits. */
	randomHex(digits: number): string;
	sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export interface HostFiles {
	/** Undefined: there is no such file. */
	stat(path: string): Promise<FileFacts | undefined>;
	/** `real`: where the path led when it was decided about. If it leads elsewhere by now, nothing is read. */
	read(path: string, real?: string): Promise<Uint8Array>;
	/** Atomic; missing folders are made. An existing file keeps its mode. `real` as above: nothing is written elsewhere. */
	write(path: string, bytes: Uint8Array, real?: string): Promise<void>;
	/** The path with links resolved, as far as it exists. */
	real(path: string): Promise<string>;
	list(folder: string): Promise<readonly string[]>;
	/** What a link names; undefined where there is none. */
	linkTarget(path: string): Promise<string | undefined>;
	/** Adds to a file that only its user can read; missing folders are made. */
	append(path: string, text: string): Promise<void>;
}

/** What a permission decision has to know of the file system. Nothing is read but names and links. */
export interface FileView {
	/** Where the kernel would end up: every link followed, `..` after links, also for what does not exist yet. Undefined: nowhere, as in a loop. */
	real(path: string): string | undefined;
	kind(path: string): 'file' | 'folder' | undefined;
	list(folder: string): readonly string[];
}

export interface FileFacts {
	readonly size: number;
	readonly folder: boolean;
	/** False for folders and for devices, pipes and sockets: reading one of those may never end. */
	readonly regular: boolean;
	readonly mtimeMs: number;
	/** Nanoseconds since the epoch, as digits. */
	readonly mtimeNs: string;
}

/** Runs a shell command in its own process group, which `signal` and the time limit end as a whole. */
export type RunCommand = (command: ShellCommand, signal: AbortSignal) => AsyncIterable<ShellEvent>;

export interface ShellCommand {
	readonly command: string;
	readonly cwd: string;
	readonly timeoutMs?: number;
	readonly env?: { readonly [name: string]: string };
}

export type ShellEvent =
	| { readonly type: 'output'; readonly from: 'stdout' | 'stderr'; readonly text: string }
	| {
			readonly type: 'exit';
			readonly code: number | null;
			readonly signal?: string;
			readonly timedOut?: boolean;
			/** The folder that the shell was in at the end, where the command succeeded. */
			readonly cwd?: string;
	  };
