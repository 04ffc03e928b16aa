/** What each line and block of a Clido session means. */
import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../model/index.ts';
import { decodeBytes } from '../../shared/read/read.ts';
import { clido } from '../index.ts';

function decode(...lines: readonly string[]) {
	return decodeBytes(clido, Buffer.from(lines.map((line) => `${line}\n`).join('')));
}

function only(line: string): Entry {
	const [entry] = decode(line).entries;
	if (!entry) throw new Error('no entry');
	return entry;
}

const meta =
	'{"type":"meta","session_id":"3f2b8a9e-6f0e-4c55-9d3d-0c1f0d7d9a11","schema_version":1,"start_time":"2026-03-21T14:30:00.123456789+00:00","project_path":"/home/user/app"}';

describe('lines', () => {
	it('meta starts the session and is its header', () => {
		const session = decode(meta);
		expect(session.header).toEqual({
			dialect: 'client',
			id: '3f2b8a9e-6f0e-4c55-9d3d-0c1f0d7d9a11',
			cwd: '/home/user/app',
			created: '2026-03-21T14:30:00.123456789+00:00',
			version: '1',
		});
		expect(session.entries).toEqual([
			{
				kind: 'start',
				id: 'line:1',
				records: [0],
				session: '3f2b8a9e-6f0e-4c55-9d3d-0c1f0d7d9a11',
				cwd: '/home/user/app',
				time: '2026-03-21T14:30:00.123456789+00:00',
				version: 1,
			},
		]);
	});

	it('a session id of 32 hex digits is the published dialect', () => {
		const session = decode(meta.replace('3f2b8a9e-6f0e-4c55-9d3d-0c1f0d7d9a11', 'a1b2c3d4e5f6789abcdef0123456789a'));
		expect(session.dialect).toBe('published');
	});

	it('a second meta line names the session that this one is a fork of', () => {
		const session = decode(meta.replace('3f2b8a9e', '00000000'), meta);
		expect(session.id).toBe('00000000-6f0e-4c55-9d3d-0c1f0d7d9a11');
		expect(session.header.from).toEqual({ how: 'fork', session: '3f2b8a9e-6f0e-4c55-9d3d-0c1f0d7d9a11' });
		expect(session.entries.map((entry) => entry.kind)).toEqual(['start', 'start']);
	});

	it('user_message and assistant_message are messages, each after the one before it', () => {
		const session = decode(
			meta,
			'{"type":"user_message","role":"user","content":[{"type":"text","text":"hi"}]}',
			'{"type":"system","subtype":"info"}',
			'{"type":"assistant_message","content":[{"type":"text","text":"ho"}]}',
		);
		expect(session.entries.filter((entry) => entry.kind === 'message')).toEqual([
			{
				kind: 'message',
				id: 'line:2',
				records: [1],
				parent: null,
				role: 'user',
				content: [{ type: 'text', text: 'hi' }],
			},
			{
				kind: 'message',
				id: 'line:4',
				records: [3],
				parent: 'line:2',
				role: 'assistant',
				content: [{ type: 'text', text: 'ho' }],
			},
		]);
	});

	it('tool_call stands beside the conversation', () => {
		expect(only('{"type":"tool_call","tool_use_id":"1","tool_name":"Read","input":{"file_path":"a"}}')).toEqual({
			kind: 'event',
			id: 'line:1',
			records: [0],
			event: { type: 'call', call: '1', name: 'Read', input: { file_path: 'a' } },
		});
	});

	it('tool_result is a message with one result, its duration and its file', () => {
		const line =
			'{"type":"tool_result","tool_use_id":"1","content":"ok","is_error":true,"duration_ms":8,"path":"src/a","content_hash":"sha256:ab","mtime_nanos":1742560200000000001}';
		expect(only(line)).toEqual({
			kind: 'message',
			id: 'line:1',
			records: [0],
			parent: null,
			role: 'user',
			content: [
				{
					type: 'tool_result',
					call: '1',
					content: [{ type: 'text', text: 'ok' }],
					isError: true,
					durationMs: 8,
					file: { path: 'src/a', sha256: 'ab', mtimeNs: '1742560200000000001' },
				},
			],
		});
	});

	it('mtime_nanos keeps every digit, whatever stands around it', () => {
		for (const digits of ['18446744073709551615', '9007199254740993', '1742560200123456789', '7']) {
			const line = `{ "mtime_nanos" : ${digits} , "path":"a\\"mtime_nanos\\":1","content":"{\\"x\\":[1,2]}", "is_error":false,"tool_use_id":"1","type":"tool_result"}`;
			const entry = only(line);
			const block = entry.kind === 'message' ? entry.content[0] : undefined;
			expect(block?.type === 'tool_result' && block.file?.mtimeNs).toBe(digits);
		}
	});

	it('null for an optional field is the same as no field', () => {
		const entry = only(
			'{"type":"tool_result","tool_use_id":"1","content":"","is_error":false,"duration_ms":null,"path":null,"content_hash":null,"mtime_nanos":null}',
		);
		expect(entry.kind === 'message' && entry.content).toEqual([
			{ type: 'tool_result', call: '1', content: [], isError: false },
		]);
	});

	it('system lines are compactions, errors and notices', () => {
		expect(only('{"type":"system","subtype":"compaction","message":"42 turns"}')).toMatchObject({
			kind: 'compaction',
			summary: '42 turns',
		});
		expect(only('{"type":"system","subtype":"error","message":"x"}')).toMatchObject({
			kind: 'event',
			event: { type: 'error', message: 'x' },
		});
		expect(only('{"type":"system","subtype":"warning","message":"x"}')).toMatchObject({
			kind: 'event',
			event: { type: 'notice', level: 'warning', message: 'x' },
		});
		expect(only('{"type":"system","subtype":"info"}')).toMatchObject({
			kind: 'event',
			event: { type: 'notice', level: 'info' },
		});
	});

	it('result is the outcome of a run', () => {
		const line = '{"type":"result","exit_status":"success","total_cost_usd":0.0034,"num_turns":4,"duration_ms":8312}';
		expect(only(line)).toEqual({
			kind: 'outcome',
			id: 'line:1',
			records: [0],
			status: 'success',
			costUsd: 0.0034,
			turns: 4,
			durationMs: 8312,
		});
	});

	it('title is a setting, and the last one is in the header', () => {
		const session = decode(meta, '{"type":"title","title":"A"}', '{"type":"title","title":"B"}');
		expect(session.entries[1]).toEqual({ kind: 'setting', id: 'line:2', records: [1], set: { title: 'A' } });
		expect(session.header.title).toBe('B');
	});

	it('a line of an unknown type stays in its place in the conversation', () => {
		const session = decode(
			'{"type":"user_message","role":"user","content":[]}',
			'{"type":"checkpoint","id":"x"}',
			'{"type":"assistant_message","content":[]}',
		);
		expect(session.entries[1]).toEqual({
			kind: 'opaque',
			id: 'line:2',
			parent: 'line:1',
			records: [1],
			type: 'checkpoint',
		});
		expect(session.entries[2]?.parent).toBe('line:2');
	});

	it('fields that Clido does not have are kept as extra', () => {
		expect(only('{"type":"user_message","role":"user","content":[],"ts":1,"__proto__":{"x":1}}').extra).toEqual(
			JSON.parse('{"ts":1,"__proto__":{"x":1}}'),
		);
	});
});

describe('blocks', () => {
	const block = (json: string) => {
		const entry = only(`{"type":"assistant_message","content":[${json}]}`);
		return entry.kind === 'message' ? entry.content[0] : undefined;
	};

	it('text, thinking, image, tool_use and tool_result have a neutral form', () => {
		expect(block('{"type":"text","text":"a"}')).toEqual({ type: 'text', text: 'a' });
		expect(block('{"thinking":"hm","type":"thinking"}')).toEqual({ type: 'thinking', text: 'hm' });
		expect(block('{"type":"image","media_type":"image/png","base64_data":"iVBO"}')).toEqual({
			type: 'image',
			mime: 'image/png',
			data: { base64: 'iVBO' },
		});
		expect(block('{"type":"tool_use","id":"1","name":"Bash","input":{"command":"ls"}}')).toEqual({
			type: 'tool_call',
			id: '1',
			name: 'Bash',
			input: { command: 'ls' },
		});
		expect(block('{"type":"tool_result","tool_use_id":"1","content":"r","is_error":true}')).toEqual({
			type: 'tool_result',
			call: '1',
			content: [{ type: 'text', text: 'r' }],
			isError: true,
		});
	});

	it('a result inside a result is kept as it is, however deep it goes on', () => {
		const deep = `${'{"type":"tool_result","tool_use_id":"a","content":['.repeat(20_000)}${']}'.repeat(20_000)}`;
		const entry = only(`{"type":"user_message","role":"user","content":[${deep}]}`);
		const [result] = entry.kind === 'message' ? entry.content : [];
		expect(result).toMatchObject({ type: 'tool_result', content: [{ type: 'opaque', of: 'tool_result' }] });
	});

	it('blocks that Clido does not know are opaque', () => {
		expect(block('{"type":"redacted_thinking","data":"X"}')).toMatchObject({ type: 'opaque', of: 'redacted_thinking' });
		expect(block('"plain"')).toEqual({ type: 'opaque', of: '', value: 'plain' });
		expect(block('{"type":"text"}')).toMatchObject({ type: 'opaque', of: 'text' });
	});
});

describe('claims', () => {
	it('takes its own lines and leaves those of other clients', () => {
		const own = [
			meta,
			'{"type":"user_message","role":"user","content":[]}',
			'{"type":"assistant_message","content":[]}',
			'{"type":"tool_call","tool_use_id":"1"}',
			'{"type":"tool_result","tool_use_id":"1"}',
			'{"type":"system","subtype":"info"}',
			'{"type":"result","exit_status":"completed"}',
			'{"type":"title","title":"T"}',
		];
		for (const line of own) expect(clido.read.claims(JSON.parse(line))).toBe('client');
		const foreign = [
			'{"type":"user","uuid":"a","sessionId":"b"}',
			'{"type":"system","subtype":"turn_duration","uuid":"a","sessionId":"b"}',
			'{"type":"system","subtype":"init","session_id":"b"}',
			'{"type":"result","subtype":"success"}',
			'{"type":"session","id":"a"}',
			'{"type":"message","message":{}}',
			'{"role":"user","content":"x"}',
			'{"messages":[]}',
			'[]',
			'null',
		];
		for (const line of foreign) expect(clido.read.claims(JSON.parse(line))).toBeUndefined();
	});
});
