/** Puts a conversation that may branch into one line, for clients that follow the order of the file and nothing else. */
import { type Entry, type EntryId, history, type Session } from '../../../model/index.ts';
import type { EncodeInput } from '../../codec.ts';
import { leafToWrite } from '../context/leaf.ts';
import type { Losses } from './losses.ts';

/**
 * The entries that `client` can be given one after the other: the current path, the results of its calls that hang beside it, and
 * what stands outside the conversation. The rest is reported as lost.
 */
export function linear(
	{ entries, leaf: given, header, after }: EncodeInput,
	client: string,
	losses: Losses,
): readonly Entry[] {
	const main = entries.filter((entry) => {
		if (entry.agent === undefined || entry.agent === header.agent) return true;
		losses.dropped(entry.id, 'agent', `${client} keeps no sub-agents: this belongs to the thread of ${entry.agent}`);
		return false;
	});
	const leaf = leafToWrite({ entries: main, leaf: given });
	if (!after && isOneLine(main, leaf)) return main;
	const onPath = new Set<EntryId>();
	const open = new Set<string>();
	for (const entry of after?.entries ?? []) followCalls(entry, open);
	for (const entry of history({ entries: main }, leaf)) {
		onPath.add(entry.id);
		followCalls(entry, open);
	}
	noteRewind(main, onPath, after, client, losses);
	return main.filter((entry) => {
		if (entry.parent === undefined || onPath.has(entry.id)) return true;
		if (answersOpen(entry, open)) {
			followCalls(entry, open);
			return true;
		}
		if (entry.kind === 'event') return true; // reported by what it is
		losses.dropped(entry.id, 'parent', `${client} has no branches: this entry is on one that was left`);
		return false;
	});
}

/** As nearly all parts of nearly all sessions are: everybody follows the one before, up to the leaf. */
function isOneLine(entries: readonly Entry[], leaf: EntryId | null): boolean {
	let last: EntryId | undefined;
	for (const { id, agent, parent, logicalParent } of entries) {
		if (agent !== undefined) return false;
		if (parent === undefined) continue;
		if (last !== undefined && (parent ?? logicalParent) !== last) return false;
		last = id;
	}
	return (last ?? null) === leaf;
}

/** Keeps `open` at the calls that have no result yet. */
function followCalls(entry: Entry, open: Set<string>): void {
	if (entry.kind !== 'message') return;
	for (const block of entry.content) {
		if (block.type === 'tool_call') open.add(block.id);
		else if (block.type === 'tool_result') open.delete(block.call);
	}
}

/** Results of parallel calls hang off the lines of their calls; they are part of the conversation all the same. */
function answersOpen(entry: Entry, open: ReadonlySet<string>): boolean {
	if (entry.kind !== 'message' || entry.content.length === 0) return false;
	return entry.content.every((block) => block.type === 'tool_result' && open.has(block.call));
}

function noteRewind(
	entries: readonly Entry[],
	onPath: ReadonlySet<EntryId>,
	after: Session | undefined,
	client: string,
	losses: Losses,
): void {
	if (!after) return;
	const { leaf } = after;
	const first = entries.find((entry) => onPath.has(entry.id) && entry.parent !== undefined);
	if (!first || first.parent === undefined || first.parent === leaf) return;
	if (first.parent !== null && !after.entries.some((entry) => entry.id === first.parent)) return;
	if (first.parent === null && leaf === null) return;
	losses.approximated(first.id, 'parent', `${client} has no branches: it goes on from the last line of the file`);
}
