/** How handles follow Claude Code's conversation by linking fields: the path, the pointer line that moves it, ranks of titles. `leaf.ts` has the rule. */
import { type Bridges, type Entry, type EntryId, isObject, type Json } from '../../../model/index.ts';
import type { Link, ResumePath, ResumePathRules } from '../../shared/context/resume-path.ts';
import type { LineIndex } from '../../shared/read/line-index.ts';
import { dialectOf } from '../lines.ts';
import { Lines } from './lines.ts';
import { type Links, pathTo, wayIn } from './path-2-1-325.ts';

/** Ranks of titles: an `ai-title` after a `custom-title` changes nothing. */
const titleRanks: { readonly [type: string]: number } = { summary: 1, 'ai-title': 2, 'custom-title': 3 };

export const resumePath: ResumePathRules = {
	envelope: ['type', 'subtype', 'uuid', 'parentUuid', 'isSidechain', 'timestamp', 'leafUuid', 'explicit'],
	links: () => true,
	id: (index, line) => text(index, line, 'uuid'),
	leaf: leafOf,
	trail: trailIn,
	bridges: bridgesIn,
	titles: Object.keys(titleRanks),
	bridgesGaps: true,
	shortIds: false,
	linkOf,
	// The client ignores a pointer to a line above which nothing was said, and writes one to nothing itself.
	pointTo: (target, prompt) =>
		prompt === undefined
			? { kind: 'leaf', target: null, extra: { explicit: true } }
			: { kind: 'leaf', target, extra: { lastPrompt: prompt, explicit: true } },
	stateAt,
};

function text(index: LineIndex, line: number, path: string): string | undefined {
	const value = index.field(line, path);
	return typeof value === 'string' ? value : undefined;
}

/** The leaf. No line can follow one without an id, so the nearest above that has one counts. */
function leafOf(index: LineIndex): number | null | undefined | 'more' {
	const lines = new Lines(index);
	const { leaf, links } = wayIn(lines);
	if (leaf === undefined) lines.miss();
	if (lines.missed) return 'more';
	if (leaf === 'nothing') return null;
	const isNamed = (line: number): boolean => text(index, line, 'uuid') !== undefined;
	return leaf && links.up(leaf.line).find(isNamed);
}

function trailIn(index: LineIndex, at?: number): ResumePath {
	const lines = new Lines(index, at === undefined ? index.length : at + 1);
	const { leaf, links } = wayIn(lines, at === undefined ? undefined : standsFor(lines, at));
	if (leaf === 'nothing') return { lines: [], reached: !lines.missed, nothing: true };
	if (leaf === undefined) return { lines: [], reached: !lines.missed };
	const path = withKept(pathTo(lines, links, leaf.line).path, links);
	// As in `leafOf`.
	const last = path.findLastIndex((line) => text(index, line, 'uuid') !== undefined);
	// A pointer to where a compaction ends, and kept messages are put in, is followed without them.
	const unreachable = at !== undefined && (links.kept?.anchor === leaf.line || !isReachable(index, leaf.line));
	return { lines: path.slice(0, last + 1), reached: !lines.missed, ...(unreachable ? { unreachable } : {}) };
}

function bridgesIn(index: LineIndex): Bridges {
	const { leaf, links } = wayIn(new Lines(index));
	const found = new Map<EntryId, EntryId>();
	if (leaf === undefined || leaf === 'nothing') return found;
	for (const [line, above] of links.bridges(leaf.line)) {
		const id = text(index, line, 'uuid');
		const parent = text(index, above, 'uuid');
		if (id !== undefined && parent !== undefined) found.set(id, parent);
	}
	return found;
}

/** The path with the kept messages: behind a summary they are sent too, though the next line follows the summary. */
function withKept(path: readonly number[], { kept }: Links): readonly number[] {
	if (kept?.anchor === undefined || path.at(-1) !== kept.anchor) return path;
	return [...path.slice(0, -1), ...kept.parents.keys(), kept.anchor];
}

/** False for a line that a later compaction dropped. */
function isReachable(index: LineIndex, line: number): boolean {
	const { links } = wayIn(new Lines(index));
	return links.find(index.field(line, 'uuid')) === line;
}

/** The line to go on from, where `at` is a progress line or of unknown type: what these follow. */
function standsFor(lines: Lines, at: number): number {
	const seen = new Set<number>();
	let line: number | undefined = at;
	while (line !== undefined && !lines.isGraph(line) && !seen.has(line)) {
		seen.add(line);
		const parent = lines.parentId(line);
		line = parent === undefined ? undefined : lines.find(parent);
	}
	return line ?? at;
}

function linkOf(entry: Entry): Link {
	if (entry.kind === 'leaf') {
		// Without a target it means something only with `explicit`, and then everything has changed.
		if (entry.target === null) return entry.extra?.explicit === true ? { is: 'turn' } : beside;
		return { is: 'pointer', target: entry.target };
	}
	if (entry.parent === undefined || entry.agent !== undefined) return beside;
	if (entry.kind === 'message') return { is: 'next', id: entry.id, parent: entry.parent };
	if (entry.kind !== 'event' || !inChain.has(entry.event.type)) return { is: 'turn' };
	return entry.event.type === 'progress' ? beside : { is: 'next', id: entry.id, parent: entry.parent };
}

const beside: Link = { is: 'beside' };
/** Events that the client puts into the graph. If another event has a parent, the whole file decides. */
const inChain: ReadonlySet<string> = new Set([
	'progress',
	'timing',
	'command',
	'hook',
	'error',
	'notice',
	'attachment',
]);

/** The decoder's state: the title's rank and the dialect are found here, the rest comes from the first lines. */
function stateAt(index: LineIndex, line: number, head: Json): Json {
	const before = isObject(head) ? head : {};
	let rank = typeof before.titleRank === 'number' ? before.titleRank : 0;
	let extended = before.dialect === 'extended';
	for (let at = 0; at < line; at += 1) {
		const type = text(index, at, 'type') ?? '';
		const own = Object.hasOwn(titleRanks, type) ? (titleRanks[type] ?? 0) : 0;
		if (own > rank) rank = own;
		extended ||= dialectOf(type) === 'extended';
	}
	return { ...before, titleRank: rank, ...(extended ? { dialect: 'extended' } : {}) };
}
