/** Laws of editing JSON in place: the value changes, the other bytes do not. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../model/index.ts';
import { stepsOf, valueText, withoutRepeats, withoutValue, withValue } from './json-edit.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text, 'utf8');
const text = (value: Uint8Array): string => Buffer.from(value).toString('utf8');

describe('one value is changed and every other byte stays', () => {
	test('a number that JSON.parse would round keeps its digits when another field changes', () => {
		const line = bytes('{"a":1.0, "mtime_nanos" : 1769000000123456789,"b":[1 , 2]}\n');
		expect(text(withValue(line, ['b', 1], 'x'))).toBe('{"a":1.0, "mtime_nanos" : 1769000000123456789,"b":[1 , "x"]}\n');
	});

	test('a field that is not there is added the way the others are written', () => {
		expect(text(withValue(bytes('{\n  "a": 1\n}'), ['b'], 2))).toBe('{\n  "a": 1,\n  "b": 2\n}');
		expect(text(withValue(bytes('{"a":1}'), ['b'], 2))).toBe('{"a":1,"b":2}');
		expect(text(withValue(bytes('{}'), ['b'], 2))).toBe('{"b":2}');
		expect(text(withValue(bytes('{"a":[]}'), ['a', 0], null))).toBe('{"a":[null]}');
	});

	test('an element is taken out with its comma, wherever it stands', () => {
		expect(text(withoutValue(bytes('[1, 2, 3]'), [0]))).toBe('[2, 3]');
		expect(text(withoutValue(bytes('[1, 2, 3]'), [1]))).toBe('[1, 3]');
		expect(text(withoutValue(bytes('[1, 2, 3]'), [2]))).toBe('[1, 2]');
		expect(text(withoutValue(bytes('[1]'), [0]))).toBe('[]');
	});

	test('of a field given twice the last is changed, and both go together', () => {
		const line = bytes('{"a":1,"b":2,"a":3}');
		expect(text(withValue(line, ['a'], 4))).toBe('{"a":1,"b":2,"a":4}');
		expect(text(withoutValue(line, ['a']))).toBe('{"b":2}');
		expect(text(withoutRepeats(line, []))).toBe('{"b":2,"a":3}');
	});

	test('fields that are repeated many times go in one pass', () => {
		const line = `{${'"a" : 1, "b":2,\n'.repeat(20_000)}"c":3}`;
		expect(text(withoutRepeats(bytes(line), []))).toBe('{"a" : 1, "b":2,\n"c":3}');
	});

	test('a byte order mark is not in the way', () => {
		expect(text(withValue(bytes('\uFEFF{"a":1}'), ['a'], 2))).toBe('\uFEFF{"a":2}');
	});

	test('paths of issues become steps', () => {
		expect(stepsOf('message.content[10].id')).toEqual(['message', 'content', 10, 'id']);
	});

	test('for any object, setting, adding and removing mean the same as on the parsed value', () => {
		fc.assert(
			fc.property(
				fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 5 }),
				fc.string(),
				fc.jsonValue(),
				fc.constantFrom(0, 1, 2),
				(object, key, value, indent) => {
					fc.pre(key !== '__proto__' && !Object.hasOwn(object, '__proto__'));
					const source = bytes(JSON.stringify(object, null, indent));
					const meant = JSON.parse(JSON.stringify({ ...object, [key]: value })) as Json;
					const edited = withValue(source, [key], value as Json);
					expect(JSON.parse(text(edited))).toEqual(meant);
					expect(JSON.parse(valueText(edited, [key]) ?? '')).toEqual(JSON.parse(JSON.stringify(value)));
					const { [key]: _, ...rest } = JSON.parse(JSON.stringify(object)) as { [key: string]: unknown };
					expect(JSON.parse(text(withoutValue(source, [key])))).toEqual(rest);
				},
			),
			{ numRuns: 200 },
		);
	});
});
