/** Laws of reading: what each record, block and field of a messages document means. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { corpusFiles } from '../../../../test/support/corpus.ts';
import { type Entry, type Json, type MessageEntry, type Session, usageOf } from '../../../model/index.ts';
import { decodeBytes } from '../../shared/read/read.ts';
import { cline } from '../index.ts';

const document = (messages: readonly Json[], head: object = {}): Session =>
	decodeBytes(cline, Buffer.from(JSON.stringify({ version: 1, agent: 'lead', sessionId: 's', ...head, messages })));

const recorded = (scenario: string, role: 'main' | 'subagent' = 'main'): Session => {
	const file = corpusFiles('cline').find((one) => one.scenario === scenario && one.role === role);
	if (!file) throw new Error(`no ${scenario} in the corpus`);
	return decodeBytes(cline, file.bytes());
};

const message = (session: Session, index: number): MessageEntry => {
	const entry = session.entries[index];
	if (entry?.kind !== 'message') throw new Error(`entry ${index} is not a message`);
	return entry;
};

const block = (value: Json, role = 'assistant') =>
	message(document([{ id: 'a', role, content: [value] }]), 0).content[0];

describe('blocks', () => {
	test('every block type of the client is typed', () => {
		expect(block({ type: 'text', text: 'x', signature: 's' })).toEqual({ type: 'text', text: 'x', signature: 's' });
		expect(block({ type: 'thinking', thinking: 'x', signature: 's' })).toEqual({
			type: 'thinking',
			text: 'x',
			signature: 's',
		});
		expect(block({ type: 'redacted_thinking', data: 'UkVE' })).toEqual({
			type: 'thinking',
			text: '',
			redacted: 'UkVE',
		});
		expect(block({ type: 'tool_use', id: 't', name: 'n', input: { a: 1 }, signature: 's' })).toEqual({
			type: 'tool_call',
			id: 't',
			name: 'n',
			input: { a: 1 },
			signature: 's',
		});
		expect(block({ type: 'image', data: 'AA==', mediaType: 'image/gif' }, 'user')).toEqual({
			type: 'image',
			mime: 'image/gif',
			data: { base64: 'AA==' },
		});
		expect(block({ type: 'file', path: '/a', content: 'body' }, 'user')).toEqual({
			type: 'file',
			path: '/a',
			text: 'body',
		});
	});

	test('an image in the shape of the API is read too', () => {
		const image = (source: Json) => block({ type: 'image', source }, 'user');
		expect(image({ type: 'base64', media_type: 'image/jpeg', data: 'AA==' })).toMatchObject({
			mime: 'image/jpeg',
			data: { base64: 'AA==' },
		});
		expect(image({ type: 'url', url: 'https://x/y.png' })).toMatchObject({ data: { url: 'https://x/y.png' } });
	});

	test('media that the model made is an image or a document where it is one', () => {
		const media = (fields: object): Json => ({
			type: 'media',
			media: {
				id: 'm',
				modality: 'image',
				mediaType: 'image/png',
				source: { type: 'base64', data: 'AA==' },
				...fields,
			},
		});
		expect(block(media({}))).toEqual({ type: 'image', mime: 'image/png', data: { base64: 'AA==' } });
		expect(block(media({ modality: 'file', mediaType: 'application/pdf' }))).toMatchObject({ type: 'document' });
		expect(block(media({ modality: 'audio', mediaType: 'audio/wav' }))).toMatchObject({ type: 'opaque', of: 'media' });
		expect(block(media({ source: { type: 'artifact', artifactId: 'a' } }))).toMatchObject({ type: 'opaque' });
	});

	test('content of a tool result is text, blocks, or data as native tools write it', () => {
		const content = (value: Json) => {
			const result = block({ type: 'tool_result', tool_use_id: 't', name: 'n', content: value }, 'user');
			return result?.type === 'tool_result' ? result.content : undefined;
		};
		const query = { query: 'q', result: 'r', success: false, error: 'e' };
		expect(content('text')).toEqual([{ type: 'text', text: 'text' }]);
		expect(content([query, query])).toEqual([{ type: 'data', value: [query, query] }]);
		expect(content([{ type: 'text', text: 'a' }, query])).toEqual([
			{ type: 'text', text: 'a' },
			{ type: 'data', value: query },
		]);
		expect(content([{ type: 'image', data: 'AA==', mediaType: 'image/png' }])).toMatchObject([{ type: 'image' }]);
		expect(content({ any: 1 })).toEqual([{ type: 'data', value: { any: 1 } }]);
		expect(content([{ type: 'tool_result', tool_use_id: 'x', content: [] }])).toMatchObject([{ type: 'opaque' }]);
		expect(content(null)).toEqual([]);
	});

	test('a failure inside the content is not an error of the call: only is_error is', () => {
		const session = recorded('tool-error');
		const errors = session.entries.flatMap((entry) =>
			entry.kind === 'message'
				? entry.content.flatMap((one) => (one.type === 'tool_result' ? [[one.name, one.isError]] : []))
				: [],
		);
		expect(errors).toEqual([
			['read_files', false],
			['run_commands', false],
			['no_such_tool', true],
			['editor', true],
		]);
	});

	test('what is not a block of Cline is opaque, in its place', () => {
		expect(block({ type: 'new', x: 1 })).toEqual({ type: 'opaque', of: 'new', value: { type: 'new', x: 1 } });
		expect(block({ type: 'text', text: 5 })).toMatchObject({ type: 'opaque', of: 'text' });
		expect(block(null)).toEqual({ type: 'opaque', of: 'object', value: null });
		expect(block({ type: 'toString' })).toMatchObject({ type: 'opaque', of: 'toString' });
	});

	test('fields that a neutral block has no name for are in extra, by index', () => {
		const session = document([
			{
				id: 'a',
				role: 'assistant',
				content: [
					{ type: 'text', text: 'x' },
					{ type: 'thinking', thinking: 't', details: [1] },
					{ type: 'redacted_thinking', data: 'd', call_id: 'c' },
				],
			},
		]);
		expect(message(session, 0).extra).toEqual({ blocks: { 1: { details: [1] }, 2: { call_id: 'c' } } });
	});
});

describe('messages', () => {
	test('a time is what the clock of the client says in ISO form', () => {
		const clock = fc.oneof(
			fc.double({ min: -8.64e15, max: 8.64e15, noNaN: true }),
			fc.integer({ min: 1_767_225_500_000, max: 1_767_400_000_000 }),
		);
		fc.assert(
			fc.property(fc.array(clock, { minLength: 1, maxLength: 4 }), (times) => {
				const messages = times.map((ts) => ({ role: 'user', content: 'a', ts }));
				const { entries } = decodeBytes(cline, Buffer.from(JSON.stringify({ version: 1, messages })));
				expect(entries.map((entry) => entry.time)).toEqual(times.map((ts) => new Date(ts).toISOString()));
			}),
		);
	});

	test('each follows the one before it', () => {
		const { entries } = recorded('parallel-tools');
		expect(entries.map((entry) => entry.parent)).toEqual([null, ...entries.slice(0, -1).map((entry) => entry.id)]);
	});

	test('a message without an id, or with one that is taken, is named by its place', () => {
		const ids = document([
			{ role: 'user', content: 'a' },
			{ id: 'x', role: 'assistant', content: 'b' },
			{ id: 'x', role: 'user', content: 'c' },
			{ id: '', role: 'assistant', content: 'd' },
		]).entries.map((entry) => entry.id);
		expect(ids).toEqual(['message:0', 'x', 'message:2', 'message:3']);
	});

	test('content that is a text is one block', () => {
		expect(message(document([{ role: 'user', content: 'hi' }]), 0).content).toEqual([{ type: 'text', text: 'hi' }]);
	});

	test('a typed prompt is without its tags; the mode is in extra', () => {
		const session = recorded('text');
		expect(message(session, 0).content).toEqual([{ type: 'text', text: 'Say hello' }]);
		expect(message(session, 0).extra).toEqual({ mode: 'act' });
	});

	test('a note about a change of mode is taken off the prompt and kept', () => {
		const notice =
			'<mode_notice>The user switched from plan mode to act mode before sending this message.</mode_notice>\n';
		for (const before of [`<user_input mode="act">${notice}`, `${notice}<user_input mode="act">`]) {
			const session = document([
				{ id: 'u', role: 'user', content: [{ type: 'text', text: `${before}Go</user_input>` }] },
			]);
			expect(message(session, 0).content).toEqual([{ type: 'text', text: 'Go' }]);
			expect(message(session, 0).extra).toEqual({ mode: 'act', prompt: { before, after: '</user_input>' } });
		}
	});

	test('tags inside a prompt, and those of a model, stay', () => {
		const text = 'see <user_input mode="act">x</user_input>';
		expect(message(document([{ role: 'user', content: text }]), 0).content).toEqual([{ type: 'text', text }]);
		const wrapped = '<user_input mode="act">x</user_input>';
		expect(message(document([{ role: 'assistant', content: wrapped }]), 0).content).toEqual([
			{ type: 'text', text: wrapped },
		]);
	});

	test('input never includes the cache; a smaller number never did', () => {
		const usage = (inputTokens: number) => {
			const metrics = { inputTokens, outputTokens: 1, cacheReadTokens: 7, cacheWriteTokens: 3, cost: 0.5 };
			return message(document([{ role: 'assistant', content: [], metrics }]), 0).response?.usage?.input;
		};
		expect(usage(111)).toBe(101);
		expect(usage(5)).toBe(5);
		expect(usageOf(recorded('multi-assistant').entries).output).toBeGreaterThan(0);
	});

	test('a failed turn leaves a note for the user, not a reply', () => {
		const note = message(recorded('fail-auth'), 1);
		expect(note).toMatchObject({
			audience: 'user',
			response: { error: 'fake: invalid x-api-key', synthetic: true, model: 'claude-sonnet-4-6' },
		});
		expect(note.response?.usage).toBeUndefined();
	});

	test('the summary of a compaction is known as one', () => {
		for (const kind of ['compaction_summary', 'compaction']) {
			const session = document([{ role: 'user', content: 'Context summary:', metadata: { kind } }]);
			expect(message(session, 0)).toMatchObject({ origin: 'compaction', extra: { metadata: { kind } } });
		}
	});

	test('older messages with modelId and providerId have a model', () => {
		const session = document([{ role: 'assistant', content: 'x', modelId: 'm', providerId: 'p' }]);
		expect(message(session, 0).response).toEqual({ model: 'm', provider: 'p' });
		expect(session.header).toMatchObject({ model: 'm', provider: 'p' });
	});

	test('a role that Cline does not know is opaque, in its place in the chain', () => {
		const session = document([
			{ id: 'a', role: 'user', content: 'x' },
			{ id: 'b', role: 'tool', content: 'y' },
			{ id: 'c', content: 'z' },
			{ id: 'd', role: 'system', content: 'w' },
		]);
		expect(session.entries).toMatchObject([
			{ kind: 'message' },
			{ kind: 'opaque', type: 'tool', parent: 'a' },
			{ kind: 'opaque', type: 'message', parent: 'b' },
			{ kind: 'message', role: 'system', parent: 'c' },
		]);
		expect(session.records.map((record) => record.type).filter((type) => type !== '')).toEqual([
			'header',
			'user',
			'tool',
			'message',
			'system',
		]);
	});

	test('impossible times stay in extra', () => {
		const session = document([{ id: 'a', role: 'user', content: 'x', ts: 1e300 }]);
		expect(message(session, 0).time).toBeUndefined();
		expect(message(session, 0).extra).toEqual({ ts: 1e300 });
	});
});

describe('documents', () => {
	test('the client writes an origin; its version is the session version', () => {
		const session = recorded('text');
		expect(session.dialect).toBe('client');
		expect(session.header).toMatchObject({
			id: '1794766501050_c4kbg',
			version: '3.0.65',
			model: 'claude-sonnet-4-6',
			created: '2026-11-15T18:15:01.993Z',
		});
	});

	test('a sub-agent has the name of its file, and a team task too', () => {
		expect(recorded('subagent', 'subagent').header).toMatchObject({
			agent: 'agent_1794766729170_xbiyk5',
			from: { how: 'subagent', session: '1794766693640_xmt4n' },
		});
		expect(recorded('team', 'subagent').header).toMatchObject({ agent: 'reviewer__LRNYH2' });
	});

	test('a bare array is a dialect of its own', () => {
		expect(recorded('a02-bare-array')).toMatchObject({ dialect: 'array', id: '' });
	});

	test('a torn document gives every message before the tear, and says so', () => {
		const bytes = Buffer.from(JSON.stringify({ version: 1, messages: [{ id: 'a', role: 'user', content: 'x' }, 1] }));
		const session = decodeBytes(cline, bytes.subarray(0, -3));
		expect(session.entries.map((entry) => entry.id)).toEqual(['a']);
		expect(session.issues).toMatchObject([{ rule: 'cline/torn', severity: 'error' }]);
	});

	test('keys of objects do no harm whatever their names', () => {
		const text =
			'{"__proto__":{"version":9},"messages":[{"__proto__":{"role":"user"},"constructor":1,"role":"user","content":[{"type":"text","text":"x","__proto__":{"a":1}}]}]}';
		const session = decodeBytes(cline, Buffer.from(text));
		const entry: Entry | undefined = session.entries[0];
		expect(entry).toMatchObject({ kind: 'message', role: 'user' });
		expect(Object.getPrototypeOf(entry?.extra)).toBe(Object.prototype);
		expect(Object.getPrototypeOf(session.header.extra)).toBe(Object.prototype);
	});
});

describe('claims', () => {
	test('other documents with messages are not sessions of Cline', () => {
		const messages: Json = [{ role: 'user', content: 'x' }];
		expect(cline.read.claims({ model: 'gpt', messages })).toBeUndefined();
		expect(cline.read.claims({ type: 'request', messages })).toBeUndefined();
		expect(cline.read.claims({ version: 1, source_message_count: 3, messages })).toBeUndefined();
		expect(cline.read.claims({ messages: 5, agent: 'lead' })).toBeUndefined();
		expect(cline.read.claims({ role: 'user', content: 'x' })).toBeUndefined();
		expect(cline.read.claims([])).toBeUndefined();
		expect(cline.read.claims([1])).toBeUndefined();
		expect(cline.read.claims({ messages })).toBe('contract');
		expect(cline.read.claims(messages)).toBe('array');
	});
});
