/** Laws of finding array elements in JSON bytes. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seed } from '../../../../test/support/mutate.ts';
import { arraySpans, fieldSpan, isTorn } from './json-spans.ts';

const bytesOf = (text: string): Uint8Array => Buffer.from(text, 'utf8');
const elements = (text: string): unknown[] | undefined => {
	const bytes = Buffer.from(text, 'utf8');
	return arraySpans(bytes, 'messages')?.elements.map((span) => JSON.parse(bytes.toString('utf8', span.at, span.end)));
};

const document = fc.record(
	{ version: fc.jsonValue(), messages: fc.array(fc.jsonValue()), 'mess"ages': fc.jsonValue(), zuletzt: fc.jsonValue() },
	{ requiredKeys: ['messages'] },
);
const layout = fc.constantFrom(undefined, 1, 2, '\t');

describe('json spans', () => {
	test('the elements are those that JSON.parse finds, in any layout', () => {
		fc.assert(
			fc.property(document, layout, (value, space) => {
				const text = JSON.stringify(value, null, space);
				expect(elements(text)).toEqual((JSON.parse(text) as typeof value).messages);
				expect(arraySpans(bytesOf(text), 'messages')?.closed).toBe(true);
			}),
			{ seed, numRuns: 200 },
		);
	});

	test('a bare array is the array', () => {
		fc.assert(
			fc.property(fc.array(fc.jsonValue()), layout, (value, space) => {
				const text = JSON.stringify(value, null, space);
				expect(elements(text)).toEqual(JSON.parse(text));
				expect(arraySpans(bytesOf(text), 'messages')?.bare).toBe(true);
			}),
			{ seed, numRuns: 100 },
		);
	});

	test('a document cut at any byte still has every element before the cut', () => {
		const messages = [{ a: 'x"]}\\' }, [1, [2]], 'text \\" "', -1.5e3, true, null, { 'ü\u2028': '日本' }];
		const whole = bytesOf(JSON.stringify({ version: 1, messages, system_prompt: 'p' }, null, 2));
		const spans = arraySpans(whole, 'messages')?.elements ?? [];
		expect(spans).toHaveLength(messages.length);
		for (let cut = 0; cut < whole.length; cut += 1) {
			const found = arraySpans(whole.subarray(0, cut), 'messages')?.elements ?? [];
			expect(found.length).toBeGreaterThanOrEqual(spans.filter((span) => span.end < cut).length);
			expect(found).toEqual(spans.slice(0, found.length));
			expect(isTorn(whole.subarray(0, cut))).toBe(cut > 0);
		}
	});

	test('escapes in a key are part of its spelling, not of its name', () => {
		expect(elements('{"\\u006dessages":[1],"mess\\"ages":[2]}')).toEqual([1]);
	});

	test('the last of equal keys counts', () => {
		expect(elements('{"messages":[1],"messages":[2,3]}')).toEqual([2, 3]);
		expect(elements('{"messages":[1],"messages":"none"}')).toBeUndefined();
		expect(elements('{"messages":"none","messages":[1]}')).toEqual([1]);
	});

	test('a key of an inner object is not the key', () => {
		expect(elements('{"a":{"messages":[1]},"b":"messages"}')).toBeUndefined();
	});

	test('a byte order mark is skipped', () => {
		expect(elements('\uFEFF{"messages":[1]}')).toEqual([1]);
		expect(elements('\uFEFF[1]')).toEqual([1]);
	});

	test('a string that is cut after an escaped quote has not ended', () => {
		expect(arraySpans(bytesOf('["abc\\"'), 'messages')?.elements).toEqual([]);
		expect(arraySpans(bytesOf('{"messages\\"'), 'messages')).toBeUndefined();
	});

	test('a byte that starts no value stops the search', () => {
		expect(arraySpans(bytesOf('{"messages":[1,}]'), 'messages')).toMatchObject({ closed: false, stopped: true });
		expect(arraySpans(bytesOf('{"messages":[1,'), 'messages')).toMatchObject({ closed: false, stopped: false });
	});

	test('a field is found by its name at the top level', () => {
		const text = '{"a":{"b":1},"b" : "x\\"y" ,"c":[2]}';
		const span = fieldSpan(bytesOf(text), 'b');
		expect(text.slice(span?.at, span?.end)).toBe('"x\\"y"');
		expect(fieldSpan(bytesOf(text), 'd')).toBeUndefined();
		expect(fieldSpan(bytesOf('[1]'), 'b')).toBeUndefined();
	});

	test('a value that is missing hides no field behind it', () => {
		const text = '{"a":,"b":2}';
		const span = fieldSpan(bytesOf(text), 'b');
		expect(text.slice(span?.at, span?.end)).toBe('2');
	});

	test('nesting of any depth is walked without recursion', () => {
		const deep = '['.repeat(200_000) + ']'.repeat(200_000);
		expect(arraySpans(bytesOf(`{"messages":[${deep}]}`), 'messages')?.elements).toHaveLength(1);
	});
});
