/** Makes the list of sessions: from the glances remembered, and from new ones at files that are new or changed. */
import type { DatabaseSync } from 'node:sqlite';
import { codecOf, FirstLook, sideHeaders } from '../../codecs/index.ts';
import type { Source } from '../../model/index.ts';
import type { Access, SessionFile, Unread } from '../cost/collect.ts';
import { exactDollars } from '../cost/report.ts';
import { isFileError } from '../file-error.ts';
import type { FileLook } from './file-index.ts';
import { mark, rowMark, type Seen, seenOf, seenText, unmarked } from './glance-cache.ts';
import { cacheSize } from './schema.ts';

/** What the file system tells about a session. */
export interface Look extends FileLook {
	readonly mtimeMs: number;
}

export interface CatalogAccess extends Access {
	/** Undefined when the file is gone. `opened` is the source already opened under that path, to spare a system call. */
	look(path: string, opened?: Source): Look | undefined;
}

export interface ListedSession {
	readonly session: SessionFile;
	readonly seen: Seen;
	/** When the file was last written; the name `last` goes by this, too. */
	readonly updated: number;
	/** Null until the session is counted. */
	readonly turns: number | null;
	readonly costUsd: number | null;
}

/** SQL for the number of responses in a file that records no tokens. */
const uncounted = 'iif(input + output + cache_read + cache_write = 0, responses, 0)';

/** A glance to be remembered for the next list. */
export interface News {
	readonly path: string;
	readonly signature: string;
	readonly seen: Seen;
}

export type Tell = (unread: Unread) => void;

export class Lister {
	readonly news: News[] = [];
	readonly #access: CatalogAccess;
	readonly #firstLook = new FirstLook();
	readonly #tell: Tell;
	readonly #known: ReadonlyMap<string, string>;
	readonly #counted: ReadonlyMap<string, string>;
	readonly #subagents: ReadonlyMap<string, CostColumns>;
	#found = 0;

	constructor(database: DatabaseSync, access: CatalogAccess, tell: Tell) {
		this.#access = access;
		this.#tell = tell;
		this.#known = rowsOf(
			database,
			`SELECT group_concat(concat_ws('${mark}', path, listed, seen), ?) AS rows FROM listing`,
		);
		this.#counted = rowsOf(
			database,
			`SELECT group_concat(concat_ws('${mark}', path, indexed, turns, cost, unpriced, ${uncounted}), ?) AS rows FROM files ` +
				'WHERE parent IS NULL AND indexed IS NOT NULL',
		);
		this.#subagents = subagentCosts(database);
	}

	/** True when most of the rows belong to files that are no longer listed. */
	isStale(): boolean {
		return this.#known.size > 2 * this.#found + 1000;
	}

	/** Undefined when the file does not exist. */
	list(session: SessionFile): ListedSession | undefined {
		const known = found(this.#known, session.path);
		if (known !== undefined) this.#found += 1;
		const { look, seen } = known === undefined ? this.#meet(session) : this.#meetAgain(session, known);
		if (look === undefined) return undefined;
		const counts = countsOf(found(this.#counted, session.path), look.signature);
		if (counts === undefined) return { session, seen, updated: look.mtimeMs, turns: null, costUsd: null };
		const subagents = this.#subagents.get(`${session.format} ${session.id}`);
		return { session, seen, updated: look.mtimeMs, turns: counts.turns, costUsd: costOf(counts, subagents) };
	}

	/** Looks at a file for the first time: opening it tells size and time as well. */
	#meet(session: SessionFile): Met {
		return this.#open(session) ?? { look: lookAt(session, this.#access, () => undefined), seen: {} };
	}

	#meetAgain(session: SessionFile, known: string): Met {
		const look = lookAt(session, this.#access, this.#tell);
		if (look === undefined) return { look, seen: {} };
		const parts = known.split(mark);
		if (parts[1] === look.signature) return { look, seen: seenOf(parts, 2) };
		return this.#open(session) ?? { look, seen: {} };
	}

	/** What both ends of a session and its side files tell; the first prompt stands in for a missing title. */
	#see({ format, path }: SessionFile, source: Source): Seen {
		const codec = codecOf(format);
		if (!codec) return {};
		const { open, folders } = this.#access;
		const { header: main, prompt } = this.#firstLook.look(codec, source);
		const isEnough = main.cwd !== undefined && prompt !== undefined && main.title !== undefined;
		const read = (file: string): Uint8Array => {
			using side = open(file);
			return side.read(0, largestSideFile);
		};
		const { cwd, title, gitBranch, created } = isEnough
			? main
			: sideHeaders(codec, () => codec.places.sideFiles(path, folders), main, read);
		return seenOf([unmarked(cwd), unmarked(title?.trim() || prompt), unmarked(gitBranch), created]);
	}

	#open(session: SessionFile): Met | undefined {
		const access = this.#access;
		const { path } = session;
		return readable(path, this.#tell, () => {
			const source = access.open(path);
			try {
				const look = withBeside(session, access, access.look(path, source));
				if (look === undefined) return undefined;
				const seen = this.#see(session, source);
				this.news.push({ path, signature: look.signature, seen });
				return { look, seen };
			} finally {
				// Not `using`: what it compiles to takes longer than closing the file.
				source[Symbol.dispose]();
			}
		});
	}
}

const largestSideFile = 1 << 22;

interface Met {
	readonly look: Look | undefined;
	readonly seen: Seen;
}

/** The rows by path, from one text: ten thousand row objects take longer to make than as many files to look at. */
function rowsOf(database: DatabaseSync, sql: string): ReadonlyMap<string, string> {
	const { rows } = database.prepare(sql).get(rowMark) as { rows: string | null };
	const byPath = new Map<string, string>();
	// A path that contains a separator is not found again, so that its file is read every time.
	for (const text of rows?.split(rowMark) ?? []) byPath.set(text.slice(0, text.indexOf(mark)), text);
	return byPath;
}

/** The row of a path. An empty map is not asked, which spares hashing the path. */
function found(rows: ReadonlyMap<string, string>, path: string): string | undefined {
	return rows.size === 0 ? undefined : rows.get(path);
}

/** Stores glances for the next list. */
export function remember(database: DatabaseSync, news: readonly News[], anew: boolean): void {
	if (anew) database.exec('DELETE FROM listing');
	const put = database.prepare('INSERT OR REPLACE INTO listing (path, listed, seen) VALUES (?, ?, ?)');
	// Paths come in any order: with a smaller cache the same pages would be written and read several times.
	database.exec(`PRAGMA cache_size = ${4 * cacheSize}`);
	for (const { path, signature, seen } of news) put.run(path, signature, seenText(seen));
	database.exec(`PRAGMA cache_size = ${cacheSize}`);
}

/** What the file system tells about a session; undefined when it is gone or unreadable, which is reported. */
export function lookAt(session: SessionFile, access: CatalogAccess, tell: Tell): Look | undefined {
	return readable(session.path, tell, () => withBeside(session, access, access.look(session.path)));
}

/** Includes the side files that record the responses and name the session: it has changed when one of them has. */
function withBeside({ path, format }: SessionFile, access: CatalogAccess, look: Look | undefined): Look | undefined {
	const places = codecOf(format)?.places;
	if (look === undefined || places === undefined) return look;
	let { signature } = look;
	for (const file of [places.usage?.beside?.(path)?.path, places.manifest?.(path)]) {
		const beside = file === undefined ? undefined : access.look(file);
		if (beside !== undefined) signature += ` ${beside.signature}`;
	}
	return signature === look.signature ? look : { ...look, signature };
}

/** Runs `read`; undefined when the file is gone, which is normal, or unreadable, which is reported. */
function readable<T>(path: string, tell: Tell, read: () => T | undefined): T | undefined {
	try {
		return read();
	} catch (error) {
		if (!isFileError(error)) throw error;
		if (error.code !== 'ENOENT') tell({ path, message: error.message });
		return undefined;
	}
}

interface CostColumns {
	readonly cost: number;
	/** How many tokens have no known price, or responses no recorded tokens: their cost is unknown. */
	readonly unpriced: number;
}

interface Counts extends CostColumns {
	readonly turns: number;
}

/** Undefined when the file was not counted, or has changed since. */
function countsOf(text: string | undefined, signature: string): Counts | undefined {
	if (text === undefined) return undefined;
	const [, indexed, turns, cost, unpriced, uncounted] = text.split(mark);
	if (indexed !== signature) return undefined;
	return { turns: Number(turns), cost: Number(cost), unpriced: Number(unpriced) + Number(uncounted) };
}

/** The costs of each session's sub-agents. */
function subagentCosts(database: DatabaseSync): ReadonlyMap<string, CostColumns> {
	const sql =
		`SELECT format || ' ' || session AS key, sum(cost) AS cost, sum(unpriced + ${uncounted}) AS unpriced FROM files ` +
		'WHERE parent IS NOT NULL GROUP BY 1';
	const rows = database.prepare(sql).all() as unknown as (CostColumns & { key: string })[];
	return new Map(rows.map((row) => [row.key, row]));
}

/** Dollars of a session with its sub-agents; null where nothing is known of what its responses cost. */
function costOf(own: CostColumns, subagents: CostColumns = { cost: 0, unpriced: 0 }): number | null {
	const cost = exactDollars(own.cost + subagents.cost);
	return cost === 0 && own.unpriced + subagents.unpriced > 0 ? null : cost;
}
