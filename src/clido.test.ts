/** Iterating over a Clido session as its document shows. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { SessionReader } from './clido.ts';
import { InputError } from './store/errors.ts';

const folder = mkdtempSync(join(tmpdir(), 'clido-reader-'));
afterAll(() => rmSync(folder, { recursive: true }));

const example = join(import.meta.dirname, '../test/seeds/clido-session-format/complete-session-example.jsonl');

function file(name: string, text: string): string {
	const path = join(folder, name);
	writeFileSync(path, text);
	return path;
}

it('gives the typed lines of the document, in order', () => {
	const seen: unknown[] = [];
	for (const line of SessionReader.open(example)) {
		switch (line.type) {
			case 'user_message':
			case 'assistant_message':
				seen.push(line.content.map((block) => block.type));
				break;
			case 'tool_result':
				seen.push([line.tool_name, line.content, line.mtime_nanos]);
				break;
			case 'result':
				seen.push(line.total_cost_usd);
				break;
			default:
				seen.push(line.type);
		}
	}
	expect(seen).toEqual([
		'meta',
		['text'],
		['tool_use'],
		'tool_call',
		['Read', 'fn main() {\n...', 1742560200000000000n],
		['text'],
		0.0009,
	]);
});

it('can be iterated again, and left early', () => {
	const reader = SessionReader.open(example);
	for (const line of reader) {
		expect(line.type).toBe('meta');
		break;
	}
	expect([...reader]).toHaveLength(7);
});

it('a bad line ends it with its number and the reason, after the lines before it', () => {
	const path = file('bad.jsonl', '\n{"type":"title","title":"a"}\r\n{"type":"title"}\n{"type":"title","title":"b"}\n');
	const seen: string[] = [];
	expect(() => {
		for (const line of SessionReader.open(path)) seen.push(line.type);
	}).toThrow(/line 3: title: `title` is missing/);
	expect(seen).toEqual(['title']);
	expect(() => [...SessionReader.open(file('torn.jsonl', '{"type":"ti'))]).toThrow(InputError);
	expect(() => [...SessionReader.open(file('torn.jsonl', '{"type":"ti'))]).toThrow(/line 1: /);
});

it('a missing file is an error at once', () => {
	expect(() => SessionReader.open(join(folder, 'nothing'))).toThrow(/ENOENT/);
});

it('every digit of mtime_nanos and a null for no value are kept apart', () => {
	const result = (fields: string) =>
		`{"type":"tool_result","tool_use_id":"1","content":"","is_error":false,${fields}}\n`;
	const path = file(
		'mtime.jsonl',
		result('"mtime_nanos":18446744073709551615') + result('"mtime_nanos":null,"path":null'),
	);
	expect([...SessionReader.open(path)]).toEqual([
		{ type: 'tool_result', tool_use_id: '1', content: '', is_error: false, mtime_nanos: 18446744073709551615n },
		{ type: 'tool_result', tool_use_id: '1', content: '', is_error: false },
	]);
});

it('a file larger than a piece is read piece by piece', () => {
	const line = `{"type":"title","title":"${'x'.repeat(1000)}"}\n`;
	const path = file('large.jsonl', line.repeat(5000));
	let lines = 0;
	for (const one of SessionReader.open(path)) if (one.type === 'title' && one.title.length === 1000) lines += 1;
	expect(lines).toBe(5000);
});
