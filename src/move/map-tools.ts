/** Gives calls and results the names of the target's own tools: all of them (`--map-tools`), or those that its agent would leave out. */
import { codecOf } from '../codecs/index.ts';
import { type Entry, type FormatId, isObject, type Loss, type ToolCallBlock } from '../model/index.ts';
import { type TranslatedCall, translateCall } from './tool-translation.ts';

export interface ToolMapping {
	/** Translate every call that the target's agent can make, not only those that it would leave out. */
	readonly all: boolean;
	/** The target's agent, where it sends no calls of tools that it does not have. */
	readonly agent?: { readonly name: string; readonly knows: readonly string[] };
}

/** The entries, with each call translated that the target's agent can make; all others stay as they are. */
export function mapTools(
	entries: readonly Entry[],
	from: FormatId,
	to: FormatId,
	losses: Loss[],
	mapping: ToolMapping = { all: true },
): readonly Entry[] {
	const names = new Map<string, string>();
	return entries.map((entry) => {
		if (entry.kind !== 'message') return entry;
		const content = entry.content.map((block, index) => {
			if (block.type === 'tool_result') {
				const name = names.get(block.call);
				return name === undefined || block.name === undefined ? block : { ...block, name };
			}
			if (block.type !== 'tool_call') return block;
			const made = translated(block, from, to, mapping);
			for (const { field, how, note } of changes(block, made, mapping)) {
				losses.push({ entry: entry.id, path: `content[${index}]${field}`, how, note });
			}
			if (!made || (made.name === block.name && made.left.length === 0)) return block;
			names.set(block.id, made.name);
			return { ...block, name: made.name, input: made.input };
		});
		return content.some((block, index) => block !== entry.content[index]) ? { ...entry, content } : entry;
	});
}

/** The call in words of the target, where it is to be translated; of two names for one tool that which the agent knows. */
function translated(
	{ name, input }: ToolCallBlock,
	from: FormatId,
	to: FormatId,
	mapping: ToolMapping,
): TranslatedCall | undefined {
	if (!isObject(input) || !(mapping.all || !knows(mapping, name))) return undefined;
	const made = translateCall({ name, input }, from, to);
	if (!made || knows(mapping, made.name)) return made;
	const offers = codecOf(to)?.toolCalls?.offers ?? [];
	const other = offers.find((offer) => offer.insteadOf === made.name && knows(mapping, offer.name));
	return other && { ...made, name: other.name };
}

/** What is told of a call: that it has another name, without which arguments, or that the model will not hear of it. */
function changes(
	{ name }: ToolCallBlock,
	made: TranslatedCall | undefined,
	mapping: ToolMapping,
): readonly (Pick<Loss, 'how' | 'note'> & { readonly field: string })[] {
	const { all, agent } = mapping;
	if (!made) {
		if (!agent || knows(mapping, name)) return [];
		return [
			{ field: '', how: 'dropped', note: `${agent.name} has no tool ${name}, and tells the model of no such calls` },
		];
	}
	const left = made.left.map((field) => {
		return { field: `.input.${field}`, how: 'dropped' as const, note: `${made.name} has no ${field}` };
	});
	if (made.name === name && left.length === 0) return [];
	const why = all ? 'as --map-tools asks' : `or ${agent?.name} would not tell the model of it`;
	return [{ field: '', how: 'approximated', note: `${name} is called ${made.name}, ${why}` }, ...left];
}

/** True where the agent tells the model of calls of that tool. */
function knows({ agent }: ToolMapping, tool: string): boolean {
	return agent === undefined || agent.knows.includes(tool.toLowerCase());
}
