/** Patterns stand for every name that some shell would put in their place. */
import { describe, expect, it } from 'vitest';
import { expandGlob } from './globs.ts';

const view = (names: readonly string[]) => ({ real: (path: string) => path, kind: () => undefined, list: () => names });
const names = (pattern: string, ...among: readonly string[]) =>
	expandGlob(pattern, '/p', view(among))?.map((path) => path.slice(3));

describe('a pattern', () => {
	it.each([
		['*.ts', ['a.ts', 'b.js', '.c.ts'], ['a.ts']],
		['?', ['😀', 'ab', 'abc', 'é'], ['😀', 'ab', 'é']],
		['????', ['😀'], ['😀']],
		['[ab]x', ['ax', 'bx', 'cx'], ['ax', 'bx']],
		['[!a]x', ['bx', '😀x'], ['bx', '😀x']],
		['[a-z]', ['É'], ['É']],
		['A*', ['ab'], ['ab']],
		['\\**', ['*x', 'x'], ['*x']],
		['[x', ['[x', 'x'], ['[x']],
	])('%s', (pattern, among, expected) => {
		expect(names(pattern, ...among)).toEqual(expected);
	});

	it('.* is also the folder above, as in older shells', () => {
		expect(names('.*', '.a', 'b')).toEqual(['.', '..', '.a']);
	});

	it('from the root has one slash', () => {
		expect(expandGlob('/e*', '/p', view(['etc']))).toEqual(['/etc']);
	});

	it('of many stars is tried in no time', () => {
		expect(names(`${'*a'.repeat(40)}b`, 'a'.repeat(250))).toEqual([]);
		expect(names(`${'?*'.repeat(40)}b`, 'a'.repeat(250))).toEqual([]);
	});

	it('for more than can be looked at is none', () => {
		expect(names('*', ...Array.from({ length: 2000 }, (_, at) => `f${at}`))).toBe(undefined);
	});
});
