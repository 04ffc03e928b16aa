/** Plans what is written together: the lines of one reply, and a compaction with the message of its summary. */

import type { Loss } from '../../../model/index.ts';
import {
	blockText,
	type CompactionEntry,
	type Entry,
	type EntryId,
	history,
	type MessageEntry,
	type ModelResponse,
	responseKey,
	summaryMessages,
} from '../../../model/index.ts';
import { isOnlyResults } from '../../shared/write/said.ts';
import { keptOf } from '../read/values.ts';

export interface Item {
	readonly entry: Entry;
	/** Entries that became a part of it: what follows one of them follows it. */
	readonly merged: readonly Entry[];
	/** False when a later part of the same reply has the tokens. */
	readonly countUsage: boolean;
}

/** The entries to write, in order, each with what was merged into it. */
export function plan(entries: readonly Entry[], ownAgent: string | undefined, losses: Loss[]): readonly Item[] {
	const mine = entries.filter((entry) => {
		if (keptOf(entry.extra)?.part) return false;
		if (entry.agent === undefined || entry.agent === ownAgent) return true;
		losses.push({
			entry: entry.id,
			path: '',
			how: 'dropped',
			note: `the thread of sub-agent ${entry.agent} has no place`,
		});
		return false;
	});
	const replies = groupReplies(mine);
	const summaries = findSummaries(mine);
	const taken = new Set([...summaries.values()].map(({ id }) => id));
	const lastPart = new Map<string, Entry>();
	for (const group of replies.values()) if (group.key !== undefined) lastPart.set(group.key, group.first);
	const items: Item[] = [];
	for (const entry of mine) {
		if (taken.has(entry.id)) continue;
		const group = replies.get(entry);
		if (group) {
			if (group.first !== entry) continue;
			const countUsage = group.key === undefined || lastPart.get(group.key) === entry;
			items.push({ entry: joined(group), merged: group.rest, countUsage });
			continue;
		}
		const summary = summaries.get(entry.id);
		if (entry.kind === 'compaction' && summary) items.push(withSummary(entry, summary, losses));
		else items.push({ entry, merged: [], countUsage: true });
	}
	return items;
}

interface Group {
	readonly first: MessageEntry;
	readonly rest: MessageEntry[];
	readonly ids: Set<string>;
	readonly key: string | undefined;
}

/**
 * Groups the lines of a reply into one message: pi itself answers an open tool call when another reply follows. Lines
 * belong together when they have the same response and each follows another of them.
 */
function groupReplies(entries: readonly Entry[]): ReadonlyMap<Entry, Group> {
	const groups = new Map<Entry, Group>();
	const byKey = new Map<string, Group>();
	for (const entry of entries) {
		if (entry.kind !== 'message' || entry.role !== 'assistant' || entry.audience === 'user') continue;
		const key = entry.response && responseKey(entry.response);
		const group = key === undefined || keptOf(entry.extra) ? undefined : byKey.get(key);
		if (group && typeof entry.parent === 'string' && group.ids.has(entry.parent)) {
			group.rest.push(entry);
			group.ids.add(entry.id);
			groups.set(entry, group);
			continue;
		}
		const fresh: Group = { first: entry, rest: [], ids: new Set([entry.id]), key };
		groups.set(entry, fresh);
		if (key !== undefined) byKey.set(key, fresh);
	}
	return groups;
}

function joined(group: Group): MessageEntry {
	if (group.rest.length === 0) return group.first;
	const all = [group.first, ...group.rest];
	let response: ModelResponse = {};
	for (const part of all) {
		const before = response.usage;
		response = { ...response, ...part.response };
		if (before && before.output > (response.usage?.output ?? 0)) response = { ...response, usage: before };
	}
	return { ...group.first, content: all.flatMap((part) => part.content), response };
}

/** The message with the summary behind each compaction, by the compaction's id. */
function findSummaries(entries: readonly Entry[]): ReadonlyMap<string, MessageEntry> {
	const told = summaryMessages(entries);
	const lacking = entries.filter(
		(entry) => entry.kind === 'compaction' && entry.summary === undefined && entry.trigger !== 'reset',
	);
	return new Map(
		lacking.flatMap(({ id }) => {
			const summary = told.get(id);
			return summary ? [[id, summary] as const] : [];
		}),
	);
}

function withSummary(entry: CompactionEntry, summary: MessageEntry, losses: Loss[]): Item {
	losses.push({
		entry: summary.id,
		path: '',
		how: 'approximated',
		note: 'the message with the summary is written as the summary of the compaction',
	});
	const text = summary.content.map(blockText).join('\n');
	return { entry: { ...entry, summary: text }, merged: [summary], countUsage: true };
}

/** The items of one path, for files in which each line follows the one before. */
export function onePath(items: readonly Item[], leaf: EntryId | null, losses: Loss[]): readonly Item[] {
	const entries = items.flatMap((item) => [item.entry, ...item.merged]);
	const onPath = new Set(history({ entries }, leaf).map((entry) => entry.id));
	return items.filter(({ entry, merged }) => {
		if (entry.parent === undefined || onPath.has(entry.id) || merged.some((other) => onPath.has(other.id))) return true;
		// Some formats hang results of parallel calls beside the path.
		if (typeof entry.parent === 'string' && onPath.has(entry.parent) && isOnlyResults(entry)) return true;
		losses.push({
			entry: entry.id,
			path: '',
			how: 'dropped',
			note: 'it is on another branch, and this file has only one',
		});
		return false;
	});
}
