/** The loop of a run: the order of prompt, hooks, requests and tools until the model is done, every step written down before the next, and the reasons for which it ends. */
import { uuidOf } from '../codecs/index.ts';
import type {
	AgentMessage,
	AssistantMessage,
	EntryId,
	ToolCall,
	ToolResultMessage,
	UserMessage,
} from '../model/index.ts';
import type { Checkpoints } from './calls/checkpoints.ts';
import { closeOpenCalls, keepAborted } from './calls/open-calls.ts';
import { Repetition } from './calls/repetition.ts';
import { runTools } from './calls/run-tools.ts';
import { Compactor } from './compaction/auto-compact.ts';
import type { Denial, Outcome, Prompt, RunResult } from './config.ts';
import type { Failure } from './contracts.ts';
import type { AgentEvent } from './events.ts';
import { expandPrompt } from './expand-prompt.ts';
import { tellBatch } from './hooks/batch.ts';
import { type Started, tellStart, wantedBeforeStop } from './hooks/run-edges.ts';
import { type HookScene, hearBackground, runHooks } from './hooks/run-hooks.ts';
import { tellOwn } from './own-runs.ts';
import { textOf } from './recording/blocks.ts';
import { settle } from './recording/settle.ts';
import { type Answer, askModel, callsOf } from './replies/ask-model.ts';
import { interruptedNotice, Nudges } from './replies/unfinished.ts';
import type { AgentRuns } from './sub-agents/sub-agents.ts';
import { Tally } from './tally.ts';
import { hear, newTurn, type Turn } from './turn.ts';

export interface LoopInput extends HookScene {
	readonly checkpoints: Checkpoints;
	/** Its sub-agents, where any may be started. */
	readonly agents?: AgentRuns;
	/** The id of the first prompt's entry, where its sender has named it. */
	readonly promptId?: EntryId;
	/** The prompt that has waited longest, if any came while the run was busy. */
	nextPrompt(): Prompt | undefined;
	emit(event: AgentEvent): void;
}

/** How a turn ended: undefined when the model had nothing more to do. */
interface Ending {
	readonly outcome: Exclude<Outcome, 'success'>;
	readonly problem: string;
	readonly hookStopped?: RunResult['hookStopped'];
	readonly failure?: Failure;
}

/** Without a prompt the run goes on with what there is: the call that a hook has put off. */
export async function runLoop(prompt: Prompt | undefined, input: LoopInput): Promise<RunResult> {
	return await new Loop(input).run(prompt);
}

/** Compacts the conversation because somebody wants that; nothing else is asked. */
export async function runCompaction(instructions: string, input: LoopInput): Promise<RunResult> {
	return await new Loop(input).compact(instructions);
}

class Loop {
	readonly #input: LoopInput;
	readonly #tally: Tally;
	readonly #denials: Denial[] = [];
	readonly #messages: AgentMessage[] = [];
	readonly #repetition = new Repetition();
	readonly #nudges = new Nudges();
	/** What hooks said that heard of the session before there was a prompt. */
	readonly #started: Started[] = [];
	readonly #compactor: Compactor;
	/** Counts what was asked beside the conversation. */
	readonly #counting = {
		used: (reply: AssistantMessage): void => this.#tally.count(reply, false),
		spent: () => this.#tally.spent,
	};
	#last: AssistantMessage | undefined;
	#deferred: RunResult['deferred'];
	/** How often hooks have kept the run from ending since the last prompt. */
	#kept = 0;
	/** The first prompt has its id. */
	#named = false;

	constructor(input: LoopInput) {
		this.#input = input;
		this.#tally = new Tally(input.config);
		this.#compactor = new Compactor({ ...input, used: this.#counting.used, tell: (text) => this.#aside(text) });
	}

	async run(first: Prompt | undefined): Promise<RunResult> {
		const { emit, journal, config } = this.#input;
		emit({ type: 'agent_start' });
		await closeOpenCalls(this.#input);
		if (this.#input.conversation.messages.length > 0) await settle(this.#input);
		const ended = await this.#takeUp();
		let ending = ended?.ending;
		for (let prompt = first, more = !ended; more; prompt = this.#next(ending), more = prompt !== undefined) {
			const began = config.host.now();
			ending = prompt === undefined ? await this.#answer(undefined) : await this.#prompt(prompt);
			const durationMs = Math.max(0, config.host.now() - began);
			// A prompt that a hook stopped, or that could not be said, is in no session, and must not begin one.
			const timed = !config.agent && journal.leaf !== null;
			if (timed) await journal.add({ kind: 'event', event: { type: 'timing', durationMs } });
			await journal.sync();
		}
		await hearBackground(this.#input);
		return await this.#end(this.#result(ending));
	}

	async compact(instructions: string): Promise<RunResult> {
		const { emit, signal } = this.#input;
		emit({ type: 'agent_start' });
		await closeOpenCalls(this.#input);
		const done = await this.#compactor.onWish(instructions);
		if (!done.ok) {
			const outcome = signal.aborted ? 'interrupted' : 'error';
			return await this.#end(this.#result({ ...done, outcome }));
		}
		const [before, after] = [done.tokensBefore, done.tokensAfter].map((count) => count.toLocaleString('en-US'));
		const text = `Compacted: about ${before} tokens became about ${after} (/uncompact undoes it).`;
		const result = { ...this.#result(undefined), text };
		// The summary is a model's answer: Clido deletes a session whose last run has none.
		return await this.#end(result, { ...result, turns: Math.max(1, result.turns) });
	}

	/** The session says how the run ended, unless there is none yet. */
	async #end(result: RunResult, recorded = result): Promise<RunResult> {
		const { emit, journal } = this.#input;
		if (journal.leaf !== null) await journal.outcome(recorded);
		await journal.sync();
		emit({ type: 'agent_end', messages: [...this.#messages] });
		return result;
	}

	#next(ending: Ending | undefined): Prompt | undefined {
		return ending === undefined ? this.#input.nextPrompt() : undefined;
	}

	async #prompt(prompt: Prompt): Promise<Ending | undefined> {
		const heard = await this.#hear(prompt);
		return 'outcome' in heard ? heard : await this.#answer(heard.id);
	}

	/** The prompt is in the session and in the conversation; or why it is not. */
	async #hear(prompt: Prompt): Promise<Ending | { readonly id: EntryId | undefined }> {
		const { config, journal, checkpoints } = this.#input;
		const said = textOf(prompt);
		if (!config.agent && config.hooks?.length)
			this.#input.conversation.promptId = uuidOf(Buffer.from(config.host.randomHex(32), 'hex'), 4);
		const started = [...this.#started.splice(0), ...(await tellStart(this.#input))];
		const hooked = config.agent ? [] : await runHooks(this.#input, 'UserPromptSubmit', { prompt: said });
		const halt = [...started, ...hooked].find((one) => one.halt !== undefined)?.halt;
		if (halt !== undefined) return halted(halt, 'prompt');
		const blocked = hooked.find(({ block }) => block !== undefined)?.block;
		if (blocked !== undefined)
			return { outcome: 'error', problem: `the prompt was stopped by a hook: ${blocked}`, hookStopped: 'prompt' };
		const expanded = await expandPrompt(prompt, { ...this.#input, ...this.#counting });
		if ('problem' in expanded) return { outcome: 'error', problem: expanded.problem };
		const { recorded, texts } = expanded;
		await this.#tellOwn();
		const id = config.agent
			? await journal.prompt(recorded)
			: await journal.prompt(recorded, config.mode, await checkpoints.atPrompt(), this.#promptId());
		if (id !== undefined && !config.agent) config.changes?.prompt(id);
		await settle(this.#input);
		this.#say(userMessage(recorded, config.host.now()));
		for (const text of [...texts, ...[...started, ...hooked].map(({ context }) => context)]) {
			if (text !== undefined) await this.#aside(text);
		}
		return { id };
	}

	/** What was said while tools ran; one that does not count is told. Gives the prompt that is answered now. */
	async #steered(last: EntryId | undefined): Promise<EntryId | undefined> {
		const { steer, observe } = this.#input.config;
		const prompt = steer?.();
		if (prompt === undefined) return last;
		const heard = await this.#hear(prompt);
		if ('problem' in heard) observe?.({ type: 'hook', name: 'UserPromptSubmit', message: heard.problem });
		return await this.#steered('id' in heard ? heard.id : last);
	}

	/** Before the prompt: what the user says now is the last word. */
	async #tellOwn(): Promise<void> {
		const { conversation, journal, config } = this.#input;
		await tellOwn(conversation, (draft) => journal.add(draft), config.host.now(), config.changes);
	}

	/** Once: prompts that come later have names of their own. */
	#promptId(): EntryId | undefined {
		const id = this.#named ? undefined : this.#input.promptId;
		this.#named = true;
		return id;
	}

	/** The run is over, and has succeeded as far as it goes: whoever goes on with the session takes up the call. */
	#putOff(deferred: NonNullable<RunResult['deferred']>, calls: readonly ToolCall[]): undefined {
		const { conversation, journal } = this.#input;
		this.#deferred = deferred;
		conversation.deferred = calls.find(({ id }) => id === deferred.callId);
		journal.deferred(deferred.callId, deferred.tool, deferred.input);
		return undefined;
	}

	/** Begins with the call that a hook had put off: hooks and rules are asked about it again. Undefined: the run goes on after it. */
	async #takeUp(): Promise<{ readonly ending: Ending | undefined } | undefined> {
		const { config, conversation } = this.#input;
		const call = conversation.deferred;
		if (!call) return undefined;
		if (!config.tools.some(({ name }) => name === call.name)) {
			const problem = `a call of ${call.name} waits, and that tool is not available here: nothing was run`;
			return { ending: { outcome: 'error', problem } };
		}
		conversation.deferred = undefined;
		this.#started.push(...(await tellStart(this.#input)));
		return (await this.#work([call], new Map(), undefined)).ended;
	}

	/** Runs the calls of a reply. `ended` where the run is over with them. */
	async #work(calls: readonly ToolCall[], malformed: ReadonlyMap<string, string>, prompt: EntryId | undefined) {
		const turn = newTurn();
		const working = { ...this.#input, ...this.#counting, prompt, denials: this.#denials, turn };
		const { results, stopped } = await runTools(calls, malformed, working);
		this.#messages.push(...results);
		const goesOn = !stopped && !turn.deferred && !this.#input.signal.aborted;
		if (goesOn) hear(turn, await tellBatch(this.#input, calls, results));
		const ended = await this.#endedBy(turn, calls, results, stopped);
		if (!ended) for (const text of turn.asides) await this.#aside(text);
		return { results, ended };
	}

	/** Requests and tools, until the model has nothing more to do. */
	async #answer(first: EntryId | undefined): Promise<Ending | undefined> {
		const { journal, emit } = this.#input;
		let prompt = first;
		this.#nudges.reset();
		this.#kept = 0;
		for (;;) {
			const over = await this.#makeReady();
			if (over) return over;
			emit({ type: 'turn_start' });
			const answer = await this.#ask();
			const { message } = answer;
			if (answer.failure) {
				const isShorter = await this.#compactor.afterFailure(answer.failure);
				const ending = isShorter ? undefined : await this.#failed(answer, answer.failure);
				emit({ type: 'turn_end', message, toolResults: [] });
				if (isShorter) continue;
				return ending;
			}
			await this.#keep(message);
			const calls = callsOf(message);
			if (calls.length === 0) {
				emit({ type: 'turn_end', message, toolResults: [] });
				const goOn = this.#nudges.for(message) ?? (await this.#mayStop(message));
				if (goOn !== undefined) await this.#aside(goOn);
				else if (!(await this.#agentHasEnded())) return undefined;
				continue;
			}
			const { results, ended } = await this.#work(calls, answer.malformed, prompt);
			emit({ type: 'turn_end', message, toolResults: [...results] });
			if (ended) return ended.ending;
			prompt = await this.#steered(prompt);
			await journal.settle();
		}
	}

	/** Tells the model what has ended meanwhile, and sees to it that the request fits. Returns why there is none. */
	async #makeReady(): Promise<Ending | undefined> {
		const { signal, conversation } = this.#input;
		if (signal.aborted) return await this.#interrupted('reply');
		const over = this.#tally.overLimit();
		if (over) return over;
		await hearBackground(this.#input);
		await this.#tellOwn();
		for (const notice of conversation.notices.splice(0)) await this.#aside(notice);
		const problem = await this.#compactor.beforeRequest();
		if (problem !== undefined) return { outcome: 'error', problem };
		return signal.aborted ? await this.#interrupted('reply') : undefined;
	}

	/** Why the run is over after the calls of a reply; undefined: it goes on. */
	async #endedBy(
		turn: Turn,
		calls: readonly ToolCall[],
		results: readonly ToolResultMessage[],
		stopped: boolean,
	): Promise<{ readonly ending: Ending | undefined } | undefined> {
		if (turn.deferred) return { ending: this.#putOff(turn.deferred, calls) };
		if (turn.halt !== undefined) return { ending: halted(turn.halt, 'run') };
		if (this.#input.signal.aborted || stopped) return { ending: await this.#interrupted('tool') };
		if (!this.#repetition.isStuck(calls, results)) return undefined;
		const problem = `the model made the same call ${this.#repetition.most} times in a row and got the same answer`;
		return { ending: { outcome: 'error', problem } };
	}

	/** Where nobody would hear of them later, agents in the background are waited for. False: there are none. */
	async #agentHasEnded(): Promise<boolean> {
		const { agents, config, signal } = this.#input;
		return config.agents?.awaited === true && (await agents?.nextEnd(signal)) === true;
	}

	async #ask(): Promise<Answer> {
		const { config, conversation } = this.#input;
		const { model, system, tools, maxTokens, thinking, agent } = config;
		const answered = this.#tally.request();
		const answer = await askModel(
			{
				model,
				system,
				messages: conversation.messages,
				tools: tools.filter(({ unlisted }) => !unlisted),
				...(maxTokens === undefined ? {} : { maxTokens }),
				...(thinking === undefined ? {} : { thinking }),
				sessionId: this.#input.journal.sessionId,
				...(agent === undefined ? {} : { agent: agent.type }),
			},
			{ ...this.#input, leaves: (failure) => this.#compactor.helpsWith(failure) },
		);
		answered();
		this.#tally.count(answer.message, answer.failure === undefined);
		return answer;
	}

	/** The reply counts: it is what the next request goes on from. */
	async #keep(message: AssistantMessage): Promise<void> {
		const { conversation, journal } = this.#input;
		this.#last = message;
		this.#compactor.replied();
		conversation.messages.push(message);
		this.#messages.push(message);
		if (message.stopReason === 'length') await journal.warn('the reply was cut at the limit of its length');
	}

	async #failed({ message }: Answer, failure: Failure): Promise<Ending> {
		this.#messages.push(message);
		if (failure.code !== 'aborted') return { outcome: 'error', problem: failure.message, failure };
		await keepAborted(message, this.#input);
		return await this.#interrupted('reply');
	}

	async #interrupted(during: 'reply' | 'tool'): Promise<Ending> {
		const { journal } = this.#input;
		const text = journal.rules.interrupted(during);
		if (text !== undefined) {
			await journal.add({ kind: 'message', role: 'user', content: [{ type: 'text', text }] });
			this.#say(userMessage(text, this.#input.config.host.now()), true);
		} else {
			journal.interrupted();
			if (journal.rules.abortedCalls !== 'keep') this.#input.conversation.notices.push(interruptedNotice);
		}
		return { outcome: 'interrupted', problem: 'interrupted' };
	}

	async #mayStop(message: AssistantMessage): Promise<string | undefined> {
		const wanted = await wantedBeforeStop(textOf(message.content), this.#kept, this.#input);
		if (wanted !== undefined) this.#kept += 1;
		return wanted;
	}

	async #aside(text: string): Promise<void> {
		await this.#input.journal.aside(text);
		this.#say(userMessage(text, this.#input.config.host.now()), true);
	}

	#say(message: UserMessage, silent = false): void {
		const { conversation, emit } = this.#input;
		conversation.messages.push(message);
		this.#messages.push(message);
		if (silent) return;
		emit({ type: 'message_start', message });
		emit({ type: 'message_end', message });
	}

	#result(ending: Ending | undefined): RunResult {
		return {
			outcome: ending?.outcome ?? 'success',
			text: this.#last ? textOf(this.#last.content) : '',
			...(this.#last ? { message: this.#last } : {}),
			...(ending ? { problem: ending.problem } : {}),
			...(ending?.failure ? { failure: ending.failure } : {}),
			...(ending?.hookStopped ? { hookStopped: ending.hookStopped } : {}),
			...(this.#deferred ? { deferred: this.#deferred } : {}),
			...this.#tally.totals(),
			denials: this.#denials,
			messages: this.#messages,
		};
	}
}

function halted(reason: string, hookStopped: 'prompt' | 'run'): Ending {
	return { outcome: 'error', problem: `a hook ended the run: ${reason}`, hookStopped };
}

function userMessage(prompt: Prompt, timestamp: number): UserMessage {
	return { role: 'user', content: typeof prompt === 'string' ? prompt : [...prompt], timestamp };
}
