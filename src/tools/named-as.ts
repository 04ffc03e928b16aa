/** Our tools under the names and with the inputs of another agent, from its codec's own table: its sessions go on as they were. */
import type { EarlierCall, Tool, ToolContext } from '../agent/contracts.ts';
import { codecOf, type OfferedTool } from '../codecs/index.ts';
import { type FormatId, isObject, type Json, type JsonObject } from '../model/index.ts';
import { translateCall } from '../move/index.ts';
import { builtinTools } from './index.ts';

/** None for an agent whose tools are called like ours. */
export function namedAsBy(format: FormatId): readonly Tool[] {
	return (codecOf(format)?.toolCalls?.offers ?? []).map((offered) => named(offered, format));
}

/** Our own tools that the agent has its own names for. */
export function coveredBy(format: FormatId): ReadonlySet<string> {
	const covered = samples.filter((call) => translateCall(call, 'claude-code', format) !== undefined);
	return new Set(covered.map(({ name }) => name));
}

const samples = [
	{ name: 'Read', input: { file_path: 'a' } },
	{ name: 'Write', input: { file_path: 'a', content: 'b' } },
	{ name: 'Edit', input: { file_path: 'a', old_string: 'b', new_string: 'c' } },
	{ name: 'Bash', input: { command: 'a' } },
	{ name: 'Glob', input: { pattern: 'a' } },
	{ name: 'Grep', input: { pattern: 'a', output_mode: 'content', '-n': true } },
] as const;

/** A call of ours, ready to be made. */
interface Meant {
	readonly tool: Tool;
	readonly input: unknown;
}

function named({ name, description, effect, fields }: OfferedTool, format: FormatId): Tool {
	const judgedAs = (input: Json): EarlierCall | undefined =>
		isObject(input) ? translateCall({ name, input }, format, 'claude-code') : undefined;
	const tool: Tool<Meant> = {
		...{ name, description, effect, inputSchema: schemaOf(fields), judgedAs },
		parse(input) {
			const call = judgedAs(input);
			const meant = call && builtinTools.find((one) => one.name === call.name);
			if (!call || !meant) return { ok: false, problem: 'The input is not as the tool describes it', issues: '[]' };
			const parsed = meant.parse(call.input);
			return parsed.ok ? { ok: true, input: { tool: meant, input: parsed.input } } : parsed;
		},
		subjects: ({ tool: meant, input }, cwd) => meant.subjects(input, cwd),
		check: async ({ tool: meant, input }, context: ToolContext) => await meant.check?.(input, context),
		run: ({ tool: meant, input }, context) => meant.run(input, context),
	};
	return tool as Tool;
}

function schemaOf(fields: OfferedTool['fields']): JsonObject {
	const names = Object.keys(fields);
	return {
		type: 'object',
		properties: Object.fromEntries(names.map((name) => [name.replace(/\?$/, ''), fields[name] ?? {}])),
		required: names.filter((name) => !name.endsWith('?')),
		additionalProperties: false,
	};
}
