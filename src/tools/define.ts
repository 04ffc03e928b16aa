/** Makes a tool of a schema and a function: the schema checks the input and describes it to the model; which wrong types are put right, and the wording for the others. */
import { z } from 'zod';
import type { Checked, Tool, ToolContext, ToolEffect, ToolOutput } from '../agent/contracts.ts';
import { isObject, type Json, type JsonObject } from '../model/index.ts';

export interface Definition<S extends z.ZodObject> {
	readonly name: string;
	readonly description: string;
	readonly effect: ToolEffect;
	readonly unlisted?: boolean;
	readonly asks?: boolean;
	readonly attended?: boolean;
	/** The schema, or what makes it when it is first needed: thirty schemas take longer to make than a client takes to start. */
	readonly input: S | (() => S);
	subjects(input: z.infer<S>, cwd: string): readonly string[];
	check?(input: z.infer<S>, context: ToolContext): Promise<Checked | undefined>;
	run(input: z.infer<S>, context: ToolContext): Promise<ToolOutput>;
}

/** A tool for models: `input` is a zod schema that checks what they send and tells them what to send. */
export function defineTool<S extends z.ZodObject>(definition: Definition<S>): Tool {
	const { input: given, ...rest } = definition;
	const input = once(() => (typeof given === 'function' ? given() : given));
	const described = once(() => describe(input()));
	const types = once(() => typesIn(described()));
	const tool: Tool<z.infer<S>> = {
		...rest,
		get inputSchema() {
			return described();
		},
		parse(given: Json) {
			const parsed = input().safeParse(coerced(given, types()));
			if (parsed.success) return { ok: true, input: parsed.data };
			const problems = problemsOf(parsed.error.issues, given);
			const issues = parsed.error.message;
			return { ok: false, issues, ...(problems ? { problem: problems.join('\n') } : {}) };
		},
	};
	return tool as Tool;
}

/** What is made when it is first asked for. */
export function once<T>(make: () => T): () => T {
	let made: { readonly value: T } | undefined;
	return () => {
		made ??= { value: make() };
		return made.value;
	};
}

function describe(input: z.ZodObject): JsonObject {
	const { $schema: _, ...schema } = z.toJSONSchema(input) as JsonObject;
	return schema;
}

function typesIn({ properties }: JsonObject): ReadonlyMap<string, Json | undefined> {
	const all = isObject(properties) ? Object.entries(properties) : [];
	return new Map(all.map(([key, schema]) => [key, isObject(schema) ? schema.type : undefined]));
}

/** Models write `"2"` for 2 and `"true"` for true: what can only mean one thing is taken so. */
function coerced(given: Json, types: ReadonlyMap<string, Json | undefined>): Json {
	if (!isObject(given)) return given;
	// Not by assigning: that would make a field called `__proto__` the prototype, whose fields no permission rule has seen.
	return Object.fromEntries(
		Object.entries(given).flatMap(([key, value]) => (value === undefined ? [] : [[key, meant(value, types.get(key))]])),
	);
}

function meant(value: Json, type: Json | undefined): Json {
	if (typeof value !== 'string') return value;
	if ((type === 'number' || type === 'integer') && /^-?\d+(\.\d+)?$/.test(value)) return Number(value);
	return type === 'boolean' && (value === 'true' || value === 'false') ? value === 'true' : value;
}

/** One line for each thing that is wrong, what is missing first; undefined where one of them has no words of its own. */
function problemsOf(issues: readonly z.core.$ZodIssue[], given: Json): readonly string[] | undefined {
	const missing: string[] = [];
	const unexpected: string[] = [];
	const other: string[] = [];
	for (const issue of issues) {
		const name = pathName(issue.path);
		const value = valueAt(given, issue.path);
		if (issue.code === 'unrecognized_keys')
			unexpected.push(...issue.keys.map((key) => `An unexpected parameter \`${key}\` was provided`));
		else if (issue.code !== 'invalid_type') return undefined;
		else if (value === undefined) missing.push(`The required parameter \`${name}\` is missing`);
		else {
			const types = `expected as \`${issue.expected}\` but provided as \`${typeName(value)}\``;
			other.push(`The parameter \`${name}\` type is ${types}`);
		}
	}
	return [...missing, ...unexpected, ...other];
}

/** As in `todos[0].content`. */
function pathName(path: readonly PropertyKey[]): string {
	const parts = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`));
	return parts.join('').replace(/^\./, '');
}

function valueAt(given: Json, path: readonly PropertyKey[]): Json | undefined {
	let value: Json | undefined = given;
	for (const part of path) {
		if (Array.isArray(value)) value = (value as readonly Json[])[Number(part)];
		else value = isObject(value) ? value[String(part)] : undefined;
	}
	return value;
}

function typeName(value: Json): string {
	if (value === null) return 'null';
	return Array.isArray(value) ? 'array' : typeof value;
}
