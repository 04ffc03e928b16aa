/** One sub-agent while it runs: what its parent, its output file and those who watch are told of it (with the `<task-notification>` at its end), and how long such texts may be. */
import { compact, errorText, isObject, type Json, type JsonObject, shortened } from '../../model/index.ts';
import type { SessionHandle } from '../../store/handle/handle.ts';
import type { Conversation, RunResult } from '../config.ts';
import type { Host } from '../contracts.ts';
import { endConversation } from '../conversation.ts';
import type { AgentEvent } from '../events.ts';
import type { Run, RunOptions } from '../run.ts';
import type { KnownTask, TaskNews } from '../tasks.ts';
import { type AgentReport, type AgentRequest, type AgentStatus, countedIn, type StartedAgent } from './agent-types.ts';
import type { StartingCall } from './sub-agents.ts';

export interface AgentFacts {
	readonly id: string;
	readonly request: AgentRequest;
	readonly call: StartingCall;
	readonly handle: SessionHandle;
	readonly host: Host;
	readonly conversation: Conversation;
	readonly depth: number;
	/** Tells those who watch. */
	tell(news: TaskNews): void;
}

export class RunningAgent implements StartedAgent {
	readonly id: string;
	readonly type: string;
	readonly description: string;
	readonly prompt: string;
	readonly path: string;
	readonly activity: string[] = [];
	readonly ended: Promise<AgentReport>;
	/** Resolves when its end was told, for one that nobody waits for. */
	readonly told: Promise<void>;
	readonly #facts: AgentFacts;
	readonly #control = new AbortController();
	readonly #settle: (report: AgentReport) => void;
	#status: AgentStatus = 'running';
	#report: AgentReport | undefined;
	#awaited: boolean;
	#began = 0;
	#calls = 0;
	#written: Promise<unknown> = Promise.resolve();

	constructor(facts: AgentFacts) {
		const { id, request, handle } = facts;
		this.#facts = facts;
		this.id = id;
		this.type = request.type.name;
		this.description = request.description;
		this.prompt = request.prompt;
		this.path = handle.path;
		this.#awaited = !request.background;
		const { promise, resolve } = Promise.withResolvers<AgentReport>();
		this.ended = promise;
		this.#settle = resolve;
		this.told = promise.then((report) => this.#tellEnd(report));
	}

	get status(): AgentStatus {
		return this.#status;
	}

	/** Somebody waits for its report. */
	get awaited(): boolean {
		return this.#awaited;
	}

	/** The file in which an agent that nobody waits for can be followed. */
	get outputFile(): string | undefined {
		return this.#awaited ? undefined : `${this.#facts.call.outputFolder}/${this.id}.output`;
	}

	/** Whoever has waited for it goes on without it. */
	leave(): void {
		if (!this.#awaited || this.#status !== 'running') return;
		this.#awaited = false;
		for (const line of this.activity) this.#write(line);
		this.#facts.tell({ is: 'left', id: this.id });
	}

	get report(): AgentReport | undefined {
		return this.#report;
	}

	/** As those see it who look at what runs in the background. */
	get known(): KnownTask {
		const { id, description, type, status, activity, ended } = this;
		const { durationMs, problem } = this.#report ?? {};
		const over = durationMs === undefined ? undefined : this.#began + durationMs;
		return {
			task: { id, kind: 'agent', description, agentType: type },
			...{ status, began: this.#began, ...compact({ over, how: problem }) },
			end: (most) => (this.#report?.text || activity.join('\n')).slice(-most),
			stop: () => this.stop(),
			ended,
		};
	}

	stop(): void {
		if (this.#status === 'running') this.#status = 'killed';
		this.#control.abort();
	}

	/** Starts the run, and follows it to its end; `left` is called when its file is closed. */
	follow(start: (options: RunOptions) => Run, left: (report: AgentReport) => Promise<void>): void {
		const { call, request, depth, host, tell } = this.#facts;
		const { signal } = this.#control;
		this.#began = host.now();
		const { id, type, description, prompt } = this;
		const named = { id, call: call.parent.call, kind: 'agent', description, agentType: type } as const;
		tell({ is: 'started', ...named, background: request.background, depth, prompt });
		this.#progress({ type: 'user', message: { role: 'user', content: [{ type: 'text', text: request.prompt }] } });
		const options: RunOptions = {
			signal: this.awaited ? AbortSignal.any([signal, call.signal]) : signal,
			onEvent: (event) => this.#hear(event),
		};
		void this.#run(() => start(options), left);
	}

	async #run(start: () => Run, left: (report: AgentReport) => Promise<void>): Promise<void> {
		let report: AgentReport;
		try {
			report = reportOf(await start().result);
			await this.#leave();
			await left(report);
		} catch (error) {
			const problem = errorText(error);
			const durationMs = this.#lasted();
			report = { outcome: 'error', text: '', problem, durationMs, ...countedIn(this.#facts.conversation.messages) };
		}
		if (this.#status === 'running') this.#status = isDone(report) ? 'completed' : 'failed';
		this.#report = report;
		this.#settle(report);
	}

	/** What its own tools have left running ends with it. */
	async #leave(): Promise<void> {
		await endConversation(this.#facts.conversation);
		await this.#facts.handle[Symbol.asyncDispose]();
	}

	#hear(event: AgentEvent): void {
		if (event.type !== 'tool_execution_start') return;
		const input = isObject(event.args) ? event.args : {};
		const line = `${event.toolName} ${subjectOf(input)}`.trim();
		this.activity.push(line);
		this.#write(line);
		this.#calls += 1;
		const { tell, call, conversation } = this.#facts;
		const usage = {
			tokens: countedIn(conversation.messages).tokens,
			toolUses: this.#calls,
			durationMs: this.#lasted(),
		};
		const told = { id: this.id, call: call.parent.call, agentType: this.type, description: line };
		tell({ is: 'progress', ...told, tool: event.toolName, usage });
		const content = [{ type: 'tool_use', id: event.toolCallId, name: event.toolName, input: withShortTexts(input) }];
		this.#progress({ type: 'assistant', message: { role: 'assistant', content } });
	}

	#lasted(): number {
		return Math.max(0, this.#facts.host.now() - this.#began);
	}

	/** For one that somebody waits for: the other may go on when its parent's run is over. */
	#progress(message: JsonObject): void {
		if (this.awaited) this.#facts.call.update({ type: 'agent_progress', message, agentId: this.id });
	}

	#write(line: string): void {
		const { outputFile } = this;
		if (outputFile === undefined) return;
		const { files } = this.#facts.host;
		// What could not be written is in the agent's own file.
		this.#written = this.#written.then(() => files.append(outputFile, `${line}\n`)).catch(() => undefined);
	}

	async #tellEnd(report: AgentReport): Promise<void> {
		this.#write(report.text || (report.problem ?? ''));
		await this.#written;
		if (!this.awaited && this.#status !== 'killed') this.#facts.call.notify(this.#notification(report));
		this.#tellWatchers(report);
	}

	/** After the model's own notice waits for it: whoever watches may ask it at once. */
	#tellWatchers({ text, tokens, toolUses, durationMs, problem }: AgentReport): void {
		const { call, host, tell } = this.#facts;
		const status = this.#status === 'running' ? 'completed' : this.#status;
		tell({
			is: 'ended',
			...{ id: this.id, call: call.parent.call, kind: 'agent', background: !this.awaited, status, time: host.now() },
			outputFile: this.outputFile ?? this.path,
			summary: text || `Agent "${this.description}" ${status}${problem === undefined ? '' : `: ${problem}`}`,
			usage: { tokens, toolUses, durationMs },
			...compact({ problem }),
		});
	}

	#notification({ text, problem, tokens, toolUses, durationMs }: AgentReport): string {
		const how = this.#status;
		const { call } = this.#facts;
		return [
			'<task-notification>',
			`<task-id>${this.id}</task-id>`,
			`<tool-use-id>${call.parent.call}</tool-use-id>`,
			`<output-file>${this.outputFile}</output-file>`,
			`<status>${how}</status>`,
			`<summary>Agent "${this.description}" ${how}${problem === undefined ? '' : `: ${problem}`}</summary>`,
			`<result>${text}</result>`,
			`<usage>total_tokens: ${tokens}\ntool_uses: ${toolUses}\nduration_ms: ${durationMs}</usage>`,
			'</task-notification>',
		].join('\n');
	}
}

/** One that came to the end of its turns has done what it could, and says so. */
function isDone({ outcome }: AgentReport): boolean {
	return outcome === 'success' || outcome === 'max_turns';
}

function reportOf({ outcome, text, problem, failure, durationMs, messages }: RunResult): AgentReport {
	const went = { ...compact({ problem }), ...(failure === undefined ? {} : { unanswered: true }) };
	return { outcome, text, durationMs, ...went, ...countedIn(messages) };
}

const longestSubject = 200;

/** What a call is about: the first text of its input. */
function subjectOf(input: JsonObject): string {
	const first = Object.values(input).find((value) => typeof value === 'string') ?? '';
	const line = String(first).replaceAll(/\s+/g, ' ');
	return shortened(line, longestSubject);
}

/** Longest text of an input that is told twice: the agent's own file has all of it. */
const longestKept = 2000;

function withShortTexts(input: JsonObject): JsonObject {
	const short = ([name, value]: [string, Json | undefined]): [string, Json | undefined] => [
		name,
		typeof value === 'string' ? shortened(value, longestKept) : value,
	];
	return Object.fromEntries(Object.entries(input).map(short)) as JsonObject;
}
