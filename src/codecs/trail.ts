/** Where a conversation goes on and the lines that lead there, found by the envelopes of lines alone. */
import type { Entry, EntryId, EventEntry, Json, LeafEntry } from '../model/index.ts';
import type { LineIndex } from './line-index.ts';

/** Moves the conversation to another line. */
export interface Pointer {
	readonly target: EntryId;
	/** What was below the target when this was written is taken back; what comes later counts again. */
	readonly back: boolean;
	/** Lines that are not below the target do not count, however late they come. */
	readonly binds: boolean;
}

/** What an entry or a line is to the conversation. */
export interface Link {
	/** Absent for what stands beside the conversation. */
	readonly id?: EntryId;
	readonly parent?: EntryId | null;
	/** False for what the conversation never goes on from, such as a sub-agent's line. */
	readonly moves: boolean;
	readonly pointer?: Pointer;
}

/** An entry that moves the conversation, but for its id, time and records. */
export type PointingEntry =
	| (Pick<LeafEntry, 'kind' | 'target' | 'extra'> & { readonly parent?: undefined })
	| (Pick<EventEntry, 'kind' | 'event'> & { readonly parent: EntryId });

/** How one format's lines are linked. The methods ask for single fields of `envelope`, so that few are looked at. */
export interface TrailRules {
	readonly envelope: readonly string[];
	/** False for dialects whose lines do not name each other. */
	links(dialect: string): boolean;
	/** The fields that name a line and the one it follows. */
	readonly own: string;
	readonly parent: string;
	/** Absent for a line beside the conversation. */
	id(index: LineIndex, line: number): EntryId | undefined;
	moves(index: LineIndex, line: number): boolean;
	pointer(index: LineIndex, line: number): Pointer | undefined;
	/** True for a line before which nothing is needed to go on: it begins what a model still sees. */
	cuts(index: LineIndex, line: number): boolean;
	/** A parent that is not in the file is replaced by the line before. */
	readonly bridgesGaps: boolean;
	/** Ids are so short that a new one has to be held against all others of the file. */
	readonly shortIds: boolean;
	/** The same for a decoded entry. */
	linkOf(entry: Entry): Link;
	/** What is written so that the conversation goes on from `target`; `prompt` is the text of the last prompt up to there. */
	pointTo(target: EntryId, prompt: string): PointingEntry;
	/** A decoder's state for going on at a line in the midst of a file; `head` is the state after the file's first lines. */
	stateAt(index: LineIndex, line: number, head: Json): Json;
}

export interface Trail {
	/** Root to leaf, as lines of the index; without the lines above one that cuts, where the index is partial. */
	readonly lines: readonly number[];
	/** False when the index does not go back far enough: look at more of the file. */
	readonly reached: boolean;
	/** The first of the lines is a root. */
	readonly rooted: boolean;
	/** The last pointer whose target is in the file. */
	readonly pointer?: Pointer;
}

/** The way to the line that the client goes on from, or to `at`; undefined when `at` is not there. */
export function findTrail(index: LineIndex, rules: TrailRules, at?: EntryId): Trail | undefined {
	const find = lookup(index, rules);
	const pointed = lastPointer(index, rules, find);
	const leaf = at === undefined ? leafOf(index, rules, find, pointed) : find(at);
	if (at !== undefined && leaf === undefined) return undefined;
	return { ...pathTo(index, rules, find, leaf), ...(pointed ? { pointer: pointed.pointer } : {}) };
}

type Find = (id: EntryId) => number | undefined;

/** All ids are read when one is first asked for: where each line follows the one before, that is never. */
function lookup(index: LineIndex, rules: TrailRules): Find {
	let places: Map<EntryId, number> | undefined;
	return (wanted) => {
		if (!places) {
			places = new Map();
			for (let line = 0; line < index.length; line += 1) {
				const id = rules.id(index, line);
				if (id !== undefined) places.set(id, line); // the last of equal ids counts
			}
		}
		return places.get(wanted);
	};
}

interface Pointed {
	readonly pointer: Pointer;
	readonly target: number;
	/** The line of the pointer itself. */
	readonly line: number;
}

function lastPointer(index: LineIndex, rules: TrailRules, find: Find): Pointed | undefined {
	for (let line = index.length - 1; line >= 0; line -= 1) {
		const pointer = rules.pointer(index, line);
		if (!pointer) continue;
		const target = find(pointer.target);
		// Only the last one counts, even where it leads nowhere.
		return target === undefined ? undefined : { pointer, target, line };
	}
	return undefined;
}

function leafOf(index: LineIndex, rules: TrailRules, find: Find, pointed: Pointed | undefined): number | undefined {
	const elsewhere = new Set<number>();
	const from = pointed?.pointer.back || pointed?.pointer.binds === false ? pointed.line : -1;
	for (let line = index.length - 1; line > from; line -= 1) {
		if (!rules.moves(index, line)) continue;
		if (!pointed?.pointer.binds) return line;
		for (let up: number | undefined = line; up !== undefined && !elsewhere.has(up); ) {
			if (up === pointed.target) return line;
			elsewhere.add(up);
			up = above(index, rules, find, up);
		}
	}
	return pointed?.target;
}

/** A parent is nearly always close above. */
const close = 4;

function above(index: LineIndex, rules: TrailRules, find: Find, line: number): number | undefined {
	for (let near = line - 1; near >= Math.max(0, line - close); near -= 1) {
		if (index.equal?.(line, rules.parent, near, rules.own)) return near;
	}
	const parent = parentOf(index, rules, line);
	if (parent === null) return undefined;
	const found = find(parent);
	if (found !== undefined || !rules.bridgesGaps || index.partial) return found;
	for (let before = line - 1; before >= 0; before -= 1) if (rules.moves(index, before)) return before;
	return undefined;
}

function parentOf(index: LineIndex, rules: TrailRules, line: number): EntryId | null {
	const parent = index.field(line, rules.parent);
	return typeof parent === 'string' && parent !== '' ? parent : null;
}

function pathTo(
	index: LineIndex,
	rules: TrailRules,
	find: Find,
	leaf: number | undefined,
): Pick<Trail, 'lines' | 'reached' | 'rooted'> {
	const seen = new Uint8Array(index.length); // a cycle ends the walk
	const lines: number[] = [];
	let cut = false;
	for (let line = leaf; line !== undefined && seen[line] === 0 && !cut; line = above(index, rules, find, line)) {
		seen[line] = 1;
		lines.push(line);
		cut = index.partial && rules.cuts(index, line);
	}
	const last = lines.at(-1);
	const rooted = !index.partial || (last !== undefined && parentOf(index, rules, last) === null);
	return { lines: lines.reverse(), rooted, reached: rooted || cut };
}
