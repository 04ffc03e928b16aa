/** Finds the messages that a compaction of Claude Code 2.1.325 kept, and which lines before it are dropped. */
import { arrayAt, isObject, type Json, type JsonObject, objectAt, stringAt } from '../../../model/index.ts';
import type { Lines } from './lines.ts';

export interface Kept {
	/** Lines before this one are dropped, except those that were kept. */
	readonly from: number;
	/** The new parent of each kept line; `null` where the line that it should follow is missing. */
	readonly parents: ReadonlyMap<number, number | null>;
	/** The line whose children follow the last kept line. */
	readonly anchor?: number | undefined;
	readonly tail?: number | undefined;
}

/**
 * Only a boundary that states what it kept makes the client drop the rest. When a later boundary kept nothing,
 * everything before that one is dropped.
 */
export function keptBy(lines: Lines): Kept | undefined {
	let last: number | undefined;
	for (let line = lines.end - 1; line >= 0; line -= 1) {
		if (!lines.isBoundary(line) || !lines.counts(line)) continue;
		last ??= line;
		const metadata = objectAt(lines.index.value(line), 'compactMetadata');
		const named = metadata && keptOf(metadata);
		if (named === undefined) continue;
		return line === last ? linked(lines, line, named) : { from: last, parents: new Map() };
	}
	return undefined;
}

interface Named {
	readonly anchor: Json | undefined;
	readonly ids: readonly Json[] | { readonly head: Json | undefined; readonly tail: Json | undefined };
}

function keptOf(metadata: JsonObject): Named | undefined {
	const messages = objectAt(metadata, 'preservedMessages');
	const ids = messages && arrayAt(messages, 'uuids');
	if (messages && ids) return { anchor: messages.anchorUuid, ids };
	const segment = objectAt(metadata, 'preservedSegment');
	if (!segment || stringAt(segment, 'anchorUuid') === undefined) return undefined;
	return { anchor: segment.anchorUuid, ids: { head: segment.headUuid, tail: segment.tailUuid } };
}

function linked(lines: Lines, boundary: number, { anchor: anchorId, ids }: Named): Kept | undefined {
	const kept = isObject(ids) ? segment(lines, ids.head, ids.tail) : found(lines, ids as readonly Json[]);
	if (!kept) return undefined;
	const anchor = lines.find(anchorId);
	const parents = new Map<number, number | null>();
	kept.forEach((line, at) => {
		parents.set(line, kept[at - 1] ?? anchor ?? null);
	});
	return { from: boundary, parents, anchor, tail: kept.at(-1) };
}

function found(lines: Lines, ids: readonly Json[]): readonly number[] | undefined {
	const all: number[] = [];
	for (const id of ids) {
		const line = lines.find(id);
		if (line === undefined) return undefined;
		all.push(line);
	}
	return all;
}

/** The lines from the last kept one up to the first; empty where they are not on one path. */
function segment(lines: Lines, headId: Json | undefined, tailId: Json | undefined): readonly number[] | undefined {
	const head = lines.find(headId);
	const path: number[] = [];
	const seen = new Set<number>();
	let line = lines.find(tailId);
	while (line !== undefined && !seen.has(line)) {
		seen.add(line);
		path.push(line);
		if (line === head) return path.reverse();
		const parent = lines.parentId(line);
		line = parent === undefined ? undefined : lines.find(parent);
	}
	return undefined;
}
