/** `--map-tools`: gives calls and results the names of the target's own tools. */
import { type Entry, type FormatId, isObject, type Loss } from '../model/index.ts';
import { translateCall } from './tool-translation.ts';

/** The entries, with each call translated that the target's agent can make; all others stay as they are. */
export function mapTools(entries: readonly Entry[], from: FormatId, to: FormatId, losses: Loss[]): readonly Entry[] {
	const names = new Map<string, string>();
	return entries.map((entry) => {
		if (entry.kind !== 'message') return entry;
		let touched = false;
		const content = entry.content.map((block, index) => {
			if (block.type === 'tool_result') {
				const name = names.get(block.call);
				if (name === undefined || block.name === undefined) return block;
				touched = true;
				return { ...block, name };
			}
			if (block.type !== 'tool_call' || !isObject(block.input)) return block;
			const made = translateCall({ name: block.name, input: block.input }, from, to);
			if (!made || (made.name === block.name && made.left.length === 0)) return block;
			touched = true;
			names.set(block.id, made.name);
			const note = `${block.name} is called ${made.name}, as --map-tools asks`;
			losses.push({ entry: entry.id, path: `content[${index}]`, how: 'approximated', note });
			for (const field of made.left) {
				const path = `content[${index}].input.${field}`;
				losses.push({ entry: entry.id, path, how: 'dropped', note: `${made.name} has no ${field}` });
			}
			return { ...block, name: made.name, input: made.input };
		});
		return touched ? { ...entry, content } : entry;
	});
}
