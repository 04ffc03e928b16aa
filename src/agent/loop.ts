/** The loop: a prompt in, replies and tools until the model is done, every step written down before the next. */

import type {
	AgentMessage,
	AssistantMessage,
	EntryId,
	Json,
	ToolCall,
	ToolResultMessage,
	UserMessage,
} from '../model/index.ts';
import { type Answer, askModel, callsOf } from './ask-model.ts';
import { textOf } from './blocks.ts';
import type { Checkpoints } from './checkpoints.ts';
import type { AgentConfig, Conversation, Denial, Outcome, Prompt, RunResult } from './config.ts';
import type { Failure, HookAnswer, HookPoints, ToolOutput } from './contracts.ts';
import type { AgentEvent } from './events.ts';
import { runHooks } from './hooks.ts';
import type { Journal } from './journal.ts';
import { failed } from './outputs.ts';
import { Repetition } from './repetition.ts';
import { callBeside, notRun, runTools } from './run-tools.ts';
import { Tally } from './tally.ts';
import { newTurn, type Turn } from './turn.ts';

export interface LoopInput {
	readonly config: AgentConfig;
	readonly journal: Journal;
	readonly checkpoints: Checkpoints;
	readonly conversation: Conversation;
	readonly signal: AbortSignal;
	/** The prompt that has waited longest, if any came while the run was busy. */
	nextPrompt(): Prompt | undefined;
	emit(event: AgentEvent): void;
}

/** How a turn ended: undefined when the model had nothing more to do. */
interface Ending {
	readonly outcome: Exclude<Outcome, 'success'>;
	readonly problem: string;
	readonly failure?: Failure;
	/** The prompt stands for nothing, and is no part of the conversation. */
	readonly unsaid?: true;
}

export async function runLoop(prompt: Prompt, input: LoopInput): Promise<RunResult> {
	const loop = new Loop(input);
	return await loop.run(prompt);
}

class Loop {
	readonly #input: LoopInput;
	readonly #tally: Tally;
	readonly #denials: Denial[] = [];
	readonly #messages: AgentMessage[] = [];
	readonly #repetition = new Repetition();
	#last: AssistantMessage | undefined;
	#deferred: RunResult['deferred'];
	/** How often hooks have kept the run from ending since the last prompt. */
	#kept = 0;
	#requests = 0;
	/** How often the model was asked to go on since the last prompt. */
	#nudges = 0;

	constructor(input: LoopInput) {
		this.#input = input;
		this.#tally = new Tally(input.config.host.now());
	}

	async run(first: Prompt): Promise<RunResult> {
		const { emit, journal, config } = this.#input;
		emit({ type: 'agent_start' });
		await this.#closeOpenCalls();
		if (this.#input.conversation.messages.length > 0) await this.#settle();
		let ending: Ending | undefined;
		for (let prompt: Prompt | undefined = first; prompt !== undefined; prompt = this.#next(ending)) {
			const began = config.host.now();
			ending = await this.#prompt(prompt);
			const durationMs = Math.max(0, config.host.now() - began);
			if (this.#isUnsaid(ending)) break;
			await journal.add({ kind: 'event', event: { type: 'timing', durationMs } });
			await journal.sync();
		}
		const result = this.#result(ending);
		if (!this.#isUnsaid(ending)) await journal.outcome(result);
		await journal.sync();
		emit({ type: 'agent_end', messages: [...this.#messages] });
		return result;
	}

	/** A session does not begin with something that could not be said. */
	#isUnsaid(ending: Ending | undefined): boolean {
		return ending?.unsaid === true && this.#input.journal.leaf === null;
	}

	#next(ending: Ending | undefined): Prompt | undefined {
		return ending === undefined ? this.#input.nextPrompt() : undefined;
	}

	/** An earlier run that was killed may have left calls without a result: no API goes on from there. */
	async #closeOpenCalls(): Promise<void> {
		const { conversation, journal } = this.#input;
		for (const call of conversation.unanswered.splice(0))
			await this.#answerInstead(call, journal.unanswered(call.name));
	}

	/** The session says who answers, and what needs no question, where that is new. */
	async #settle(): Promise<void> {
		const { config, conversation, journal } = this.#input;
		const { model, provider, thinking, mode } = config;
		const now = { model, provider: provider.id, permissionMode: mode, ...(thinking === undefined ? {} : { thinking }) };
		const fresh = conversation.messages.length === 0;
		// A new file says by itself whose answers it holds.
		const known = fresh ? { ...conversation.settings, model, provider: provider.id } : conversation.settings;
		await journal.settings(now, known);
		conversation.settings = { ...conversation.settings, ...now };
	}

	/** A result for a call that nobody ran. */
	async #answerInstead(call: ToolCall, text: string): Promise<void> {
		const { conversation, journal, config } = this.#input;
		const { content, details } = failed(text);
		const message: ToolResultMessage = {
			role: 'toolResult',
			toolCallId: call.id,
			toolName: call.name,
			content: [...content],
			isError: true,
			timestamp: config.host.now(),
		};
		await journal.result(message, details === undefined ? {} : { details });
		if (!conversation.messages.some((one) => one.role === 'toolResult' && one.toolCallId === call.id)) {
			conversation.messages.push(message);
		}
	}

	async #prompt(prompt: Prompt): Promise<Ending | undefined> {
		const { config, journal, checkpoints, signal } = this.#input;
		const said = textOf(prompt);
		const started = await this.#tellStart();
		const hooked = await runHooks(config, journal, 'UserPromptSubmit', { prompt: said }, signal);
		const halt = [...started, ...hooked].find((one) => one.halt !== undefined)?.halt;
		if (halt !== undefined) return halted(halt);
		const blocked = hooked.find(({ block }) => block !== undefined)?.block;
		if (blocked !== undefined) return { outcome: 'error', problem: `the prompt was stopped by a hook: ${blocked}` };
		const expanded = await config.expand?.(said, { by: 'user', call: (tool, input) => this.#callBeside(tool, input) });
		if (expanded && 'problem' in expanded) return { outcome: 'error', problem: expanded.problem, unsaid: true };
		const recorded = expanded ? journal.commandPrompt(prompt, expanded.command) : prompt;
		const id = await journal.prompt(recorded, config.mode, await checkpoints.atPrompt());
		await this.#settle();
		this.#say(userMessage(recorded, config.host.now()));
		for (const text of [...(expanded?.texts ?? []), ...[...started, ...hooked].map(({ context }) => context)]) {
			if (text !== undefined) await this.#aside(text);
		}
		return await this.#answer(id);
	}

	/** A tool that runs for a command, before the prompt is a part of the conversation. */
	async #callBeside(tool: string, input: Json): Promise<ToolOutput> {
		const used = (reply: AssistantMessage): void => this.#tally.count(reply, false);
		return await callBeside(tool, input, { ...this.#input, prompt: undefined, used });
	}

	/** Hooks that want to know of a session hear of it once, with its first prompt. */
	async #tellStart(): Promise<readonly (HookPoints['SessionStart']['out'] & HookAnswer)[]> {
		const { config, journal, conversation, signal } = this.#input;
		const { source } = conversation;
		if (source === undefined) return [];
		conversation.source = undefined;
		return await runHooks(config, journal, 'SessionStart', { source, model: config.model }, signal);
	}

	/** The run is over, and has succeeded as far as it goes: whoever goes on with the session answers the call. */
	#putOff(deferred: RunResult['deferred'], calls: readonly ToolCall[]): undefined {
		this.#deferred = deferred;
		this.#input.conversation.unanswered.push(...calls.filter(({ id }) => id === deferred?.callId));
		return undefined;
	}

	/** Requests and tools, until the model has nothing more to do. */
	async #answer(prompt: EntryId | undefined): Promise<Ending | undefined> {
		const { journal, signal, emit } = this.#input;
		this.#nudges = 0;
		this.#kept = 0;
		for (;;) {
			if (signal.aborted) return await this.#interrupted('reply');
			const over = this.#overLimit();
			if (over) return over;
			for (const notice of this.#input.conversation.notices.splice(0)) await this.#aside(notice);
			emit({ type: 'turn_start' });
			const answer = await this.#ask();
			const { message } = answer;
			if (answer.failure) {
				const ending = await this.#failed(answer, answer.failure);
				emit({ type: 'turn_end', message, toolResults: [] });
				return ending;
			}
			this.#keep(message);
			if (message.stopReason === 'length')
				await journal.notice('warning', 'the reply was cut at the limit of its length');
			const calls = callsOf(message);
			if (calls.length === 0) {
				emit({ type: 'turn_end', message, toolResults: [] });
				const goOn = this.#unfinished(message) ?? (await this.#mayStop(message));
				if (goOn === undefined) return undefined;
				await this.#aside(goOn);
				continue;
			}
			const turn = newTurn();
			const used = (reply: AssistantMessage): void => this.#tally.count(reply, false);
			const working = { ...this.#input, prompt, denials: this.#denials, turn, used };
			const { results, stopped } = await runTools(calls, answer.malformed, working);
			this.#messages.push(...results);
			emit({ type: 'turn_end', message, toolResults: [...results] });
			const ended = await this.#endedBy(turn, calls, results, stopped);
			if (ended) return ended.ending;
			for (const text of turn.asides) await this.#aside(text);
			await journal.settle();
		}
	}

	/** Why the run is over after the calls of a reply; undefined: it goes on. */
	async #endedBy(
		turn: Turn,
		calls: readonly ToolCall[],
		results: readonly ToolResultMessage[],
		stopped: boolean,
	): Promise<{ readonly ending: Ending | undefined } | undefined> {
		if (turn.deferred) return { ending: this.#putOff(turn.deferred, calls) };
		if (turn.halt !== undefined) return { ending: halted(turn.halt) };
		if (this.#input.signal.aborted || stopped) return { ending: await this.#interrupted('tool') };
		if (!this.#repetition.isStuck(calls, results)) return undefined;
		const problem = `the model made the same call ${this.#repetition.most} times in a row and got the same answer`;
		return { ending: { outcome: 'error', problem } };
	}

	/** What a model is told whose reply was cut off, or said nothing: both happen, and neither is an answer. */
	#unfinished(message: AssistantMessage): string | undefined {
		const isCut = message.stopReason === 'length';
		const isEmpty = message.stopReason === 'stop' && textOf(message.content).trim() === '';
		if ((!isCut && !isEmpty) || this.#nudges >= mostNudges) return undefined;
		this.#nudges += 1;
		return isCut ? cutOff : nothingSaid;
	}

	#overLimit(): Ending | undefined {
		const { turns, costUsd } = this.#input.config.limits ?? {};
		if (turns !== undefined && this.#requests >= turns) {
			return { outcome: 'max_turns', problem: `the limit of ${turns} ${turns === 1 ? 'turn' : 'turns'} was reached` };
		}
		const spent = this.#tally.costUsd;
		if (costUsd !== undefined && spent >= costUsd) {
			return { outcome: 'max_budget', problem: `the budget of $${costUsd} is spent ($${spent.toFixed(4)})` };
		}
		return undefined;
	}

	async #ask(): Promise<Answer> {
		const { config, conversation } = this.#input;
		const { model, system, tools, maxTokens, thinking } = config;
		this.#requests += 1;
		const began = config.host.now();
		const answer = await askModel(
			{
				model,
				system,
				messages: conversation.messages,
				tools: tools.filter(({ unlisted }) => !unlisted),
				...(maxTokens === undefined ? {} : { maxTokens }),
				...(thinking === undefined ? {} : { thinking }),
				sessionId: this.#input.journal.sessionId,
			},
			this.#input,
		);
		this.#tally.api(config.host.now() - began);
		this.#tally.count(answer.message, answer.failure === undefined);
		return answer;
	}

	/** The reply counts: it is what the next request goes on from. */
	#keep(message: AssistantMessage): void {
		this.#last = message;
		this.#input.conversation.messages.push(message);
		this.#messages.push(message);
	}

	async #failed({ message }: Answer, failure: Failure): Promise<Ending> {
		this.#messages.push(message);
		if (failure.code !== 'aborted') return { outcome: 'error', problem: failure.message, failure };
		const { conversation, journal } = this.#input;
		const { abortedCalls } = journal.rules;
		if (message.content.length > 0 && abortedCalls !== 'keep') {
			const kept = { ...message, stopReason: 'stop' as const, content: message.content.filter(isWhole) };
			if (abortedCalls === 'drop') kept.content = kept.content.filter((block) => block.type !== 'toolCall');
			if (kept.content.length > 0) conversation.messages.push(kept);
			for (const call of abortedCalls === 'answer' ? callsOf(kept) : []) await this.#answerInstead(call, notRun);
		}
		return await this.#interrupted('reply');
	}

	async #interrupted(during: 'reply' | 'tool'): Promise<Ending> {
		const { journal } = this.#input;
		const text = journal.rules.interrupted(during);
		if (text !== undefined) {
			await journal.add({ kind: 'message', role: 'user', content: [{ type: 'text', text }] });
			this.#say(userMessage(text, this.#input.config.host.now()), true);
		}
		return { outcome: 'interrupted', problem: 'interrupted' };
	}

	/** What a hook wants done before the run may end. One that is never content does not keep it going for ever. */
	async #mayStop(message: AssistantMessage): Promise<string | undefined> {
		const { config, journal, signal } = this.#input;
		const said = { text: textOf(message.content), again: this.#kept > 0 };
		const hooked = await runHooks(config, journal, 'Stop', said, signal);
		if (hooked.some(({ halt }) => halt !== undefined)) return undefined;
		const wanted = hooked.flatMap(({ continueWith }) => continueWith ?? []);
		if (wanted.length === 0) return undefined;
		this.#kept += 1;
		if (this.#kept <= mostKept) return wanted.join('\n');
		await journal.notice('warning', `hooks have kept the run from ending ${mostKept} times, and it ends now`);
		return undefined;
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
		const { config } = this.#input;
		return {
			outcome: ending?.outcome ?? 'success',
			text: this.#last ? textOf(this.#last.content) : '',
			...(this.#last ? { message: this.#last } : {}),
			...(ending ? { problem: ending.problem } : {}),
			...(ending?.failure ? { failure: ending.failure } : {}),
			...(this.#deferred ? { deferred: this.#deferred } : {}),
			...this.#tally.totals(config.host.now()),
			denials: this.#denials,
			messages: this.#messages,
		};
	}
}

/** As often as a hook may say that there is more to do. */
const mostKept = 20;

function halted(reason: string): Ending {
	return { outcome: 'error', problem: `a hook ended the run: ${reason}` };
}

/** As often as Claude Code asks. */
const mostNudges = 3;
const cutOff =
	'Your response was cut off because it exceeded the output token limit. Please break your work into smaller pieces. Continue from where you left off.';
const nothingSaid =
	'[Your previous response had no visible output. Please continue and produce a user-visible response.]';

function userMessage(prompt: Prompt, timestamp: number): UserMessage {
	return { role: 'user', content: typeof prompt === 'string' ? prompt : [...prompt], timestamp };
}

/** A block that arrived to its end: half a signature or half a call is of no use to anybody. */
function isWhole(block: AssistantMessage['content'][number]): boolean {
	if (block.type === 'text') return block.text.trim() !== '';
	return block.type === 'toolCall' || block.thinkingSignature !== undefined;
}
