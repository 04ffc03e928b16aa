/** Neutral sessions made up by fast-check, to be written in any format. */
import fc from 'fast-check';
import type { Block, Entry, Header, MessageEntry, ToolCallBlock, Usage } from '../../src/model/index.ts';

export interface MadeSession {
	readonly id: string;
	readonly header: Header;
	readonly entries: readonly Entry[];
}

const word = fc.oneof(
	fc.string({ minLength: 1, maxLength: 30 }),
	fc.constantFrom('Read the file', 'größer 日本 🎉', 'line\nline\ttab', '"quoted" \\ back', '<user_input>', '\u2028'),
);
/** Text with something in it: no API takes a blank one. */
export const someText = word.map((text) => (text.trim() === '' ? 'x' : text));

const json = fc.oneof(
	fc.record({ path: someText }),
	fc.record({ command: someText, timeout: fc.integer({ min: 0, max: 1e9 }) }),
	fc.dictionary(fc.constantFrom('a', 'b', 'c', 'path'), fc.oneof(someText, fc.integer(), fc.boolean()), { maxKeys: 3 }),
);

const usage: fc.Arbitrary<Usage> = fc.record({
	input: fc.nat(100_000),
	output: fc.nat(10_000),
	cacheRead: fc.nat(100_000),
	cacheWrite5m: fc.nat(10_000),
	cacheWrite1h: fc.constant(0),
});

interface Step {
	readonly thinking?: string | undefined;
	readonly text?: string | undefined;
	readonly calls: readonly {
		readonly name: string;
		readonly input: { readonly [key: string]: string | number | boolean };
		readonly output: string;
		readonly isError: boolean;
	}[];
	readonly usage: Usage;
}

const step: fc.Arbitrary<Step> = fc.record({
	thinking: fc.option(someText, { nil: undefined }),
	text: fc.option(someText, { nil: undefined }),
	calls: fc.array(
		fc.record({
			name: fc.constantFrom('Read', 'Bash', 'mcp__srv__do', 'edit'),
			input: json as fc.Arbitrary<Step['calls'][number]['input']>,
			output: someText,
			isError: fc.boolean(),
		}),
		{ maxLength: 3 },
	),
	usage,
});

const turn = fc.record({
	prompt: someText,
	image: fc.boolean(),
	steps: fc.array(step, { minLength: 1, maxLength: 3 }),
});

/** A linear conversation that every format can hold in some way, with times, ids, models and usage. */
export const conversation: fc.Arbitrary<MadeSession> = fc
	.record({
		uuid: fc.uuid({ version: 4 }),
		title: fc.option(someText, { nil: undefined }),
		turns: fc.array(turn, { minLength: 1, maxLength: 4 }),
	})
	.map(({ uuid, title, turns }) => {
		const maker = entryMaker(uuid);
		if (title !== undefined) maker.beside({ kind: 'setting', set: { title } });
		for (const one of turns) {
			const content: Block[] = [{ type: 'text', text: one.prompt }];
			if (one.image) content.push({ type: 'image', mime: 'image/png', data: { base64: 'iVBORw0KGgo=' } });
			maker.message({ role: 'user', content });
			one.steps.forEach((made, index) => {
				addStep(maker, made, index === one.steps.length - 1);
			});
		}
		const header: Header = {
			id: uuid,
			cwd: '/home/dev/project',
			created: '2026-01-02T03:04:05.000Z',
			version: '2.1.29',
			model: 'claude-sonnet-4-5',
			provider: 'anthropic',
			...(title === undefined ? {} : { title }),
		};
		return { id: uuid, header, entries: maker.entries };
	});

function addStep(maker: ReturnType<typeof entryMaker>, made: Step, last: boolean): void {
	const calls = last ? [] : made.calls;
	const content: Block[] = [];
	if (made.thinking !== undefined) content.push({ type: 'thinking', text: made.thinking, signature: 'c2lnbmF0dXJl' });
	if (made.text !== undefined || calls.length === 0) content.push({ type: 'text', text: made.text ?? 'done' });
	const made_ = calls.map(
		(call): ToolCallBlock => ({ type: 'tool_call', id: maker.callId(), name: call.name, input: call.input }),
	);
	maker.message({
		role: 'assistant',
		content: [...content, ...made_],
		response: {
			id: maker.responseId(),
			request: maker.requestId(),
			provider: 'anthropic',
			api: 'anthropic-messages',
			model: 'claude-sonnet-4-5',
			stop: calls.length > 0 ? 'tool' : 'end',
			usage: made.usage,
			costUsd: 0.0123,
		},
	});
	made_.forEach((call, index) => {
		const result = calls[index] as Step['calls'][number];
		maker.message({
			role: 'user',
			content: [
				{
					type: 'tool_result',
					call: call.id,
					name: call.name,
					content: [{ type: 'text', text: result.output }],
					isError: result.isError,
				},
			],
		});
	});
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

function entryMaker(id: string) {
	const entries: Entry[] = [];
	let count = 0;
	let calls = 0;
	let responses = 0;
	let last: string | null = null;
	const start = Date.parse('2026-01-02T03:04:05.000Z');
	const next = () => {
		count += 1;
		return {
			id: `${id.slice(0, 24)}${count.toString(16).padStart(12, '0')}`,
			time: new Date(start + count * 1000).toISOString(),
			records: [],
		};
	};
	return {
		entries,
		message(fields: Omit<MessageEntry, 'kind' | 'id' | 'records' | 'parent' | 'time'>) {
			const base = next();
			entries.push({ ...base, parent: last, kind: 'message', ...fields });
			last = base.id;
		},
		beside(fields: DistributiveOmit<Entry, 'id' | 'records' | 'parent' | 'time'>) {
			entries.push({ ...next(), ...fields } as Entry);
		},
		callId: () => `toolu_${(calls++).toString(36).padStart(6, '0')}`,
		responseId: () => `msg_${(responses++).toString(36).padStart(6, '0')}`,
		requestId: () => `req_${responses.toString(36).padStart(6, '0')}`,
	};
}
