/** What the loop needs from outside: models, tools, hooks, permissions, a machine. Everything above this layer implements these. */

import type {
	AgentMessage,
	Api,
	AssistantMessage,
	EntryId,
	FileState,
	ImageContent,
	Json,
	JsonObject,
	StopReason,
	TextContent,
} from '../model/index.ts';
import type { AssistantMessageEvent } from './events.ts';
import type { Expanded } from './expansion.ts';
import type { Host } from './machine.ts';
import type { SubAgents } from './sub-agents/agent-types.ts';
import type { TaskNews } from './tasks.ts';

export type * from './expansion.ts';
export type * from './hooks/hook-points.ts';
export type * from './machine.ts';
export type * from './sub-agents/agent-types.ts';

/** A model behind an API. `stream` may be any function of this shape: a provider needs no registration anywhere. */
export interface Provider {
	/** As sessions name it: `anthropic`, `openai`, `google`, `ollama`, `offline` … */
	readonly id: string;
	/** The wire protocol as sessions name it: `anthropic-messages`, `openai-responses` … */
	readonly api: Api;
	readonly stream: Stream;
	/** Searches the web, where its servers do that. */
	readonly search?: SearchWeb;
	/** The tokens that a model can take, where the server itself says so. Never throws. */
	window?(model: string): Promise<number | undefined>;
}

/** Searches the web. Never throws. */
export type SearchWeb = (request: WebSearchRequest, signal: AbortSignal) => Promise<WebSearchAnswer>;

export interface WebSearchRequest {
	readonly query: string;
	readonly allowedDomains?: readonly string[];
	readonly blockedDomains?: readonly string[];
	/** Which model searches, where one does. */
	readonly model: string;
}

export type WebSearchAnswer =
	| {
			readonly parts: readonly WebSearchPart[];
			/** What it used, where a model has searched. */
			readonly reply?: AssistantMessage;
	  }
	| { readonly problem: string };

export type WebSearchPart =
	| { readonly is: 'text'; readonly text: string }
	| {
			readonly is: 'links';
			readonly query: string;
			readonly links: readonly { readonly title: string; readonly url: string }[];
	  };

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
	/** The kind of sub-agent that asks, where one does. */
	readonly agent?: string;
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
	readonly limits?: RateLimits;
	/** What the user should know of who answers. */
	readonly note?: string;
}

/** How much of what a provider allows is used, as the headers of an answer say. */
export interface RateLimits {
	readonly status: 'allowed' | 'allowed_warning' | 'rejected';
	/** Seconds since the epoch. */
	readonly resetsAt?: number;
	/** What is limited, in the provider's words: `requests`, `tokens`, `five_hour` … */
	readonly kind?: string;
	/** The share that is used, 0 to 1. */
	readonly utilization?: number;
	/** The share above which the provider warns. */
	readonly surpassedThreshold?: number;
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
	/** The model, or whoever watches over it, would not answer. */
	readonly refused?: true;
	readonly limits?: RateLimits;
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
	| 'script'
	| 'aborted';

export interface ToolSpec {
	readonly name: string;
	readonly description: string;
	/** JSON Schema of the input: an object. */
	readonly inputSchema: JsonObject;
}

export interface Tool<I = unknown> extends ToolSpec {
	/** Another name for a tool that is offered, or a tool that few sessions need: it answers, and no model is told of it. */
	readonly unlisted?: boolean;
	/** The call as rules know it, for a tool that is another one under the name of another agent. */
	judgedAs?(input: Json): EarlierCall | undefined;
	/** The tool's own input for what somebody who knows the call as `judgedAs` says it has made of it; undefined where it has no words for it. */
	givenAs?(before: Json, input: Json): Json | undefined;
	/** A person has to answer each call, whatever rules and modes allow. Offered only where somebody can. */
	readonly asks?: boolean;
	/** Offered only where somebody can answer: nobody is asked about the call, but about what it leads to. */
	readonly attended?: boolean;
	readonly effect: ToolEffect;
	/** The input as the tool takes it, or what is wrong with it in words for the model. */
	parse(input: Json): Parsed<I>;
	/** The inputs of the calls that a call with several things in it stands for: each is asked about and run by itself, in order. */
	split?(input: Json): readonly Json[];
	/** One answer, made of those of the calls that it stands for. */
	join?(input: Json, parts: readonly AnsweredPart[]): ToolOutput;
	/** What permission rules are matched against: a command for Bash, absolute paths for files. */
	subjects(input: I, cwd: string): readonly string[];
	/** What it would do, changing nothing: run before somebody is asked, so that nobody is asked about what cannot work. */
	check?(input: I, context: ToolContext): Promise<Checked | undefined>;
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

/** A call that another one stands for, and what came of it. */
export interface AnsweredPart {
	readonly input: Json;
	readonly output: ToolOutput;
	/** It was not run: the input was wrong, or somebody denied it. */
	readonly rejected: boolean;
}

export type ToolEffect = 'read' | 'write' | 'exec' | 'net' | 'agent';

export type Parsed<I> = { readonly ok: true; readonly input: I } | WrongInput;

export interface WrongInput {
	readonly ok: false;
	/** One line for each thing that is wrong; undefined where there are no words for it, and `issues` has to do. */
	readonly problem?: string;
	/** What is wrong as JSON: the record that transcripts keep. */
	readonly issues: string;
}

export interface ToolOutput {
	readonly content: readonly (TextContent | ImageContent)[];
	readonly isError?: boolean;
	/** Structured result for display and for `toolUseResult`; never sent to a model. */
	readonly details?: Json;
	/** The file that it read or wrote, as it is now. */
	readonly file?: FileState;
	/** What came of the calls that it answers, in our own words for them: those of a call that another agent has a name for. */
	readonly answers?: readonly AnsweredCall[];
}

export interface AnsweredCall extends EarlierCall {
	readonly output: ToolOutput;
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
	/** Calls for lists that the session had made when it was opened, those that failed left out: such a list is nowhere else. */
	readonly earlier: readonly EarlierCall[];
	/** What tools keep from one call of the conversation to the next, each under a name of its own. */
	readonly kept: Map<string, unknown>;
	/** True for a file that a rule forbids to read, for tools that come upon files by themselves; undefined where there is no such rule. */
	hides(): Promise<((path: string) => boolean) | undefined>;
	readonly mode: PermissionMode;
	/** Changes the mode from now on; absent where nobody can. */
	readonly setMode?: (mode: PermissionMode) => void;
	/** Somebody was asked about this very call, and allowed it. */
	readonly userAllowed: boolean;
	/** Whoever was asked has changed the input before allowing it. */
	readonly userModified: boolean;
	/** True for a host that a rule allows by its own name, not as one of many. */
	allowsHost(host: string): boolean;
	/** Asks the model something beside the conversation. */
	consult(question: { readonly system: string; readonly text: string }): Promise<Consulted>;
	/** Searches the web; absent where nobody does. */
	readonly searchWeb?: (request: Omit<WebSearchRequest, 'model'>) => Promise<WebSearchAnswer>;
	/** Starts sub-agents; absent where none may be started. */
	readonly agents?: SubAgents;
	/** What a command stands for that a model calls; absent where there are none. */
	readonly expand?: (prompt: string) => Promise<Expanded | undefined>;
	/** Something to show while it runs. */
	update(partial: JsonObject): void;
	/** Something that the model is told before it is asked again, also after the call has ended. */
	notify(text: string): void;
	/** Something about a task, for those who watch. */
	readonly task?: (news: TaskNews) => void;
	/** Called before a file changes, so that the change can be undone. `before` is null where there is none. */
	changing(path: string, before: Uint8Array | null): Promise<void>;
}

/** Keeps what calls do to files, so that it can be rewound. It never fails: what it cannot keep, it notes. */
export interface ChangeKeeper {
	/** All that follows belongs to this prompt. */
	prompt(prompt: EntryId): void;
	/**
	 * Before a call changes the file at `path`, or, where that is left out, any file. What it gives is
	 * called after the call, with what else should be known of it.
	 */
	before(call: ChangingCall, path?: string): Promise<(note?: string) => Promise<void>>;
}

export interface ChangingCall {
	readonly id: string;
	readonly tool: string;
	/** The command, or the file. */
	readonly what: string;
	/** For a call of a sub-agent: the session's own call that waits for it. */
	readonly within?: string;
}

export type Consulted = { readonly text: string } | { readonly problem: string };

export interface EarlierCall {
	readonly name: string;
	readonly input: Json;
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
	/** Who wants that: a rule of the user's, a hook, or neither. */
	readonly reasonType?: 'rule' | 'hook' | 'other';
	/** The sub-agent that makes the call. */
	readonly agent?: { readonly id: string; readonly type: string };
	/** What it would make of a file, for tools that can tell. */
	readonly change?: FileChange;
	/** The rule that would allow calls like this one; undefined where no rule can. */
	suggest?(): Promise<string | undefined>;
	/** Whether a rule would allow this call. */
	allows?(rule: string): Promise<boolean>;
	/** The call with another input, which the person who is asked has edited. */
	withInput?(input: Json): Promise<PendingCall>;
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
			/** A person has written this input at our own question: the model is told what was run. Programs that ask in our place tell it themselves. */
			readonly edited?: true;
			/** A rule that allows calls like this one from now on, until the session is left. */
			readonly always?: string;
			/** More of them. */
			readonly alsoAlways?: readonly string[];
			/** The mode from now on. */
			readonly mode?: PermissionMode;
	  }
	/** `byMode`: the mode says so, and nobody was asked. */
	| {
			readonly allow: false;
			readonly reason: string;
			/** What the model is told, word for word. */
			readonly text?: string;
			readonly interrupt?: boolean;
			readonly byMode?: true;
	  };

export type Ask = (call: PendingCall, signal: AbortSignal) => Promise<Verdict>;
