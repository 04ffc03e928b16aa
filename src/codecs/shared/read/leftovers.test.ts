/** What is left of a foreign object. */
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../model/index.ts';
import { leftovers } from './leftovers.ts';

const known = new Set(['a']);
const foreign = JSON.parse('{"a":1,"__proto__":{"x":1},"b":2}') as JsonObject;

test('a field called __proto__ is left over only where all are wanted, and never becomes a prototype', () => {
	expect(JSON.stringify(leftovers(foreign, known))).toBe('{"b":2}');
	const all = leftovers(foreign, known, true);
	expect(JSON.stringify(all)).toBe('{"__proto__":{"x":1},"b":2}');
	expect(Object.getPrototypeOf(all)).toBe(Object.prototype);
	expect(leftovers({ a: 1 }, known)).toBeUndefined();
});
