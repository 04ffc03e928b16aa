/** Which lines of a file a client continues from: the path from the root to the leaf that it chooses. */
import type { EntryId, Json } from '../../model/index.ts';
import type { LineIndex } from '../line-index.ts';
import type { Rules } from './clients.ts';
import { type Dialect, dialectOf } from './lines.ts';

/** What is asked of a line without the rest of it. */
export const envelope: readonly string[] = [
	'type',
	'id',
	'parentId',
	'version',
	'role',
	'message.role',
	'customType',
	'appendMode',
	'targetId',
	'appendParentId',
];

export interface Path {
	/** From the root to the leaf. */
	readonly lines: readonly number[];
	readonly refused?: string;
}

export function dialectIn(index: LineIndex): Dialect {
	if (index.length === 0) return 'v3';
	if (index.field(0, 'type') === 'session') return dialectOf(index.field(0, 'version'));
	return isBare(index, 0) ? 'bare' : 'v3';
}

/** The id that decoding gives the entry of a line. */
export function entryIdAt(index: LineIndex, line: number, dialect: Dialect): EntryId {
	const id = index.field(line, 'id');
	const own = dialect !== 'v1' && dialect !== 'bare' && index.field(line, 'type') !== undefined;
	return own && typeof id === 'string' && id !== '' ? id : `line:${index.position(line).line}`;
}

function isBare(index: LineIndex, line: number): boolean {
	return index.field(line, 'type') === undefined && typeof index.field(line, 'role') === 'string';
}

export function pathIn(index: LineIndex, rules: Rules, at?: EntryId): Path {
	const dialect = dialectIn(index);
	const start = at === undefined ? undefined : lineOf(index, at, dialect);
	if (at !== undefined && start === undefined) return { lines: [], refused: `there is no entry ${at} in this session` };
	if (index.length === 0) return { lines: [] };
	if (dialect === 'bare') {
		// No client takes such a file, but what its messages say is plain: the document defines it.
		return { lines: linear(index, start, (line) => isBare(index, line)), refused: withoutHeader(rules) };
	}
	if (index.field(0, 'type') !== 'session' || typeof index.field(0, 'id') !== 'string') {
		return { lines: [], refused: withoutHeader(rules) };
	}
	if (dialect === 'v1') {
		return { lines: linear(index, start, (line) => (rules.openclaw ? isCanonical(index, line) : isLine(index, line))) };
	}
	return rules.openclaw ? new Branches(index).path(start) : piPath(index, start);
}

function withoutHeader(rules: Rules): string {
	const why = 'its first line is not a session header with an id';
	if (rules.openclaw) return `OpenClaw sets the file aside as corrupt and starts an empty session: ${why}`;
	return rules.modern ? `not a valid pi session: ${why}` : `pi overwrites the file with an empty session: ${why}`;
}

function lineOf(index: LineIndex, at: EntryId, dialect: Dialect): number | undefined {
	for (let line = index.length - 1; line >= 0; line--) {
		if (isLine(index, line) && entryIdAt(index, line, dialect) === at) return line;
	}
	return undefined;
}

function isLine(index: LineIndex, line: number): boolean {
	return index.field(line, 'type') !== 'session';
}

function linear(index: LineIndex, leaf: number | undefined, takes: (line: number) => boolean): readonly number[] {
	const lines: number[] = [];
	const last = leaf ?? index.length - 1;
	for (let line = 0; line <= last; line++) if (takes(line)) lines.push(line);
	return lines;
}

/** pi: the last line is the leaf, whatever it is. The last of several lines with one id is the one that others follow. */
function piPath(index: LineIndex, start: number | undefined): Path {
	const lines: number[] = [];
	const seen = new Set<number>();
	const find = lastLineWithId(index);
	let line = start ?? lastLine(index);
	if (line !== undefined && start === undefined && index.field(line, 'id') === null) return { lines };
	while (line !== undefined) {
		if (seen.has(line)) {
			const where = index.position(line).line;
			return { lines: [], refused: `line ${where} is its own ancestor: pi follows the parents until it fails` };
		}
		seen.add(line);
		lines.push(line);
		const parent: Json | undefined = index.field(line, 'parentId');
		line = parent ? find(parent) : undefined;
	}
	return { lines: lines.reverse() };
}

function lastLine(index: LineIndex): number | undefined {
	for (let line = index.length - 1; line >= 0; line--) if (isLine(index, line)) return line;
	return undefined;
}

/** Reads backwards only as far as it must: a parent is nearly always close above. */
function lastLineWithId(index: LineIndex): (id: Json) => number | undefined {
	const known = new Map<Json | undefined, number>();
	let next = index.length - 1;
	return (wanted) => {
		for (; next >= 0 && !known.has(wanted); next--) {
			const id = index.field(next, 'id');
			if (isLine(index, next) && !known.has(id)) known.set(id, next);
		}
		return known.get(wanted);
	};
}

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

function isCanonical(index: LineIndex, line: number): boolean {
	return canonical.has(index.field(line, 'type'));
}

/**
 * OpenClaw: lines of other types are no entries but pass their parent on; `leaf` lines choose where it goes on; lines
 * marked `side` never do. A line that continues the file after such a detour follows the leaf, not the line above.
 */
class Branches {
	readonly #index: LineIndex;
	/** The line of each entry. */
	readonly #entries = new Map<string, number>();
	/** The parent of each id that is no entry. */
	readonly #passed = new Map<string, string | null>();
	/** Lines that follow the leaf instead of the parent they name. */
	readonly #moved = new Map<number, string | null>();
	readonly #broken = new Set<string>();
	#leaf: string | null = null;
	#tail: string | null = null;

	constructor(index: LineIndex) {
		this.#index = index;
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
		this.#leaf = this.#resolve(target);
		this.#tail = given ? append : this.#leaf;
		this.#passed.set(id, this.#leaf);
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
		const continues = !side && parent === this.#tail && this.#leaf !== this.#tail;
		if (parent === undefined || continues) this.#moved.set(line, this.#leaf);
		this.#entries.set(id, line);
		this.#tail = id;
		if (!side) this.#leaf = id;
	}

	#knows(id: string | null): boolean {
		return id === null || this.#entries.has(id) || (this.#passed.has(id) && !this.#broken.has(id));
	}

	/** The entry that an id stands for. */
	#resolve(from: string | null): string | null {
		const seen = new Set<string>();
		let id = from;
		while (id !== null && !this.#entries.has(id)) {
			if (seen.has(id)) return null;
			seen.add(id);
			id = this.#passed.get(id) ?? null;
		}
		return id;
	}

	/** A cycle ends the path where it closes. */
	path(start: number | undefined): Path {
		const lines: number[] = [];
		const seen = new Set<number>();
		let line = start ?? (this.#leaf === null ? undefined : this.#entries.get(this.#leaf));
		while (line !== undefined && !seen.has(line)) {
			seen.add(line);
			lines.push(line);
			const own: string | null = idAt(this.#index, line, 'parentId') ?? null;
			const parent: string | null = this.#resolve(this.#moved.has(line) ? (this.#moved.get(line) ?? null) : own);
			line = parent === null ? undefined : this.#entries.get(parent);
		}
		return { lines: lines.reverse() };
	}
}

function idAt(index: LineIndex, line: number, path: string): string | null | undefined {
	const value = index.field(line, path);
	return value === null || typeof value === 'string' ? value : undefined;
}

/** Before it loads a file, OpenClaw removes messages without a role from it. */
function isLostMessage(index: LineIndex, line: number): boolean {
	if (index.field(line, 'type') !== 'message') return false;
	const role = index.field(line, 'message.role');
	return typeof role !== 'string' || role.trim() === '';
}
