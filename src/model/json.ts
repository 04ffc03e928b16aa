/** JSON values as the codecs meet them: foreign, so nothing about them is assumed. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
	readonly [key: string]: Json | undefined;
}

export function isObject(value: unknown): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of a JSON text; undefined where the text is not JSON. */
export function parsedJson(text: string): Json | undefined {
	try {
		return JSON.parse(text) as Json;
	} catch (error) {
		if (error instanceof SyntaxError) return undefined;
		throw error;
	}
}

/** The value at `key` if it is a string; anything else counts as absent. */
export function stringAt(object: JsonObject, key: string): string | undefined {
	const value = object[key];
	return typeof value === 'string' ? value : undefined;
}

export function numberAt(object: JsonObject, key: string): number | undefined {
	const value = object[key];
	return typeof value === 'number' ? value : undefined;
}

export function booleanAt(object: JsonObject, key: string): boolean | undefined {
	const value = object[key];
	return typeof value === 'boolean' ? value : undefined;
}

export function objectAt(object: JsonObject, key: string): JsonObject | undefined {
	const value = object[key];
	return isObject(value) ? value : undefined;
}

export function arrayAt(object: JsonObject, key: string): readonly Json[] | undefined {
	const value = object[key];
	return Array.isArray(value) ? value : undefined;
}

/** The strings of a list; none where the value is no list. */
export function stringsIn(value: unknown): readonly string[] {
	return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}

/** A copy without the keys whose value is `undefined`, so that optional properties stay absent. */
export function compact<T extends object>(object: T): { [K in keyof T]: Exclude<T[K], undefined> } {
	const given = object as { [key: string]: unknown };
	const copy: { [key: string]: unknown } = {};
	// Copying is much cheaper than deleting: an object that lost a key is slow from then on.
	for (const key of Object.keys(given)) if (given[key] !== undefined) copy[key] = given[key];
	return copy as { [K in keyof T]: Exclude<T[K], undefined> };
}
