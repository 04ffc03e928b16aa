/** Laws of reading a JSON document as records. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mutation, seed } from '../../../../test/support/mutate.ts';
import { documentReader } from './document-reader.ts';
import type { Line } from './line.ts';

function linesOf(bytes: Uint8Array): readonly Line[] {
	const reader = documentReader('messages');
	const lines: Line[] = [];
	reader.push(bytes, (line) => lines.push(line));
	reader.end((line) => lines.push(line));
	return lines;
}

const read = (text: string): readonly Line[] => linesOf(Buffer.from(text, 'utf8'));
const flawsOf = (text: string): readonly string[] => read(text).flatMap((line) => line.flaws);
const items = (lines: readonly Line[]) => lines.filter((line) => line.part === 'item');

function expectEveryByteOnce(bytes: Uint8Array): void {
	const lines = linesOf(bytes);
	expect(Buffer.concat(lines.map((line) => line.bytes)).equals(bytes)).toBe(true);
	let at = 0;
	lines.forEach((line, index) => {
		expect(line).toMatchObject({ at, index, length: line.bytes.length });
		expect(line.line).toBe(Buffer.from(bytes.subarray(0, at)).toString('latin1').split('\n').length);
		at += line.length;
	});
}

const sample = {
	version: 1,
	messages: [
		{ role: 'user', content: 'größer' },
		{ role: 'assistant', content: [] },
		{ role: 'user', content: `a long one "with\\ quotes" ${'\\"'.repeat(20)} and a line\n${'x'.repeat(40)}` },
		5,
		null,
	],
	system_prompt: 'p',
};

describe('document reader', () => {
	test('newlines that a string may not hold are counted nevertheless', () => {
		fc.assert(
			fc.property(
				fc.array(fc.constantFrom('\n', '\\', '\\"', 'x', 'yyyyyyyyyyyyyyyyyyyy'), { maxLength: 12 }),
				(parts) => {
					expectEveryByteOnce(Buffer.from(`{"messages":[\n{"a":"${parts.join('')}"},\n{"b":1}\n,[]]}`));
				},
			),
			{ seed, numRuns: 500 },
		);
	});

	test('every byte belongs to one record, whatever the damage', () => {
		const whole = Buffer.from(JSON.stringify(sample, null, 2));
		fc.assert(
			fc.property(mutation, (damage) => {
				expectEveryByteOnce(Buffer.from(damage.apply(whole)));
			}),
			{ seed, numRuns: 200 },
		);
	});

	test('the head has the fields before and after the messages', () => {
		const [head, ...rest] = read(JSON.stringify(sample));
		expect(head).toMatchObject({ part: 'header', value: { version: 1, messages: [], system_prompt: 'p' } });
		expect(items(rest).map((line) => line.value ?? line.other)).toEqual(sample.messages);
	});

	test('a sound document has no flaw but elements that are not objects', () => {
		fc.assert(
			fc.property(fc.array(fc.jsonValue()), fc.constantFrom(undefined, 2), (messages, space) => {
				const lines = read(JSON.stringify({ a: [1], messages, z: {} }, null, space));
				expect(lines.flatMap((line) => line.flaws).filter((flaw) => flaw !== 'not-object')).toEqual([]);
				expect(items(lines)).toHaveLength(messages.length);
			}),
			{ seed, numRuns: 100 },
		);
	});

	test('a document cut at any byte is torn and keeps the messages before the cut', () => {
		const whole = Buffer.from(JSON.stringify(sample, null, 2));
		for (let cut = 1; cut < whole.length; cut += 1) {
			const bytes = whole.subarray(0, cut);
			expectEveryByteOnce(bytes);
			const lines = linesOf(bytes);
			expect(lines.flatMap((line) => line.flaws)).toContain('torn');
			expect(lines.flatMap((line) => line.flaws)).not.toContain('not-json');
			const values = items(lines).flatMap((line) => line.value ?? []);
			expect(values).toEqual(sample.messages.slice(0, values.length));
			if (cut > whole.indexOf('"messages": [') + 13) expect(lines[0]?.value?.version).toBe(1);
		}
	});

	test.each([
		['a missing comma', '{"messages":[{"a":1}{"b":2}]}'],
		['a missing comma with space', '{"messages":[{"a":1} {"b":2}]}'],
		['two commas', '{"messages":[{"a":1},,{"b":2}]}'],
		['a comma at the start', '{"messages":[,{"a":1}]}'],
		['a comma at the end', '{"messages":[{"a":1},]}'],
		['a NUL between', '{"messages":[{"a":1},\0{"b":2}]}'],
		['a word', '{"messages":[{"a":1},nix]}'],
		['a wrong bracket', '{"messages":[{"a":1}}]'],
		['a rest after the end', '{"messages":[{"a":1}]} x'],
		['a broken head', '{"version":,"messages":[{"a":1}]}'],
	])('%s is not JSON, and the messages are read all the same', (_, text) => {
		expect(() => JSON.parse(text)).toThrow();
		expect(flawsOf(text)).toContain('not-json');
		expect(items(read(text)).flatMap((line) => line.value ?? [])[0]).toEqual({ a: 1 });
		expectEveryByteOnce(Buffer.from(text));
	});

	test('a fault after the messages leaves the fields before them readable', () => {
		const [head, ...rest] = read('{"version":1,"messages":[{}],"system_pro');
		expect(head).toMatchObject({ value: { version: 1 }, flaws: [] });
		expect(rest.at(-1)).toMatchObject({ part: 'item', flaws: ['torn'] });
	});

	test('a bare array has a head without fields and no flaw', () => {
		expect(read('[{"a":1}]')[0]).toMatchObject({ part: 'header', other: [], flaws: [] });
		expect(flawsOf('[{"a":1}]')).toEqual([]);
		expect(flawsOf('[{"a":1},{"b"')).toEqual(['torn']);
		expect(flawsOf('[{"a":1}')).toEqual(['torn']);
	});

	test('of equal keys the last has the messages', () => {
		const lines = read('{"messages":[{"a":1}],"messages":[{"b":2}]}');
		expect(items(lines).map((line) => line.value)).toEqual([{ b: 2 }]);
		expect(lines.flatMap((line) => line.flaws)).toEqual([]);
	});

	test('a byte order mark and bytes that are not UTF-8 are named', () => {
		expect(flawsOf('\uFEFF{"messages":[]}')).toEqual(['bom']);
		expect(flawsOf('\uFEFF{"messages":[')).toEqual(['bom', 'torn']);
		const bytes = Buffer.concat([Buffer.from('{"messages":[{"a":"'), Buffer.from([0xff]), Buffer.from('"}]}')]);
		expect(linesOf(bytes).flatMap((line) => line.flaws)).toEqual(['not-utf8']);
	});

	test('a value without messages is all head', () => {
		expect(read('{"version":1}')).toMatchObject([{ part: 'header', value: { version: 1 }, flaws: [] }]);
		expect(read('null')).toMatchObject([{ part: 'header', other: null, flaws: ['not-object'] }]);
		expect(flawsOf('{"version":1,"upda')).toEqual(['torn']);
		expect(flawsOf('no JSON')).toEqual(['not-json']);
		expect(read('')).toEqual([]);
	});

	test('the memory of a chunk may be used again', () => {
		const reader = documentReader('messages');
		const lines: Line[] = [];
		const memory = Buffer.from('{"messages":[');
		reader.push(memory, () => undefined);
		memory.fill(0);
		reader.push(Buffer.from('{"a":1}]}'), () => undefined);
		reader.end((line) => lines.push(line));
		expect(items(lines).map((line) => line.value)).toEqual([{ a: 1 }]);
	});

	test('reading starts at the first byte again: the client replaces the whole', () => {
		const reader = documentReader('messages');
		reader.push(Buffer.from('{"messages":[{}'), () => undefined);
		expect(reader.position()).toEqual({ at: 0, line: 1, index: 0 });
	});
});
