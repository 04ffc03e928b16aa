/** What the real reader accepts and refuses, and where document and client differ. */
import { describe, expect, it } from 'vitest';
import type { Issue } from '../../../model/index.ts';
import { checkBytes, issuesIn } from '../../shared/check/check.ts';
import { clido } from '../index.ts';

const meta =
	'{"type":"meta","session_id":"a1b2c3d4e5f6789abcdef0123456789a","schema_version":1,"start_time":"2026-03-21T14:30:00Z","project_path":"/home/user/app"}';
const prompt = '{"type":"user_message","role":"user","content":[{"type":"text","text":"x"}]}';

function check(...lines: readonly (string | Uint8Array)[]): readonly Issue[] {
	return checkBytes(clido, Buffer.concat(lines.flatMap((line) => [Buffer.from(line), Buffer.from('\n')])));
}

function errors(...lines: readonly (string | Uint8Array)[]): readonly string[] {
	return check(...lines)
		.filter((issue) => issue.severity === 'error')
		.map((issue) => issue.rule);
}

const nested = (levels: number): string =>
	`{"type":"title","title":"x","a":${'['.repeat(levels)}${']'.repeat(levels)}}`;
const result = (fields: string): string => `{"type":"result","exit_status":"success",${fields}}`;
const user = (block: string): string => `{"type":"user_message","role":"user","content":[${block}]}`;

describe('the reader refuses', () => {
	it('a field that is missing or of another type', () => {
		expect(errors('{"type":"title"}')).toEqual(['clido/title/title']);
		expect(errors('{"type":"title","title":null}')).toEqual(['clido/title/title']);
		expect(errors('{"type":"system","subtype":1}')).toEqual(['clido/system/subtype']);
		expect(errors('{"type":"system","subtype":"info","message":1}')).toEqual(['clido/system/message']);
		expect(errors('{"type":"user_message","role":1,"content":[]}')).toEqual(['clido/user_message/role']);
		expect(errors('{"type":"assistant_message","content":null}')).toEqual(['clido/assistant_message/content']);
		expect(errors('{"type":"tool_call","tool_use_id":"1","tool_name":"a"}')).toEqual(['clido/tool_call/input']);
		expect(errors('{"type":"tool_result","tool_use_id":"1","content":[],"is_error":"false"}')).toEqual([
			'clido/tool_result/content',
			'clido/tool_result/is_error',
		]);
		expect(errors('{"type":"meta"}')).toEqual([
			'clido/meta/session_id',
			'clido/meta/schema_version',
			'clido/meta/start_time',
			'clido/meta/project_path',
		]);
	});

	it('a line type that it does not know, or none', () => {
		for (const line of ['{"type":"checkpoint"}', '{"type":"User_Message"}', '{"type":null}', '{"title":"x"}', '{}'])
			expect(errors(line)).toEqual(['clido/line-type']);
	});

	it('a whole number written in another way', () => {
		for (const turns of ['1.0', '1e0', '-1', '-0', '4294967296', '1E2'])
			expect(errors(result(`"total_cost_usd":0,"num_turns":${turns},"duration_ms":1`))).toEqual([
				'clido/result/num_turns',
			]);
		for (const time of ['1.5', '-1', '18446744073709551616'])
			expect(errors(result(`"total_cost_usd":0,"num_turns":1,"duration_ms":${time}`))).toEqual([
				'clido/result/duration_ms',
			]);
		const stale = (digits: string) =>
			errors(`{"type":"tool_result","tool_use_id":"1","content":"","is_error":false,"mtime_nanos":${digits}}`);
		for (const digits of ['1e18', '1742560200000000000.0', '18446744073709551616', '"1"'])
			expect(stale(digits)).toEqual(['clido/tool_result/mtime_nanos']);
		for (const version of ['1.0', '"1"', '-1', '4294967296'])
			expect(errors(meta.replace(':1,', `:${version},`))).toContain('clido/meta/schema_version');
	});

	it('a schema that is newer than its own', () => {
		expect(errors(meta.replace(':1,', ':2,'))).toEqual(['clido/schema-version']);
	});

	it('a known field that is given twice, however it is spelled', () => {
		const twice = [
			'{"type":"title","type":"title","title":"x"}',
			'{"type":"title","title":"x","title":"y"}',
			'{"title":"x","type":"title","t\\u0069tle":"y"}',
			'{"type":"assistant_message","content":[{"a":"]}"}],"content":[]}',
			'{"type" :"title","title":"x","title":"y"}',
			'{"type":"title","title":": x","a" : {"b":" :"},"title":"y"}',
			'{ "type" : "tool_result" , "tool_use_id":"1","content":"\\"","is_error":false,"path":null , "path" : null }',
		];
		for (const line of twice) expect(errors(line)).toEqual(['clido/duplicate-key']);
	});

	it('half of a surrogate pair, anywhere on a line', () => {
		for (const text of ['"\\ud800"', '"a\\uDC00b"', '"\\ude00\\ud83d"'])
			expect(errors(`{"type":"title","title":${text}}`)).toEqual(['clido/lone-surrogate']);
		expect(errors('{"type":"title","title":"x","extra":[{"\\ud800":1}]}')).toEqual(['clido/lone-surrogate']);
		expect(errors(user('{"type":"text","text":"\\ud83d"}'))).toEqual(['clido/lone-surrogate']);
	});

	it('a number that no double holds', () => {
		expect(errors(result('"total_cost_usd":1e400,"num_turns":1,"duration_ms":1'))).toEqual(['clido/number-range']);
		expect(errors('{"type":"title","title":"x","extra":{"a":[-1e999]}}')).toEqual(['clido/number-range']);
		expect(errors(`{"type":"title","title":"x","extra":${'9'.repeat(400)}}`)).toEqual(['clido/number-range']);
	});

	it('more than 127 levels', () => {
		expect(errors(nested(127))).toEqual(['clido/too-deep']);
		expect(errors(nested(20_000))).toEqual(['clido/too-deep']);
	});

	it('a line that is not JSON, not an object or not UTF-8', () => {
		expect(errors(meta, '{"type":"title"')).toEqual(['clido/not-json']);
		expect(errors(meta, `${prompt} x`)).toEqual(['clido/not-json']);
		expect(errors(meta, 'null')).toEqual(['clido/not-object']);
		expect(errors(meta, Buffer.from('{"type":"title","title":"\xff"}', 'latin1'))).toEqual(['clido/not-utf8']);
		expect(errors(`\ufeff${meta}`)).toEqual(['clido/bom']);
		expect(checkBytes(clido, Buffer.from(`${meta}\n{"type":"ti`)).map((issue) => issue.rule)).toContain('clido/torn');
	});

	it('a block that it does not know, when it resumes', () => {
		expect(errors(user('{"type":"document"}'))).toEqual(['clido/block-type']);
		expect(errors(user('"x"'))).toEqual(['clido/block-type']);
		expect(errors(user('{"text":"x"}'))).toEqual(['clido/block-type']);
		expect(errors(user('{"type":"text"}'))).toEqual(['clido/block.text/text']);
		expect(errors(user('{"type":"image","source":{}}'))).toEqual([
			'clido/block.image/media_type',
			'clido/block.image/base64_data',
		]);
		expect(errors(user('{"type":"tool_result","tool_use_id":"1","content":"x"}'))).toEqual([
			'clido/block.tool_result/is_error',
		]);
		expect(errors(user('{"type":"thinking","text":"x"}'))).toEqual(['clido/block.thinking/thinking']);
		expect(errors(user('{"type":"tool_use","id":"1","name":"a"}'))).toEqual(['clido/block.tool_use/input']);
	});
});

describe('the reader takes', () => {
	const fine = (...lines: readonly (string | Uint8Array)[]) => expect(errors(...lines)).toEqual([]);

	it('whole numbers up to their limits', () => {
		fine(result('"total_cost_usd":0,"num_turns":4294967295,"duration_ms":18446744073709551615'));
		fine('{"type":"tool_result","tool_use_id":"1","content":"","is_error":false,"mtime_nanos":18446744073709551615}');
		fine(meta.replace(':1,', ':0,'));
		fine(result('"total_cost_usd" : 0 , "num_turns" : 1 ,"duration_ms" :\t7 '));
		fine(result('"duration_ms":7,"x\\"duration_ms":1.5,"total_cost_usd":0,"num_turns":1'));
		fine(result('"duration_ms":7,"more":{"duration_ms":1.5},"total_cost_usd":0,"num_turns":1'));
	});

	it('costs of any spelling', () => {
		for (const cost of ['0', '1e-400', '-1', '18446744073709551616', '1.5e3'])
			fine(result(`"total_cost_usd":${cost},"num_turns":1,"duration_ms":1`));
	});

	it('fields it does not know, twice too, and doubles inside blocks', () => {
		fine('{"type":"title","title":"x","a":1,"a":2}');
		fine(user('{"type":"text","text":"a","text":"b","cache_control":{}}'));
	});

	it('escapes that only look like half of a pair', () => {
		fine('{"type":"title","title":"\\\\ud800 \\ud83d\\ude00 \\u001b"}');
	});

	it('127 levels', () => fine(nested(126)));

	it('blank lines, CRLF, a missing last newline, and any input of a call', () => {
		fine(`${meta}\r`, '', '  \t', `${prompt}\r`);
		expect(checkBytes(clido, Buffer.from(meta)).filter((issue) => issue.severity === 'error')).toEqual([]);
		fine('{"type":"tool_call","tool_use_id":"1","tool_name":"a","input":null}');
		fine('{"type":"assistant_message","content":[{"type":"tool_use","id":"1","name":"a","input":null}]}');
	});
});

describe('the document and the client differ', () => {
	const published = (...lines: readonly string[]) => rulesIn('published', lines);
	const client = (...lines: readonly string[]) => rulesIn('client', lines);
	function rulesIn(profile: 'published' | 'client', lines: readonly string[]): readonly string[] {
		return issuesIn(profile, check(...lines)).map((issue) => issue.rule.replace('clido/', ''));
	}

	it('in the header', () => {
		expect(published(meta, prompt)).toEqual([]);
		expect(published(meta.replace('a1b2c3d4e5f6789abcdef0123456789a', '3f2b8a9e-6f0e-4c55-9d3d-0c1f0d7d9a11'))).toEqual(
			['published/session-id'],
		);
		expect(published(meta.replace('00Z', '00+00:00'))).toEqual(['published/start-time']);
		expect(published(meta.replace('/home/user/app', '.'))).toEqual(['published/project-path']);
		expect(published(meta.replace(':1,', ':0,'))).toEqual(['published/schema-version']);
		expect(published(meta, meta)).toEqual(['published/meta-once']);
		expect(published(prompt, meta)).toEqual(['meta-first']);
		expect(client(prompt)).toEqual(['meta-first']);
	});

	it('in words', () => {
		const end = (word: string) =>
			`{"type":"result","exit_status":"${word}","total_cost_usd":0,"num_turns":1,"duration_ms":1}`;
		expect(published(meta, prompt, end('completed'))).toEqual(['published/exit-status']);
		expect(client(meta, prompt, end('completed'))).toEqual([]);
		expect(client(meta, prompt, end('success'))).toEqual(['exit-word']);
		expect(published(meta, prompt, end('success'), prompt)).toEqual(['published/result-last']);
		expect(published(meta, prompt, '{"type":"system","subtype":"note"}')).toEqual(['published/subtype']);
		expect(published(meta, prompt.replace('"role":"user"', '"role":"me"'))).toEqual(['published/role']);
		expect(published(meta, prompt, '{"type":"title","title":"T"}')).toEqual(['published/title']);
		expect(client(meta, prompt, '{"type":"title","title":"T"}')).toEqual([]);
	});

	it('in the state of files', () => {
		const use = '{"type":"assistant_message","content":[{"type":"tool_use","id":"1","name":"a","input":{}}]}';
		const call = '{"type":"tool_call","tool_use_id":"1","tool_name":"a","input":{}}';
		const answer = (fields: string) =>
			`{"type":"tool_result","tool_use_id":"1","content":"x","is_error":false,${fields}}`;
		const hex = 'a1'.repeat(32);
		const bare = answer(`"path":"/a","content_hash":"${hex}","mtime_nanos":1`);
		const prefixed = answer(`"path":"a","content_hash":"sha256:${hex}","mtime_nanos":1`);
		expect(client(meta, prompt, use, call, bare)).toEqual([]);
		expect(published(meta, prompt, use, call, bare)).toEqual(['published/hash']);
		expect(client(meta, prompt, use, call, prefixed)).toEqual(['path-resolved', 'hash-bare']);
		expect(published(meta, prompt, use, call, prefixed)).toEqual([]);
		expect(published(meta, prompt, use, call, answer('"path":null'))).toEqual(['published/null-field']);
		expect(client(meta, prompt, use, call, answer(`"content_hash":"${hex}"`))).toEqual(['stale-fields']);
		expect(client(meta, prompt, use, call, answer('"path":"/a","mtime_nanos":1'))).toEqual([]);
	});

	it('in blocks', () => {
		expect(published(meta, user('{"type":"image","media_type":"a","base64_data":"b"}'))).toEqual([
			'published/block-type',
		]);
		expect(published(meta, '{"type":"assistant_message","content":[{"type":"thinking","thinking":"b"}]}')).toEqual([
			'published/block-type',
		]);
		expect(published(meta, user('{"type":"tool_use","id":"1","name":"a","input":1}'))).toContain(
			'published/block-place',
		);
	});

	it('in what is listed', () => {
		expect(client(meta)).toEqual(['not-listed']);
		expect(published(meta)).toEqual([]);
	});
});

describe('calls and results', () => {
	const use = (id: string) =>
		`{"type":"assistant_message","content":[{"type":"tool_use","id":"${id}","name":"a","input":{}}]}`;
	const call = (id: string) => `{"type":"tool_call","tool_use_id":"${id}","tool_name":"a","input":{}}`;
	const answer = (id: string) => `{"type":"tool_result","tool_use_id":"${id}","content":"x","is_error":false}`;
	const found = (...lines: readonly string[]) =>
		check(meta, prompt, ...lines).map((issue) => issue.rule.slice('clido/'.length));

	it('each call has its index line and its result', () => {
		expect(found(use('1'), call('1'), answer('1'))).toEqual([]);
		expect(found(use('1'), answer('1'))).toEqual(['published/call-indexed']);
		expect(found(call('1'))).toEqual(['published/call-known']);
	});

	it('unanswered, orphaned, repeated and late ones are told apart', () => {
		expect(found(use('1'), call('1'))).toEqual(['call-unanswered']);
		expect(found(answer('1'))).toEqual(['result-orphan']);
		expect(found(use('1'), call('1'), answer('1'), answer('1'))).toEqual(['result-repeated']);
		expect(found(use('1'), call('1'), answer('1'), use('1'), answer('1'))).toEqual([
			'call-repeated',
			'published/call-indexed',
		]);
		expect(found(use('1'), call('1'), prompt, answer('1'))).toEqual(['result-late']);
	});

	it('a message of results may stand for the lines', () => {
		const inside = user('{"type":"tool_result","tool_use_id":"1","content":"r","is_error":false}');
		expect(found(use('1'), call('1'), inside)).toEqual([]);
		expect(found(use('1'), call('1'), answer('1'), inside)).toContain('result-repeated');
	});

	it('an empty message is worth a warning', () => {
		expect(found('{"type":"assistant_message","content":[]}')).toEqual(['empty-message']);
	});
});
