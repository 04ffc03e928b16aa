/** Editing a field of a JSON object in its bytes. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withField, withInnerField } from './set-field.ts';

const edit = (text: string, key: string, value: string): string | undefined => {
	const bytes = withField(Buffer.from(text), key, value);
	return bytes && Buffer.from(bytes).toString('utf8');
};

test('only the value of the field changes, whatever else the object holds', () => {
	expect(edit('{"a":1.0,"cwd" : "/old", "n":12345678901234567890}', 'cwd', '/new')).toBe(
		'{"a":1.0,"cwd" : "/new", "n":12345678901234567890}',
	);
	expect(edit('{"cwd":"/old","cwd":"/older"}\n', 'cwd', '/new')).toBe('{"cwd":"/old","cwd":"/new"}\n');
});

test('a field that is absent comes first, written as its neighbour is', () => {
	expect(edit('{\n  "a": 1\n}\n', 'b', 'x')).toBe('{\n  "b": "x",\n  "a": 1\n}\n');
	expect(edit('{"a":1}', 'b', 'x')).toBe('{"b": "x","a":1}');
	expect(edit('{}', 'b', 'x')).toBe('{"b": "x"}');
});

test('what is no object is not edited', () => {
	for (const text of ['', '[]', '"{"', 'no {', '{']) expect(edit(text, 'b', 'x')).toBeUndefined();
});

test('an inner field is set whether its object is there or not', () => {
	const inner = (text: string): unknown =>
		JSON.parse(Buffer.from(withInnerField(Buffer.from(text), 'metadata', 'title', 'T') ?? []).toString());
	expect(inner('{"metadata":{"title":"old","k":1}}')).toEqual({ metadata: { title: 'T', k: 1 } });
	expect(inner('{"x":1}')).toEqual({ x: 1, metadata: { title: 'T' } });
	expect(inner('{"metadata":null}')).toEqual({ metadata: { title: 'T' } });
});

test('the result is the object with that field, for any object and layout', () => {
	const field = fc.constantFrom('cwd', 'title', 'a"b', 'ü');
	fc.assert(
		fc.property(
			fc.dictionary(field, fc.jsonValue()),
			field,
			fc.string(),
			fc.constantFrom(0, 2),
			(object, key, value, indent) => {
				const before = JSON.stringify(object, null, indent);
				const after = withField(Buffer.from(before), key, value);
				expect(JSON.parse(Buffer.from(after ?? []).toString())).toEqual({ ...object, [key]: value });
			},
		),
	);
});
