/** Hooks: the points of a run at which somebody else looks and answers. */
import type { Json, JsonObject } from '../model/index.ts';
import type { Decision, PendingCall, PermissionMode, ToolOutput } from './contracts.ts';
import type { Rule } from './permissions/rule.ts';

/** Every point where a hook may look and answer. A `context` is told to the model. */
export interface HookPoints {
	SessionStart: {
		in: { source: 'startup' | 'resume' | 'fork' | 'compact'; model: string };
		out: { context?: string };
	};
	SessionEnd: { in: { reason: string }; out: object };
	UserPromptSubmit: { in: { prompt: string }; out: { block?: string; context?: string } };
	/** `input`: what the tool is given instead, whatever is decided; rules are asked about it. */
	PreToolUse: { in: { call: PendingCall }; out: { decision?: Decision; input?: Json; context?: string } };
	/** `context` becomes a part of the result, `told` stands behind it. */
	PostToolUse: {
		in: { call: PendingCall; output: ToolOutput };
		out: { output?: ToolOutput; context?: string; told?: string };
	};
	/** `again`: the run goes on already because a hook wanted it to. */
	Stop: { in: { text: string; again: boolean }; out: { continueWith?: string } };
	/** Before the conversation is compacted; a `context` is one more instruction for the summary. */
	PreCompact: { in: { trigger: 'auto' | 'manual'; instructions: string }; out: { block?: string; context?: string } };
	/** A sub-agent begins; `context` is told to it. */
	SubagentStart: { in: { agentId: string; agentType: string }; out: { context?: string } };
	/** It wants to end; its file is `path`. */
	SubagentStop: {
		in: { text: string; again: boolean; agentId: string; agentType: string; path: string };
		out: { continueWith?: string };
	};
	/** Somebody has to look: `kind` is `permission_prompt` where a question waits. */
	Notification: { in: { kind: string; message: string }; out: object };
}

/** What any hook may say. */
export interface HookAnswer {
	/** Why the run ends here. */
	readonly halt?: string;
	/** Something for the user, not for the model. */
	readonly notice?: string;
	/** What happened, for hooks that are commands or addresses: it is kept with the session. */
	readonly ran?: HookRan;
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
