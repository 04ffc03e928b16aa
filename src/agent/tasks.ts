/** Types of tasks, which are sub-agents and commands beside the conversation, as those hear of them who watch a run. */

/** One that runs in the background now. */
export interface BackgroundTask {
	readonly id: string;
	readonly kind: 'agent' | 'shell';
	readonly description: string;
	readonly command?: string;
	readonly agentType?: string;
}

/** What a conversation keeps that has tasks. */
export interface KeepsTasks {
	inBackground(): readonly BackgroundTask[];
}

/** All that run in the background of a conversation, by what it keeps. */
export function backgroundTasks(kept: ReadonlyMap<string, unknown>): readonly BackgroundTask[] {
	return [...kept.values()].flatMap((value) =>
		typeof value === 'object' && value !== null && 'inBackground' in value ? (value as KeepsTasks).inBackground() : [],
	);
}

export type TaskNews =
	| {
			readonly is: 'started';
			readonly id: string;
			/** The tool call that started it. */
			readonly call: string;
			readonly kind: 'agent' | 'shell';
			readonly description: string;
			/** Nobody waits for it. */
			readonly background: boolean;
			readonly agentType?: string;
			/** 1 for a sub-agent that the session itself has started. */
			readonly depth?: number;
			/** What a sub-agent was told. */
			readonly prompt?: string;
	  }
	/** It has made a call; `description` says which. */
	| {
			readonly is: 'progress';
			readonly id: string;
			readonly call: string;
			readonly description: string;
			readonly agentType: string;
			readonly tool: string;
			readonly usage: TaskUsage;
	  }
	/** Nobody waits for it any more. */
	| { readonly is: 'left'; readonly id: string }
	| {
			readonly is: 'ended';
			readonly id: string;
			readonly call: string;
			readonly kind: 'agent' | 'shell';
			readonly background: boolean;
			readonly status: 'completed' | 'failed' | 'killed';
			/** Milliseconds since the epoch. */
			readonly time: number;
			/** Empty where its output is in the conversation. */
			readonly outputFile: string;
			readonly summary: string;
			readonly problem?: string;
			readonly usage?: TaskUsage;
	  };

export interface TaskUsage {
	readonly tokens: number;
	readonly toolUses: number;
	readonly durationMs: number;
}
