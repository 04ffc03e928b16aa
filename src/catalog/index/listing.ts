/** The list of sessions: from what was seen of each file the last time, and from a look at those that are new or have changed. */
import type { DatabaseSync } from 'node:sqlite';
import { codecOf, FirstLook, sideHeaders } from '../../codecs/index.ts';
import type { Source } from '../../model/index.ts';
import type { Access, SessionFile, Unread } from '../cost/collect.ts';
import { exactDollars } from '../cost/report.ts';
import { isFileError } from '../file-error.ts';
import type { FileLook } from './file-index.ts';
import { mark, rowMark, type Seen, seenOf, seenText, unmarked } from './glance-cache.ts';
import { cacheSize } from './schema.ts';

/** What a session looks like from outside. */
export interface Look extends FileLook {
	readonly mtimeMs: number;
}

export interface CatalogAccess extends Access {
	/** Undefined when the file is gone. With `opened`, what was opened under that path: then it need not be asked for again. */
	look(path: string, opened?: Source): Look | undefined;
}

export interface ListedSession {
	readonly session: SessionFile;
	readonly seen: Seen;
	/** When its file was last written: what `last` goes by, too. */
	readonly updated: number;
	/** Null until counted. */
	readonly turns: number | null;
	readonly costUsd: number | null;
}

/** The responses of a file that says nothing of their tokens. */
const uncounted = 'iif(input + output + cache_read + cache_write = 0, responses, 0)';

/** What has to be remembered of a file for the next list. */
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

	/** True when most of what is remembered is of files that nobody lists any longer. */
	isStale(): boolean {
		return this.#known.size > 2 * this.#found + 1000;
	}

	/** Undefined when it is not there. */
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

	/** A file that was never listed is opened before anything else: that tells what it looks like, too. */
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

	/** What the first and last bytes of a session, and files beside it, tell; the first prompt stands in for a title. */
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
				// Not by `using`: what that compiles to takes longer than closing the file.
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

/** All rows as one text: making ten thousand objects of them takes longer than looking at as many files. */
function rowsOf(database: DatabaseSync, sql: string): ReadonlyMap<string, string> {
	const { rows } = database.prepare(sql).get(rowMark) as { rows: string | null };
	const byPath = new Map<string, string>();
	// A path with one of the marks in it makes a row that is not found again: its file is then read every time.
	for (const text of rows?.split(rowMark) ?? []) byPath.set(text.slice(0, text.indexOf(mark)), text);
	return byPath;
}

/** Where nothing is known yet, a path need not be hashed to find nothing. */
function found(rows: ReadonlyMap<string, string>, path: string): string | undefined {
	return rows.size === 0 ? undefined : rows.get(path);
}

/** Remembers what was seen, for the next list. */
export function remember(database: DatabaseSync, news: readonly News[], anew: boolean): void {
	if (anew) database.exec('DELETE FROM listing');
	const put = database.prepare('INSERT OR REPLACE INTO listing (path, listed, seen) VALUES (?, ?, ?)');
	// Paths come in any order: with less memory the same pages would be written, and read again, several times.
	database.exec(`PRAGMA cache_size = ${4 * cacheSize}`);
	for (const { path, signature, seen } of news) put.run(path, signature, seenText(seen));
	database.exec(`PRAGMA cache_size = ${cacheSize}`);
}

/** What a session looks like from outside; undefined when it is not there or cannot be looked at, which is told. */
export function lookAt(session: SessionFile, access: CatalogAccess, tell: Tell): Look | undefined {
	return readable(session.path, tell, () => withBeside(session, access, access.look(session.path)));
}

/** A file beside the session may tell of its responses: the session has changed when that has. */
function withBeside({ path, format }: SessionFile, access: CatalogAccess, look: Look | undefined): Look | undefined {
	const beside = look && codecOf(format)?.places.usage?.beside?.(path);
	const other = beside && access.look(beside.path);
	return look && other ? { ...look, signature: `${look.signature} ${other.signature}` } : look;
}

/** Undefined when the file is gone, which is no fault, or cannot be read, which is told. */
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
	/** Tokens without a known price, or responses of which no tokens were recorded: what they cost is not known. */
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

/** What the sub-agents of each session cost. */
function subagentCosts(database: DatabaseSync): ReadonlyMap<string, CostColumns> {
	const sql =
		`SELECT format || ' ' || session AS key, sum(cost) AS cost, sum(unpriced + ${uncounted}) AS unpriced FROM files ` +
		'WHERE parent IS NOT NULL GROUP BY 1';
	const rows = database.prepare(sql).all() as unknown as (CostColumns & { key: string })[];
	return new Map(rows.map((row) => [row.key, row]));
}

/** Dollars of a session, its sub-agents included; null where nothing is known of what its responses cost. */
function costOf(own: CostColumns, subagents: CostColumns = { cost: 0, unpriced: 0 }): number | null {
	const cost = exactDollars(own.cost + subagents.cost);
	return cost === 0 && own.unpriced + subagents.unpriced > 0 ? null : cost;
}
