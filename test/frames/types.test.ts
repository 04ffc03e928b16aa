/** What the compiler knows of frames, and that it knows better than to refuse at run time what it does not know. */
import { join } from 'node:path';
import { afterAll, expect, expectTypeOf, it } from 'vitest';
import {
	type Answers,
	type DrivenProcess,
	driveProcess,
	parseFrame,
	type Question,
	type RequestName,
} from '../../src/frames/index.ts';
import { ClientStage } from '../support/client.ts';

const stage = new ClientStage();
afterAll(() => stage[Symbol.dispose]());
const bin = join(import.meta.dirname, '../../bin/reprise.js');

it('who answers a question is told what is asked, and a question that nobody asks is refused by the compiler', () => {
	const answers: Answers = {
		can_use_tool: ({ tool_name, tool_use_id, description, input }) => {
			expectTypeOf(tool_name).toEqualTypeOf<string>();
			expectTypeOf(tool_use_id).toEqualTypeOf<string>();
			expectTypeOf(description).toEqualTypeOf<string | undefined>();
			return { behavior: 'allow', updatedInput: input };
		},
		hook_callback: ({ callback_id, input }) => ({ systemMessage: `${callback_id} at ${input.hook_event_name}` }),
		mcp_message: ({ server_name, message }) => ({ mcp_response: { ...message, server_name } }),
	};
	// @ts-expect-error: a slip of the pen
	const slip: Answers = { can_use_tol: () => ({}) };
	expect(Object.keys({ ...answers, ...slip })).toHaveLength(4);
	type Asked = 'can_use_tool' | 'elicitation' | 'hook_callback' | 'mcp_message' | 'request_user_dialog';
	expectTypeOf<Question>().toEqualTypeOf<Asked>();
});

it('a request has the fields that it needs, and its answer those that it has; what is not known is one to send', async () => {
	const args = [bin, '--script', stage.script([{ text: 'a' }])];
	await using one: DrivenProcess = driveProcess({ command: process.execPath, args, cwd: stage.cwd, env: stage.env });
	const { mode } = await one.request('set_permission_mode', { mode: 'plan' });
	expectTypeOf(mode).toEqualTypeOf<string>();
	const { version } = await one.request('get_binary_version');
	expect([mode, version]).toEqual(['plan', '2.1.325']);
	// @ts-expect-error: it has no mode
	await expect(one.request('set_permission_mode', {})).rejects.toThrow('mode is missing');
	// @ts-expect-error: nobody knows it
	await expect(one.request('get_statsu')).rejects.toThrow('Unsupported');
	expectTypeOf<'set_color'>().not.toExtend<RequestName>();
	one.send({ type: 'control_request', request_id: 'mine', request: { subtype: 'set_color' } });
	for await (const parsed of one.frames) {
		if (parsed.is !== 'frame' || parsed.family !== 'control_response') continue;
		expect(parsed.frame.response).toMatchObject({ subtype: 'error', request_id: 'mine' });
		break;
	}
});

const assistant = (content: object) => {
	const message = {
		id: 'm',
		role: 'assistant',
		model: 'x',
		content: [content],
		usage: { input_tokens: 1, output_tokens: 1 },
	};
	return parseFrame(
		JSON.stringify({ type: 'assistant', message, parent_tool_use_id: null, uuid: 'u', session_id: 's' }),
	);
};

it('a block of a reply is narrowed by its type: one of an unknown type passes, and a known one in an unknown shape is odd', () => {
	const parsed = assistant({ type: 'tool_use', id: 'c', name: 'Read', input: { file_path: 'a' } });
	if (parsed.is !== 'frame' || parsed.family !== 'assistant') throw new Error(`it is ${parsed.is}`);
	const [block] = parsed.frame.message.content;
	if (block?.type !== 'tool_use') throw new Error('it is no call');
	expectTypeOf(block.name).toEqualTypeOf<string>();
	expect(block.name).toBe('Read');
	expect(assistant({ type: 'from_the_future', x: 1 })).toMatchObject({ is: 'frame', family: 'assistant' });
	expect(assistant({ type: 'text', text: 5 })).toMatchObject({ is: 'odd', family: 'assistant' });
});

it('how a turn ended is one of the words that are known, and another word passes', () => {
	const nothing = {
		duration_ms: 1,
		duration_api_ms: 1,
		num_turns: 0,
		total_cost_usd: 0,
		modelUsage: {},
		permission_denials: [],
	};
	const usage = { input_tokens: 0, output_tokens: 0 };
	const result = { type: 'result', is_error: true, stop_reason: null, ...nothing, usage, uuid: 'u', session_id: 's' };
	const read = (subtype: string) => parseFrame(JSON.stringify({ ...result, subtype }));
	const parsed = read('error_max_turns');
	if (parsed.is !== 'frame' || parsed.family !== 'result') throw new Error(`it is ${parsed.is}`);
	// @ts-expect-error: a slip of the pen
	expect(parsed.frame.subtype === 'error_max_turn').toBe(false);
	expect(parsed.frame.subtype === 'error_max_turns').toBe(true);
	expect(read('error_from_the_future')).toMatchObject({ is: 'frame', family: 'result' });
});
