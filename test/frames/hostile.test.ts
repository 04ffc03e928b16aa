/** Lines that nobody should send: the client answers what is right among them, says what is wrong, and never ends because of them. */
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { controlNames } from '../../src/cli/driven/controls.ts';
import { parseFrame } from '../../src/frames/parse.ts';
import { ClientStage, type Frame } from '../support/client.ts';
import { Host } from '../support/host.ts';

const stage = new ClientStage();
afterAll(() => stage[Symbol.dispose]());

/** The full number takes several seconds. */
const full = process.env.REPRISE_FUZZ === 'full';
const lines = full ? 100_000 : 3_000;

const word = fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'toString', '', '\u0000', '\ud800'));
/** Those that end something, ask the model, or change how prompts are answered on purpose are sent in a test of their own. */
const steering = new Set([
	...['end_session', 'interrupt', 'initialize', 'side_question', 'generate_session_title', 'set_permission_mode'],
	...['apply_flag_settings', 'background_tasks', 'set_model'],
]);
const subtype = fc.oneof(fc.constantFrom(...controlNames.filter((name) => !steering.has(name))), word);
const fields = Object.fromEntries(
	[
		...[
			'mode',
			'task_id',
			'title',
			'settings',
			'serverName',
			'server_name',
			'message',
			'tool',
			'uri',
			'query',
			'encoding',
		],
		...[
			'max_bytes',
			'max_thinking_tokens',
			'user_message_id',
			'message_uuid',
			'enabled',
			'mtime',
			'tool_use_id',
			'hooks',
		],
		...['agents', 'sdkMcpServers', 'sdkMcpServerConfigs', 'systemPrompt', 'question'],
	].map((name) => [name, fc.jsonValue()] as const),
);
/** Modes and prompts are left out: what is right is sent beside these lines, and has to be answered as always. */
const request = fc.record({
	type: fc.constantFrom(
		'control_request',
		'control_response',
		'control_cancel_request',
		'keep_alive',
		'tool_call',
		'x',
	),
	request_id: fc.oneof(fc.constantFrom('dup', 'dup2'), word, fc.jsonValue()),
	request: fc.oneof(fc.record({ subtype, ...fields }), fc.jsonValue()),
	response: fc.oneof(fc.record({ subtype: word, request_id: word, response: fc.jsonValue() }), fc.jsonValue()),
});
const line = fc.oneof(
	{ weight: 5, arbitrary: request.map((value) => JSON.stringify(value)) },
	{ weight: 2, arbitrary: fc.json() },
	{ weight: 2, arbitrary: fc.string().map((text) => text.replaceAll(/[\r\n]/g, ' ')) },
	{ weight: 1, arbitrary: request.map((value) => JSON.stringify(value).slice(0, -3)) },
	{
		weight: 1,
		arbitrary: fc.constantFrom(
			'null',
			'[]',
			'{}',
			'{"type":5}',
			'{"type":"user"}',
			'{"type":"user","message":{"content":5}}',
		),
	},
);

interface Answer {
	readonly request_id: string;
	readonly subtype: string;
	readonly response?: unknown;
}

it(
	`${lines} hostile lines: no crash, no hang, and every right frame gets its right answer`,
	async () => {
		// A command runs while the lines come.
		const content = [{ type: 'tool_use' as const, name: 'Bash', input: { command: 'sleep 0.5; echo ran' } }];
		const script = stage.script({ turns: [{ content }, { text: 'first' }], default: { text: 'again' } });
		const flags = ['--input-format', 'stream-json', '--output-format', 'stream-json'];
		const child = stage.start(['--script', script, '--permission-mode', 'bypassPermissions', ...flags]);
		const frames: Frame[] = [];
		let odd = 0;
		const reader = createInterface({ input: child.stdout });
		reader.on('line', (text) => {
			const parsed = parseFrame(text);
			if (parsed.is !== 'frame') odd += 1;
			frames.push(JSON.parse(text) as Frame);
		});
		child.stderr.resume();
		const closed = once(child, 'close');
		const send = async (text: string): Promise<void> => {
			if (!child.stdin.write(`${text}\n`)) await once(child.stdin, 'drain');
		};
		await send(JSON.stringify({ type: 'user', message: { role: 'user', content: 'one' } }));
		const hostile = fc.sample(line, { numRuns: lines, seed: 20 });
		const right: string[] = [];
		for (const [index, text] of hostile.entries()) {
			await send(text);
			if (index % 250 !== 0) continue;
			const id = `right-${index}`;
			right.push(id);
			await send(
				JSON.stringify({ type: 'control_request', request_id: id, request: { subtype: 'get_binary_version' } }),
			);
		}
		const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
		await send(deep);
		await send(`{"type":"control_request","request_id":"deep","request":{"subtype":"x","y":${deep}}}`);
		await send(
			JSON.stringify({ type: 'control_request', request_id: 'huge', request: { subtype: 'y'.repeat(5_000_000) } }),
		);
		await send(JSON.stringify({ type: 'user', message: { role: 'user', content: 'two' } }));
		child.stdin.end();
		const [code] = (await closed) as [number | null];
		expect(code).toBe(0);
		expect(odd).toBe(0);
		expect(frames.filter(({ type }) => type === 'result').map(({ subtype: how, result }) => [how, result])).toEqual([
			['success', 'first'],
			['success', 'again'],
		]);
		const answers = new Map(
			frames.flatMap((frame) => {
				const { response } = frame as unknown as { response?: Answer };
				return frame.type === 'control_response' && response ? [[response.request_id, response] as const] : [];
			}),
		);
		expect(right.filter((id) => answers.get(id)?.subtype !== 'success')).toEqual([]);
		expect(new Set(right.map((id) => JSON.stringify(answers.get(id)?.response))).size).toBe(1);
		expect(answers.get(right[0] ?? '')?.response).toMatchObject({ version: expect.any(String) });
		expect([answers.get('deep')?.subtype, answers.get('huge')?.subtype]).toEqual(['error', 'error']);
		expect(JSON.stringify(frames.filter(({ type }) => type === 'user'))).toContain('ran');
		expect(frames.some(({ tag }) => tag === 'bad_input')).toBe(true);
	},
	full ? 600_000 : 60_000,
);

it('every request with any values while a tool runs: each is answered once, and the client still answers prompts', async () => {
	const content = [{ type: 'tool_use' as const, name: 'Bash', input: { command: 'sleep 1' } }];
	await using one = new Host(stage, {
		script: { turns: [{ content }], default: { text: 'still here' } },
		args: ['--permission-mode', 'bypassPermissions'],
	});
	one.agent.say('go');
	await one.until('assistant');
	const bodies = fc.sample(fc.record({ ...fields }), { numRuns: 3, seed: 21 });
	// Whoever names hooks that cannot be called is refused, and the client ends: that is told elsewhere.
	const names = controlNames.filter((name) => name !== 'end_session' && name !== 'remote_control');
	const sent = names.flatMap((name) =>
		bodies.map(({ hooks: _, ...body }, index) => ({ id: `${name} ${index}`, request: { ...body, subtype: name } })),
	);
	for (const { id, request: body } of sent)
		one.agent.send({ type: 'control_request', request_id: id, request: body as never });
	const answered = () => one.of('control_response').map(({ response }) => (response as unknown as Answer).request_id);
	await one.until('control_response', sent.length);
	expect(answered().toSorted()).toEqual(sent.map(({ id }) => id).toSorted());
	await one.agent.request('set_permission_mode', { mode: 'default' });
	expect(await one.turn('anybody?')).toMatchObject({ type: 'result' });
	expect([0, 1]).toContain(await one.end());
	expect(one.parsed.filter(({ is }) => is !== 'frame')).toEqual([]);
}, 120_000);
