/** Prunes values that are nested too deeply to be written. */
import type { JsonObject } from '../../../model/index.ts';

/** A copy of the value without anything below `depth`. */
export function pruned(value: JsonObject[string], depth: number): JsonObject[string] {
	if (typeof value !== 'object' || value === null) return value;
	if (depth === 0) return '[too deeply nested]';
	if (Array.isArray(value)) return value.map((item) => pruned(item, depth - 1) ?? null);
	const copy: { [key: string]: JsonObject[string] } = {};
	for (const [key, item] of Object.entries(value)) if (key !== '__proto__') copy[key] = pruned(item, depth - 1);
	return copy;
}
