/** What is left of a foreign object: the fields that the model has no name for. */
import type { Json, JsonObject } from '../../../model/index.ts';

/** The fields that are not in `known`, with their values shared; undefined when there are none. */
export function leftovers(object: JsonObject, known: ReadonlySet<string>): JsonObject | undefined {
	let rest: { [key: string]: Json | undefined } | undefined;
	for (const key in object) {
		if (known.has(key)) continue;
		rest ??= {};
		// An assignment would set the prototype of the copy.
		if (key === '__proto__') Object.defineProperty(rest, key, { value: object[key], enumerable: true });
		else rest[key] = object[key];
	}
	return rest;
}
