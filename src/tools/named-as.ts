/** Our tools under the names and with the inputs of another agent, from its codec's own table: its sessions go on as they were. */

import { failed } from '../agent/calls/outputs.ts';
import type { AnsweredPart, EarlierCall, Tool, ToolContext, ToolOutput } from '../agent/contracts.ts';
import { codecOf, type Edits, type OfferedTool, type PartOutcome, type ToolWords } from '../codecs/index.ts';
import { type FormatId, isObject, type Json, type JsonObject } from '../model/index.ts';
import { translateCall } from '../move/index.ts';
import { editSeveral } from './edit-several.ts';
import { builtinTools } from './index.ts';

/** None for an agent whose tools are called like ours. Of two names for one tool, that which the session has `used`. */
export function namedAsBy(format: FormatId, used: ReadonlySet<string>): readonly Tool[] {
	const offers = codecOf(format)?.toolCalls?.offers ?? [];
	const replaced = offers.flatMap(({ name, insteadOf }) => (used.has(name) ? (insteadOf ?? []) : []));
	const known = offers.filter(({ name, insteadOf }) =>
		insteadOf === undefined ? used.has(name) || !replaced.includes(name) : used.has(name),
	);
	return known.map((offered) => named(offered, format));
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
	const words = codecOf(format)?.toolCalls;
	const editsIn = (input: Json) => (isObject(input) ? words?.readEdits?.(name, input) : undefined);
	const judgedAs = (input: Json): EarlierCall | undefined => {
		const several = editsIn(input);
		const [first] = several?.edits ?? [];
		if (several && first) {
			const edit = { file_path: several.path, old_string: first.old, new_string: first.now };
			// A hook that looks for a word has to see all of them.
			return { name: 'Edit', input: several.edits.length === 1 ? edit : { ...edit, ...ours(several) } };
		}
		if (!isObject(input)) return undefined;
		return words?.runs?.(name, input) ?? translateCall({ name, input }, format, 'claude-code');
	};
	const givenAs = (before: Json, input: Json): Json | undefined => {
		const known = judgedAs(before);
		if (!known || !isObject(input) || editsIn(before)) return undefined;
		const back = translateCall({ name: known.name, input }, 'claude-code', format);
		return back?.name === name ? back.input : undefined;
	};
	const tool: Tool<Meant> = {
		...{ name, description, effect, inputSchema: schemaOf(fields), judgedAs, givenAs },
		parse(input) {
			const several = editsIn(input);
			const lines = several?.wholeLines ? { whole_lines: true } : {};
			const call = several ? { name: '', input: { ...ours(several), ...lines } } : judgedAs(input);
			const meant = several ? editSeveral : call && builtinTools.find((one) => one.name === call.name);
			if (!call || !meant) return { ok: false, problem: 'The input is not as the tool describes it', issues: '[]' };
			const parsed = meant.parse(call.input);
			return parsed.ok ? { ok: true, input: { tool: meant, input: parsed.input } } : parsed;
		},
		split: (input) => (isObject(input) ? words?.split?.(name, input) : undefined) ?? [input],
		join(input, parts) {
			const answers = parts.flatMap((part) => {
				const call = judgedAs(part.input);
				return call ? [{ ...call, output: part.output }] : [];
			});
			return { ...joined(words, name, input, parts), answers };
		},
		subjects: ({ tool: meant, input }, cwd) => meant.subjects(input, cwd),
		check: async ({ tool: meant, input }, context: ToolContext) => await meant.check?.(input, context),
		run: ({ tool: meant, input }, context) => meant.run(input, context),
	};
	return tool as Tool;
}

function ours({ path, edits }: Edits): JsonObject {
	return { file_path: path, edits: edits.map(({ old, now }) => ({ old_string: old, new_string: now })) };
}

/** One answer in the agent's own words, with the pictures that are part of it. */
function joined(words: ToolWords | undefined, name: string, input: Json, parts: readonly AnsweredPart[]): ToolOutput {
	const [only] = parts;
	const own = only && parts.length === 1 ? only.output : undefined;
	const outcomes = parts.map((part): PartOutcome => {
		const { content, isError = false, details } = part.output;
		const text = content.flatMap((one) => (one.type === 'text' ? [one.text] : [])).join('\n');
		const asked = isObject(part.input) ? part.input : {};
		return {
			input: asked,
			text,
			failed: isError,
			rejected: part.rejected,
			...(details === undefined ? {} : { details }),
		};
	});
	const recorded = words?.record?.(name, isObject(input) ? input : {}, outcomes);
	if (!recorded) return own ?? failed(outcomes.map(({ text }) => text).join('\n'));
	const pictures = parts.flatMap(({ output }) => output.content.filter((one) => one.type === 'image'));
	return {
		content: [{ type: 'text', text: recorded.text }, ...pictures],
		...(recorded.isError ? { isError: true } : {}),
		...(recorded.details === undefined || pictures.length > 0 ? {} : { details: recorded.details }),
		...(own?.file ? { file: own.file } : {}),
	};
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
