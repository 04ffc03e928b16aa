/** A host that asks for hooks that are never called is told so; no tool runs when nobody is left who could be asked about it. */
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
	it('with events that no hook is called for goes on, with one warning that names them', async () => {
		const group = [{ matcher: 'Bash', hookCallbackIds: ['hook_0'] }];
		const hooks = { PreModelSwitch: group, Elicitation: group, FromTheFuture: group, Setup: [] };
		const { code, out } = await stage.run(touching('hooked'), { input: lines(initialize(hooks), prompt) });
		const frames = framesIn(out);
		expect(frames.find(({ type }) => type === 'control_response')).toMatchObject({ response: { subtype: 'success' } });
		expect(frames.filter(({ subtype }) => subtype === 'informational')).toMatchObject([
			{
				content: 'Reprise calls no hooks for PreModelSwitch, Elicitation, FromTheFuture',
				level: 'warning',
				tag: 'hooks_not_called',
			},
		]);
		expect(code).toBe(0);
		expect(existsSync(stage.file('hooked'))).toBe(true);
	});

	it('with a hook whose host is gone when it has to be asked stops the tool', async () => {
		const hooks = { PreToolUse: [{ matcher: 'Bash', hookCallbackIds: ['hook_0'] }] };
		const { out } = await stage.run(touching('gone'), { input: lines(initialize(hooks), prompt) });
		expect(out).toContain('PreToolUse:Bash hook error');
		expect(existsSync(stage.file('gone'))).toBe(false);
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
