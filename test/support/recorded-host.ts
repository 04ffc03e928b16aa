/** A host that was recorded: what it sent to the real client is sent to ours when its time has come, with the same replies of a model. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AnswerRequest } from '../../src/frames/drive-process.ts';
import type { JsonObject } from '../../src/model/index.ts';
import type { ScriptInput } from '../../src/providers/script.ts';
import { type ClientStage, framesIn } from './client.ts';
import { Host } from './host.ts';

const corpus = join(import.meta.dirname, '../corpus/frames/0.3.325');
const server = join(import.meta.dirname, 'mcp-server.ts');

export function recorded(scenario: string, file: 'stdin.ndjson' | 'stdout.ndjson'): readonly JsonObject[] {
	const path = join(corpus, scenario, file);
	return existsSync(path) ? (framesIn(readFileSync(path, 'utf8')) as unknown as JsonObject[]) : [];
}

/** The replies that a recorded prompt asks for, in the words of our scripts; those of its sub-agents come first. */
function turnsOf(text: string, agent?: string): readonly object[] {
	return text.split(/^@@step$/m).flatMap((step) => {
		const error = /^@@error (\d+) (\S+) (\d+) (.*)$/m.exec(step);
		if (error) {
			const [, status, type, times, message] = error;
			const failing = { error: { status: Number(status), type, message } };
			const some = Array(Math.min(Number(times), 6)).fill(failing) as object[];
			return Number(times) < 6 ? [...some, { text: 'recovered' }] : some;
		}
		const content = [...step.matchAll(/^@@(text|think|tool) (.*)$/gm)].map(([, kind, rest = '']) => {
			if (kind === 'text') return { type: 'text', text: rest };
			if (kind === 'think') return { type: 'thinking', thinking: rest };
			const [, name = '', input] = /^(\S+) (.*)$/.exec(rest) ?? [];
			return {
				type: 'tool_use',
				name,
				input: JSON.parse(input ?? '{}') as { prompt?: string; subagent_type?: string },
			};
		});
		const agents = content.flatMap((block) =>
			block.type === 'tool_use' && 'input' in block && block.input?.prompt !== undefined
				? turnsOf(block.input.prompt, block.input.subagent_type)
				: [],
		);
		const turn = agent === undefined ? { content } : { when: { agent }, content };
		return content.length === 0 ? agents : [...agents, turn];
	});
}

function textIn(frame: JsonObject): string {
	const { content } = frame.message as { content: string | { text?: string }[] };
	return typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('\n');
}

/** All flags of the recorded start but those that name files of the machine that it was recorded on. */
function argsOf(scenario: string): readonly string[] {
	const { spawned } = JSON.parse(readFileSync(join(corpus, scenario, 'scenario.json'), 'utf8')) as {
		spawned?: { args: string[] }[];
	};
	const own = new Set([
		'--output-format',
		'--input-format',
		'stream-json',
		'--verbose',
		'--permission-prompt-tool=stdio',
	]);
	return (spawned?.[0]?.args ?? [])
		.filter((arg) => !own.has(arg) && arg !== '-p')
		.map((arg) => arg.replace('"/home/dev/sdk-frames/harness/elserver.mjs"', JSON.stringify(server)))
		.map((arg) => arg.replace('"command":"node"', `"command":${JSON.stringify(process.execPath)}`));
}

export interface Replayed extends AsyncDisposable {
	readonly host: Host;
	/** What the client has asked of it. */
	readonly asked: readonly JsonObject[];
	/** What it has asked of the client, by the id of the request. */
	readonly requests: ReadonlyMap<string, JsonObject>;
}

/** Answers come when they are asked for, later prompts after the result before, an interrupt while a tool is waited for. */
export async function replay(stage: ClientStage, scenario: string): Promise<Replayed> {
	const moved = (text: string): string => text.replaceAll(`/home/dev/sdk-frames/tmp/${scenario}/work`, stage.cwd);
	const lines = recorded(scenario, 'stdin.ndjson').map((line) => JSON.parse(moved(JSON.stringify(line))) as JsonObject);
	const prompts = lines.filter(({ type }) => type === 'user');
	const near = {
		'anthropic-ratelimit-unified-status': 'allowed_warning',
		'anthropic-ratelimit-unified-representative-claim': 'five_hour',
	};
	const turns = prompts
		.flatMap((line) => turnsOf(textIn(line)))
		.map((turn) => (scenario.startsWith('ratelimit') ? { ...turn, headers: near } : turn))
		// A model is asked for summaries beside the conversation, where it has no tools.
		.map((turn) => (scenario === 'toolsummary' ? { ...turn, when: { tools: true } } : turn));
	const asked: JsonObject[] = [];
	const waiting = Promise.withResolvers<void>();
	const host = new Host(stage, {
		script: { turns: turns as never, default: { text: 'All done.' } } as ScriptInput,
		args: argsOf(scenario),
		// As the SDK starts it.
		env: {
			...{ CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: '0', CLAUDE_CODE_SDK_READS_SESSION_STATE: '1' },
			CLAUDE_CODE_EMIT_TOOL_USE_SUMMARIES: scenario === 'toolsummary' ? '1' : '0',
		},
		answers: answering(scenario, lines, asked, waiting.resolve),
	});
	const requests = new Map<string, JsonObject>();
	let said = 0;
	for (const line of lines) {
		const request = line.request as JsonObject | undefined;
		if (line.type === 'user' && said > 0 && scenario !== 'raw') await host.until('result', said);
		if (scenario === 'control_misc' && request && said > 0) await host.until('result', said);
		if (request?.subtype === 'interrupt')
			await (scenario === 'interrupt_tool' ? host.until('assistant') : waiting.promise);
		if (request?.subtype === 'end_session') await host.until('result', 2);
		if (request) requests.set(String(line.request_id), request);
		if (line.type !== 'control_response') host.agent.send(line);
		if (line.type === 'user') said += 1;
	}
	// What ends in the background begins turns of its own.
	const results = recorded(scenario, 'stdout.ndjson').filter(({ type }) => type === 'result').length;
	// Sub-agents are waited for here unless the call says otherwise: one of the two ends within the first turn.
	await host.until('result', scenario === 'subagent_task' ? 2 : results);
	await host.end();
	return { host, asked, requests, [Symbol.asyncDispose]: () => host[Symbol.asyncDispose]() };
}

function answering(
	scenario: string,
	lines: readonly JsonObject[],
	asked: JsonObject[],
	waits: () => void,
): { readonly [subtype: string]: AnswerRequest } {
	const answers = lines.flatMap(({ type, response }) => (type === 'control_response' ? [response as JsonObject] : []));
	const next = (fits: (body: JsonObject) => boolean): JsonObject => {
		const at = answers.findIndex(
			({ response, subtype }) => subtype === 'error' || fits((response ?? {}) as JsonObject),
		);
		const [found] = at === -1 ? [] : answers.splice(at, 1);
		if (found?.subtype === 'error') throw new Error(String(found.error));
		return (found?.response ?? {}) as JsonObject;
	};
	const heard = (answer: AnswerRequest): AnswerRequest => {
		return (request, signal) => {
			asked.push(request);
			return answer(request, signal);
		};
	};
	const isInterrupted = lines.some(({ request }) => (request as JsonObject | undefined)?.subtype === 'interrupt');
	const isAsked = readFileSync(join(corpus, scenario, 'scenario.json'), 'utf8').includes('--permission-prompt-tool');
	const canUseTool: AnswerRequest = async (_, signal) => {
		waits();
		if (!isInterrupted) return next(({ behavior }) => behavior !== undefined);
		return await new Promise((resolve) => signal.addEventListener('abort', () => resolve({})));
	};
	return {
		// A host that did not want to be asked is not asked.
		...(isAsked ? { can_use_tool: heard(canUseTool) } : {}),
		hook_callback: heard(({ input }) =>
			next(
				({ hookSpecificOutput: own }) =>
					(own as JsonObject | undefined)?.hookEventName === (input as JsonObject).hook_event_name,
			),
		),
		mcp_message: heard(({ message }) => serverAnswer(message as JsonObject)),
		elicitation: heard(() => next(({ action }) => action !== undefined)),
	};
}

/** What a server of the host's own answers: it has one tool. */
export function serverAnswer({ id, method }: JsonObject): JsonObject {
	const results: { readonly [method: string]: JsonObject } = {
		initialize: {
			protocolVersion: '2025-11-25',
			capabilities: { tools: {} },
			serverInfo: { name: 'demo', version: '1.0.0' },
		},
		'tools/list': { tools: [{ name: 'add', description: 'adds', inputSchema: { type: 'object', properties: {} } }] },
		'tools/call': { content: [{ type: 'text', text: '3' }] },
	};
	return { mcp_response: { jsonrpc: '2.0', id: id ?? 0, result: results[String(method)] ?? {} } };
}
