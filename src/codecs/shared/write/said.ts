/** What writers ask about messages: their calls, the calls that results answer, their texts. */
import type { Entry } from '../../../model/index.ts';

/** The ids of the calls that an entry makes. */
export function callsIn(entry: Entry): readonly string[] {
	if (entry.kind !== 'message') return [];
	return entry.content.flatMap((block) => (block.type === 'tool_call' ? [block.id] : []));
}

/** The ids of the calls that an entry answers. */
export function resultsIn(entry: Entry): readonly string[] {
	if (entry.kind !== 'message') return [];
	return entry.content.flatMap((block) => (block.type === 'tool_result' ? [block.call] : []));
}

/** True for a message of results only. */
export function isOnlyResults(entry: Entry): boolean {
	return entry.kind === 'message' && entry.content.length > 0 && resultsIn(entry).length === entry.content.length;
}

/** The texts of a message, without its other blocks. */
export function textIn(entry: Entry): string {
	if (entry.kind !== 'message') return '';
	return entry.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

/** Adds the names of called tools to `names`, by call id. */
export function noteTools(entries: Iterable<Entry>, names: Map<string, string>): void {
	for (const entry of entries) {
		if (entry.kind !== 'message') continue;
		for (const block of entry.content) if (block.type === 'tool_call') names.set(block.id, block.name);
	}
}
