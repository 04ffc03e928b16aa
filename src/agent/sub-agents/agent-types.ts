/** Types of sub-agents, as the loop and the tools see them: a kind, a request for one, a running one, its report. */
import type { AgentMessage, AssistantMessage, JsonObject, MessageUsage } from '../../model/index.ts';
import type { RootSession } from '../../store/handle/subagents.ts';
import type { Outcome } from '../config.ts';
import type { Hook, PermissionMode, Provider, Tool } from '../contracts.ts';

/** A kind of sub-agent. */
export interface AgentType {
	readonly name: string;
	/** What it is for: whoever may start one chooses by it. */
	readonly description: string;
	/** What it is told before its task. */
	readonly system: string;
	/** The only tools it has, by name. Absent: all that its parent has. */
	readonly tools?: readonly string[];
	/** Tools that it does not have. */
	readonly withoutTools?: readonly string[];
	/** The model by its name, or by one that `AgentOffers.model` knows. Absent: its parent's. */
	readonly model?: string;
	readonly mode?: PermissionMode;
	/** At most so many requests to the model. */
	readonly turns?: number;
	/** Nobody waits for it. */
	readonly background?: boolean;
	/** Skills whose texts it is told with its first task, by name. */
	readonly skills?: readonly string[];
	/** Beside those of the session; they hold for it and for what it starts. */
	readonly hooks?: readonly Hook[];
	/** MCP servers that are started for it, as its file names them. */
	readonly servers?: JsonObject;
	/** False: it is told nothing of the project's instructions. */
	readonly instructions: boolean;
	/** False: it is defined in a file. */
	readonly builtIn: boolean;
}

/** What a run may start. */
export interface AgentOffers {
	readonly types: readonly AgentType[];
	/** The whole system prompt of such an agent. */
	system(type: AgentType): string;
	/** The model of that name; undefined where nobody here answers by it. */
	model?(name: string): Promise<AgentModel | undefined>;
	/** Starts the servers of such an agent; undefined where it has none. */
	servers?(type: AgentType): Promise<AgentServers | undefined>;
	/** The run goes on until agents in the background have reported: nobody would hear of them later. */
	readonly awaited?: boolean;
}

/** They end with the agent. */
export interface AgentServers extends AsyncDisposable {
	readonly tools: readonly Tool[];
}

export interface AgentModel {
	readonly provider: Provider;
	readonly model: string;
}

/** Who a sub-agent is, for its own run. */
export interface AgentSelf {
	readonly id: string;
	readonly type: string;
	/** 1 for one that the session itself has started. */
	readonly depth: number;
	/** The session that all of them belong to. */
	readonly root: RootSession;
	/** The run that started it; absent for one that is resumed by itself. */
	readonly parent?: AgentParent;
}

/** What of a sub-agent's run is its parent's as well. */
export interface AgentParent {
	/** The tool call that started it. */
	readonly call: string;
	/** The session's own call that waits for it, however many sub-agents are in between; absent where none waits. */
	readonly awaitedBy?: string;
	/** Counts a reply that it got. */
	used(message: AssistantMessage): void;
	/** What all of them have spent so far, in dollars. */
	spent(): number;
	/** Keeps a file before it changes, so that undoing the parent's prompt undoes this. */
	changing(path: string, before: Uint8Array | null): Promise<void>;
}

export interface AgentRequest {
	readonly type: AgentType;
	/** Three to five words. */
	readonly description: string;
	readonly prompt: string;
	readonly model?: string;
	readonly turns?: number;
	readonly background: boolean;
	/** The id of one that goes on with what it has done before. */
	readonly resume?: string;
}

export type AgentStatus = 'running' | 'completed' | 'failed' | 'killed';

/** One sub-agent of this process, from its start on. */
export interface StartedAgent {
	readonly id: string;
	readonly type: string;
	readonly description: string;
	readonly prompt: string;
	/** Its own file. */
	readonly path: string;
	/** What it does, line by line, for those who do not wait; undefined where somebody does. */
	readonly outputFile?: string | undefined;
	readonly status: AgentStatus;
	/** What it has done so far, a line for each call. */
	readonly activity: readonly string[];
	/** Never fails: what went wrong is in the report. */
	readonly ended: Promise<AgentReport>;
	/** Set once it has ended. */
	readonly report: AgentReport | undefined;
	/** Nobody waits for it any more: it goes on in the background. */
	leave(): void;
	stop(): void;
}

export interface AgentReport {
	readonly outcome: Outcome;
	/** Its last words. */
	readonly text: string;
	readonly problem?: string;
	/** Nobody has answered its last request. */
	readonly unanswered?: boolean;
	readonly durationMs: number;
	/** Of its last request and reply: what it has in mind now. */
	readonly tokens: number;
	readonly toolUses: number;
	readonly usage?: MessageUsage;
}

/** What a tool may do with sub-agents. */
export interface SubAgents {
	readonly types: readonly AgentType[];
	/** Starts one, or says why not. */
	start(request: AgentRequest): Promise<StartedAgent | { readonly problem: string }>;
	/** One that this process has started. */
	find(id: string): StartedAgent | undefined;
}

/** What a sub-agent's conversation used and did. */
export function countedIn(messages: readonly AgentMessage[]): Pick<AgentReport, 'tokens' | 'toolUses' | 'usage'> {
	const last = messages.findLast((one): one is AssistantMessage => one.role === 'assistant');
	const toolUses = messages.filter(({ role }) => role === 'toolResult').length;
	if (!last) return { tokens: 0, toolUses };
	const { input, output, cacheRead, cacheWrite } = last.usage;
	return { tokens: input + output + cacheRead + cacheWrite, toolUses, usage: last.usage };
}
