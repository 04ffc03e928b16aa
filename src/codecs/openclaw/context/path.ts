/** Finds the lines that a client continues from: the path from the root to its leaf. */
import type { EntryId, Json } from '../../../model/index.ts';
import type { LineIndex } from '../../shared/read/line-index.ts';
import { type Dialect, dialectOf } from '../lines.ts';
import { Branches, isCanonical } from './branches.ts';
import type { Rules } from './clients.ts';
import { Climb } from './climb.ts';

/** The fields of a line that are read without parsing it. */
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
	/** From the root to the leaf; in a partial index without lines at the beginning that are not needed. */
	readonly lines: readonly number[];
	readonly refused?: string;
}

/** The dialect of a file; `head` begins with its first line. */
export function dialectIn(head: LineIndex): Dialect {
	if (head.length === 0) return 'v3';
	if (head.field(0, 'type') === 'session') return dialectOf(head.field(0, 'version'));
	return isBare(head, 0) ? 'bare' : 'v3';
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

/** Which path is wanted, and by whose rules. */
export interface PathOptions {
	readonly rules: Rules;
	readonly dialect: Dialect;
	readonly at?: EntryId | undefined;
	/** True to include lines above everything that is sent: damage there keeps pi from loading the file. */
	readonly all: boolean;
}

/** The path; `more` when the lines of a partial index are not enough. */
export function pathIn(index: LineIndex, { rules, dialect, at, all }: PathOptions): Path | 'more' {
	const linked = dialect !== 'bare' && dialect !== 'v1';
	if (index.partial && !linked) return 'more';
	const start = at === undefined ? undefined : lineOf(index, at, dialect);
	if (at !== undefined && start === undefined) {
		return index.partial ? 'more' : { lines: [], refused: `there is no entry ${at} in this session` };
	}
	if (index.length === 0) return index.partial ? 'more' : { lines: [] };
	if (dialect === 'bare') {
		// No client takes such a file, but the document defines what its messages say.
		return { lines: linear(index, start, (line) => isBare(index, line)), refused: withoutHeader(rules) };
	}
	if (!index.partial && !isHeader(index)) return { lines: [], refused: withoutHeader(rules) };
	if (dialect === 'v1') {
		return { lines: linear(index, start, (line) => (rules.openclaw ? isCanonical(index, line) : isLine(index, line))) };
	}
	const climb = new Climb(index, all);
	return rules.openclaw ? new Branches(index).path(start, climb) : piPath(index, start, climb);
}

/** True when a client accepts the first line as a session's header. */
export function isHeader(head: LineIndex): boolean {
	return head.length > 0 && head.field(0, 'type') === 'session' && typeof head.field(0, 'id') === 'string';
}

function withoutHeader(rules: Rules): string {
	const why = 'its first line is not a session header with an id';
	if (rules.openclaw) return `OpenClaw sets the file aside as corrupt and starts an empty session: ${why}`;
	return rules.modern ? `not a valid pi session: ${why}` : `pi overwrites the file with an empty session: ${why}`;
}

function lineOf(index: LineIndex, at: EntryId, dialect: Dialect): number | undefined {
	const unnamed = at.startsWith('line:'); // line numbers are needed only for such an id
	for (let line = index.length - 1; line >= 0; line--) {
		if (!unnamed && index.field(line, 'id') !== at) continue;
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

/** The path by pi's rules: the last line is the leaf, whatever it is. Of equal ids the last line has the children. */
function piPath(index: LineIndex, start: number | undefined, climb: Climb): Path | 'more' {
	const seen = new Uint8Array(index.length);
	const find = lastLineWithId(index);
	let line = start ?? lastLine(index);
	if (line === undefined && index.partial) return 'more';
	if (line !== undefined && start === undefined && index.field(line, 'id') === null) return { lines: [] };
	while (line !== undefined) {
		if (seen[line] === 1) {
			const where = index.position(line).line;
			return { lines: [], refused: `line ${where} is its own ancestor: pi follows the parents until it fails` };
		}
		seen[line] = 1;
		if (climb.takes(line)) break;
		const parent: Json | undefined = index.field(line, 'parentId');
		line = parent ? find(parent) : undefined;
		if (parent && line === undefined && index.partial) return 'more';
	}
	return climb.path();
}

function lastLine(index: LineIndex): number | undefined {
	for (let line = index.length - 1; line >= 0; line--) if (isLine(index, line)) return line;
	return undefined;
}

/** Finds lines by id, reading backwards only as far as needed: a parent is nearly always close above. */
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
