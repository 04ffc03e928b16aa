/** Types of a run: what it is given (tools, limits, retries, compaction), the events that it tells, its result, and the conversation that goes from one run to the next. */

import type { PermissionFacts } from '../codecs/index.ts';
import type {
	AgentMessage,
	AssistantMessage,
	Entry,
	FileSnapshot,
	ImageContent,
	Json,
	Settings,
	TextContent,
	ToolCall,
	Usage,
	MessageUsage as WireUsage,
} from '../model/index.ts';
import type { Refills } from './compaction/compact-when.ts';
import type {
	Ask,
	ChangeKeeper,
	EarlierCall,
	Expand,
	Failure,
	Hook,
	HookRan,
	Host,
	NamedFiles,
	PermissionMode,
	Provider,
	RateLimits,
	SearchWeb,
	SeenContent,
	ThinkingLevel,
	Tool,
	ToolOutput,
} from './contracts.ts';
import type { Rule, Rules } from './permissions/rule.ts';
import type { AgentOffers, AgentSelf } from './sub-agents/agent-types.ts';
import type { TaskNews } from './tasks.ts';

export type Prompt = string | readonly (TextContent | ImageContent)[];

export interface AgentConfig {
	readonly provider: Provider;
	readonly model: string;
	readonly thinking?: ThinkingLevel;
	readonly maxTokens?: number;
	readonly system: string;
	readonly tools: readonly Tool[];
	/** Absolute: where tools work. */
	readonly cwd: string;
	/** What the session calls a folder, where that is not its path: a replay works in a copy. */
	readonly toldFolder?: (folder: string) => string;
	/** Folders beside it that they may work in. */
	readonly dirs?: readonly string[];
	readonly mode: PermissionMode;
	/** Changes what `mode` says. */
	readonly setMode?: (mode: PermissionMode) => void;
	/** What is allowed, asked about and denied beside the mode. */
	readonly rules?: Rules;
	/** Servers whose calls are asked about although the mode asks about nothing, as rules write them: `mcp__shed`. */
	readonly askedServers?: readonly string[];
	/** Its user trusts what the folder brings. */
	readonly trusted?: boolean;
	/** True for a skill that brings tool permissions of its own. */
	readonly skillGrants?: (name: string) => boolean;
	readonly hooks?: readonly Hook[];
	/** Absent: nobody can be asked, and what would have to be asked is denied. */
	readonly ask?: Ask;
	readonly host: Host;
	/** Keeps what calls change, so that it can be rewound. */
	readonly changes?: ChangeKeeper;
	/** Searches the web instead of the provider. */
	readonly search?: SearchWeb;
	readonly limits?: Limits;
	readonly retry?: RetryRules;
	/** Absent: a conversation that is too long is never compacted. */
	readonly compaction?: CompactionRules;
	/** What tokens cost in dollars; undefined where the model has no known price. */
	readonly price?: (model: string, provider: string, usage: WireUsage) => WireUsage['cost'] | undefined;
	/** What a prompt stands for that calls a command. */
	readonly expand?: Expand;
	/** Takes what the user has said since the run began, one prompt at a time: the model hears it with the results of its calls. */
	readonly steer?: () => Prompt | undefined;
	/** Instructions that hold for a file that was read, without those that were `told` already, which grows. */
	readonly recall?: (path: string, told: Set<string>) => Promise<readonly Recalled[]>;
	/** The branch that is checked out; asked with every line that is written, because it changes. */
	readonly gitBranch?: () => string | undefined;
	/** The sub-agents that may be started. Absent: none. */
	readonly agents?: AgentOffers;
	/** Of a sub-agent: skills that it is told with its first task. */
	readonly skillsAtStart?: readonly string[];
	/** Set in the run of a sub-agent: who it is. */
	readonly agent?: AgentSelf;
	/** Hears what the published events do not say. */
	readonly observe?: (event: LoopEvent) => void;
}

export interface Limits {
	/** Requests to the model per run. */
	readonly turns?: number;
	readonly costUsd?: number;
	/** What was spent of `costUsd` before the run. */
	readonly spentUsd?: number;
}

export interface RetryRules {
	/** How often a request is tried again. Default 5. */
	readonly times?: number;
	/** The first wait in milliseconds, doubled each time. Default 1000. */
	readonly firstWaitMs?: number;
	/** Default 30,000. */
	readonly longestWaitMs?: number;
	/** The longest wait that a server may ask for; one that wants more ends the run. Default 300,000. */
	readonly longestAskedMs?: number;
}

/** When and how a conversation is compacted. */
export interface CompactionRules {
	/** True: it is compacted by itself when it becomes too long. False: only when somebody asks for it. */
	readonly auto: boolean;
	/** The tokens that the model can take. */
	readonly window: number;
	/** The share of the window, less the room for a reply, at which it is compacted, where that comes before the usual limit. */
	readonly percent?: number;
	/** How many characters of the user's own words are kept as they were said. */
	readonly words: number;
}

export type CompactionTrigger = 'auto' | 'manual';

/** What happens inside a run, for consoles and frames. */
export type LoopEvent =
	/** `parentCall`: the entries are of the sub-agent that this call has started. */
	| {
			readonly type: 'entries';
			readonly entries: readonly Entry[];
			readonly parentCall?: string;
			readonly agent?: AgentNamed;
	  }
	| {
			readonly type: 'retry';
			readonly failure: Failure;
			readonly attempt: number;
			readonly of: number;
			readonly waitMs: number;
	  }
	/** A request failed, and nobody asks again: what is written next of the reply says so. */
	| { readonly type: 'failed'; readonly failure: Failure }
	/** The reply that streams now has this id, known before its first piece. */
	| { readonly type: 'reply'; readonly id: string }
	| { readonly type: 'denied'; readonly denial: Denial }
	/** The call runs with this input, which is not the model's: a hook, or whoever was asked, has changed it. */
	| { readonly type: 'changed'; readonly call: string; readonly input: Json }
	/** A command or address is called at a point; its answer follows, under the same id. */
	| { readonly type: 'hook-called'; readonly id: string; readonly point: string; readonly name: string }
	| {
			readonly type: 'hook-answered';
			readonly id: string;
			readonly point: string;
			readonly name: string;
			readonly ran: HookRan;
	  }
	| { readonly type: 'task'; readonly task: TaskNews }
	/** A provider has said how much of what it allows is used. */
	| { readonly type: 'limits'; readonly limits: RateLimits }
	/** What the user should know of who answers; a run may say it again with every request. */
	| { readonly type: 'note'; readonly text: string }
	/** Instructions that hold for a file were told to the model, because it has read that file. */
	| { readonly type: 'recalled'; readonly memories: readonly Recalled[] }
	/** A prompt has named files. */
	| { readonly type: 'named'; readonly files: NamedFiles }
	/** A hook is called that says what the user sees meanwhile. */
	| { readonly type: 'hook-starts'; readonly name: string; readonly status: string }
	/** A hook has something for the user, or failed. */
	| { readonly type: 'hook'; readonly name: string; readonly message: string }
	| { readonly type: 'queued'; readonly prompt: Prompt }
	| { readonly type: 'compacting'; readonly trigger: CompactionTrigger }
	/** The compaction is over: it was made, or `problem` says why not. */
	| {
			readonly type: 'compacted';
			readonly trigger: CompactionTrigger;
			readonly tokensBefore: number;
			readonly tokensAfter?: number;
			readonly problem?: string;
	  };

/** A sub-agent, as those name it who watch it. */
export interface AgentNamed {
	readonly id: string;
	readonly type: string;
	readonly description?: string;
}

/** Instructions of a folder or a rule, and where they are. */
export interface Recalled {
	readonly path: string;
	readonly content: string;
}

export interface Denial {
	readonly callId: string;
	readonly tool: string;
	readonly input: Json;
	readonly reason: string;
	/** What would have allowed it: a rule or a mode, or nothing but another mode. Absent: neither. */
	readonly way?: DenialWay;
	/** What the model was told. */
	readonly text?: string;
	/** Who has decided, where that is known. */
	readonly facts?: PermissionFacts;
	/** The sub-agent that has made the call. */
	readonly agent?: AgentNamed;
}

export type DenialWay = 'rule' | 'mode';

/** Why a run ended: the words of Clido's document, which has one for each. */
export type Outcome = 'success' | 'max_turns' | 'max_budget' | 'error' | 'interrupted';

export interface RunResult {
	readonly outcome: Outcome;
	/** The text of the last reply. */
	readonly text: string;
	readonly message?: AssistantMessage;
	/** What went wrong, in one line. */
	readonly problem?: string;
	/** A hook has ended it, and nothing has failed: `prompt`, before anybody was asked, or `run`. */
	readonly hookStopped?: 'prompt' | 'run';
	readonly failure?: Failure;
	readonly usage: Usage;
	/** The same per model that answered. */
	readonly models: ReadonlyMap<string, ModelUse>;
	readonly costUsd: number;
	/** Requests that were answered. */
	readonly turns: number;
	readonly durationMs: number;
	/** Of which the model took. */
	readonly apiMs: number;
	readonly denials: readonly Denial[];
	/** The call that a hook has put off: it has no result, and the run ended with it. */
	readonly deferred?: Omit<Denial, 'reason'>;
	/** The answer in the shape that was asked for, or how often the model was told that it is missing. */
	readonly structured?: { readonly value: Json } | { readonly tries: number };
	/** Everything that this run added to the conversation. */
	readonly messages: readonly AgentMessage[];
}

export interface ModelUse {
	readonly provider: string;
	readonly usage: Usage;
	readonly costUsd: number;
	/** False: the model has no known price, so that its cost is not counted. */
	readonly priced: boolean;
}

/** The state that goes from one run of a session to the next. */
export interface Conversation {
	/** What the model gets; grows as the session does, until a compaction takes its place. */
	readonly messages: AgentMessage[];
	/** Files that tools have shown to the model. */
	readonly seen: Map<string, SeenContent>;
	/** The calls by which the session has made its lists. */
	readonly earlier: readonly EarlierCall[];
	/** What tools keep from one call to the next. */
	readonly kept: Map<string, unknown>;
	/** What the model is told before it is asked again: something that ended meanwhile. */
	readonly notices: string[];
	/** Shell commands of the user's own that are not in the session yet, as messages (`ranTexts`). */
	readonly ran: string[];
	/** Files that tools have changed, by the names of the session's checkpoints, as they were when a checkpoint last looked. */
	readonly tracked: Map<string, FileSnapshot['state']>;
	/** Rules that somebody gave when asked: they hold until the session is left, and are not written down. */
	readonly granted: Rule[];
	/** Where the last shell command went, where that is not the project's folder. */
	folder?: string;
	/** How it came about, until its first run has told the hooks. */
	source?: 'startup' | 'resume' | 'fork' | 'clear' | undefined;
	/** The prompt that is answered, by a name that hooks hear: what belongs together has the same. */
	promptId?: string;
	/** How often it was too long; absent: never so far. */
	refills?: Refills;
	/** What the session has recorded as its settings: only what changes is written again. */
	settings: Settings;
	/** Calls of the last reply that have no result in the file: a run that was killed left them. */
	readonly unanswered: ToolCall[];
	/** The call that a hook has put off: the next run begins with it. */
	deferred?: ToolCall | undefined;
	/** What such a call is answered with, by its id, where somebody knows better than that there is no result. */
	readonly answers?: ReadonlyMap<string, ToolOutput>;
}
