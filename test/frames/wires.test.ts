/**
 * What the official SDK does with Claude Code, done with models that are none: the sixteen scenarios of a program that drives agents
 * through that SDK, by frames alone, with a strict server of each of the other protocols behind the client.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { AnswerRequest } from '../../src/frames/drive-process.ts';
import type { JsonObject } from '../../src/model/index.ts';
import type { ScriptTurnInput } from '../../src/providers/script.ts';
import { ClientStage, type Frame } from '../support/client.ts';
import { allow, Host } from '../support/host.ts';
import { type ModelRequestSeen, startModelServer } from '../support/model-server.ts';
import { envFor, modelNames } from '../support/model-server-ask.ts';
import { serverAnswer } from '../support/recorded-host.ts';

const others = {
	chat: 'openai-chat/gpt-4.1-mini',
	google: 'google/gemini-2.5-flash',
	ollama: 'ollama/llama3.3',
} as const;
type Wire = keyof typeof others;

const stage = new ClientStage();
afterAll(() => stage[Symbol.dispose]());

const call = (name: string, input: { [name: string]: string | number }) => ({
	content: [{ type: 'tool_use' as const, name, input }],
});
const bash = (command: string) => call('Bash', { command, description: 'scenario' });
/** The conversation that a request holds, in the words of its protocol. */
const said = (request: ModelRequestSeen | undefined): string =>
	JSON.stringify(request?.body.messages ?? request?.body.contents ?? null);

interface Scene extends AsyncDisposable {
	readonly requests: readonly ModelRequestSeen[];
	start(args?: readonly string[], answers?: { readonly [subtype: string]: AnswerRequest }): Host;
}

async function scene(wire: Wire, ...turns: readonly ScriptTurnInput[]): Promise<Scene> {
	const server = await startModelServer({ turns, strict: true });
	const env = envFor(server.url) as { readonly [name: string]: string };
	return {
		requests: server.requests,
		start: (args = [], answers = {}) => new Host(stage, { args: ['--model', modelNames[wire], ...args], answers, env }),
		[Symbol.asyncDispose]: () => server.close(),
	};
}

/** Ends the host: every frame fits its schema, all are of one session, and nothing that was sent breaks a rule of the API. */
async function wellFormed(host: Host, { requests }: Scene, results = 1): Promise<void> {
	expect(await host.end()).toBe(0);
	expect(host.parsed.filter(({ is }) => is !== 'frame')).toEqual([]);
	expect(new Set(host.frames.flatMap(({ session_id: id }) => (id === undefined ? [] : [id]))).size).toBe(1);
	expect(host.of('init').length).toBeGreaterThan(0);
	expect(host.of('result').length).toBe(results);
	expect(requests.filter(({ rejected }) => rejected !== undefined)).toEqual([]);
}

function blocks(host: Host, kind: 'assistant' | 'user'): readonly JsonObject[] {
	return host.of(kind).flatMap(({ message }) => {
		const { content } = message as { content: string | readonly JsonObject[] };
		return typeof content === 'string' ? [] : content;
	});
}

const results = (host: Host): readonly JsonObject[] =>
	blocks(host, 'user').filter(({ type }) => type === 'tool_result');

const scenarios: { readonly [name: string]: (wire: Wire) => Promise<void> } = {
	async plain(wire) {
		const content = [
			{ type: 'thinking' as const, thinking: 'pondering' },
			{ type: 'text' as const, text: 'Hello from the model.' },
		];
		await using here = await scene(wire, { content });
		await using host = here.start();
		await host.agent.request('initialize');
		const result = await host.turn('hi');
		expect(result).toMatchObject({ subtype: 'success', result: 'Hello from the model.' });
		expect((result.usage as JsonObject).output_tokens).toBeGreaterThan(0);
		await wellFormed(host, here);
		expect(blocks(host, 'assistant')).toMatchObject(content);
		expect(host.of('init')[0]).toMatchObject({ cwd: stage.cwd });
	},

	async tool_allow(wire) {
		await using here = await scene(wire, bash('touch made.txt && echo hi'), { text: 'finished' });
		const asked: JsonObject[] = [];
		const command = 'echo changed > made.txt; cat made.txt';
		await using host = here.start([], {
			can_use_tool: (request) => {
				asked.push(request);
				return { behavior: 'allow', updatedInput: { ...(request.input as JsonObject), command } };
			},
		});
		expect(await host.turn('go')).toMatchObject({ result: 'finished', num_turns: 2 });
		await wellFormed(host, here);
		expect(asked).toMatchObject([{ tool_name: 'Bash', input: { command: 'touch made.txt && echo hi' } }]);
		expect(readFileSync(stage.file('made.txt'), 'utf8')).toBe('changed\n');
		expect(results(host)).toMatchObject([{ tool_use_id: blocks(host, 'assistant')[0]?.id }]);
		expect(said(here.requests[1])).toContain('changed');
	},

	async tool_deny(wire) {
		await using here = await scene(wire, bash('touch denied.txt'), { text: 'ok will not' });
		await using host = here.start([], { can_use_tool: () => ({ behavior: 'deny', message: 'User said no' }) });
		const result = await host.turn('go');
		expect(result).toMatchObject({ result: 'ok will not', permission_denials: [{ tool_name: 'Bash' }] });
		await wellFormed(host, here);
		expect(existsSync(stage.file('denied.txt'))).toBe(false);
		expect(results(host)).toMatchObject([{ is_error: true, content: expect.stringContaining('User said no') }]);
		expect(said(here.requests[1])).toContain('User said no');
	},

	async interrupt(wire) {
		const slow = { text: 'long text that keeps going on and on '.repeat(20), chunkDelayMs: 100 };
		await using here = await scene(wire, slow, { text: 'after the interrupt' });
		await using host = here.start(['--include-partial-messages']);
		host.agent.say('the first prompt');
		await host.until('stream_event', 4);
		await host.agent.request('interrupt');
		const [first] = await host.until('result');
		expect([first?.subtype, first?.terminal_reason]).not.toEqual(['success', 'completed']);
		expect(await host.turn('again')).toMatchObject({ subtype: 'success', result: 'after the interrupt' });
		await wellFormed(host, here, 2);
		expect(said(here.requests.at(-1))).toContain('the first prompt');
	},

	async set_model(wire) {
		await using here = await scene(wire, { text: 'one' }, { text: 'two' });
		await using host = here.start();
		await host.turn('1');
		await host.agent.request('set_model', { model: others[wire] });
		await host.turn('2');
		await wellFormed(host, here, 2);
		const models = here.requests.map(({ path, body }) => `${path} ${String(body.model)}`);
		const name = (model: string): string => model.slice(model.indexOf('/') + 1);
		expect(models[0]).toContain(name(modelNames[wire]));
		expect(models[1]).toContain(name(others[wire]));
	},

	async permission_mode(wire) {
		const write = (name: string) => call('Write', { file_path: stage.file(name), content: 'x\n' });
		const [one, two] = [`${wire}-one.txt`, `${wire}-two.txt`];
		await using here = await scene(wire, write(one), { text: 'one' }, write(two), { text: 'two' });
		const asked: unknown[] = [];
		await using host = here.start([], {
			can_use_tool: (request, signal) => {
				asked.push((request.input as JsonObject).file_path);
				return allow(request, signal);
			},
		});
		await host.turn('1');
		await host.agent.request('set_permission_mode', { mode: 'acceptEdits' });
		await host.turn('2');
		await wellFormed(host, here, 2);
		expect(asked).toEqual([stage.file(one)]);
		expect([one, two].map((name) => existsSync(stage.file(name)))).toEqual([true, true]);
		expect(host.of('init').map(({ permissionMode: mode }) => mode)).toEqual(['default', 'acceptEdits']);
	},

	async hooks_pretooluse(wire) {
		const turns = [bash('echo original'), { text: 'finished' }];
		await using here = await scene(wire, ...turns, ...turns);
		const decisions = [
			{ permissionDecision: 'allow', updatedInput: { command: 'echo updated', description: 'scenario' } },
			{ permissionDecision: 'deny', permissionDecisionReason: 'hook says no' },
		];
		const seen: JsonObject[] = [];
		await using host = here.start([], {
			can_use_tool: () => ({ behavior: 'deny', message: 'nobody should be asked' }),
			hook_callback: ({ input }) => {
				const decided = decisions[seen.push(input as JsonObject) - 1];
				return { hookSpecificOutput: { hookEventName: 'PreToolUse', ...decided } };
			},
		});
		const hooks = { PreToolUse: [{ matcher: 'Bash', hookCallbackIds: ['mine'] }] };
		await host.agent.request('initialize', { hooks });
		await host.turn('1');
		expect(await host.turn('2')).toMatchObject({ result: 'finished' });
		await wellFormed(host, here, 2);
		expect(seen[0]).toMatchObject({ hook_event_name: 'PreToolUse', tool_input: { command: 'echo original' } });
		expect(results(host)).toMatchObject([
			{ content: expect.stringContaining('updated') },
			{ is_error: true, content: expect.stringContaining('hook says no') },
		]);
	},

	async partial_messages(wire) {
		const text = 'Hello streaming world, this text comes in several pieces.';
		await using here = await scene(wire, { text });
		await using host = here.start(['--include-partial-messages']);
		await host.turn('hi');
		await wellFormed(host, here);
		const events = host.of('stream_event').map(({ event }) => event as { type: string; delta?: { text?: string } });
		expect(events.map(({ type }) => type).filter((type, at, all) => type !== all[at - 1])).toEqual([
			...['message_start', 'content_block_start', 'content_block_delta', 'content_block_stop'],
			...['message_delta', 'message_stop'],
		]);
		const deltas = events.flatMap(({ type, delta }) => (type === 'content_block_delta' ? [delta?.text] : []));
		expect([deltas.length > 1, deltas.join('')]).toEqual([true, text]);
	},

	async multi_turn(wire) {
		await using here = await scene(wire, { text: 'first answer' }, { text: 'second answer' });
		await using host = here.start();
		expect(await host.turn('1')).toMatchObject({ result: 'first answer' });
		expect(await host.turn('2')).toMatchObject({ result: 'second answer' });
		await wellFormed(host, here, 2);
		expect(said(here.requests.at(-1))).toContain('first answer');
	},

	async resume(wire) {
		await using here = await scene(wire, bash('echo heron-result'), { text: 'noted' }, { text: 'still here' });
		await using first = here.start([], { can_use_tool: allow });
		const { session_id: id } = await first.turn('remember the heron');
		await wellFormed(first, here);
		await using second = here.start(['--resume', String(id)]);
		expect(await second.turn('and?')).toMatchObject({ result: 'still here', session_id: id });
		await wellFormed(second, here);
		for (const text of ['remember the heron', 'heron-result', 'noted'])
			expect(said(here.requests.at(-1))).toContain(text);
	},

	async fork(wire) {
		await using here = await scene(wire, { text: 'trunk answer' }, { text: 'branch answer' }, { text: 'back' });
		const turn = async (args: readonly string[]): Promise<Frame> => {
			await using host = here.start(args);
			const result = await host.turn('go');
			await wellFormed(host, here);
			return result;
		};
		const id = String((await turn([])).session_id);
		const forked = await turn(['--resume', id, '--fork-session']);
		expect(forked.session_id).not.toBe(id);
		expect(said(here.requests.at(-1))).toContain('trunk answer');
		await turn(['--resume', id]);
		expect(said(here.requests.at(-1))).toContain('trunk answer');
		expect(said(here.requests.at(-1))).not.toContain('branch answer');
	},

	async session_store_mirror(wire) {
		await using here = await scene(wire, bash('echo otter-result'), { text: 'noted' }, { text: 'still here' });
		await using first = here.start(['--session-mirror'], { can_use_tool: allow });
		const { session_id: id } = await first.turn('remember the otter');
		const atResult = first.of('transcript_mirror').length;
		await wellFormed(first, here);
		expect(atResult).toBeGreaterThan(0);
		const mirrored = first.of('transcript_mirror') as unknown as readonly { filePath: string; entries: JsonObject[] }[];
		const path = String(mirrored[0]?.filePath);
		const entries = mirrored.flatMap((one) => (one.filePath === path ? one.entries : []));
		// What was mirrored is all that is left.
		rmSync(path);
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
		await using second = here.start(['--resume', String(id)]);
		expect(await second.turn('and?')).toMatchObject({ result: 'still here', session_id: id });
		await wellFormed(second, here);
		for (const text of ['remember the otter', 'otter-result']) expect(said(here.requests.at(-1))).toContain(text);
	},

	async subagent(wire) {
		const task = { description: 'Look around', subagent_type: 'general-purpose', prompt: 'the inner task' };
		const inner = { when: { first: 'the inner task' } };
		await using here = await scene(
			wire,
			{ ...inner, ...call('Read', { file_path: stage.file('a.txt') }) },
			{ ...inner, text: 'sub report' },
			call('Task', task),
			{ text: 'main finished' },
		);
		await using host = here.start([], { can_use_tool: allow });
		expect(await host.turn('delegate')).toMatchObject({ result: 'main finished' });
		await wellFormed(host, here);
		const use = blocks(host, 'assistant').find(({ name }) => name === 'Task');
		expect(host.frames.some(({ parent_tool_use_id: parent }) => parent === use?.id)).toBe(true);
		const report = results(host).find(({ tool_use_id: of }) => of === use?.id);
		expect(JSON.stringify(report)).toContain('sub report');
		expect(here.requests.map(said).some((text) => text.includes('inner task') && !text.includes('delegate'))).toBe(
			true,
		);
	},

	async max_turns(wire) {
		const read = call('Read', { file_path: stage.file('a.txt') });
		await using here = await scene(wire, read, read, { text: 'too late' });
		await using host = here.start(['--max-turns', '1'], { can_use_tool: allow });
		expect(await host.turn('go')).toMatchObject({ subtype: 'error_max_turns', is_error: true });
		expect(here.requests.length).toBeLessThanOrEqual(2);
	},

	async api_error(wire) {
		const error = { status: 400, type: 'invalid_request_error', message: 'scripted failure' };
		await using here = await scene(wire, { error });
		await using host = here.start();
		const result = await host.turn('go');
		expect(result.is_error).toBe(true);
		expect(JSON.stringify(result)).toContain('scripted failure');
	},

	async mcp_sdk_server(wire) {
		await using here = await scene(wire, call('mcp__demo__add', { a: 1, b: 2 }), { text: 'finished' });
		const got: JsonObject[] = [];
		await using host = here.start(['--allowedTools', 'mcp__demo__add'], {
			mcp_message: ({ message }) => {
				got.push(message as JsonObject);
				return serverAnswer(message as JsonObject);
			},
		});
		await host.agent.request('initialize', { sdkMcpServers: ['demo'] });
		expect(await host.turn('add')).toMatchObject({ result: 'finished' });
		await wellFormed(host, here);
		expect(JSON.stringify(here.requests[0]?.body.tools)).toContain('mcp__demo__add');
		expect(got.filter(({ method }) => method === 'tools/call')).toMatchObject([
			{ params: { name: 'add', arguments: { a: 1, b: 2 } } },
		]);
		expect(JSON.stringify(results(host))).toContain('3');
		expect(host.of('init')[0]).toMatchObject({ mcp_servers: [{ name: 'demo' }] });
	},
};

describe.each(Object.keys(others) as readonly Wire[])('with a model that is asked by %s', (wire) => {
	it.each(Object.keys(scenarios))('%s is as the SDK expects it', async (name) => {
		await scenarios[name]?.(wire);
	});
});
