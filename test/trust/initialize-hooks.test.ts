/** A driver that asks for hooks is told that there are none, and no tool runs without them. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { ClientStage, framesIn } from '../support/client.ts';

const stage = new ClientStage();
afterAll(() => stage[Symbol.dispose]());

const streaming = ['--input-format', 'stream-json', '--output-format', 'stream-json', '--permission-mode'];
const initialize = (hooks: unknown) => ({
	type: 'control_request',
	request_id: 'r1',
	request: { subtype: 'initialize', hooks },
});
const prompt = { type: 'user', message: { role: 'user', content: 'make a file' } };
const lines = (...frames: readonly object[]) => frames.map((frame) => `${JSON.stringify(frame)}\n`).join('');

function touching(file: string): readonly string[] {
	const call = { type: 'tool_use' as const, name: 'Bash', input: { command: `touch ${stage.file(file)}` } };
	const script = stage.script([{ content: [call] }, { text: 'made' }]);
	return ['-p', ...streaming, 'bypassPermissions', '--script', script];
}

describe('initialize', () => {
	it('with a hook that would deny a tool is refused with the reason, and nothing runs', async () => {
		const hooks = { PreToolUse: [{ matcher: 'Bash', hookCallbackIds: ['hook_0'] }] };
		const { code, out, err } = await stage.run(touching('hooked'), { input: lines(initialize(hooks), prompt) });
		expect(framesIn(out)).toMatchObject([
			{ type: 'control_response', response: { subtype: 'error', request_id: 'r1' } },
		]);
		expect(out).toContain('asks for hooks (PreToolUse)');
		expect(err).toContain('reprise: initialize asks for hooks (PreToolUse)');
		expect(code).toBe(1);
		expect(existsSync(stage.file('hooked'))).toBe(false);
	});

	it('that is refused ends the client, also while the driver keeps its end open', async () => {
		const hooks = { PreToolUse: [{ matcher: 'Bash', hookCallbackIds: ['hook_0'] }] };
		const child = stage.start(touching('waiting'));
		child.stdin.write(lines(initialize(hooks), prompt));
		const [code] = await once(child, 'exit');
		expect(code).toBe(1);
	});

	it.each([
		['no hooks', undefined],
		['null', null],
		['an empty object', {}],
		['an event without matchers', { PreToolUse: [] }],
	])('with %s goes on', async (_, hooks) => {
		const { code, out } = await stage.run(touching('fine'), { input: lines(initialize(hooks), prompt) });
		expect(code).toBe(0);
		expect(framesIn(out)[0]).toMatchObject({ type: 'control_response', response: { subtype: 'success' } });
		expect(existsSync(stage.file('fine'))).toBe(true);
	});
});
