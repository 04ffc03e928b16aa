/** The state follows from what happens, in whatever pieces it comes. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../agent/events.ts';
import type { AssistantMessage } from '../model/index.ts';
import { reduce } from './reduce.ts';
import { blocksOf } from './reply-blocks.ts';
import { type Action, type Block, newState, type State } from './state.ts';
import { plainTheme } from './theme.ts';
import { liveRows } from './views/live.ts';

const usage = {
	input: 10,
	output: 5,
	cacheRead: 0,
	cacheWrite: 0,
	totalTokens: 15,
	cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0.5 },
};

function message(content: AssistantMessage['content']): AssistantMessage {
	return { role: 'assistant', content, api: 'a', provider: 'p', model: 'm', usage, stopReason: 'stop', timestamp: 1 };
}

const events = (...list: readonly AgentEvent[]): readonly Action[] => list.map((event) => ({ type: 'event', event }));

function stateAfter(actions: readonly Action[], state: State = newState(0)): State {
	return actions.reduce(reduce, state);
}

/** A reply in pieces of these sizes. */
function streamed(text: string, sizes: readonly number[]): readonly Action[] {
	const partial = message([]);
	const pieces: string[] = [];
	let at = 0;
	for (let turn = 0; at < text.length; turn += 1) {
		const size = sizes[turn % sizes.length] ?? 1;
		pieces.push(text.slice(at, at + size));
		at += size;
	}
	const whole = message([{ type: 'text', text }]);
	return events(
		{ type: 'message_start', message: partial },
		{
			type: 'message_update',
			message: partial,
			assistantMessageEvent: { type: 'text_start', contentIndex: 0, partial },
		},
		...pieces.map(
			(delta): AgentEvent => ({
				type: 'message_update',
				message: partial,
				assistantMessageEvent: { type: 'text_delta', contentIndex: 0, delta, partial },
			}),
		),
		{
			type: 'message_update',
			message: partial,
			assistantMessageEvent: { type: 'text_end', contentIndex: 0, content: text, partial },
		},
		{ type: 'message_end', message: whole },
	);
}

const samples = [
	'One line.',
	'# Title\n\nA paragraph\nof two lines.\n\n```js\nconst a = 1;\n\nconst b = 2;\n```\n\nAfter.\n',
	'- one\n- two\n\n  more of two\n\n1. a\n2. b\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n> quoted\n\nend',
	'~~~\nopen fence that never closes\n\nand more',
	'日本語の段落。\n\n🙂 emoji\n\n***\n\n    indented code\n\nend\n',
];

describe('the console’s state', () => {
	it('a reply becomes the same blocks however it is cut into pieces', () => {
		const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 });
		fc.assert(
			fc.property(fc.constantFrom(...samples), sizes, (text, cut) => {
				const { blocks, live } = stateAfter(streamed(text, cut));
				expect(blocks.map((block) => (block.kind === 'reply' ? block.text : ''))).toEqual(blocksOf(text));
				expect(live.reply).toBe('');
			}),
		);
	});

	it('a block is finished as soon as the next one begins, and only the last one is live', () => {
		const actions = streamed('First.\n\nSecond.\n\nThird', [8]).slice(0, -2);
		const { blocks, live } = stateAfter(actions);
		expect(blocks).toEqual([
			{ kind: 'reply', text: 'First.', first: true },
			{ kind: 'reply', text: 'Second.', first: false },
		]);
		expect(live.reply).toBe('Third');
	});

	it('a reply that did not stream is taken from its end', () => {
		const whole = message([
			{ type: 'thinking', thinking: 'hm' },
			{ type: 'text', text: 'Yes.' },
		]);
		expect(stateAfter(events({ type: 'message_end', message: whole })).blocks).toEqual([
			{ kind: 'thinking', text: 'hm' },
			{ kind: 'reply', text: 'Yes.', first: true },
		]);
	});

	it('calls are finished in their order, whichever ends first', () => {
		const start = (id: string): AgentEvent => ({
			type: 'tool_execution_start',
			toolCallId: id,
			toolName: 'Read',
			args: { file_path: id },
		});
		const end = (id: string): AgentEvent => ({
			type: 'tool_execution_end',
			toolCallId: id,
			toolName: 'Read',
			result: { content: [{ type: 'text', text: `of ${id}` }] },
			isError: false,
		});
		const half = stateAfter(events(start('a'), start('b'), end('b')));
		expect(half.blocks).toEqual([]);
		const whole = stateAfter(events(end('a')), half);
		expect(whole.blocks.map((block) => block.kind === 'tool' && [block.subject, block.output])).toEqual([
			['a', 'of a'],
			['b', 'of b'],
		]);
		expect(whole.live.tools).toEqual([]);
	});

	it('a result without a beginning still gives a right state', () => {
		const ended: AgentEvent = {
			type: 'tool_execution_end',
			toolCallId: 'x',
			toolName: 'Bash',
			result: { content: [] },
			isError: true,
		};
		expect(stateAfter(events(ended)).blocks).toMatchObject([{ kind: 'tool', name: 'Bash', isError: true }]);
	});

	it('an interrupted run leaves nothing live, and says so', () => {
		const open = stateAfter([{ type: 'busy', busy: true }, ...streamed('Half a sent', [4]).slice(0, -2)]);
		const result = { outcome: 'interrupted', text: '', problem: 'interrupted' } as never;
		const { blocks, live, busySince } = reduce(open, { type: 'result', result });
		expect(blocks.map((block: Block) => block.kind)).toEqual(['reply', 'note']);
		expect([live.reply, live.tools, busySince]).toEqual(['', [], undefined]);
	});

	it('a hint and a retry are gone when their time is over', () => {
		const told = reduce(newState(0), { type: 'hint', text: 'again', forMs: 1000 });
		expect(reduce(told, { type: 'tick', now: 900 }).status.hint?.text).toBe('again');
		expect(reduce(told, { type: 'tick', now: 1001 }).status.hint).toBeUndefined();
		const failure = { message: 'It is overloaded.' };
		const retry = { type: 'retry', failure, waitMs: 30_000, attempt: 1, of: 5 } as never;
		const waits = stateAfter(
			[
				{ type: 'busy', busy: true },
				{ type: 'loop', event: retry },
			],
			newState(0),
		);
		const shown = (now: number) =>
			liveRows(reduce(waits, { type: 'tick', now }), { width: 80, height: 20 }, plainTheme).join('\n');
		expect(shown(10)).toContain('It is overloaded. Trying again in 30s (1 of 5).');
		expect(shown(28_500)).toContain('Trying again in 2s');
		expect(shown(30_001)).not.toContain('Trying');
	});

	it('tokens and cost add up', () => {
		const twice = stateAfter([...streamed('a', [1]), ...streamed('b', [1])]);
		expect(twice.status).toMatchObject({ tokens: 15, costUsd: 1 });
	});
});
