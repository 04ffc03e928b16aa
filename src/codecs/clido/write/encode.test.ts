/** What is written in each profile, and in which lines. */
import { describe, expect, it } from 'vitest';
import {
	answer,
	call,
	chain,
	header,
	message,
	text,
	types,
	uuid,
	write,
} from '../../../../test/support/clido-entries.ts';
import { corpusFiles } from '../../../../test/support/corpus.ts';
import type { Entry, Profile } from '../../../model/index.ts';
import { decodeBytes } from '../../shared/read/read.ts';
import { clido } from '../index.ts';

describe('the client profile', () => {
	it('writes the bytes that Clido writes', () => {
		const file = corpusFiles('clido').find((one) => one.scenario === 'written-by-clido');
		const bytes = Buffer.from(file?.bytes() ?? []);
		const session = decodeBytes(clido, bytes);
		const { bytes: again, losses } = clido.write.encode({ profile: 'client', ...session });
		expect(Buffer.from(again).toString('utf8')).toBe(bytes.toString('utf8'));
		expect(losses).toEqual([]);
	});

	it('sorts the keys of blocks and inputs, numeric ones too', () => {
		const { lines } = write(
			'client',
			chain(message('assistant', [call('1', { b: 1, a: { z: 1, y: [{ d: 1, c: 2 }] }, 10: 1, 9: 2 })])),
		);
		const input = '{"10":1,"9":2,"a":{"y":[{"c":2,"d":1}],"z":1},"b":1}';
		expect(lines.slice(1)).toEqual([
			`{"type":"assistant_message","content":[{"id":"1","input":${input},"name":"Read","type":"tool_use"}]}`,
			`{"type":"tool_call","tool_use_id":"1","tool_name":"Read","input":${input}}`,
		]);
	});

	it('keeps thinking, images and titles, and has its own times, hashes and exit words', () => {
		const hash = 'ab'.repeat(32);
		const file = { path: '/a', sha256: hash, mtimeNs: '1742560200123456789' };
		const { lines } = write('client', [
			{ kind: 'setting', id: 'line:90', records: [], set: { title: 'T' } },
			...chain(
				message('user', [{ type: 'image', mime: 'image/png', data: { base64: 'aa' } }, text('x')]),
				message('assistant', [
					{ type: 'thinking', text: 'hm' },
					{ type: 'tool_call', id: '1', name: 'Edit', input: {} },
				]),
				message('user', [
					{ type: 'tool_result', call: '1', content: [text('r')], isError: false, durationMs: 8, file },
				]),
			),
			{ kind: 'outcome', id: 'line:91', records: [], status: 'success', costUsd: 0, turns: 1, durationMs: 5 },
		]);
		expect(lines).toEqual([
			`{"type":"meta","session_id":"${uuid}","schema_version":1,"start_time":"2026-01-02T03:04:05.678+00:00","project_path":"/home/dev/app"}`,
			'{"type":"title","title":"T"}',
			'{"type":"user_message","role":"user","content":[{"base64_data":"aa","media_type":"image/png","type":"image"},{"text":"x","type":"text"}]}',
			'{"type":"assistant_message","content":[{"thinking":"hm","type":"thinking"},{"id":"1","input":{},"name":"Edit","type":"tool_use"}]}',
			'{"type":"tool_call","tool_use_id":"1","tool_name":"Edit","input":{}}',
			`{"type":"tool_result","tool_use_id":"1","content":"r","is_error":false,"duration_ms":8,"path":"/a","content_hash":"${hash}","mtime_nanos":1742560200123456789}`,
			'{"type":"result","exit_status":"completed","total_cost_usd":0.0,"num_turns":1,"duration_ms":5}',
		]);
	});

	it('keeps the second meta line of a fork', () => {
		const meta = (id: string) =>
			`{"type":"meta","session_id":"${id}","schema_version":1,"start_time":"2026-03-21T14:30:00+00:00","project_path":"/a"}`;
		const fork = `${meta('new')}\n${meta('old')}\n`;
		const session = decodeBytes(clido, Buffer.from(fork));
		expect(Buffer.from(clido.write.encode({ profile: 'client', ...session }).bytes).toString('utf8')).toBe(fork);
		expect(clido.write.encode({ profile: 'published', ...session }).losses.map((loss) => loss.path)).toContain(
			'header.from',
		);
	});

	it('writes the title of the header when no entry sets one', () => {
		expect(write('client', [], { title: 'T' }).lines[1]).toBe('{"type":"title","title":"T"}');
		expect(write('published', [], { title: 'T' }).losses).toMatchObject([{ path: 'header.title', how: 'dropped' }]);
	});
});

describe('the published profile', () => {
	it('writes what the document shows', () => {
		const hash = 'ab'.repeat(32);
		const file = { path: 'src/a', sha256: hash, mtimeNs: '1742560200000000000' };
		const turn = chain(
			message('user', [text('x')]),
			message('assistant', [text('t'), call('1', { file_path: 'a' })]),
			message('user', [{ type: 'tool_result', call: '1', content: [text('r')], isError: false, durationMs: 8, file }]),
		);
		const done = message('assistant', [text('done')], { parent: turn.at(-1)?.id ?? null });
		const { lines } = write('published', [
			...turn,
			{ kind: 'outcome', id: 'line:90', records: [], status: 'interrupted', costUsd: 0, turns: 1, durationMs: 1 },
			done,
			{ kind: 'outcome', id: 'line:91', records: [], status: 'completed', costUsd: 0.0034, turns: 4, durationMs: 8312 },
		]);
		expect(lines).toEqual([
			'{"type":"meta","session_id":"3f2b8a9e6f0e4c559d3d0c1f0d7d9a11","schema_version":1,"start_time":"2026-01-02T03:04:05.678Z","project_path":"/home/dev/app"}',
			'{"type":"user_message","role":"user","content":[{"type":"text","text":"x"}]}',
			'{"type":"assistant_message","content":[{"type":"text","text":"t"},{"type":"tool_use","id":"1","name":"Read","input":{"file_path":"a"}}]}',
			'{"type":"tool_call","tool_use_id":"1","tool_name":"Read","input":{"file_path":"a"}}',
			`{"type":"tool_result","tool_use_id":"1","content":"r","is_error":false,"duration_ms":8,"path":"src/a","content_hash":"sha256:${hash}","mtime_nanos":1742560200000000000}`,
			'{"type":"assistant_message","content":[{"type":"text","text":"done"}]}',
			'{"type":"result","exit_status":"success","total_cost_usd":0.0034,"num_turns":4,"duration_ms":8312}',
		]);
	});

	it('has the five exit words and no other', () => {
		const word = (status: string, profile: Profile) => {
			const outcome: Entry = {
				kind: 'outcome',
				id: 'line:9',
				records: [],
				status,
				costUsd: 0,
				turns: 1,
				durationMs: 1,
			};
			const { lines, losses } = write(profile, [outcome]);
			return [JSON.parse(lines[1] ?? '').exit_status, losses.length];
		};
		expect(word('completed', 'published')).toEqual(['success', 0]);
		expect(word('max_turns_reached', 'published')).toEqual(['max_turns', 0]);
		expect(word('budget_exceeded', 'published')).toEqual(['max_budget', 0]);
		expect(word('interrupted', 'published')).toEqual(['interrupted', 0]);
		expect(word('doom_loop', 'published')).toEqual(['error', 1]);
		expect(word('doom_loop', 'client')).toEqual(['doom_loop', 0]);
		expect(word('max_budget', 'client')).toEqual(['budget_exceeded', 0]);
		expect(word('error_max_turns', 'client')).toEqual(['max_turns_reached', 0]);
		expect(word('whatever', 'client')).toEqual(['error', 1]);
	});

	it('an id of another make is replaced and said so', () => {
		const { bytes, losses } = clido.write.encode({ profile: 'published', id: 'step_1', header, entries: [] });
		expect(JSON.parse(Buffer.from(bytes).toString('utf8')).session_id).toMatch(/^[0-9a-f]{32}$/);
		expect(losses).toMatchObject([{ path: 'header.id', how: 'approximated' }]);
	});
});

describe('one reply is one line', () => {
	const reply = { response: { id: 'msg_1' } };

	it('however many entries it came in, with its results after it', () => {
		const prompt = message('user', [text('x')]);
		const first = message('assistant', [call('1')], { ...reply, parent: prompt.id });
		const one = message('user', [answer('1')], { parent: first.id });
		const second = message('assistant', [call('2')], { ...reply, parent: first.id });
		const two = message('user', [answer('2')], { parent: second.id });
		const { lines } = write('client', [prompt, first, one, second, two]);
		expect(types(lines)).toEqual([
			'meta',
			'user_message',
			'assistant_message',
			'tool_call',
			'tool_call',
			'tool_result',
			'tool_result',
		]);
		expect(JSON.parse(lines[2] ?? '').content).toHaveLength(2);
	});

	it('and what is said beside results comes after them', () => {
		const entries = chain(message('assistant', [call('1')]), message('user', [text('also'), answer('1')]));
		const { lines, losses } = write('client', entries);
		expect(types(lines)).toEqual(['meta', 'assistant_message', 'tool_call', 'tool_result', 'user_message']);
		expect(losses.map((loss) => loss.path)).toEqual(['content[1]']);
	});
});

describe('appending', () => {
	it('goes on after a torn line on a line of its own, and repeats no index line', () => {
		const torn =
			'{"type":"meta","session_id":"x","schema_version":1,"start_time":"t","project_path":"/a"}\n{"type":"us';
		const after = decodeBytes(clido, Buffer.from(torn));
		const { bytes } = clido.write.encode({
			profile: 'client',
			id: 'x',
			header,
			entries: chain(message('user', [text('a')])),
			after,
		});
		expect(Buffer.from(bytes).toString('utf8')).toBe(
			'\n{"type":"user_message","role":"user","content":[{"text":"a","type":"text"}]}\n',
		);
		const event: Entry = {
			kind: 'event',
			id: 'line:7',
			records: [],
			event: { type: 'call', call: '1', name: 'Read', input: {} },
		};
		const { lines } = write('client', [...chain(message('assistant', [call('1')])), event]);
		expect(types(lines)).toEqual(['meta', 'assistant_message', 'tool_call']);
		expect(types(write('client', [event]).lines)).toEqual(['meta', 'tool_call']);
	});

	it('a rewind cannot be written in place', () => {
		const before = chain(message('user', [text('a')]), message('assistant', [text('b')]));
		const after = decodeBytes(clido, clido.write.encode({ profile: 'client', id: 'x', header, entries: before }).bytes);
		const again = message('assistant', [text('c')], { parent: 'line:2' });
		const { losses } = clido.write.encode({ profile: 'client', id: 'x', header, entries: [again], after });
		expect(losses).toMatchObject([{ path: 'parent', how: 'approximated' }]);
		const on = message('user', [text('c')], { parent: 'line:3' });
		expect(clido.write.encode({ profile: 'client', id: 'x', header, entries: [on], after }).losses).toEqual([]);
	});
});
