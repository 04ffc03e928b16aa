/** How handles follow the conversation of pi and OpenClaw by linking fields: the path, the leaf, and the line that moves it. */
import { type Entry, isObject, type Json } from '../../../model/index.ts';
import type { Link, ResumePath, ResumePathRules } from '../../shared/context/resume-path.ts';
import type { LineIndex } from '../../shared/read/line-index.ts';
import { keptOf } from '../read/values.ts';

export const resumePath: ResumePathRules = {
	envelope: ['type', 'id', 'parentId', 'targetId', 'appendMode'],
	// Lines of version 1 and bare messages have no parents: each follows the one before.
	links: (dialect) => dialect !== 'v1' && dialect !== 'bare',
	id,
	leaf,
	trail: trailIn,
	titles: ['session_info'],
	bridgesGaps: false,
	shortIds: true,
	linkOf,
	// Every version takes a line of any type at the target for the leaf.
	pointTo: (target) => ({ kind: 'event', event: { type: 'custom', of: 'reprise.leaf' }, parent: target }),
	stateAt,
};

function text(index: LineIndex, line: number, path: string): string | undefined {
	const value = index.field(line, path);
	return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The id of a line; the header's id is the session's and does not count. */
function id(index: LineIndex, line: number): string | undefined {
	if (line === 0 && !index.partial && index.field(line, 'type') === 'session') return undefined;
	return text(index, line, 'id');
}

/** True for a line that becomes the leaf, which any does except those that OpenClaw marks as beside. */
function moves(index: LineIndex, line: number): boolean {
	return (
		id(index, line) !== undefined && index.field(line, 'type') !== 'leaf' && index.field(line, 'appendMode') !== 'side'
	);
}

/** The id that OpenClaw moved the conversation to. */
function pointer(index: LineIndex, line: number): string | undefined {
	return index.field(line, 'type') === 'leaf' ? text(index, line, 'targetId') : undefined;
}

type Find = (id: string) => number | undefined;

function trailIn(index: LineIndex, at?: number): ResumePath {
	const find = lookup(index);
	const seen = new Uint8Array(index.length); // a cycle ends the walk
	const lines: number[] = [];
	let cut = false;
	let line = at ?? leafOf(index, find);
	while (line !== undefined && seen[line] === 0 && !cut) {
		seen[line] = 1;
		lines.push(line);
		cut = index.partial && index.field(line, 'type') === 'compaction';
		line = above(index, find, line);
	}
	const last = lines.at(-1);
	const rooted = !index.partial || (last !== undefined && text(index, last, 'parentId') === undefined);
	return { lines: lines.reverse(), reached: rooted || cut };
}

/** Finds lines by id; all ids are read at the first question, which never comes where lines just follow each other. */
function lookup(index: LineIndex): Find {
	let places: Map<string, number> | undefined;
	return (wanted) => {
		if (!places) {
			places = new Map();
			for (let line = 0; line < index.length; line += 1) {
				const own = id(index, line);
				if (own !== undefined) places.set(own, line); // the last of equal ids counts
			}
		}
		return places.get(wanted);
	};
}

function leaf(index: LineIndex): number | undefined | 'more' {
	let missed = false;
	const find = lookup(index);
	const found = leafOf(index, (wanted) => {
		const line = find(wanted);
		missed ||= line === undefined;
		return line;
	});
	return index.partial && (missed || found === undefined) ? 'more' : found;
}

/** The leaf: the last line, unless the last pointer comes after it, which counts even where it leads nowhere. */
function leafOf(index: LineIndex, find: Find): number | undefined {
	let last: number | undefined;
	for (let line = index.length - 1; line >= 0; line -= 1) {
		if (last === undefined && moves(index, line)) last = line;
		const target = pointer(index, line);
		if (target === undefined) continue;
		return last !== undefined && last > line ? last : (find(target) ?? lastBefore(index, line));
	}
	return last;
}

function lastBefore(index: LineIndex, end: number): number | undefined {
	for (let line = end - 1; line >= 0; line -= 1) if (moves(index, line)) return line;
	return undefined;
}

function above(index: LineIndex, find: Find, line: number): number | undefined {
	const parent = text(index, line, 'parentId');
	return parent === undefined ? undefined : find(parent);
}

function linkOf(entry: Entry): Link {
	const kept = keptOf(entry.extra);
	if (entry.kind === 'leaf') return entry.target === null ? beside : { is: 'pointer', target: entry.target };
	if (entry.parent === undefined || kept?.part || kept?.line?.appendMode === 'side') return beside;
	return { is: 'next', id: entry.id, parent: entry.parent };
}

const beside: Link = { is: 'beside' };

/** The decoder's state: in a tree it needs only the line before; counting lines is for version 1. */
function stateAt(index: LineIndex, line: number, head: Json): Json {
	let last: string | null = null;
	let leaf: string | null = null;
	for (let at = line - 1; at >= 0 && (last === null || leaf === null); at -= 1) {
		last ??= id(index, at) ?? null;
		if (leaf !== null) continue;
		if (moves(index, at)) leaf = id(index, at) ?? null;
		else leaf = pointer(index, at) ?? null;
	}
	return { ...(isObject(head) ? head : {}), last, leaf };
}
