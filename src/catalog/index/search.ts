/** Searching the catalog: words to entries, newest first, with a piece of the text. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { codecOf, type Line, parseRecord } from '../../codecs/index.ts';
import type { Entry, FormatId } from '../../model/index.ts';
import type { Access } from '../cost/collect.ts';
import { isWithin } from '../project.ts';
import { type Role, roles, searchable } from './entry-text.ts';
import { type Seen, seenIn } from './seen.ts';
import { parseQuery, snippetOf } from './words.ts';

export interface SearchFilters {
	readonly agent?: string;
	/** A folder: its sessions and those of the folders below it. */
	readonly project?: string;
	readonly role?: Role;
	readonly tool?: string;
	/** Milliseconds; `until` is not included. */
	readonly since?: number;
	readonly until?: number;
	/** Default 20. */
	readonly limit?: number;
	/** Only files that are there now; hits elsewhere belong to other homes. */
	readonly present?: ReadonlySet<string>;
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
}

export interface SearchAnswer {
	readonly hits: readonly Hit[];
	readonly total: number;
	/** False when there are so many that not all were looked at: then `total` is at least so many. */
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

/** Of more matches than these, the ones that were indexed last are looked at. */
const mostLookedAt = 5000;

export function searchCatalog(
	database: DatabaseSync,
	access: Access,
	question: string,
	filters: SearchFilters,
): SearchAnswer {
	const { match, terms } = parseQuery(question);
	if (match === '') return { hits: [], total: 0, exact: true };
	const files = new Files(database, access, filters);
	const rows = database.prepare(
		'SELECT entries.* FROM words JOIN entries ON entries.id = words.rowid WHERE words MATCH ? ORDER BY words.rowid DESC',
	);
	const found: EntryRow[] = [];
	let looked = 0;
	for (const row of rows.iterate(match) as unknown as Iterable<EntryRow>) {
		looked += 1;
		if (looked > mostLookedAt) break;
		if (isWanted(row, filters) && files.get(row.file) !== undefined) found.push(row);
	}
	found.sort((a, b) => (b.time ?? 0) - (a.time ?? 0) || b.id - a.id);
	const exact = looked <= mostLookedAt;
	const hits = found.slice(0, filters.limit ?? 20).flatMap((row) => {
		const file = files.get(row.file);
		return file === undefined ? [] : [hitOf(row, file, files.seen(file), snippetOf(textOf(row, file, access), terms))];
	});
	return { hits, total: exact ? found.length : totalOf(database, match, found.length, filters), exact };
}

/** Without filters the index itself knows how many there are. */
function totalOf(database: DatabaseSync, match: string, found: number, filters: SearchFilters): number {
	const { limit: _, ...others } = filters;
	if (Object.keys(others).length > 0) return found;
	const { total } = database.prepare('SELECT count(*) AS total FROM words WHERE words MATCH ?').get(match) as {
		total: number;
	};
	return total;
}

function isWanted({ role, tools, time }: EntryRow, filters: SearchFilters): boolean {
	if (filters.role !== undefined && roles[role] !== filters.role) return false;
	if (filters.tool !== undefined && !(tools?.toLowerCase().includes(` ${filters.tool.toLowerCase()} `) ?? false))
		return false;
	if (filters.since !== undefined && !(time !== null && time >= filters.since)) return false;
	return filters.until === undefined || (time !== null && time < filters.until);
}

/** The files that pass the filters, each asked for once. */
class Files {
	readonly #known = new Map<number, FileRow | undefined>();
	readonly #row: StatementSync;
	readonly #main: StatementSync;
	readonly #access: Access;
	readonly #filters: SearchFilters;

	constructor(database: DatabaseSync, access: Access, filters: SearchFilters) {
		this.#access = access;
		this.#row = database.prepare(
			'SELECT id, path, format, agent, session, parent, seen FROM files LEFT JOIN listing USING (path) WHERE id = ?',
		);
		this.#main = database.prepare(
			'SELECT seen FROM files JOIN listing USING (path) WHERE format = ? AND session = ? AND parent IS NULL',
		);
		this.#filters = filters;
	}

	get(id: number): FileRow | undefined {
		if (!this.#known.has(id)) this.#known.set(id, this.#find(id));
		return this.#known.get(id);
	}

	#find(id: number): FileRow | undefined {
		const row = this.#row.get(id) as unknown as FileRow | undefined;
		const { agent, project, present } = this.#filters;
		if (row === undefined || (agent !== undefined && row.agent !== agent)) return undefined;
		if (present !== undefined && !present.has(row.path)) return undefined;
		if (project === undefined) return row;
		const { cwd } = this.seen(row);
		return cwd !== undefined && isWithin(cwd, project) ? row : undefined;
	}

	/** A sub-agent belongs where its session does. */
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
		...(title === undefined ? {} : { title }),
		...(cwd === undefined ? {} : { cwd }),
		...(file.parent === null ? {} : { subagent: file.parent }),
		entry: row.entry,
		role: roles[row.role] ?? 'note',
		tools: row.tools?.trim().split(' ') ?? [],
		time: row.time,
		offset: row.at,
		snippet,
	};
}

/** The catalog keeps no texts: the record is read again. Empty when the file has changed or gone since. */
function textOf({ at, length, entry }: EntryRow, file: FileRow, access: Access): string {
	const codec = codecOf(file.format);
	if (!codec) return '';
	try {
		using source = access.open(file.path);
		const bytes = source.read(at, length);
		const { value, other, flaws } = parseRecord(bytes, at === 0);
		if (value === undefined) return '';
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
		codec.decoder().visit(line, { entry: (made) => found.push(made), header: () => undefined, issue: () => undefined });
		const own = found.filter((made) => made.id === entry);
		const texts = (own.length > 0 ? own : found).map((made) => searchable(made, () => undefined)?.text ?? '');
		return texts.join('\n');
	} catch (error) {
		if (error instanceof Error && 'code' in error) return '';
		throw error;
	}
}
