/** Control characters in lines that are not JSON. */
import { expect, test } from 'vitest';
import { escaped } from './repair-flaws.ts';

test('control characters are escaped inside strings, and nowhere else', () => {
	expect(escaped('{"a":"b\tc",\t"d":1}\n')).toBe('{"a":"b\\u0009c",\t"d":1}');
	expect(escaped('{"a":"b\u0000c"}')).toBe('{"a":"bc"}');
});

test('a string without an end stays as it is', () => {
	expect(escaped('{"a":"b\tc","d":"e\tf\\"g\th')).toBe('{"a":"b\\u0009c","d":"e\tf\\"g\th');
});

test('a line that was torn inside a text full of quotes is looked through once', () => {
	const torn = `{"a":"${'\\"name\\":1,'.repeat(300_000)}`;
	expect(escaped(torn)).toBe(torn);
});
