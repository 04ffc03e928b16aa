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
	return rules.openclaw ? openclawPath(index, start) : piPath(index, start);
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
function openclawPath(index: LineIndex, start: number | undefined): Path {
	const entries = new Map<string, number>();
	const passed = new Map<string, string | null>();
	const moved = new Map<number, string | null>();
	const broken = new Set<string>();
	let leaf: string | null = null;
	let tail: string | null = null;

	const known = (id: string | null) => id === null || entries.has(id) || (passed.has(id) && !broken.has(id));
	const resolve = (from: string | null): string | null => {
		const seen = new Set<string>();
		let id = from;
		while (id !== null && !entries.has(id)) {
			if (seen.has(id)) return null;
			seen.add(id);
			id = passed.get(id) ?? null;
		}
		return id;
	};
	const control = (line: number, id: string): void => {
		const target = idAt(index, line, 'targetId');
		const append = index.field(line, 'appendParentId') === undefined ? target : idAt(index, line, 'appendParentId');
		if (target === undefined || append === undefined || !known(target) || !known(append)) {
			broken.add(id);
			passed.set(id, idAt(index, line, 'parentId') ?? null);
			return;
		}
		leaf = resolve(target);
		tail = append === null || passed.has(append) ? append : resolve(append);
		passed.set(id, leaf);
	};

	for (let line = 0; line < index.length; line++) {
		const id = idAt(index, line, 'id');
		const parent = idAt(index, line, 'parentId');
		if (!id || index.field(line, 'type') === 'session') continue;
		if (index.field(line, 'type') === 'leaf') control(line, id);
		else if (!isCanonical(index, line)) {
			if (parent === undefined) continue;
			passed.set(id, parent);
			tail = id;
		} else if (!isLostMessage(index, line)) {
			const side = index.field(line, 'appendMode') === 'side';
			if (parent === undefined || (!side && parent === tail && leaf !== tail)) moved.set(line, leaf);
			entries.set(id, line);
			tail = id;
			if (!side) leaf = id;
		}
	}

	const lines: number[] = [];
	const seen = new Set<number>();
	let line = start ?? (leaf === null ? undefined : entries.get(leaf));
	while (line !== undefined && !seen.has(line)) {
		seen.add(line);
		lines.push(line);
		const parent: string | null = moved.has(line) ? (moved.get(line) ?? null) : resolve(idAt(index, line, 'parentId') ?? null);
		line = parent === null ? undefined : entries.get(parent);
	}
	return { lines: lines.reverse() };
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
