/** The lines that Claude Code 2.1.325 continues: its leaf and the path to it, with gaps and cycles mended. */
import { compact, type Json } from '../../../model/index.ts';
import { type Kept, keptBy } from './kept.ts';
import { type Leaf, leafAt, leafIn } from './leaf.ts';
import type { Lines } from './lines.ts';
import { Nearby, timeOf } from './missing-parent.ts';

export interface Path {
	/** The lines from first to last. */
	readonly lines: readonly number[];
	/** The line before which nothing is read. */
	readonly from?: number;
	readonly links?: Links;
	/** Why the client would not resume the session. */
	readonly refused?: string;
}

const notFound = 'No conversation found';

export function newPath(lines: Lines, at?: number): Path {
	const { leaf, links } = wayIn(lines, at);
	if (leaf === 'nothing') return { lines: [] };
	if (leaf === undefined) return { lines: [], refused: notFound };
	const last = at === undefined ? leaf.message : (links.afterKept(at) ?? at);
	const refused = at === undefined && (leaf.refused || !canStartAt(lines, last)) ? notFound : undefined;
	const { path, from } = pathTo(lines, links, last);
	return { lines: path.filter((line) => !lines.isBoundary(line)), links, ...compact({ from, refused }) };
}

export interface Way {
	readonly leaf: Leaf | 'nothing' | undefined;
	readonly links: Links;
}

/** The path to the client's leaf, or to the line `at`. */
export function wayIn(lines: Lines, at?: number): Way {
	const links = new Links(lines, keptBy(lines));
	return { links, leaf: at === undefined ? leafIn(lines, links) : leafAt(lines, links, at) };
}

/** The lines from the first that is still sent, or the boundary before it, to `last`; `from` is the boundary. */
export function pathTo(
	lines: Lines,
	links: Links,
	last: number,
): { readonly path: readonly number[]; readonly from: number | undefined } {
	const path = [...links.up(last)].reverse();
	const [first] = path;
	const from = first !== undefined && lines.isBoundary(first) ? first : boundaryBefore(lines, first);
	if (from === undefined || (links.kept === undefined && hasBoundaryAfter(lines, from))) lines.miss();
	return { path, from };
}

/** False for a message of a sub-agent, and for one without a readable time: the client goes on from neither. */
function canStartAt(lines: Lines, leaf: number): boolean {
	return !lines.isSidechain(leaf) && !Number.isNaN(timeOf(lines.index.field(leaf, 'timestamp')));
}

/** The boundary that ends the path: in the document's style a compaction starts a new root behind it. */
export function boundaryBefore(lines: Lines, root: number | undefined): number | undefined {
	for (let line = (root ?? 0) - 1; line >= 0; line -= 1) {
		if (lines.isGraph(line)) return lines.isBoundary(line) ? line : undefined;
	}
	return undefined;
}

function hasBoundaryAfter(lines: Lines, from: number): boolean {
	if (!lines.index.partial) return false;
	for (let line = from + 1; line < lines.end; line += 1) if (lines.isBoundary(line)) return true;
	return false;
}

/** Parents as the client sees them after loading. */
export class Links {
	readonly kept: Kept | undefined;
	readonly #lines: Lines;
	readonly #nearby: Nearby;
	/** Lines without a message above them. */
	readonly #barren = new Set<number>();
	readonly #answered = new Map<number, boolean>();

	constructor(lines: Lines, kept: Kept | undefined) {
		this.#lines = lines;
		this.#nearby = new Nearby(lines, (line) => this.isGone(line));
		this.kept = kept;
	}

	isGone(line: number): boolean {
		return this.kept !== undefined && line < this.kept.from && !this.kept.parents.has(line);
	}

	/** The line with an id, unless it was dropped or is not in the graph. */
	find(id: Json | undefined): number | undefined {
		const line = this.#lines.find(id);
		return line === undefined || this.isGone(line) || !this.#lines.isGraph(line) ? undefined : line;
	}

	/**
	 * The last message that a compaction kept, where the conversation ends with the line behind which the kept ones are put: the
	 * summary, or a note below it. A pointer to that line leaves them out.
	 */
	afterKept(end: number): number | undefined {
		const { anchor, tail } = this.kept ?? {};
		return end !== anchor || tail === undefined ? undefined : this.messageAbove(tail);
	}

	/** The lines from one up to the root or to a boundary. */
	*up(leaf: number, pastBoundaries = false): Generator<number> {
		const seen = new Set<number>();
		let line: number | undefined = leaf;
		while (line !== undefined) {
			seen.add(line);
			yield line;
			if (!pastBoundaries && this.#lines.isBoundary(line)) return;
			line = this.#parentOf(line, seen);
		}
	}

	/** For lines on the path whose parent differs from the file's: that parent. */
	bridges(leaf: number): ReadonlyMap<number, number> {
		const found = new Map<number, number>();
		let below: number | undefined;
		for (const line of this.up(leaf)) {
			if (below !== undefined && this.#loaded(below) !== line) found.set(below, line);
			below = line;
		}
		return found;
	}

	/** True when `above` is an ancestor by the file's own parents: a mended path does not count. */
	isBelow(line: number, above: number): boolean {
		const seen = new Set<number>();
		let one: number | undefined = line;
		while (one !== undefined && !seen.has(one)) {
			if (one === above) return true;
			seen.add(one);
			one = this.#whole(one);
		}
		return false;
	}

	/** True for a message below which another one stands, by the file's own parents. */
	isAnswered(message: number): boolean {
		const known = this.#answered.get(message);
		if (known !== undefined) return known;
		const below = new Set([message]);
		let answered = false;
		for (let line = message + 1; line < this.#lines.end && !answered; line += 1) {
			if (!this.#lines.isGraph(line) || this.#lines.isSidechain(line) || !below.has(this.#whole(line) ?? -1)) continue;
			below.add(line);
			answered = this.#lines.isMessage(line);
		}
		this.#answered.set(message, answered);
		return answered;
	}

	/** The parent of a line, if it names one that exists. */
	#whole(line: number): number | undefined {
		const parent = this.#loaded(line);
		return typeof parent === 'number' ? parent : undefined;
	}

	/** The parent of a line, if it exists; `none` for a line that names none. */
	#loaded(line: number): number | 'none' | undefined {
		const { kept } = this;
		const moved = kept?.parents.get(line);
		if (moved !== undefined) return moved ?? undefined;
		const parent = this.#named(line);
		if (parent === 'gone') return kept?.tail;
		return typeof parent === 'number' && parent === kept?.anchor ? (kept.tail ?? parent) : parent;
	}

	/** The parent that the client uses for a line without one. */
	inPlaceOfParent(line: number): number | undefined {
		return this.#nearby.before(line, new Set([line]));
	}

	messageAbove(line: number): number | undefined {
		const walked: number[] = [];
		for (const one of this.up(line, true)) {
			if (this.#lines.isMessage(one)) return one;
			if (this.#barren.has(one)) break;
			walked.push(one);
		}
		for (const one of walked) this.#barren.add(one);
		return undefined;
	}

	/** The parent that the file names, with progress lines skipped; `gone` for one that was dropped. */
	#named(line: number): number | 'none' | 'gone' | undefined {
		let seen: Set<number> | undefined;
		let id = this.#lines.parentId(line);
		for (;;) {
			if (id === undefined) return 'none';
			const parent = this.#lines.find(id);
			if (parent === undefined || seen?.has(parent)) return undefined;
			if (this.isGone(parent)) return 'gone';
			if (this.#lines.isGraph(parent)) return parent;
			if (parent > line) return undefined; // the client has not read this progress line yet
			seen ??= new Set();
			seen.add(parent);
			id = this.#lines.parentId(parent);
		}
	}

	#parentOf(line: number, seen: ReadonlySet<number>): number | undefined {
		const parent = this.#loaded(line);
		if (parent === 'none') return undefined;
		return parent === undefined || seen.has(parent) ? this.#nearby.before(line, seen) : parent;
	}

	/**
	 * Notes below the given lines, directly or through other notes, in the order of a walk. With `meta` they include what
	 * the client said in the user's name, such as the text of a skill.
	 */
	notesBelow(
		roots: readonly number[],
		without: ReadonlySet<number>,
		meta: boolean,
	): ReadonlyMap<number, readonly number[]> {
		const children = new Map<number, number[]>(roots.map((root) => [root, []]));
		const first = roots.reduce((least, root) => Math.min(least, root), this.#lines.end);
		for (let line = first + 1; line < this.#lines.end; line += 1) {
			if (!this.#isNote(line, meta) || without.has(line) || this.isGone(line) || !this.#lines.counts(line)) continue;
			// By where the client has put it: what was written behind a summary follows the messages that were kept.
			const parent = this.#whole(line);
			const siblings = parent === undefined ? undefined : children.get(parent);
			if (!siblings) continue;
			siblings.push(line);
			children.set(line, []);
		}
		return new Map(roots.map((root) => [root, walk(root, children)]));
	}

	#isNote(line: number, meta: boolean): boolean {
		const type = this.#lines.type(line);
		if (type === 'system' || type === 'attachment') return true;
		return meta && type === 'user' && this.#lines.index.field(line, 'isMeta') === true;
	}
}

function walk(root: number, children: ReadonlyMap<number, readonly number[]>): readonly number[] {
	const found: number[] = [];
	const open = (children.get(root) ?? []).toReversed();
	for (let line = open.pop(); line !== undefined; line = open.pop()) {
		found.push(line);
		open.push(...(children.get(line) ?? []).toReversed());
	}
	return found;
}
