/** What is left of a foreign object: the fields that the model has no name for. */
import type { Json, JsonObject } from '../../../model/index.ts';

/**
 * The fields not in `known`, sharing their values; undefined when there are none. A field called `__proto__` stays in the bytes only,
 * unless `all` are wanted: formats whose writers put leftovers on a line as they are do without it.
 */
export function leftovers(object: JsonObject, known: ReadonlySet<string>, all = false): JsonObject | undefined {
	let rest: { [key: string]: Json | undefined } | undefined;
	for (const key in object) {
		if (known.has(key) || (key === '__proto__' && !all)) continue;
		rest ??= {};
		// An assignment would set the prototype of the copy.
		if (key === '__proto__') Object.defineProperty(rest, key, { value: object[key], enumerable: true });
		else rest[key] = object[key];
	}
	return rest;
}
