/** Types of hooks: the points of a run at which they are called (PreToolUse, Stop …), what each is given and what it may answer. */
import type { Json, JsonObject } from '../../model/index.ts';
import type { Decision, PendingCall, PermissionMode, ThinkingLevel, ToolOutput, Verdict } from '../contracts.ts';
import type { Rule } from '../permissions/rule.ts';
import type { BackgroundTask } from '../tasks.ts';

/** Every point where a hook may look and answer. A `context` is told to the model. */
export interface HookPoints {
	SessionStart: {
		in: { source: 'startup' | 'resume' | 'fork' | 'clear' | 'compact'; model: string };
		out: { context?: string };
	};
	SessionEnd: { in: { reason: string }; out: object };
	UserPromptSubmit: { in: { prompt: string }; out: { block?: string; context?: string } };
	/** `input`: what the tool is given instead, whatever is decided; rules are asked about it. */
	PreToolUse: { in: { call: PendingCall }; out: { decision?: Decision; input?: Json; context?: string } };
	/** `context` becomes a part of the result, `told` stands behind it. */
	PostToolUse: {
		in: { call: PendingCall; output: ToolOutput; durationMs: number };
		out: { output?: ToolOutput; context?: string; told?: string };
	};
	/** The tool has run and failed; `told` stands behind its result. */
	PostToolUseFailure: {
		in: { call: PendingCall; error: string; interrupted: boolean; durationMs: number };
		out: { told?: string };
	};
	/** Every call of a reply has its result, and the model is about to be asked again. */
	PostToolBatch: { in: { batch: readonly BatchedCall[] }; out: { told?: string } };
	/** Somebody has to be asked about a call: a verdict counts as theirs, if it comes first. `suggested`: the rule that would allow such calls. */
	PermissionRequest: { in: { call: PendingCall; suggested?: string }; out: { verdict?: Verdict } };
	/** A call was denied although nobody was asked. */
	PermissionDenied: { in: { call: PendingCall; denied: string }; out: { told?: string } };
	/** `again`: the run goes on already because a hook wanted it to. */
	Stop: { in: { text: string; again: boolean; tasks: readonly BackgroundTask[] }; out: { continueWith?: string } };
	/** Before the conversation is compacted; a `context` is one more instruction for the summary. */
	PreCompact: { in: { trigger: 'auto' | 'manual'; instructions: string }; out: { block?: string; context?: string } };
	/** It was compacted, and goes on from this summary. */
	PostCompact: { in: { trigger: 'auto' | 'manual'; summary: string }; out: object };
	/** A sub-agent begins; `context` is told to it. */
	SubagentStart: { in: { agentId: string; agentType: string }; out: { context?: string } };
	/** A sub-agent wants to end; `path` is its file. */
	SubagentStop: {
		in: {
			text: string;
			again: boolean;
			tasks: readonly BackgroundTask[];
			agentId: string;
			agentType: string;
			path: string;
		};
		out: { continueWith?: string };
	};
	/** Somebody has to look: `kind` is `permission_prompt` where a question waits. */
	Notification: { in: { kind: string; message: string }; out: object };
}

/** A call of a reply, as the model made it, and what it was answered with. */
export interface BatchedCall {
	readonly id: string;
	/** As rules name it. */
	readonly tool: string;
	readonly input: Json;
	readonly content: ToolOutput['content'];
}

/** What any hook may say. */
export interface HookAnswer {
	/** Why the run ends here. */
	readonly halt?: string;
	/** Something for the user, not for the model. */
	readonly notice?: string;
	/** What happened, for hooks that are commands or addresses: it is kept with the session. */
	readonly ran?: HookRan;
	/** It is not over: it goes on in the background, and nothing else of this answer counts. The signal ends it. */
	readonly later?: (until: AbortSignal) => Promise<HookAnswer>;
}

export interface HookRan {
	readonly outcome: 'success' | 'blocked' | 'failed' | 'cancelled';
	/** What it was given, without what the session says anyway: its id, its file, its folder. */
	readonly input: JsonObject;
	readonly stdout: string;
	readonly stderr: string;
	readonly exitCode: number | null;
	readonly durationMs: number;
	/** What was made of its output: a decision and its reason, a changed input, a context. */
	readonly decision?: JsonObject;
}

/** What a hook is told beside what its point says. */
export interface HookFacts {
	readonly sessionId: string;
	readonly transcriptPath: string;
	readonly cwd: string;
	readonly permissionMode: PermissionMode;
	/** The prompt that all of this is for; absent before the first. */
	readonly promptId?: string;
	/** How hard the model thinks, where somebody has said so. */
	readonly thinking?: ThinkingLevel;
	/** The sub-agent in which it happens. */
	readonly agent?: { readonly id: string; readonly type: string };
}

export type Hook = {
	readonly [P in keyof HookPoints]: {
		readonly on: P;
		readonly name: string;
		/** What is run or asked, for hooks that are not functions. */
		readonly command?: string;
		/** It is called only for calls that this rule names. */
		readonly only?: Rule;
		/** After it has succeeded it is not called again, until the session is opened anew. */
		readonly once?: boolean;
		/** Nobody waits for it: it decides nothing, and what it has for the model is told with a later request. */
		readonly background?: boolean;
		/** What the user sees while it runs. */
		readonly status?: string;
		/** The name that this call is recorded under; undefined: the hook is not meant. Absent: it always is. */
		calledFor?(input: HookPoints[P]['in']): string | undefined;
		run(
			input: HookPoints[P]['in'],
			signal: AbortSignal,
			facts: HookFacts,
		): Promise<(HookPoints[P]['out'] & HookAnswer) | undefined>;
	};
}[keyof HookPoints];
