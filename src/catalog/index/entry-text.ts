/** What can be searched of an entry: everything somebody said or some tool printed, and nothing encoded. */
import { type Block, type Entry, entryText, type Json } from '../../model/index.ts';
import { withoutEncoded } from './words.ts';

export interface Searchable {
	readonly text: string;
	readonly role: Role;
	/** Names of the tools that the entry calls or has results of. */
	readonly tools: readonly string[];
}

export const roles = ['user', 'assistant', 'tool', 'system', 'summary', 'title', 'note'] as const;
export type Role = (typeof roles)[number];

/** Undefined for an entry without words. `toolOf` gives the tool of an earlier call. */
export function searchable(entry: Entry, toolOf: (call: string) => string | undefined): Searchable | undefined {
	const parts: string[] = [];
	const tools: string[] = [];
	if (entry.kind === 'message') for (const block of entry.content) addBlock(block, parts, tools, toolOf);
	else if (entry.kind !== 'checkpoint' && entry.kind !== 'outcome') parts.push(withoutEncoded(entryText(entry)));
	const text = parts.join('\n');
	if (text.trim() === '') return undefined;
	return { text, role: roleOf(entry), tools };
}

function roleOf(entry: Entry): Role {
	switch (entry.kind) {
		case 'message':
			if (entry.role !== 'user') return entry.role;
			return entry.content.some((block) => block.type === 'tool_result') ? 'tool' : 'user';
		case 'compaction':
		case 'summary':
			return 'summary';
		case 'setting':
			return 'title';
		default:
			return 'note';
	}
}

function addBlock(block: Block, parts: string[], tools: string[], toolOf: (call: string) => string | undefined): void {
	switch (block.type) {
		case 'text':
		case 'thinking':
			parts.push(withoutEncoded(block.text));
			return;
		case 'tool_call':
			tools.push(block.name);
			parts.push(block.name);
			addStrings(block.input, parts);
			return;
		case 'tool_result': {
			const name = block.name ?? toolOf(block.call);
			if (name !== undefined) tools.push(name);
			for (const inner of block.content) addBlock(inner, parts, tools, toolOf);
			return;
		}
		case 'file':
			parts.push(block.path, withoutEncoded(block.text));
			return;
		case 'data':
			addStrings(block.value, parts);
			return;
		case 'image':
		case 'document':
		case 'opaque':
			return;
	}
}

/** The deepest nesting that is read: foreign values may be nested deeper than the stack allows. */
const deepest = 100;

function addStrings(value: Json | undefined, parts: string[], depth = 0): void {
	if (typeof value === 'string') parts.push(withoutEncoded(value));
	else if (typeof value === 'number') parts.push(String(value));
	else if (typeof value === 'object' && value !== null && depth < deepest) {
		for (const inner of Object.values(value) as (Json | undefined)[]) addStrings(inner, parts, depth + 1);
	}
}
