/** Converts tool schemas for Gemini, which refuses a whole request because of one keyword. */
import { isObject, type Json, type JsonObject, stringAt } from '../model/index.ts';

type Schema = { readonly [key: string]: Json };

/** One pass through a tool's schema. */
interface Walk {
	readonly root: JsonObject;
	/** How many references are followed, one inside the other. */
	readonly deepest: number;
	/** The characters that references have brought so far. */
	brought: number;
}

/** The most characters that references may bring to one tool: each is written out wherever it is made. */
const mostBrought = 1 << 16;

/** The schema of a tool's input, always an object. */
export function cleanSchema(schema: JsonObject): JsonObject {
	const cleaned = followed(schema, Number.POSITIVE_INFINITY) ?? shallower(schema);
	return cleaned.type === 'object' ? cleaned : { ...cleaned, type: 'object', properties: cleaned.properties ?? {} };
}

/** Types that refer to each other would grow without bound: references are followed as deep as the schema stays small. */
function shallower(schema: JsonObject): Schema {
	let fits: Schema = {};
	for (let deepest = 0; ; deepest += 1) {
		const next = followed(schema, deepest);
		if (next === undefined) return fits;
		fits = next;
	}
}

/** The schema with its references followed so deep; undefined where they bring too much. */
function followed(root: JsonObject, deepest: number): Schema | undefined {
	const walk: Walk = { root, deepest, brought: 0 };
	const cleaned = clean(root, walk, []);
	return walk.brought > mostBrought ? undefined : cleaned;
}

/** Converts a schema. `trail` has the references that led here: following one again would never end. */
function clean(node: Json | undefined, walk: Walk, trail: readonly string[]): Schema {
	if (!isObject(node)) return {};
	if (trail.length > 0) {
		walk.brought += ownLength(node);
		if (walk.brought > mostBrought) return {};
	}
	const ref = stringAt(node, '$ref');
	if (ref !== undefined) return { ...resolved(ref, walk, trail), ...aboutOf(node) };
	const whole = { ...aboutOf(node), ...parts(node, walk, trail) };
	const merged = withUnion(withAll(whole, node, walk, trail), node, walk, trail);
	return withRequired(withEnum(withType(merged, node.type), node), node.required);
}

/** About how many characters a schema has without those inside it. */
function ownLength(node: JsonObject): number {
	const names = isObject(node.properties) ? Object.keys(node.properties) : [];
	return JSON.stringify([{ ...aboutOf(node), type: node.type, enum: node.enum, const: node.const }, names]).length;
}

function resolved(ref: string, walk: Walk, trail: readonly string[]): Schema {
	if (trail.includes(ref) || trail.length >= walk.deepest || !ref.startsWith('#')) return {};
	let at: Json | undefined = walk.root;
	for (const step of ref.split('/').slice(1)) {
		const key = unescaped(step).replaceAll('~1', '/').replaceAll('~0', '~');
		at = isObject(at) ? at[key] : Array.isArray(at) ? (at as readonly Json[])[Number(key)] : undefined;
	}
	return clean(at, walk, [...trail, ref]);
}

/** A step of a reference is written as in an address; tools whose own names hold a percent sign write it as it is. */
function unescaped(step: string): string {
	try {
		return decodeURIComponent(step);
	} catch (error) {
		if (error instanceof URIError) return step;
		throw error;
	}
}

/** Descriptive keywords. No other is passed on unchanged: JSON Schema has more than any list of refused ones. */
function aboutOf(node: JsonObject): Schema {
	const about: { [key: string]: Json } = {};
	for (const key of ['description', 'title', 'default', 'nullable'])
		if (node[key] !== undefined) about[key] = node[key];
	return about;
}

/** Converts properties and items. Names of properties are the tool's own, even if they look like keywords. */
function parts(node: JsonObject, walk: Walk, trail: readonly string[]): Schema {
	const result: { [key: string]: Json } = {};
	if (isObject(node.properties)) {
		const entries = Object.entries(node.properties).map(([name, value]) => [name, clean(value, walk, trail)] as const);
		result.properties = Object.fromEntries(entries);
	}
	if (node.items !== undefined) {
		const items = Array.isArray(node.items) ? (node.items as readonly Json[])[0] : node.items;
		result.items = clean(items, walk, trail);
	}
	return result;
}

/** Merges `allOf`: the properties of all its schemas. */
function withAll(schema: Schema, node: JsonObject, walk: Walk, trail: readonly string[]): Schema {
	if (!Array.isArray(node.allOf)) return schema;
	const members = (node.allOf as readonly Json[]).map((member) => clean(member, walk, trail));
	const properties = Object.assign({}, ...members.map((member) => member.properties), schema.properties) as Schema;
	const required = [...new Set(members.flatMap((member) => (member.required as readonly Json[] | undefined) ?? []))];
	return {
		...Object.assign({}, ...members),
		...schema,
		...(Object.keys(properties).length > 0 ? { properties } : {}),
		...(required.length > 0 ? { required } : {}),
	};
}

/** Resolves `anyOf` and `oneOf`: literals become a list of values, of other schemas one is chosen. */
function withUnion(schema: Schema, node: JsonObject, walk: Walk, trail: readonly string[]): Schema {
	const given = node.anyOf ?? node.oneOf;
	if (!Array.isArray(given)) return schema;
	const variants = (given as readonly Json[]).filter((one) => !isNull(one)).map((one) => clean(one, walk, trail));
	const [first] = variants;
	if (first === undefined) return schema;
	if (variants.every((one) => Array.isArray(one.enum))) {
		return { ...schema, type: 'string', enum: strings(variants.flatMap((one) => one.enum as readonly Json[])) };
	}
	const types = new Set(variants.map((one) => one.type));
	if (types.size > 1 && [...types].every((type) => type === 'string' || type === 'number' || type === 'integer')) {
		return { ...schema, type: types.has('string') ? 'string' : 'number' };
	}
	return { ...first, ...schema };
}

function isNull(schema: Json): boolean {
	return isObject(schema) && (schema.type === 'null' || schema.const === null);
}

/** Reduces several types to one: null is dropped, and a string can hold a number. */
function withType(schema: Schema, type: Json | undefined): Schema {
	const names = (Array.isArray(type) ? (type as readonly Json[]) : [type]).filter(
		(one) => typeof one === 'string' && one !== 'null',
	);
	const name = names.find((one) => one === 'string') ?? names[0];
	if (name !== undefined) return { ...schema, type: name as string };
	return schema.type === undefined && schema.properties !== undefined ? { ...schema, type: 'object' } : schema;
}

/** Converts the allowed values to strings, the only ones that Gemini takes. */
function withEnum(schema: Schema, node: JsonObject): Schema {
	const given = Array.isArray(node.enum)
		? (node.enum as readonly Json[])
		: node.const === undefined
			? []
			: [node.const];
	const values = strings(given);
	return values.length === 0 ? schema : { ...schema, type: 'string', enum: values };
}

function strings(values: readonly Json[]): readonly string[] {
	const given = values.filter((value) => value !== null);
	return [...new Set(given.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))))];
}

/** Drops required properties that are not described, which Gemini refuses. */
function withRequired(schema: Schema, required: Json | undefined): Schema {
	const own = Array.isArray(required) ? (required as readonly Json[]) : [];
	const merged = Array.isArray(schema.required) ? (schema.required as readonly Json[]) : [];
	const { required: _, ...rest } = schema;
	const { properties } = schema;
	const names = [...new Set([...merged, ...own])].filter(
		(name) => typeof name === 'string' && isObject(properties) && Object.hasOwn(properties, name),
	);
	return names.length === 0 ? rest : { ...rest, required: names };
}
