/** Gives a foreign conversation ids that APIs accept, because Cline sends every id unchanged. */
import type { EntriesWithLeaf, Entry, Loss } from '../../../model/index.ts';
import type { Adoption } from '../../codec.ts';
import { nativeCallId } from '../../shared/write/derive.ts';

export function adopt(told: EntriesWithLeaf, { profile }: Adoption, losses: Loss[]): EntriesWithLeaf {
	if (profile !== 'client') return told;
	return { ...told, entries: told.entries.map((entry) => withCallIds(entry, losses)) };
}

function withCallIds(entry: Entry, losses: Loss[]): Entry {
	if (entry.kind !== 'message') return entry;
	let changed = false;
	const name = (id: string, path: string): string => {
		const native = nativeCallId(id);
		if (native === id) return id;
		changed = true;
		const note = `no API takes the call id ${id}; ${native} stands for it`;
		losses.push({ entry: entry.id, path, how: 'approximated', note });
		return native;
	};
	const content = entry.content.map((block, index) => {
		if (block.type === 'tool_call') return { ...block, id: name(block.id, `content[${index}].id`) };
		return block.type === 'tool_result' ? { ...block, call: name(block.call, `content[${index}].call`) } : block;
	});
	return changed ? { ...entry, content } : entry;
}
