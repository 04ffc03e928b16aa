/** Whether a provider would take the schema of a tool: one that it refuses would end the conversation, not only the tool. */
import { isObject, type Json, type JsonObject } from '../model/index.ts';

const largest = 64 * 1024;
const deepest = 32;
const types = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];

/** In words that follow "is left out". Undefined where nothing is wrong. */
export function schemaProblem(schema: Json | undefined): string | undefined {
	if (!isObject(schema)) return 'its schema is not an object';
	if (schema.type !== 'object') return 'its schema is not one of an object';
	const combined = ['anyOf', 'oneOf', 'allOf'].find((key) => schema[key] !== undefined);
	if (combined !== undefined) return `its schema has ${combined} at its top, which models are not told`;
	const problem = problemIn(schema, 0);
	if (problem !== undefined) return problem;
	return JSON.stringify(schema).length > largest ? `its schema is larger than ${largest / 1024} KB` : undefined;
}

function problemIn(schema: JsonObject, depth: number): string | undefined {
	if (depth > deepest) return 'its schema is nested too deeply';
	const given = schema.type;
	const named = Array.isArray(given) ? given : given === undefined ? [] : [given];
	if (!named.every((one) => typeof one === 'string' && types.includes(one)))
		return 'its schema names a type that is none';
	if (schema.required !== undefined && !isTexts(schema.required)) return 'its schema requires what is no name';
	if (schema.enum !== undefined && !Array.isArray(schema.enum)) return 'its schema has an enum that is no list';
	for (const key of ['properties', '$defs', 'definitions', 'patternProperties']) {
		const parts = schema[key];
		if (parts === undefined) continue;
		if (!isObject(parts)) return `its schema has ${key} that are no object`;
		const strange =
			key === 'properties' && depth === 0 ? Object.keys(parts).find((name) => !takenName.test(name)) : undefined;
		if (strange !== undefined) return 'its schema has a property that providers do not take';
		const problem = firstProblem(Object.values(parts), depth);
		if (problem !== undefined) return problem;
	}
	const { items, additionalProperties, anyOf, oneOf, allOf, not } = schema;
	const rest = [items, additionalProperties, anyOf, oneOf, allOf, not].flatMap((one) =>
		Array.isArray(one) ? one : [one],
	);
	return firstProblem(rest, depth);
}

/** What Anthropic's API takes for the name of a parameter. */
const takenName = /^[\w.-]{1,64}$/;

function firstProblem(parts: readonly (Json | undefined)[], depth: number): string | undefined {
	for (const part of parts) {
		if (part === undefined || typeof part === 'boolean') continue;
		const problem = isObject(part) ? problemIn(part, depth + 1) : 'its schema has a part that is no schema';
		if (problem !== undefined) return problem;
	}
	return undefined;
}

function isTexts(given: Json): boolean {
	return Array.isArray(given) && given.every((one) => typeof one === 'string');
}
