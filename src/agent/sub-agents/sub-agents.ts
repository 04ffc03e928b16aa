/** Starts and resumes sub-agents: each is an ordinary run on a file of its own, with a conversation, a model and a configuration of its own. */
import { compact, type JsonObject } from '../../model/index.ts';
import type { SessionHandle } from '../../store/handle/handle.ts';
import { createSubagent, openSubagent, type RootSession } from '../../store/handle/subagents.ts';
import { listSubagents } from '../../store/reader/subagent-list.ts';
import type { AgentConfig, Conversation } from '../config.ts';
import { newConversation } from '../conversation.ts';
import { resumeConversation } from '../recording/resume.ts';
import type { Run, RunOptions } from '../run.ts';
import type { KeepsTasks, KnownTask, TaskNews } from '../tasks.ts';
import { configForAgent } from './agent-config.ts';
import type {
	AgentModel,
	AgentOffers,
	AgentParent,
	AgentRequest,
	AgentSelf,
	StartedAgent,
	SubAgents,
} from './agent-types.ts';
import { RunningAgent } from './running-agent.ts';

export type StartRun = (
	handle: SessionHandle,
	conversation: Conversation,
	prompt: string,
	config: AgentConfig,
	options: RunOptions,
) => Run;

/** The run that agents are started from. */
export interface StartingRun {
	readonly config: AgentConfig;
	readonly conversation: Conversation;
	readonly root: RootSession;
}

/** The call that starts one. */
export interface StartingCall {
	readonly parent: AgentParent;
	readonly signal: AbortSignal;
	readonly outputFolder: string;
	update(partial: JsonObject): void;
	notify(text: string): void;
}

/** The sub-agents of one conversation. Those in the background go on from one run to the next. */
export class AgentRuns implements AsyncDisposable, KeepsTasks {
	readonly #startRun: StartRun;
	readonly #agents = new Map<string, RunningAgent>();
	#run: StartingRun;
	/** The servers of those that have ended. */
	readonly #closed: Promise<void>[] = [];

	constructor(startRun: StartRun, run: StartingRun) {
		this.#startRun = startRun;
		this.#run = run;
	}

	/** From now on agents are started from this run, a later one of the conversation. */
	goOn(run: StartingRun): void {
		this.#run = run;
	}

	for(call: StartingCall): SubAgents {
		return {
			types: this.#run.config.agents?.types ?? [],
			start: (request) => this.#start(request, call),
			find: (id) => this.find(id),
		};
	}

	/** One that this process has started. */
	find(id: string): StartedAgent | undefined {
		return this.#agents.get(id);
	}

	known(): readonly KnownTask[] {
		return [...this.#agents.values()].flatMap(({ awaited, known }) => (awaited ? [] : [known]));
	}

	/** Those at work that nobody waits for. */
	get #unawaited(): readonly RunningAgent[] {
		return [...this.#agents.values()].filter(({ status, awaited }) => status === 'running' && !awaited);
	}

	/** Waits until one in the background has ended, and been told, or the run is interrupted; false where there is none to wait for. */
	async nextEnd(signal: AbortSignal): Promise<boolean> {
		const running = this.#unawaited;
		if (running.length === 0 || signal.aborted) return false;
		const over = new Promise<void>((resolve) => {
			signal.addEventListener('abort', () => resolve(), { once: true });
		});
		await Promise.race([over, ...running.map(({ told }) => told)]);
		return true;
	}

	/** The conversation is over, and so are its agents. */
	async [Symbol.asyncDispose](): Promise<void> {
		const all = [...this.#agents.values()];
		for (const agent of all) agent.stop();
		await Promise.all(all.map(({ ended }) => ended));
		await Promise.all(this.#closed);
	}

	async #start(request: AgentRequest, call: StartingCall): Promise<StartedAgent | { readonly problem: string }> {
		const { config, conversation, root } = this.#run;
		const { agents } = config;
		if (!agents) return { problem: 'No sub-agents can be started here.' };
		const opened = request.resume === undefined ? this.#create(request, call) : await this.#resume(request.resume);
		if ('problem' in opened) return opened;
		const { id, handle, note } = opened;
		const { awaitedBy: _, ...unawaited } = call.parent;
		const parent = request.background ? unawaited : call.parent;
		const self: AgentSelf = { id, type: request.type.name, depth: opened.depth ?? depthIn(config), root, parent };
		const { granted, promptId } = conversation;
		const own = { ...opened.conversation, source: undefined, granted, ...compact({ promptId }) };
		const model = await modelFor(request, agents, config);
		const tell = (task: TaskNews): void => config.observe?.({ type: 'task', task });
		const facts = { id, request, call, handle, host: config.host, conversation: own, depth: self.depth, tell };
		const agent = new RunningAgent(facts);
		const servers = await agents.servers?.(request.type);
		const run = configForAgent({ parent: config, request, self, model, servers });
		if (servers) this.#closed.push(agent.ended.then(() => servers[Symbol.asyncDispose]()));
		this.#agents.set(id, agent);
		await note?.(model.model);
		agent.follow(
			(options) => this.#startRun(handle, own, request.prompt, run, options),
			async ({ tokens }) => await note?.(model.model, tokens),
		);
		return agent;
	}

	#create({ type, description, background }: AgentRequest, { parent }: StartingCall): Opened {
		const { config, root } = this.#run;
		const { cwd, toldFolder, gitBranch } = config;
		const header = compact({ cwd: toldFolder?.(cwd) ?? cwd, gitBranch: gitBranch?.() });
		const made = createSubagent(root, header, { type: type.name, background });
		const facts = { type: type.name, description, background, builtIn: type.builtIn };
		const call = { call: parent.call, depth: depthIn(config) };
		const note: Opened['note'] = (model, tokens) =>
			made.note({ ...facts, ...call, model, finished: tokens !== undefined, ...compact({ tokens }) });
		return { id: made.id, handle: made.handle, conversation: newConversation(), note };
	}

	async #resume(id: string): Promise<Opened | { readonly problem: string }> {
		if (this.#agents.get(id)?.status === 'running') {
			return { problem: `Agent ${id} is still running: wait for it, or end it with TaskStop.` };
		}
		const handle = await openSubagent(this.#run.root, id);
		if (!handle) return { problem: `No transcript found for agent ID: ${id}` };
		// Whoever goes on with it, it starts no more agents below it than it could before.
		const known = listSubagents(this.#run.root.path).find((agent) => agent.id === id)?.depth ?? 1;
		const depth = Math.max(known, depthIn(this.#run.config));
		return { id, handle, depth, conversation: resumeConversation(handle.path).conversation };
	}
}

/** The name that a conversation keeps them under. */
export const agentsKey = 'sub-agents';

export function agentRunsIn(kept: Conversation['kept']): AgentRuns | undefined {
	const found = kept.get(agentsKey);
	return found instanceof AgentRuns ? found : undefined;
}

interface Opened {
	readonly id: string;
	readonly handle: SessionHandle;
	readonly conversation: Conversation;
	/** The depth of an agent that was there already. */
	readonly depth?: number;
	/** `tokens`: of its last request and reply; absent while it runs. */
	note?(model: string, tokens?: number): Promise<void>;
}

function depthIn({ agent }: AgentConfig): number {
	return (agent?.depth ?? 0) + 1;
}

/** Whom the call names, else the kind of agent; the parent's own where nobody answers by that name here. */
async function modelFor(request: AgentRequest, { model }: AgentOffers, config: AgentConfig): Promise<AgentModel> {
	const name = request.model ?? request.type.model;
	const found = name === undefined || name === 'inherit' ? undefined : await model?.(name);
	return found ?? { provider: config.provider, model: config.model };
}
