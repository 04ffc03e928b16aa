/** Runs the calls of one reply: which run in parallel, in which order they are answered, what a tool is given, and what the model is told of one that throws. */
import { isDeepStrictEqual } from 'node:util';
import { codeOf } from '../../log/errors.ts';
import {
	type AssistantMessage,
	compact,
	type EntryId,
	errorText,
	type ImageContent,
	isObject,
	type Json,
	type JsonObject,
	type TextContent,
	type ToolCall,
	type ToolResultMessage,
} from '../../model/index.ts';
import type { AgentConfig, Denial } from '../config.ts';
import type { AnsweredPart, Checked, Host, PendingCall, Tool, ToolContext, ToolOutput } from '../contracts.ts';
import type { AgentEvent } from '../events.ts';
import { type HookScene, runHooks } from '../hooks/run-hooks.ts';
import { allowsHost, type DecidedFile, hiddenFiles } from '../permissions/index.ts';
import { textOf } from '../recording/blocks.ts';
import type { Journal } from '../recording/journal.ts';
import { consult, priced } from '../replies/consult.ts';
import type { AgentRuns } from '../sub-agents/sub-agents.ts';
import { hear, newTurn, type Turn } from '../turn.ts';
import type { Checkpoints } from './checkpoints.ts';
import { circumstancesOf } from './circumstances.ts';
import { KeptCall } from './kept-call.ts';
import { failed, noJson, noTool, notRun, refused, toldEdited, wrongInput } from './outputs.ts';
import { type Denied, permit } from './permit.ts';
import { prLinkOf } from './pr-link.ts';
import { recall } from './recall.ts';

export interface Working extends HookScene {
	readonly checkpoints: Checkpoints;
	/** The prompt whose changes a checkpoint can undo. */
	readonly prompt: EntryId | undefined;
	readonly denials: Denial[];
	readonly turn: Turn;
	/** The sub-agents of the conversation, where any may be started. */
	readonly agents?: AgentRuns;
	/** Counts a reply beside the conversation. */
	used(message: AssistantMessage): void;
	/** What was spent so far, in dollars. */
	spent(): number;
	emit(event: AgentEvent): void;
	/** The calls are no part of the conversation: nothing of them is shown or kept. */
	readonly beside?: boolean;
}

interface Finished {
	readonly output: ToolOutput;
	readonly durationMs: number;
	/** A person wants the run to end here. */
	readonly stop?: boolean;
}

export interface ToolsDone {
	readonly results: readonly ToolResultMessage[];
	/** Whoever was asked wants the run to end. */
	readonly stopped: boolean;
}

export async function runTools(
	calls: readonly ToolCall[],
	malformed: ReadonlyMap<string, string>,
	working: Working,
): Promise<ToolsDone> {
	const results: ToolResultMessage[] = [];
	let stopped = false;
	for (const batch of batches(calls, working.config)) {
		const running = batch.map((call) => ({ call, finished: runOne(call, malformed.get(call.id), working, stopped) }));
		for (const { call, finished } of running) {
			const done = await finished;
			stopped ||= done.stop === true || working.turn.halt !== undefined;
			if (working.turn.deferred?.callId !== call.id) results.push(await answer(call, done, working));
		}
	}
	return { results, stopped };
}

/** Calls that only look run together; one that changes something runs alone, after all before it. */
function batches(calls: readonly ToolCall[], config: AgentConfig): readonly (readonly ToolCall[])[] {
	const found: ToolCall[][] = [];
	let together = false;
	for (const call of calls) {
		const looks = toolOf(call, config)?.effect === 'read' || toolOf(call, config)?.effect === 'agent';
		const last = found.at(-1);
		if (looks && together && last) last.push(call);
		else found.push([call]);
		together = looks;
	}
	return found;
}

function toolOf(call: ToolCall, { tools }: AgentConfig): Tool | undefined {
	return tools.find((tool) => tool.name === call.name);
}

async function answer(call: ToolCall, { output, durationMs }: Finished, working: Working): Promise<ToolResultMessage> {
	const { config, journal, conversation, emit } = working;
	const isError = output.isError === true;
	const { details, file } = output;
	const message: ToolResultMessage = {
		role: 'toolResult',
		toolCallId: call.id,
		toolName: call.name,
		content: [...output.content],
		...(details === undefined ? {} : { details }),
		isError,
		timestamp: config.host.now(),
	};
	await journal.result(message, {
		durationMs,
		...(details === undefined ? {} : { details }),
		...(file === undefined ? {} : { file }),
		permission: working.turn.decided.get(call.id),
	});
	const link = prLinkOf(call, output);
	if (link) await journal.add({ kind: 'event', event: link });
	conversation.messages.push(message);
	emit({ type: 'tool_execution_end', toolCallId: call.id, toolName: call.name, result: output, isError });
	emit({ type: 'message_start', message });
	emit({ type: 'message_end', message });
	return message;
}

async function runOne(call: ToolCall, raw: string | undefined, working: Working, stopped: boolean): Promise<Finished> {
	const { config, emit } = working;
	const began = config.host.now();
	const args = call.arguments;
	working.journal.toolStarts(call.id, call.name);
	emit({ type: 'tool_execution_start', toolCallId: call.id, toolName: call.name, args });
	const { output, stop } = await tryOne(call, raw, working, stopped);
	return { output, durationMs: Math.max(0, config.host.now() - began), ...(stop ? { stop } : {}) };
}

/** Runs a tool for somebody else than the model, such as a command that wants its output. */
export async function callBeside(
	name: string,
	input: Json,
	working: Omit<Working, 'denials' | 'turn' | 'beside'>,
): Promise<ToolOutput> {
	const { randomHex } = working.config.host;
	const call: ToolCall = {
		type: 'toolCall',
		id: `beside_${randomHex(24)}`,
		name,
		arguments: isObject(input) ? input : {},
	};
	return (await tryOne(call, undefined, { ...working, denials: [], turn: newTurn(), beside: true }, false)).output;
}

interface Tried {
	readonly output: ToolOutput;
	readonly stop?: boolean;
	/** Nothing was run: the input was wrong, or it was denied. */
	readonly rejected?: true;
}

async function tryOne(call: ToolCall, raw: string | undefined, working: Working, stopped: boolean): Promise<Tried> {
	const { config, signal } = working;
	if (signal.aborted || stopped) return { output: notRun() };
	const tool = toolOf(call, config);
	const names = config.tools.map(({ name }) => name);
	if (!tool) return { output: noTool(call.name, names) };
	if (raw !== undefined) return { output: noJson(call.name, raw) };
	return tool.join ? await tryParts(call, tool, tool.join, working) : await tryPart(call, tool, working);
}

/** Each part by itself, so that one that is denied or fails keeps the others from nothing. */
async function tryParts(call: ToolCall, tool: Tool, join: NonNullable<Tool['join']>, working: Working): Promise<Tried> {
	const whole = call.arguments as Json;
	const parts: AnsweredPart[] = [];
	for (const input of tool.split?.(whole) ?? [whole]) {
		const part = isObject(input) ? { ...call, arguments: input } : call;
		const { decided } = working.turn;
		const before = decided.get(call.id);
		const { output, stop, rejected = false } = await tryPart(part, tool, working);
		// One decision is kept for the call: that a part of it was denied says more than that another was not.
		if (before?.decision === 'reject') decided.set(call.id, before);
		parts.push({ input, output, rejected });
		if (stop) return { output: join(whole, parts), stop };
	}
	return { output: join(whole, parts) };
}

async function tryPart(call: ToolCall, tool: Tool, working: Working): Promise<Tried> {
	const may = await permitted(call, tool, working);
	if ('output' in may) return may;
	const output = await execute(may, working);
	return { output: may.edited ? toldEdited(output, call.arguments as Json, may.call.input) : output };
}

interface Permitted {
	readonly call: PendingCall;
	readonly parsed: unknown;
	readonly opens?: DecidedFile | undefined;
	readonly userAllowed?: boolean;
	readonly userModified?: boolean;
	readonly edited?: boolean;
}

async function permitted(call: ToolCall, tool: Tool, working: Working): Promise<Permitted | Tried> {
	const input = call.arguments as Json;
	const parsed = tool.parse(input);
	if (!parsed.ok) return { output: wrongInput(tool.name, parsed), rejected: true };
	const pending: PendingCall = { id: call.id, tool, input, subjects: tool.subjects(parsed.input, folderOf(working)) };
	const answer = await permit(pending, working, async (asked, opens) => {
		const read = tool.parse(asked.input);
		return read.ok ? await check({ call: asked, parsed: read.input, opens }, working) : undefined;
	});
	if (!answer.allowed) return 'fails' in answer ? { output: answer.fails } : await deny(pending, answer, working);
	const rest = { userAllowed: answer.byUser === true, ...(answer.opens ? { opens: answer.opens } : {}) };
	if (answer.input === undefined) return { call: pending, parsed: parsed.input, ...rest };
	const second = tool.parse(answer.input);
	if (!second.ok) return { output: wrongInput(call.name, second) };
	const { userModified = false, edited = false } = answer;
	const changed = { ...pending, input: answer.input, subjects: tool.subjects(second.input, folderOf(working)) };
	if (!working.beside && !tool.asks && !isDeepStrictEqual(answer.input, input))
		working.config.observe?.({ type: 'changed', call: call.id, input: answer.input });
	return { call: changed, parsed: second.input, userModified, edited, ...rest };
}

/** A denial is a result like any other: the model reads it and goes on. */
async function deny(call: PendingCall, denied: Denied, working: Working): Promise<Tried> {
	const { reason, text, marked, way, stop = false, input = call.input } = denied;
	if (working.turn.deferred?.callId === call.id) return { output: failed(text), stop };
	const { agent } = working.config;
	const denial: Denial = {
		...{ callId: call.id, tool: call.tool.name, input, reason, text },
		...compact({ way, facts: working.turn.decided.get(call.id), agent: agent && { id: agent.id, type: agent.type } }),
	};
	working.denials.push(denial);
	if (!working.beside) working.config.observe?.({ type: 'denied', denial });
	if (denial.facts?.source === 'config') {
		hear(working.turn, await runHooks(working, 'PermissionDenied', { call: { ...call, input }, denied: reason }));
	}
	return { output: marked ? refused(text) : failed(text), stop, rejected: true };
}

async function check(permitted: Permitted, working: Working): Promise<Checked | undefined> {
	const { call, parsed } = permitted;
	try {
		return await call.tool.check?.(parsed, contextOf(permitted, working, new KeptCall(call, working.config)));
	} catch (error) {
		return { fails: failed(messageOf(error, call.tool.name)) };
	}
}

async function execute(permitted: Permitted, working: Working): Promise<ToolOutput> {
	const { call, parsed } = permitted;
	const kept = new KeptCall(call, working.config);
	const began = working.config.host.now();
	let output: ToolOutput;
	try {
		await kept.begin(working.conversation);
		output = await call.tool.run(parsed, contextOf(permitted, working, kept));
	} catch (error) {
		output = failed(messageOf(error, call.tool.name));
	}
	await kept.end(output);
	await recall(call, output, working);
	const durationMs = Math.max(0, working.config.host.now() - began);
	const hooked = await runHooks(working, 'PostToolUse', { call, output, durationMs });
	hear(working.turn, hooked);
	const changed = hooked.findLast((one) => one.output !== undefined)?.output ?? output;
	if (output.isError) {
		const interrupted = working.signal.aborted;
		const failure = { call, error: textOf(output.content), interrupted, durationMs };
		hear(working.turn, await runHooks(working, 'PostToolUseFailure', failure));
	}
	const contexts = hooked.flatMap(({ context }) => (context === undefined ? [] : [context]));
	return contexts.length === 0 ? changed : { ...changed, content: [...changed.content, ...contexts.map(asText)] };
}

function contextOf(
	{ call, opens, userAllowed = false, userModified = false }: Permitted,
	working: Working,
	kept: KeptCall,
): ToolContext {
	const { config, journal, conversation, signal, emit } = working;
	const { tool, id, input: args } = call;
	const changing = changes(working);
	const update = (partial: JsonObject): void => {
		if (working.beside) return;
		emit({ type: 'tool_execution_update', toolCallId: id, toolName: tool.name, args, partialResult: partial });
		record(partial, id, journal);
	};
	const notify = (text: string): void => void conversation.notices.push(text);
	const { used, spent } = working;
	const awaitedBy = config.agent ? config.agent.parent?.awaitedBy : id;
	const parent = { call: id, ...compact({ awaitedBy }), used, spent, changing };
	const starting = { parent, signal, update, notify };
	return {
		cwd: folderOf(working),
		folders: [config.cwd, ...(config.dirs ?? [])],
		moveTo(folder) {
			conversation.folder = folder;
		},
		outputFolder: journal.outputFolder,
		signal,
		host: opens ? openingOnly(opens, config.host) : config.host,
		callId: id,
		seen: conversation.seen,
		kept: conversation.kept,
		earlier: conversation.earlier,
		hides: () => hiddenFiles(circumstancesOf(config, conversation)),
		mode: config.mode,
		...(config.setMode ? { setMode: config.setMode } : {}),
		userAllowed,
		userModified,
		allowsHost: (host) => allowsHost(host, circumstancesOf(config, conversation)),
		consult: (question) => consult(question, config, signal, working.used),
		...searching(working),
		...(working.agents && { agents: working.agents.for({ ...starting, outputFolder: journal.outputFolder }) }),
		...expanding(working),
		update,
		notify,
		...(config.observe && { task: (task) => config.observe?.({ type: 'task', task }) }),
		async changing(path, before) {
			await changing(path, before);
			await kept.file(path);
		},
	};
}

/** Keeps a file before it changes. What a sub-agent changes, the prompt has changed that it works for. */
function changes({ config, checkpoints, journal, prompt }: Working): ToolContext['changing'] {
	const { agent } = config;
	if (agent) return async (path, before) => await agent.parent?.changing(path, before);
	return async (path, before) => {
		const files = await checkpoints.changing(path, before);
		if (files) await journal.changing(prompt, files);
	};
}

/** A model calls commands too; what they stand for is made as it is for people. */
function expanding(working: Working): Pick<ToolContext, 'expand'> {
	const { expand } = working.config;
	if (!expand) return {};
	const call = (name: string, input: Json): Promise<ToolOutput> => callBeside(name, input, working);
	return { expand: (prompt) => expand(prompt, { by: 'model', call }) };
}

/** By the user's own server where there is one, else by the provider's. */
function searching({ config, signal, used }: Working): Pick<ToolContext, 'searchWeb'> {
	const search = config.search ?? config.provider.search;
	if (!search) return {};
	return {
		async searchWeb(request) {
			const answer = await search({ ...request, model: config.model }, signal);
			if ('reply' in answer && answer.reply) used(priced(answer.reply, config));
			return answer;
		},
	};
}

/** The machine, on which the file that was decided about is opened only while its name still leads there. */
function openingOnly({ path: decided, real }: DecidedFile, host: Host): Host {
	const { files } = host;
	const expected = (path: string): string | undefined => (path === decided ? real : undefined);
	return {
		...host,
		files: {
			...files,
			read: (path) => files.read(path, expected(path)),
			write: (path, bytes) => files.write(path, bytes, expected(path)),
		},
	};
}

/** What the system says of a file or a process speaks for itself. */
function messageOf(error: unknown, tool: string): string {
	const message = errorText(error);
	return codeOf(error) !== undefined ? message : `${tool} failed: ${message}`;
}

/** Where the shell of the session is. */
function folderOf({ conversation, config }: Working): string {
	return conversation.folder ?? config.cwd;
}

/** Progress that has a type of its own is kept with the session. */
function record(partial: JsonObject, call: string, journal: Journal): void {
	const { type, ...data } = partial;
	if (typeof type === 'string' && isObject(data)) journal.progress(call, type, data);
}

function asText(text: string): TextContent | ImageContent {
	return { type: 'text', text };
}
