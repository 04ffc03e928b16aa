/** Finds the lines that OpenClaw continues from: it chooses the leaf by marks of its own. */
import type { Json } from '../../../model/index.ts';
import type { LineIndex } from '../../shared/read/line-index.ts';
import type { Climb } from './climb.ts';
import type { Path } from './path.ts';

const canonical: ReadonlySet<Json | undefined> = new Set([
	'message',
	'thinking_level_change',
	'model_change',
	'compaction',
	'branch_summary',
	'custom',
	'custom_message',
	'label',
	'session_info',
]);

export function isCanonical(index: LineIndex, line: number): boolean {
	return canonical.has(index.field(line, 'type'));
}

/** The value above the first line of a partial index, until a line states it anew. */
const unknown = Symbol('unknown');
type Known = string | null | typeof unknown;

/**
 * The graph by OpenClaw's rules: lines of other types are no entries but pass their parent on; `leaf` lines choose
 * where it goes on; lines marked `side` never do. A line that continues the file after such a detour follows the leaf,
 * not the line above.
 *
 * With only the end of a file, an id that no entry there has may belong to an entry above.
 */
export class Branches {
	readonly #index: LineIndex;
	/** The line of each entry. */
	readonly #entries = new Map<string, number>();
	/** The parent of each id that is no entry. */
	readonly #passed = new Map<string, string | null>();
	/** Lines that follow the leaf, or may follow it, instead of the parent that they name. */
	readonly #moved = new Map<number, Known>();
	readonly #broken = new Set<string>();
	#leaf: Known;
	#tail: Known;
	/** True when a `leaf` line names something that may be above the index. */
	#unsure = false;

	constructor(index: LineIndex) {
		this.#index = index;
		this.#leaf = index.partial ? unknown : null;
		this.#tail = this.#leaf;
		for (let line = 0; line < index.length; line++) {
			const id = idAt(index, line, 'id');
			const type = index.field(line, 'type');
			if (!id || type === 'session') continue;
			if (type === 'leaf') this.#choose(line, id);
			else if (!isCanonical(index, line)) this.#pass(line, id);
			else if (!isLostMessage(index, line)) this.#enter(line, id);
		}
	}

	#choose(line: number, id: string): void {
		const target = idAt(this.#index, line, 'targetId');
		const given = this.#index.field(line, 'appendParentId') !== undefined;
		const append = given ? idAt(this.#index, line, 'appendParentId') : target;
		if (target === undefined || append === undefined || !this.#knows(target) || !this.#knows(append)) {
			this.#broken.add(id);
			this.#passed.set(id, idAt(this.#index, line, 'parentId') ?? null);
			return;
		}
		const leaf = this.#resolve(target);
		if (leaf === unknown) return;
		this.#leaf = leaf;
		this.#tail = given ? append : leaf;
		this.#passed.set(id, leaf);
	}

	#pass(line: number, id: string): void {
		const parent = idAt(this.#index, line, 'parentId');
		if (parent === undefined) return;
		this.#passed.set(id, parent);
		this.#tail = id;
	}

	#enter(line: number, id: string): void {
		const parent = idAt(this.#index, line, 'parentId');
		const side = this.#index.field(line, 'appendMode') === 'side';
		if (parent === undefined) this.#moved.set(line, this.#leaf);
		else if (!side) this.#follow(line, parent);
		this.#entries.set(id, line);
		this.#tail = id;
		if (!side) this.#leaf = id;
	}

	#follow(line: number, parent: string | null): void {
		if (this.#tail === unknown) this.#moved.set(line, unknown);
		else if (parent === this.#tail && this.#leaf !== this.#tail) this.#moved.set(line, this.#leaf);
	}

	#knows(id: string | null): boolean {
		if (id === null || this.#entries.has(id)) return true;
		if (this.#index.partial) {
			this.#unsure = true;
			return true;
		}
		return this.#passed.has(id) && !this.#broken.has(id);
	}

	/** The entry that an id leads to. */
	#resolve(from: string | null): Known {
		const seen = new Set<string>();
		let id = from;
		while (id !== null && !this.#entries.has(id)) {
			if (this.#index.partial) return unknown;
			if (seen.has(id)) return null;
			seen.add(id);
			id = this.#passed.get(id) ?? null;
		}
		return id;
	}

	/** The path up from a line. A cycle ends it where it closes. */
	path(start: number | undefined, climb: Climb): Path | 'more' {
		if (this.#unsure) return 'more';
		const seen = new Set<number>();
		let id: Known = start === undefined ? this.#leaf : null;
		let line = start;
		for (;;) {
			if (id === unknown) return 'more';
			if (id !== null) line = this.#entries.get(id);
			if (line === undefined || seen.has(line)) return climb.path();
			seen.add(line);
			if (climb.takes(line)) return climb.path();
			id = this.#parentOf(line);
			line = undefined;
		}
	}

	#parentOf(line: number): Known {
		const parent = this.#moved.has(line) ? this.#moved.get(line) : idAt(this.#index, line, 'parentId');
		return parent === unknown ? unknown : this.#resolve(parent ?? null);
	}
}

function idAt(index: LineIndex, line: number, path: string): string | null | undefined {
	const value = index.field(line, path);
	return value === null || typeof value === 'string' ? value : undefined;
}

/** True for a message without a role, which OpenClaw removes before it loads a file. */
function isLostMessage(index: LineIndex, line: number): boolean {
	if (index.field(line, 'type') !== 'message') return false;
	const role = index.field(line, 'message.role');
	return typeof role !== 'string' || role.trim() === '';
}
