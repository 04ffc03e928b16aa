/** Puts a conversation that may branch into one line, for clients that follow only the order of the file. */
import { type Entry, type EntryId, history, type Session } from '../../../model/index.ts';
import type { EncodeInput } from '../../codec.ts';
import { leafToWrite } from '../context/leaf.ts';
import type { Losses } from './losses.ts';
import { callsIn, isOnlyResults, resultsIn } from './said.ts';

/**
 * The entries that `client` can be given one after the other: the current path, results that hang beside it, and what
 * is outside the conversation. The rest becomes losses.
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
		if (entry.kind === 'event') return true; // reported by its kind elsewhere
		losses.dropped(entry.id, 'parent', `${client} has no branches: this entry is on one that was left`);
		return false;
	});
}

/** Updates `open`, the calls that have no result yet. */
function followCalls(entry: Entry, open: Set<string>): void {
	for (const call of callsIn(entry)) open.add(call);
	for (const call of resultsIn(entry)) open.delete(call);
}

/** True for a result of an open call: results of parallel calls hang off the path, and still belong to it. */
function answersOpen(entry: Entry, open: ReadonlySet<string>): boolean {
	return isOnlyResults(entry) && resultsIn(entry).every((call) => open.has(call));
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
