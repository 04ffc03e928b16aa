/** Where Claude Code goes on, from the envelopes of lines: the rules of the newest version known. */
import { type Entry, isObject, type Json } from '../../model/index.ts';
import type { LineIndex } from '../line-index.ts';
import type { Pointer, TrailRules } from '../trail.ts';
import { dialectOf } from './lines.ts';

/** A rank that no title can beat: an `ai-title` after a `custom-title` changes nothing. */
const titleRanks: { readonly [type: string]: number } = { summary: 1, 'ai-title': 2, 'custom-title': 3 };

export const trail: TrailRules = {
	envelope: ['type', 'subtype', 'uuid', 'parentUuid', 'isSidechain', 'leafUuid', 'explicit'],
	links: () => true,
	own: 'uuid',
	parent: 'parentUuid',
	id: (index, line) => text(index, line, 'uuid'),
	// Nothing may follow a progress line, though the client itself lets lines follow it.
	moves: (index, line) =>
		text(index, line, 'uuid') !== undefined &&
		index.field(line, 'isSidechain') !== true &&
		index.field(line, 'type') !== 'progress',
	pointer(index, line) {
		const target = text(index, line, 'leafUuid');
		if (target === undefined || index.field(line, 'type') !== 'last-prompt') return undefined;
		return pointerTo(target, index.field(line, 'explicit') === true);
	},
	cuts: (index, line) => index.field(line, 'subtype') === 'compact_boundary',
	bridgesGaps: true,
	shortIds: false,
	linkOf,
	pointTo: (target, prompt) => ({ kind: 'leaf', target, extra: { lastPrompt: prompt, explicit: true } }),
	stateAt,
};

function text(index: LineIndex, line: number, path: string): string | undefined {
	const value = index.field(line, path);
	return typeof value === 'string' ? value : undefined;
}

function pointerTo(target: string, back: boolean): Pointer {
	return { target, back, binds: true };
}

function linkOf(entry: Entry): ReturnType<TrailRules['linkOf']> {
	if (entry.kind === 'leaf') {
		if (entry.target === null) return { moves: false };
		return { moves: false, pointer: pointerTo(entry.target, entry.extra?.explicit === true) };
	}
	if (entry.parent === undefined) return { moves: false };
	const progress = entry.kind === 'event' && entry.event.type === 'progress';
	return { id: entry.id, parent: entry.parent, moves: entry.agent === undefined && !progress };
}

/** The decoder remembers the title's rank and the dialect; the rest of what it remembers stands in the first lines. */
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
