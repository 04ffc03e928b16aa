/** Searches the catalog: how many hits are returned and matches looked at, their order, the filters, and when two entries count as copies of one. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { codecOf, type Line, parseRecord } from '../../codecs/index.ts';
import { compact, type Entry, type FormatId } from '../../model/index.ts';
import type { Access } from '../cost/collect.ts';
import { isFileError } from '../file-error.ts';
import { type Role, roles, searchable } from './entry-text.ts';
import { type Seen, seenIn } from './glance-cache.ts';
import { quickSnippet, snippetOf } from './snippet.ts';
import { parseQuery } from './words.ts';

export interface SearchFilters {
	readonly agent?: string;
	/** Keeps only sessions of these folders. */
	project?(cwd: string | undefined): boolean;
	readonly role?: Role;
	readonly tool?: string;
	/** Milliseconds; `until` itself is excluded. */
	readonly since?: number;
	readonly until?: number;
	/** The most hits to return. Default 20. */
	readonly limit?: number;
	/** The files that exist now: other files in the catalog belong to other homes. */
	readonly present?: ReadonlySet<string>;
	/** Makes one hit of an entry that forks have copied, with the other places where it is. */
	readonly foldCopies?: boolean;
}

export interface Hit {
	/** The session's id; for a sub-agent's file the session that started it. */
	readonly session: string;
	readonly agent: string;
	readonly format: FormatId;
	readonly path: string;
	readonly title?: string;
	readonly cwd?: string;
	readonly subagent?: string;
	readonly entry: string;
	readonly role: Role;
	readonly tools: readonly string[];
	readonly time: number | null;
	readonly offset: number;
	readonly snippet: string;
	/** Other sessions that have the same entry. */
	readonly copies?: readonly Copy[];
}

export type Copy = Pick<Hit, 'session' | 'agent' | 'path'>;

export interface SearchAnswer {
	readonly hits: readonly Hit[];
	readonly total: number;
	/** False when only some matches were looked at: `total` is then a lower bound. */
	readonly exact: boolean;
}

interface FileRow {
	readonly id: number;
	readonly path: string;
	readonly format: FormatId;
	readonly agent: string;
	readonly session: string;
	readonly parent: string | null;
	readonly seen: string | null;
}

interface EntryRow {
	readonly id: number;
	readonly file: number;
	readonly entry: string;
	readonly at: number;
	readonly length: number;
	readonly role: number;
	readonly tools: string | null;
	readonly time: number | null;
}

/** Of more matches than this, only those indexed last are looked at. */
const mostLookedAt = 2000;

export function searchCatalog(
	database: DatabaseSync,
	access: Access,
	question: string,
	filters: SearchFilters,
): SearchAnswer {
	const { match, terms } = parseQuery(question);
	if (match === '') return { hits: [], total: 0, exact: true };
	const files = new Files(database, access, filters);
	const { found, exact } = matches(database, match, filters, files);
	const entry = database.prepare('SELECT * FROM entries WHERE id = ?');
	const hits = found.slice(0, filters.limit ?? 20).flatMap(([id, ...others]) => {
		const row = entry.get(id ?? 0) as unknown as EntryRow;
		const file = files.get(row.file);
		if (file === undefined) return [];
		const copies = others.map((other) => copyIn(files, entry.get(other) as unknown as EntryRow));
		const seen = files.seen(file);
		const snippet = row.length === 0 ? (seen.title ?? '') : snippetIn(row, file, access, terms);
		const hit = hitOf(row, file, seen, snippet);
		return [others.length === 0 ? hit : { ...hit, copies: copies.flatMap((copy) => copy ?? []) }];
	});
	return { hits, total: found.length, exact };
}

function copyIn(files: Files, row: EntryRow): Copy | undefined {
	const file = files.get(row.file);
	return file && { session: file.session, agent: file.agent, path: file.path };
}

interface Matches {
	/** Numbers of entries, newest first, each followed by those of its copies; of these the one indexed first leads. */
	readonly found: readonly (readonly number[])[];
	/** False when there are more matches than were looked at. */
	readonly exact: boolean;
}

/** Filters and sorts inside the database and returns one text, instead of thousands of rows for twenty hits. */
function matches(database: DatabaseSync, match: string, filters: SearchFilters, files: Files): Matches {
	const { sql, values } = conditions(filters, files);
	const query = database.prepare(
		"SELECT group_concat(ids) AS found FROM (SELECT group_concat(id, '+' ORDER BY id) AS ids, time FROM " +
			'(SELECT entries.* FROM words JOIN entries ON entries.id = words.rowid ' +
			`WHERE words MATCH ? ${sql} ORDER BY words.rowid DESC LIMIT ${mostLookedAt + 1}) ` +
			`GROUP BY ${filters.foldCopies ? sameEntry : 'id'} ORDER BY time DESC, id DESC)`,
	);
	const { found } = query.get(match, ...values) as { found: string | null };
	const groups = found === null ? [] : found.split(',').map((ids) => ids.split('+').map(Number));
	const looked = groups.reduce((sum, ids) => sum + ids.length, 0);
	return { found: groups, exact: looked <= mostLookedAt };
}

/**
 * SQL that is equal for copies of an entry, which a fork makes with id and time. An id that is a line number, and an
 * entry without a time, prove nothing: two sessions that begin alike would be taken for one.
 */
const sameEntry = "entry, role, time, CASE WHEN time IS NULL OR entry GLOB 'line:*' THEN id ELSE 0 END";

function conditions(
	filters: SearchFilters,
	files: Files,
): { readonly sql: string; readonly values: (string | number)[] } {
	const { agent, project, present, role, tool, since, until } = filters;
	const parts: string[] = [];
	const values: (string | number)[] = [];
	const add = (sql: string, value: string | number): void => {
		parts.push(`AND ${sql}`);
		values.push(value);
	};
	// A filter in SQL and not on the hits: the newest matches may all be of other projects.
	if (agent !== undefined || project !== undefined || present !== undefined) {
		const { ids, all } = files.wanted();
		if (!all) add('entries.file IN (SELECT value FROM json_each(?))', JSON.stringify(ids));
	}
	if (role !== undefined) add('entries.role = ?', roles.indexOf(role));
	if (tool !== undefined) add('instr(lower(entries.tools), ?) > 0', ` ${tool.toLowerCase()} `);
	if (since !== undefined) add('entries.time >= ?', since);
	if (until !== undefined) add('entries.time < ?', until);
	return { sql: parts.join(' '), values };
}

const fileColumns = 'SELECT id, path, format, agent, session, parent, seen FROM files LEFT JOIN listing USING (path)';

/** The files that pass the filters, each decided once. */
class Files {
	readonly #known = new Map<number, FileRow | undefined>();
	readonly #database: DatabaseSync;
	readonly #row: StatementSync;
	readonly #main: StatementSync;
	readonly #access: Access;
	readonly #filters: SearchFilters;

	constructor(database: DatabaseSync, access: Access, filters: SearchFilters) {
		this.#database = database;
		this.#access = access;
		this.#row = database.prepare(`${fileColumns} WHERE id = ?`);
		this.#main = database.prepare(
			'SELECT seen FROM files JOIN listing USING (path) WHERE format = ? AND session = ? AND parent IS NULL',
		);
		this.#filters = filters;
	}

	get(id: number): FileRow | undefined {
		if (!this.#known.has(id)) this.#known.set(id, this.#wanted(this.#row.get(id) as unknown as FileRow | undefined));
		return this.#known.get(id);
	}

	/** The numbers of the files that pass, and whether all do. */
	wanted(): { readonly ids: readonly number[]; readonly all: boolean } {
		const rows = this.#database.prepare(fileColumns).all() as unknown as FileRow[];
		for (const row of rows) this.#known.set(row.id, this.#wanted(row));
		const ids = rows.filter((row) => this.#known.get(row.id) !== undefined).map((row) => row.id);
		return { ids, all: ids.length === rows.length };
	}

	#wanted(row: FileRow | undefined): FileRow | undefined {
		const { agent, project, present } = this.#filters;
		if (row === undefined || (agent !== undefined && row.agent !== agent)) return undefined;
		if (present !== undefined && !present.has(row.path)) return undefined;
		if (project === undefined) return row;
		const { cwd } = this.seen(row);
		return project(cwd) ? row : undefined;
	}

	/** The glance for a file: a sub-agent belongs to its session's folder. */
	seen(row: FileRow): Seen {
		const own = row.parent === null ? row : this.#main.get(row.format, row.session);
		const seen = seenIn((own as unknown as FileRow | undefined) ?? row);
		const cwd = this.#access.folderOf?.({ format: row.format, id: row.session });
		return cwd === undefined ? seen : { ...seen, cwd };
	}
}

function hitOf(row: EntryRow, file: FileRow, { title, cwd }: Seen, snippet: string): Hit {
	return {
		session: file.session,
		agent: file.agent,
		format: file.format,
		path: file.path,
		...compact({ title, cwd, subagent: file.parent ?? undefined }),
		entry: row.entry,
		role: roles[row.role] ?? 'note',
		tools: row.tools?.trim().split(' ') ?? [],
		time: row.time,
		offset: row.at,
		snippet,
	};
}

/** A piece of the text, read from the file: the catalog keeps no texts. Empty when the file has changed or gone. */
function snippetIn(row: EntryRow, file: FileRow, access: Access, terms: readonly string[]): string {
	try {
		using source = access.open(file.path);
		const bytes = source.read(row.at, row.length);
		return quickSnippet(bytes, terms) ?? snippetOf(textOf(row, file.format, bytes), terms);
	} catch (error) {
		if (isFileError(error)) return '';
		throw error;
	}
}

function textOf({ at, length, entry }: EntryRow, format: FormatId, bytes: Uint8Array): string {
	const codec = codecOf(format);
	const { value, other, flaws } = parseRecord(bytes, at === 0);
	if (!codec || value === undefined) return '';
	const found: Entry[] = [];
	const line: Line = {
		index: 0,
		at,
		line: 1,
		length,
		bytes,
		part: 'item',
		value,
		flaws,
		...(other === undefined ? {} : { other }),
	};
	codec.read
		.decoder()
		.visit(line, { entry: (made) => found.push(made), header: () => undefined, issue: () => undefined });
	const own = found.filter((made) => made.id === entry);
	const texts = (own.length > 0 ? own : found).map((made) => searchable(made, () => undefined)?.text ?? '');
	return texts.join('\n');
}
