/** The client's output as frames: their order, which are sent only where a host asks for them, and what counts as news (states, background tasks, rate limits). */
import { randomUUID } from 'node:crypto';
import type { LoopEvent, RunResult } from '../../agent/config.ts';
import type { Failure } from '../../agent/contracts.ts';
import type { AgentEvent } from '../../agent/events.ts';
import { resultOf } from '../../client/commands/carry-out.ts';
import type { ClientFacts } from '../../client/listener.ts';
import { type ControlAnswer, refusalFrame, successFrame } from '../../frames/control.ts';
import {
	commandFrame,
	compactionFrames,
	entryFrames,
	type Frame,
	type FrameFacts,
	initFrame,
	modelUsage,
	resultFrame,
} from '../../frames/frames.ts';
import { informational, type Level, newsFrames, system } from '../../frames/news.ts';
import { ProgressFrames } from '../../frames/progress.ts';
import { StreamFrames } from '../../frames/stream-events.ts';
import { compact, type Entry, type Json, type JsonObject, type Usage } from '../../model/index.ts';
import type { SessionHandle } from '../../store/handle/handle.ts';
import { printJsonLine } from '../../terminal/print.ts';
import { endingOn } from '../client/client-ending.ts';
import type { CommandOptions } from '../client/client-flags.ts';
import type { Output } from '../client/client-output.ts';
import { version } from '../version.ts';
import { added, changedLines, noLines } from './counted.ts';
import { LimitsNews } from './limits-news.ts';
import { Mirror } from './transcript-mirror.ts';

/** What all turns of one start have used and changed. */
export interface Spent {
	readonly costUsd: number;
	readonly models: RunResult['models'];
	readonly apiMs: number;
	readonly linesAdded: number;
	readonly linesRemoved: number;
}

export type SessionState = 'idle' | 'running' | 'requires_action';

/** Which states hosts want to hear of, by the variables that they set: the SDK reads them itself and does not show them to whoever uses it. */
type WantedStates = 'none' | 'host' | 'all';

export class FrameOutput implements Output {
	readonly #options: CommandOptions;
	readonly #tell: (event: LoopEvent) => void;
	readonly #say: (text: string) => void;
	readonly #streamed = new StreamFrames(randomUUID);
	readonly #progress = new ProgressFrames((frame) => this.send(frame));
	readonly #mirror: Mirror | undefined;
	readonly #states: WantedStates;
	/** Tasks that nobody waits for, and run. */
	readonly #background = new Map<string, JsonObject>();
	/** Those that a call waits for. */
	readonly #awaited = new Map<string, JsonObject>();
	#session = '';
	#model = '';
	#results = 0;
	#costUsd = 0;
	#apiMs = 0;
	#lines = { linesAdded: 0, linesRemoved: 0 };
	#lastUsage: Usage | undefined;
	/** When the turn began, and how long it took until a model said something. */
	#began = Date.now();
	#firstMs: number | undefined;
	/** What each model can take, where somebody knows it. */
	readonly windows = new Map<string, () => number | undefined>();
	#compacting: { readonly began: number; readonly summary?: { readonly text: string; readonly id: string } } = {
		began: 0,
	};
	/** The built-in command that the turn was about. */
	#command: string | undefined;
	readonly began = Date.now();
	#models: RunResult['models'] = new Map();
	#state: SessionState = 'idle';
	readonly #limits = new LimitsNews();
	/** Why the last request failed that nobody sends again. */
	#failure: Failure | undefined;
	/** What concerns the prompt that is being answered: its name, and who has begun the turn. */
	turn: JsonObject = {};
	/** Under which id the prompt that is being answered is written. */
	prompt: string | undefined;
	/** A host has begun, and may begin again. */
	isInitialized = false;
	/** Hears of calls that are done, where the host wants them summed up. */
	summaries: ((event: AgentEvent) => void) | undefined;
	/** How many prompts wait. */
	waiting: () => number = () => 0;
	/** Called when a task has ended that nobody waits for; `tells`: by itself, of which the model does not know yet. */
	taskEnded: (tells: boolean) => void = () => undefined;

	/** `tell` and `say` are for the person who reads stderr. */
	constructor(options: CommandOptions, tell: (event: LoopEvent) => void, say: (text: string) => void) {
		this.#options = options;
		this.#tell = tell;
		this.#say = say;
		this.#mirror = options.sessionMirror ? new Mirror((frame) => this.#print(frame)) : undefined;
		this.#states = statesWanted(process.env);
	}

	/** The session that is written from now on. `isCopy`: all that is in its file is new. */
	open(id: string, path: string, isCopy: boolean): void {
		this.#session = id;
		if (this.#mirror && !path.endsWith('.jsonl')) {
			this.inform(
				`--session-mirror: ${path} is not written line by line, so that no line of it can be shown`,
				'warning',
			);
		}
		this.#mirror?.follow(path, isCopy);
	}

	get sessionId(): string {
		return this.#session;
	}

	get state(): SessionState {
		return this.#state;
	}

	/** Tasks run that nobody waits for. */
	get hasBackground(): boolean {
		return this.#background.size > 0;
	}

	/** What all turns of this start have cost, and which models answered. */
	get spent(): Spent {
		return { costUsd: this.#costUsd, models: this.#models, apiMs: this.#apiMs, ...this.#lines };
	}

	/** What the last reply of the conversation itself has used. */
	get lastUsage(): Usage | undefined {
		return this.#lastUsage;
	}

	/** A frame of the session. */
	send(frame: Frame): void {
		this.#print({ ...frame, uuid: randomUUID(), session_id: this.#session });
	}

	/** A frame that belongs to no session: requests, answers. */
	readonly wire = (frame: Frame): void => this.#print(frame);

	/** The visit of an address that a server has asked for is over. */
	elicited(server: string, id: string): void {
		this.send(system('elicitation_complete', { mcp_server_name: server, elicitation_id: id }));
	}

	inform(content: string, level: Level, tag?: string): void {
		this.send(informational(content, level, tag));
	}

	setState(state: SessionState): void {
		if (state === this.#state) return;
		this.#state = state;
		if (this.#states === 'none') return;
		const own = this.#states === 'host' ? { sdk_host_only: true } : {};
		this.send(system('session_state_changed', { state, ...own }));
	}

	/** Where a prompt with a name is on its way. */
	lifecycle(uuid: string, state: 'queued' | 'started' | 'completed' | 'cancelled'): void {
		this.send({ type: 'command_lifecycle', command_uuid: uuid, state });
	}

	/** What the host itself has said, for those who want to see all in one stream. */
	replay(content: Json, uuid: string | undefined): void {
		if (!this.#options.replayUserMessages) return;
		this.notice(content, uuid);
	}

	/** Something in the place of a user's message that no model was asked about. */
	notice(content: Json, uuid: string = randomUUID()): void {
		this.#print({ ...userRow(content, this.#session, uuid), isReplay: true });
	}

	/** What the host has answered to a question of ours, for those who want to see all in one stream. */
	echo(answer: ControlAnswer): void {
		if (!this.#options.replayUserMessages) return;
		this.#print(answer.ok ? successFrame(answer.id, answer.body) : refusalFrame(answer.id, answer.problem));
	}

	mode(permissionMode: string): void {
		this.send(system('status', { status: null, permissionMode }));
	}

	moved({ session, path }: SessionHandle, isCleared: boolean): void {
		if (isCleared) this.#reset(session.id);
		this.open(session.id, path, false);
	}

	/** Another conversation begins, and is counted by itself. */
	#reset(id: string): void {
		const { user_message_uuid: uuid } = this.turn;
		const named = { ...compact({ user_message_uuid: uuid }), timestamp: new Date().toISOString() };
		this.send({ type: 'conversation_reset', new_conversation_id: id, trigger: 'clear', ...named });
		this.#background.clear();
		this.tasks();
		this.#costUsd = 0;
		this.#models = new Map();
	}

	readonly running = endingOn;

	tasks(): void {
		this.send(system('background_tasks_changed', { tasks: [...this.#background.values()] }));
	}

	// Every turn begins with it, as consumers of these frames expect.
	begin(facts: ClientFacts): void {
		this.#session = facts.sessionId;
		this.#model = facts.model;
		this.#began = Date.now();
		this.#firstMs = undefined;
		this.prompt = undefined;
		if (facts.window !== undefined) this.windows.set(facts.model, facts.window);
		const { user_message_uuids: uuids } = this.turn;
		this.#print({
			...initFrame({ ...facts, version: version() }, randomUUID()),
			...compact({ user_message_uuids: uuids }),
		});
	}

	event(event: AgentEvent): void {
		if (event.type === 'message_update') this.#firstMs ??= Date.now() - this.#began;
		this.#progress.event(event);
		this.summaries?.(event);
		if (!this.#options.includePartialMessages) return;
		if (event.type === 'turn_start') this.send(system('status', { status: 'requesting' }));
		for (const frame of this.#streamed.of(event, this.#session)) this.#print(frame);
	}

	observe(event: LoopEvent): void {
		this.#tell(event);
		if (event.type === 'reply') this.#streamed.id = event.id;
		if (event.type === 'failed') this.#failed(event.failure);
		if (event.type === 'entries') this.#entries(event);
		if (event.type === 'compacting' || event.type === 'compacted') this.#compaction(event);
		const limits = this.#limits.in(event);
		if (limits) for (const frame of newsFrames({ type: 'limits', limits })) this.send(frame);
		if (event.type === 'limits') return;
		if (isHookNews(event) && !this.#options.includeHookEvents) return;
		const isTask = event.type === 'task';
		if (isTask && event.task.is !== 'ended') this.#count(event);
		for (const frame of newsFrames(event)) this.send(frame);
		if (isTask && event.task.is === 'ended') this.#count(event);
	}

	#failed(failure: Failure): void {
		this.#failure = failure;
		if (!failure.refused) return;
		const told = { original_model: this.#model, request_id: null, content: failure.message };
		this.send(system('model_refusal_no_fallback', told));
	}

	/** What came of a compaction, and the summary that the conversation goes on from. */
	#compaction(event: Extract<LoopEvent, { type: 'compacting' | 'compacted' }>): void {
		if (event.type === 'compacting') this.#compacting = { began: Date.now() };
		const { began, summary } = this.#compacting;
		for (const frame of compactionFrames(event, this.#session, randomUUID, Date.now() - began)) this.#print(frame);
		if (event.type === 'compacting' || event.problem !== undefined) return;
		if (summary)
			this.#print({ ...userRow(summary.text, this.#session, summary.id), isReplay: false, isSynthetic: true });
		if (event.trigger !== 'manual') return;
		this.notice('<local-command-stdout>Compacted </local-command-stdout>');
		this.#command = 'compact';
	}

	result(result: RunResult, sessionId: string): void {
		this.#costUsd += result.costUsd;
		this.#apiMs += result.apiMs;
		this.#models = added(this.#models, result.models);
		const all = { ...result, costUsd: this.#costUsd, models: this.#models };
		const place = { queued_turn_count: this.waiting(), result_index: this.#results };
		this.#results += 1;
		// A mirror has all of a turn before whoever waits for its end hears of it.
		this.#mirror?.flush();
		if (result.hookStopped && result.problem !== undefined) this.note(result.problem, 'hook_stopped');
		const frame = resultFrame(all, sessionId, randomUUID(), result.usage);
		const local = compact({ local_command: this.#command, ttft_ms: this.#firstMs });
		const used = {
			modelUsage: modelUsage(this.#models, this.windows),
			model_usage_since_last_result: modelUsage(result.models, this.windows),
		};
		this.#command = undefined;
		this.#print({ ...frame, ...used, ...local, ...place, ...this.turn });
		if (result.problem !== undefined && !result.hookStopped) this.#say(result.problem);
	}

	command(result: RunResult, sessionId: string, name: string): void {
		// That a conversation begins anew is told by a frame of its own.
		const isCleared = name === 'clear' && result.outcome === 'success';
		const told = isCleared ? { ...result, text: '' } : result;
		if (told.text !== '') this.#print(commandFrame(told.text, sessionId, randomUUID(), new Date().toISOString()));
		this.#command = name;
		this.result(told, sessionId);
	}

	/** The client ends with an error: a host that reads frames alone hears why, unless what it waits for was answered already. */
	failed(problem: string): void {
		if (this.#results > 0 && this.#state === 'idle') return;
		const { resume, sessionId = resume } = this.#options;
		this.#session ||= sessionId ?? '';
		const frame = resultFrame(resultOf({ problem }), this.#session, randomUUID());
		this.#print({ ...frame, result_index: this.#results, ...this.turn });
	}

	/** A host hears in frames what a person reads on stderr. */
	note(text: string, tag?: string): void {
		this.#say(text);
		this.inform(text, 'warning', tag);
	}

	end(): void {
		this.#progress[Symbol.dispose]();
		this.#mirror?.flush();
	}

	/** What was written after the last frame is shown. */
	flush(): void {
		this.#mirror?.flush();
	}

	#entries({ entries, parentCall, agent }: Extract<LoopEvent, { type: 'entries' }>): void {
		for (const entry of entries) this.#note(entry, parentCall === undefined);
		const reply = parentCall === undefined ? this.#streamed.id : undefined;
		const facts: FrameFacts = {
			sessionId: this.#session,
			parentCall,
			reply,
			agent,
			turn: this.turn,
			failure: this.#failure,
		};
		for (const entry of entries) for (const frame of entryFrames(entry, facts)) this.#print(frame);
		this.#mirror?.flush();
	}

	/** Remembers what hosts ask for later: the tokens of the last reply, the lines that tools have changed. */
	#note(entry: Entry, isOwn: boolean): void {
		const summary = isOwn ? this.#summaryIn(entry) : undefined;
		if (summary !== undefined) this.#compacting = { ...this.#compacting, summary: { text: summary, id: entry.id } };
		if (entry.kind !== 'message') return;
		if (isOwn && entry.role === 'user') this.prompt ??= entry.id;
		if (isOwn && entry.response?.usage) this.#lastUsage = entry.response.usage;
		for (const block of entry.content) {
			const { added, removed } = block.type === 'tool_result' ? changedLines(block.details) : noLines;
			this.#lines = { linesAdded: this.#lines.linesAdded + added, linesRemoved: this.#lines.linesRemoved + removed };
		}
	}

	/** What a compaction leaves: a line of its own, or the user's line behind it. */
	#summaryIn(entry: Entry): string | undefined {
		if (entry.kind === 'compaction') return entry.summary ?? '';
		const isNext = entry.kind === 'message' && entry.role === 'user' && this.#compacting.summary?.text === '';
		return isNext ? entry.content.map((block) => (block.type === 'text' ? block.text : '')).join('\n') : undefined;
	}

	#count({ task }: Extract<LoopEvent, { type: 'task' }>): void {
		const before = this.#background.size;
		if (task.is === 'started') {
			const { id, description, kind, agentType, background } = task;
			const named = { task_id: id, task_type: kind === 'agent' ? 'local_agent' : 'local_bash', description };
			const told = { ...named, ...(agentType === undefined ? {} : { subagent_type: agentType }) };
			(background ? this.#background : this.#awaited).set(id, told);
		}
		if (task.is === 'left') this.#background.set(task.id, this.#awaited.get(task.id) ?? { task_id: task.id });
		if (task.is === 'ended') this.#background.delete(task.id);
		if (task.is === 'ended') this.#awaited.delete(task.id);
		if (this.#background.size !== before) this.tasks();
		if (task.is === 'ended' && task.background) this.taskEnded(task.status !== 'killed');
	}

	#print(frame: Frame): void {
		printJsonLine(frame);
	}
}

/** Something in the place of what a user says. */
function userRow(content: Json, sessionId: string, uuid: string): Frame {
	const message = { role: 'user', content };
	const place = { session_id: sessionId, parent_tool_use_id: null };
	return { type: 'user', message, ...place, uuid, timestamp: new Date().toISOString() };
}

function isHookNews({ type }: LoopEvent): boolean {
	return type === 'hook-called' || type === 'hook-answered';
}

function statesWanted(env: NodeJS.ProcessEnv): WantedStates {
	if (env.CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS === '1') return 'all';
	return env.CLAUDE_CODE_SDK_READS_SESSION_STATE === '1' ? 'host' : 'none';
}
