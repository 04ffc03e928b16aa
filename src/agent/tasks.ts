/** Types of tasks, which are sub-agents and commands beside the conversation, as those hear of them who watch a run. */

/** One that runs in the background now. */
export interface BackgroundTask {
	readonly id: string;
	readonly kind: 'agent' | 'shell';
	readonly description: string;
	readonly command?: string;
	readonly agentType?: string;
}

/** One that runs in the background, or did. */
export interface KnownTask {
	readonly task: BackgroundTask;
	readonly status: 'running' | 'completed' | 'failed' | 'killed';
	/** Milliseconds since the epoch; `over` is absent while it runs. */
	readonly began: number;
	readonly over?: number;
	/** How it has ended, beyond its status. */
	readonly how?: string;
	/** The last so many characters of what it has printed. */
	end(most: number): string;
	stop(): void;
	/** Never fails. */
	readonly ended: Promise<unknown>;
}

/** What a conversation keeps that has tasks. */
export interface KeepsTasks {
	known(): readonly KnownTask[];
}

/** All of a conversation that nobody waits for, also those that have ended, by what it keeps; in the order in which they began. */
export function knownTasks(kept: ReadonlyMap<string, unknown>): readonly KnownTask[] {
	const all = [...kept.values()].flatMap((value) =>
		typeof value === 'object' && value !== null && 'known' in value ? (value as KeepsTasks).known() : [],
	);
	return all.toSorted((a, b) => a.began - b.began);
}

/** Those that run now. */
export function backgroundTasks(kept: ReadonlyMap<string, unknown>): readonly BackgroundTask[] {
	return knownTasks(kept).flatMap(({ status, task }) => (status === 'running' ? [task] : []));
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
