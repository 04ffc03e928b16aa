/** Where pi and OpenClaw go on, from the envelopes of lines. */
import { type Entry, isObject, type Json } from '../../model/index.ts';
import type { LineIndex } from '../line-index.ts';
import type { TrailRules } from '../trail.ts';
import { keptOf } from './values.ts';

export const trail: TrailRules = {
	envelope: ['type', 'id', 'parentId', 'targetId', 'appendMode'],
	// Version 1 and bare messages name nobody: each follows the one before.
	links: (dialect) => dialect !== 'v1' && dialect !== 'bare',
	own: 'id',
	parent: 'parentId',
	id,
	// The last line is the leaf, whatever it is; OpenClaw's own marks say what is beside.
	moves: (index, line) =>
		id(index, line) !== undefined && index.field(line, 'type') !== 'leaf' && index.field(line, 'appendMode') !== 'side',
	pointer(index, line) {
		const target = text(index, line, 'targetId');
		if (target === undefined || index.field(line, 'type') !== 'leaf') return undefined;
		return { target, back: true, binds: false };
	},
	cuts: (index, line) => index.field(line, 'type') === 'compaction',
	bridgesGaps: false,
	shortIds: true,
	linkOf,
	// A line of any type at the target is understood by every version.
	pointTo: (target) => ({ kind: 'event', event: { type: 'custom', of: 'reprise.leaf' }, parent: target }),
	stateAt,
};

function text(index: LineIndex, line: number, path: string): string | undefined {
	const value = index.field(line, path);
	return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The header has an id too, which is the session's. */
function id(index: LineIndex, line: number): string | undefined {
	if (line === 0 && !index.partial && index.field(line, 'type') === 'session') return undefined;
	return text(index, line, 'id');
}

function linkOf(entry: Entry): ReturnType<TrailRules['linkOf']> {
	const kept = keptOf(entry.extra);
	if (entry.kind === 'leaf') {
		if (entry.target === null) return { id: entry.id, parent: null, moves: false };
		const pointer = { target: entry.target, back: true, binds: false };
		return { id: entry.id, parent: entry.target, moves: false, pointer };
	}
	if (entry.parent === undefined || kept?.part) return { moves: false };
	return { id: entry.id, parent: entry.parent, moves: kept?.line?.appendMode !== 'side' };
}

/** In a tree the decoder needs only the line before; what counts lines is for version 1. */
function stateAt(index: LineIndex, line: number, head: Json): Json {
	let last: string | null = null;
	let leaf: string | null = null;
	for (let at = line - 1; at >= 0 && (last === null || leaf === null); at -= 1) {
		last ??= id(index, at) ?? null;
		if (leaf !== null) continue;
		if (trail.moves(index, at)) leaf = id(index, at) ?? null;
		else leaf = trail.pointer(index, at)?.target ?? null;
	}
	return { ...(isObject(head) ? head : {}), last, leaf };
}
