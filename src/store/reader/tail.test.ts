/** Opening by the end of a file gives the same as opening by all of it, at a lower cost. */
import { appendFileSync, copyFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { corpusFiles } from '../../../test/support/corpus.ts';
import { conversationOf } from '../../../test/support/laws.ts';
import { prompt, reply, Scratch } from '../../../test/support/sessions.ts';
import { type Codec, claudeCode, openclaw } from '../../codecs/index.ts';
import { openFile } from '../../log/file-source.ts';
import { type Entry, path } from '../../model/index.ts';
import type { Draft } from '../handle/draft.ts';
import { openHandle } from '../handle/handle.ts';
import { checkFile } from './check.ts';
import { openSession } from './session-reader.ts';
import { findTail } from './tail.ts';

const id = '5e5510a0-0000-4000-8000-00000000c0de';
const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 };
const hex = (n: number): string => n.toString(16).padStart(8, '0');
const uuid = (n: number): string => `${hex(n)}-0000-4000-8000-000000000000`;

/** A conversation of `turns` turns of some kilobytes, compacted before the last ten. */
function* conversation(turns: number, compacted: boolean): Generator<Entry> {
	let n = 0;
	let parent: string | null = null;
	const next = () => {
		const base = { id: uuid(n), parent, time: new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString(), records: [] };
		parent = base.id;
		n += 1;
		return base;
	};
	const pad = 'word '.repeat(1000);
	for (let turn = 0; turn < turns; turn += 1) {
		if (compacted && turn === turns - 10) {
			yield { ...next(), kind: 'compaction', summary: 'what was said so far', trigger: 'auto' };
		}
		yield { ...next(), kind: 'message', role: 'user', content: [{ type: 'text', text: `question ${turn} ${pad}` }] };
		const response = { id: `msg_${turn}`, provider: 'anthropic', model: 'claude-sonnet-4-6', stop: 'end', usage };
		yield {
			...next(),
			kind: 'message',
			role: 'assistant',
			content: [{ type: 'text', text: `answer ${turn}` }],
			response,
		};
	}
}

function write(codec: Codec, scratch: Scratch, turns: number, compacted: boolean): string {
	const file = join(scratch.folder, `${codec.id}.jsonl`);
	const header = { id, cwd: '/home/dev/notes', created: '2026-01-01T00:00:00.000Z' };
	const entries = [...conversation(turns, compacted)];
	writeFileSync(file, codec.write.encode({ profile: 'client', id, header, entries }).bytes);
	return file;
}

describe.each([claudeCode, openclaw])('$id', (codec) => {
	test('a compacted session is opened by its end and continued as if all of it had been read', async () => {
		using scratch = new Scratch();
		const file = write(codec, scratch, 1200, true);
		const read: number[] = [];
		{
			using source = openFile(file);
			const counting = {
				...source,
				readInto: (at: number, into: Uint8Array) => read.push(at) && source.readInto?.(at, into),
			};
			const tail = codec.context.resumePath && findTail(codec, codec.context.resumePath, counting as typeof source, 16);
			expect(tail?.ids.at(-1)).toBe((await openSession(file)).leaf);
		}
		// Nothing between the first and the last lines was read.
		expect(Math.min(...read)).toBeGreaterThan(statSync(file).size / 2);
		await using handle = await openHandle(file, { machine: scratch.machine });
		expect(handle.session).toMatchObject({ id, header: { cwd: '/home/dev/notes' } });
		const { entries } = await handle.append(prompt('go on'), reply('gladly'));
		const whole = await openSession(file);
		expect(entries).toEqual(whole.entries.slice(-entries.length));
		expect(conversationOf(path(whole)).slice(-2)).toEqual(['user: go on', 'assistant: gladly']);
		expect(checkFile(file, 'client').issues.filter((issue) => issue.severity === 'error')).toEqual([]);
	});

	test('a session that was never compacted is opened whole, and its path is all of it', async () => {
		using scratch = new Scratch();
		const file = write(codec, scratch, 1200, false);
		using source = openFile(file);
		const tail = codec.context.resumePath && findTail(codec, codec.context.resumePath, source, 16);
		const whole = path(await openSession(file));
		expect(tail?.ids).toEqual(whole.map((entry) => entry.id));
	});

	test('results of many parallel calls find their calls, however far back', async () => {
		using scratch = new Scratch();
		const file = write(codec, scratch, 3, false);
		const calls = Array.from({ length: 60 }, (_, n) => `toolu_${n}`);
		await using first = await openHandle(file, { machine: scratch.machine });
		await first.append(prompt('all of them'), {
			kind: 'message',
			role: 'assistant',
			content: calls.map((call) => ({ type: 'tool_call', id: call, name: 'Read', input: { file_path: call } })),
			response: { id: 'msg_calls', provider: 'anthropic', model: 'claude-sonnet-4-6', stop: 'tool', usage },
		});
		const result = (call: string): Draft => ({
			kind: 'message',
			role: 'user',
			content: [{ type: 'tool_result', call, isError: false, content: [{ type: 'text', text: `of ${call}` }] }],
		});
		for (const call of calls.slice(0, 59)) await first.append(result(call));
		await first[Symbol.asyncDispose]();
		await using second = await openHandle(file, { machine: scratch.machine });
		const last = await second.append(result('toolu_59'));
		expect(last.losses).toEqual([]);
		const { losses } = await second.append(reply('all read'));
		expect(losses.filter((loss) => loss.path !== 'response.costUsd')).toEqual([]);
		const said = conversationOf(path(await openSession(file)));
		expect(said.slice(-61)).toEqual([...calls.map((call) => `result ${call} false of ${call}`), 'assistant: all read']);
	});
});

const recorded = corpusFiles().filter((file) => !file.handWritten && file.bytes().length > 0);

test.each(recorded.map((file) => [file.name, file] as const))('%s goes on', async (_, file) => {
	using scratch = new Scratch();
	const copy = join(scratch.folder, basename(file.path));
	copyFileSync(file.path, copy);
	const errors = () => checkFile(copy, 'client').issues.filter((issue) => issue.severity === 'error').length;
	const before = errors();
	await using handle = await openHandle(copy, { machine: scratch.machine });
	expect(handle.leaf).toBe((await openSession(copy, { subagents: false })).leaf);
	const { leaf } = handle;
	const { entries } = await handle.append(prompt('go on'));
	const messages = entries.filter((entry) => entry.kind === 'message');
	expect(conversationOf(messages).at(-1)).toBe('user: go on');
	if (messages.length === 1) expect(messages[0]?.parent).toBe(leaf);
	expect(errors()).toBeLessThanOrEqual(before);
});

test('after a line on another branch that its writer forgot to point at, the conversation goes on where the pointer is', async () => {
	using scratch = new Scratch();
	const file = write(claudeCode, scratch, 4, false);
	const ids = path(await openSession(file)).map((entry) => entry.id);
	const pointer = { type: 'last-prompt', lastPrompt: '', leafUuid: ids[5], sessionId: id };
	const stray = { type: 'user', uuid: uuid(99), parentUuid: ids[1], sessionId: id, isSidechain: false };
	const message = { role: 'user', content: 'elsewhere' };
	const lines = [pointer, { ...stray, timestamp: '2026-02-01T00:00:00.000Z', message }];
	appendFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
	await using handle = await openHandle(file, { machine: scratch.machine });
	expect(handle.leaf).toBe(ids[5]);
});
