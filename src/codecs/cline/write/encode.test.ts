/** Laws of writing: messages, their order and their blocks, and what Cline cannot hold. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { conversation } from '../../../../test/support/arbitrary.ts';
import {
	call,
	chain,
	documentOf,
	entry,
	header,
	lossesOf,
	messagesOf,
	read,
	result,
	text,
	write,
} from '../../../../test/support/cline-entries.ts';
import { corpusFiles } from '../../../../test/support/corpus.ts';
import { conversationOf } from '../../../../test/support/laws.ts';
import { seed } from '../../../../test/support/mutate.ts';
import type { Block, Entry, Header, Json, JsonObject, Profile, Session } from '../../../model/index.ts';
import { usageOf } from '../../../model/index.ts';
import { checkBytes, issuesIn } from '../../shared/check/check.ts';
import { decodeBytes } from '../../shared/read/read.ts';
import { cline } from '../index.ts';

describe('a new document', () => {
	test('is laid out as the client does it', () => {
		const encoded = write(chain(entry('user', [text('hi')])));
		const document = Buffer.from(encoded.bytes).toString('utf8');
		expect(document).toBe(`${JSON.stringify(JSON.parse(document), null, 2)}\n`);
		expect(Object.keys(documentOf(encoded))).toEqual([
			'version',
			'updated_at',
			'agent',
			'sessionId',
			'origin',
			'messages',
		]);
	});

	test('as published it has the fields of the contract and no others', () => {
		const entries = chain(entry('user', [text('hi')]), entry('assistant', [text('ho')]));
		const encoded = write(entries, { profile: 'published', header: { ...header, systemPrompt: 's' } });
		expect(Object.keys(documentOf(encoded))).toEqual([
			'version',
			'updated_at',
			'agent',
			'sessionId',
			'messages',
			'system_prompt',
		]);
		expect(Object.keys(messagesOf(encoded)[1] ?? {})).toEqual(['id', 'role', 'content', 'ts', 'modelInfo', 'metrics']);
		expect(encoded.beside).toEqual([]);
	});

	test('its time is that of the last message', () => {
		const last = entry('assistant', [text('ho')]);
		expect(documentOf(write(chain(entry('user', [text('hi')]), last))).updated_at).toBe(last.time);
	});

	test('prompts are wrapped for the client and plain as published', () => {
		const entries = chain(entry('user', [text('hi')]));
		const first = (profile: Profile) => messagesOf(write(entries, { profile }))[0]?.content;
		expect(first('client')).toEqual([{ type: 'text', text: '<user_input mode="act">hi</user_input>' }]);
		expect(first('published')).toEqual([{ type: 'text', text: 'hi' }]);
	});

	test('a prompt that looks wrapped is read back as it was, in both profiles', () => {
		const literal = '<user_input mode="plan">hi</user_input>';
		for (const profile of ['client', 'published'] as const) {
			const session = read(write(chain(entry('user', [text(literal)])), { profile }));
			expect(conversationOf(session.entries)).toEqual([`user: ${literal}`]);
		}
	});

	test('a sub-agent has its own head, plain prompts and no manifest', () => {
		const child: Header = { agent: 'agent_1', from: { how: 'subagent', session: '1700000000000_a' } };
		const encoded = write(chain(entry('user', [text('count')])), { id: '1700000000000_a__agent_1', header: child });
		expect(documentOf(encoded)).toMatchObject({
			agent: 'subagent',
			sessionId: '1700000000000_a__agent_1',
			taskType: 'subagent_task',
			origin: { mode: 'subagent', parentThreadId: '1700000000000_a', subagent: 'agent_1' },
			messages: [{ content: [{ text: 'count' }] }],
		});
		expect(encoded.beside).toEqual([]);
	});
});

describe('messages', () => {
	test('a result has the name of the tool that was called', () => {
		const entries = chain(entry('assistant', [call('1')]), entry('user', [result('1')]));
		expect(messagesOf(write(entries))[1]?.content).toMatchObject([{ tool_use_id: '1', name: 'Bash', content: 'out' }]);
		const orphan = write(chain(entry('user', [result('2')])));
		expect(messagesOf(orphan)[0]?.content).toMatchObject([{ name: 'unknown' }]);
		expect(lossesOf(orphan)).toContain('invented content[0].name');
	});

	test('results stand before what the user says in the same message', () => {
		const said = entry('user', [text('and'), result('t'), text('more')]);
		const encoded = write(chain(entry('user', [text('hi')]), entry('assistant', [call('t')]), said));
		const content = (messagesOf(encoded)[2]?.content ?? []) as readonly JsonObject[];
		const types = content.map((block) => block.type);
		expect(types).toEqual(['tool_result', 'text', 'text']);
		expect(checkBytes(cline, encoded.bytes).filter((issue) => issue.severity === 'error')).toEqual([]);
	});

	test('lines of one reply become one message, counted once', () => {
		const usage = { input: 5, output: 7, cacheRead: 2, cacheWrite5m: 1, cacheWrite1h: 0 };
		const response = { id: 'r1', model: 'm', provider: 'p', usage, costUsd: 0.5 };
		const early = { ...response, usage: { ...usage, output: 1 } };
		const encoded = write(
			chain(
				entry('user', [text('go')]),
				entry('assistant', [{ type: 'thinking', text: 't' }], { response: early }),
				entry('assistant', [call('1')], { response }),
				entry('user', [result('1')]),
				entry('assistant', [call('2')], { response }),
				entry('user', [result('2')]),
			),
		);
		const messages = messagesOf(encoded);
		expect(messages.map((message) => (message.content as Json[]).length)).toEqual([1, 2, 1, 1, 1]);
		expect(messages.map((message) => message.metrics !== undefined)).toEqual([false, false, false, true, false]);
		expect(messages[3]?.metrics).toEqual({
			inputTokens: 8,
			outputTokens: 7,
			cacheReadTokens: 2,
			cacheWriteTokens: 1,
			cost: 0.5,
		});
		expect(usageOf(read(encoded).entries)).toEqual(usage);
	});

	test('as published the last reply of a turn has the metrics of all of it', () => {
		fc.assert(
			fc.property(conversation, (made) => {
				const encoded = cline.write.encode({ profile: 'published', ...made });
				expect(usageOf(decodeBytes(cline, encoded.bytes).entries)).toEqual(usageOf(made.entries));
			}),
			{ seed, numRuns: 30 },
		);
	});

	test('ids are kept; those that are only places are made up from the session', () => {
		const ids = (id: string) =>
			messagesOf(write(chain({ ...entry('assistant', [text('x')]), id }))).map((message) => message.id);
		expect(ids('abc')).toEqual(['abc']);
		expect(ids('line:3')).toEqual([expect.stringMatching(/^msg_[0-9a-f]{8}$/)]);
		expect(ids('message:3')).not.toEqual(ids('line:3'));
	});

	test('results of parallel calls beside the path are taken along, other branches are not', () => {
		const ask = entry('user', [text('go')]);
		const calls = entry('assistant', [call('1'), call('2')], { parent: ask.id });
		const one = entry('user', [result('1')], { parent: calls.id });
		const two = entry('user', [result('2')], { parent: calls.id });
		const old = entry('assistant', [text('left')], { parent: ask.id });
		const end = entry('assistant', [text('end')], { parent: two.id });
		const encoded = write([ask, calls, old, one, two, end]);
		expect(messagesOf(encoded).map((message) => message.id)).toEqual([ask.id, calls.id, one.id, two.id, end.id]);
		expect(encoded.losses.filter((loss) => loss.entry === old.id)).toMatchObject([{ how: 'dropped' }]);
	});

	test('the text of a failure is only shown; as published there is no message', () => {
		const entries = chain(entry('user', [text('hi')]), entry('assistant', [], { response: { error: 'no key' } }));
		expect(messagesOf(write(entries))[1]).toMatchObject({
			content: [{ type: 'text', text: 'no key' }],
			metadata: { displayOnly: true, displayRole: 'error' },
		});
		expect(messagesOf(write(entries, { profile: 'published' }))).toHaveLength(1);
	});

	test('a system message becomes one of the user, and says so', () => {
		const encoded = write(chain(entry('system', [text('be kind')])));
		expect(messagesOf(encoded)).toMatchObject([{ role: 'user' }]);
		expect(lossesOf(encoded)).toContain('approximated role');
	});
});

describe('what Cline cannot hold', () => {
	test('is a loss, block by block', () => {
		const image: Block = { type: 'image', mime: 'image/png', data: { base64: 'AA==' } };
		const blocks: Block[] = [
			image,
			{ type: 'image', mime: 'image/png', data: { url: 'https://x' } },
			{ type: 'document', mime: 'application/pdf', data: { base64: 'AA==' } },
			{ type: 'file', path: '/a', text: 'b' },
			{ type: 'data', value: { a: 1 } },
			{ type: 'opaque', of: 'odd', value: { type: 'odd' } },
			{ type: 'opaque', of: 'string', value: 'x' },
		];
		const entries = chain(entry('user', blocks));
		const types = (profile: Profile) =>
			messagesOf(write(entries, { profile })).flatMap((message) =>
				(message.content as JsonObject[]).map((block) => block.type),
			);
		expect(types('client')).toEqual(['image', 'text', 'text', 'file', 'text', 'odd']);
		expect(types('published')).toEqual(['text', 'text', 'text', 'text', 'text']);
		expect(lossesOf(write(entries)).filter((loss) => loss.includes('content'))).toEqual([
			'approximated content[1]',
			'approximated content[2]',
			'approximated content[4]',
			'approximated content[5]',
			'dropped content[6]',
		]);
	});

	test('details, durations and states of files of a result are losses', () => {
		const more = { details: { a: 1 }, durationMs: 3, file: { path: '/a' } };
		const encoded = write(chain(entry('assistant', [call('1')]), entry('user', [result('1', more)])));
		expect(lossesOf(encoded)).toEqual(
			expect.arrayContaining([
				'dropped content[0].details',
				'dropped content[0].durationMs',
				'dropped content[0].file',
			]),
		);
	});

	test('images of a failed call are held but not sent', () => {
		const image: Block = { type: 'image', mime: 'image/png', data: { base64: 'AA==' } };
		const losses = (isError: boolean) =>
			lossesOf(
				write(chain(entry('assistant', [call('1')]), entry('user', [result('1', { isError, content: [image] })]))),
			);
		expect(losses(true)).toEqual(['approximated content[0].content']);
		expect(losses(false)).toEqual([]);
	});

	test('entries without a place are losses, each by its id', () => {
		const base = { records: [], parent: null };
		const entries: Entry[] = [
			{ ...base, id: 'c', kind: 'checkpoint', update: false, files: [] },
			{ ...base, id: 'l', kind: 'label', target: 'c', text: 'x' },
			{ ...base, id: 'v', kind: 'event', event: { type: 'timing', durationMs: 1 } },
			{ ...base, id: 'o', kind: 'opaque', type: 'x' },
			{ ...base, id: 'r', kind: 'outcome', status: 'success' },
			{ ...base, id: 'd', kind: 'edit', target: 'c', replacement: null },
			{ ...base, id: 's', kind: 'setting', set: { permissionMode: 'plan', model: 'm' } },
		];
		for (const one of entries) {
			const encoded = write([one, entry('user', [text('x')], { parent: one.id })]);
			expect(encoded.losses.map((loss) => loss.entry)).toContain(one.id);
		}
	});

	test('why a reply ended is a loss; what is granted is none', () => {
		const response = { model: 'm', provider: 'p', stop: 'end', costUsd: 1 };
		const encoded = write(chain(entry('assistant', [text('x')], { response })));
		expect(lossesOf(encoded)).toEqual(['dropped response.stop']);
		const { stop: _, ...granted } = response;
		expect(
			lossesOf(write(chain(entry('user', [text('x')]), entry('assistant', [text('y')], { response: granted })))),
		).toEqual([]);
	});

	test('signatures are kept for the client and lost as published', () => {
		const thinking: Block = { type: 'thinking', text: 't', signature: 's' };
		const redacted: Block = { type: 'thinking', text: '', redacted: 'r' };
		const entries = chain(entry('assistant', [thinking, redacted, text('x')]));
		expect(read(write(entries)).entries[0]).toMatchObject({ content: [thinking, redacted, text('x')] });
		expect(lossesOf(write(entries, { profile: 'published' }))).toEqual(
			expect.arrayContaining(['dropped content[0].signature', 'dropped content[1]']),
		);
	});

	test('values nested too deeply to be written are a loss, not a crash', () => {
		const deep = JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`) as Json;
		const blocks: Block[] = [
			{ type: 'tool_call', id: '1', name: 'n', input: { deep } },
			{ type: 'opaque', of: 'odd', value: { type: 'odd', deep } },
		];
		const back = result('1', { content: [{ type: 'data', value: deep }] });
		const encoded = write(chain(entry('assistant', blocks, { extra: { metadata: { deep } } }), entry('user', [back])));
		expect(lossesOf(encoded)).toEqual(expect.arrayContaining(['dropped content[0].input', 'dropped content[1]']));
	});
});

describe('an existing document', () => {
	test('gets new messages before its end; nothing of the old ones changes', () => {
		for (const file of corpusFiles('cline')) {
			const before = decodeBytes(cline, file.bytes());
			const added = entry('user', [text('more')], { parent: before.entries.at(-1)?.id ?? null });
			const encoded = write([added], { after: before });
			const after = read(encoded);
			const raw = (session: Session) =>
				session.records
					.filter((record) => record.type !== 'header' && record.type !== '')
					.map((record) => Buffer.from(session.source.read(record.at, record.length)).toString('utf8'));
			expect(raw(after).slice(0, raw(before).length), file.name).toEqual(raw(before));
			expect(after.entries.at(-1), file.name).toMatchObject({ id: added.id });
			expect(after.issues).toEqual([]);
			expect(after.header.systemPrompt).toBe(before.header.systemPrompt);
			if (before.dialect !== 'array') expect(after.header.extra?.updated_at).toBe(added.time);
			expect(encoded.losses).toEqual([]);
		}
	});

	test('that was torn is made whole again with every message before the tear', () => {
		const file = corpusFiles('cline').find((one) => one.scenario === 'text');
		const bytes = file?.bytes() ?? new Uint8Array();
		for (const cut of [600, 900, bytes.length - 3, bytes.length - 60]) {
			const before = decodeBytes(cline, bytes.subarray(0, cut));
			const encoded = write([entry('user', [text('more')])], { after: before });
			expect(
				issuesIn('client', checkBytes(cline, encoded.bytes)).filter((issue) => issue.severity === 'error'),
			).toEqual([]);
			expect(
				read(encoded)
					.entries.map((one) => one.id)
					.slice(0, -1),
			).toEqual(before.entries.map((one) => one.id));
			expect(lossesOf(encoded)).toContain('dropped messages');
		}
	});

	test('keeps its own manifest', () => {
		const file = corpusFiles('cline').find((one) => one.scenario === 'text');
		const before = decodeBytes(cline, file?.bytes() ?? new Uint8Array());
		expect(write([entry('user', [text('more')])], { after: before }).beside).toEqual([]);
	});

	test('cannot go on from an earlier message, and says so', () => {
		const file = corpusFiles('cline').find((one) => one.scenario === 'text');
		const before = decodeBytes(cline, file?.bytes() ?? new Uint8Array());
		const encoded = write([entry('user', [text('x')], { parent: before.entries[0]?.id })], { after: before });
		expect(lossesOf(encoded)).toEqual(['approximated parent']);
	});
});

test('a session of the corpus that is written anew means the same', () => {
	const meaning = (session: Session) =>
		session.entries.map((one) => {
			const { id: _id, parent: _parent, records: _records, time: _time, ...rest } = one;
			return rest;
		});
	for (const file of corpusFiles('cline').filter((one) => !one.handWritten)) {
		const before = decodeBytes(cline, file.bytes());
		const encoded = cline.write.encode({
			profile: 'client',
			id: before.id,
			header: before.header,
			entries: before.entries,
		});
		const after = decodeBytes(cline, encoded.bytes);
		if (file.scenario !== 'cli-foreign-resume') expect(meaning(after), file.name).toEqual(meaning(before));
		expect(conversationOf(after.entries)).toEqual(conversationOf(before.entries));
		expect(after.header.extra?.origin).toEqual(before.header.extra?.origin);
	}
});
