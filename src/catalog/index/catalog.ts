/** The catalog of all sessions: lists them at once, and after indexing searches and counts them. */
import type { DatabaseSync } from 'node:sqlite';
import { codecOf } from '../../codecs/index.ts';
import { type Access, isFileError, type SessionFile, type Unread } from '../cost/collect.ts';
import type { Prices } from '../cost/prices.ts';
import { exactDollars } from '../cost/report.ts';
import { FileIndex, type FileLook, type FileToSync, stepSize, transaction } from './file-index.ts';
import { firstLook } from './first-look.ts';
import { isDamaged, isLocked, isUnwritable, openCatalog, removeCatalog } from './schema.ts';
import { type SearchAnswer, type SearchFilters, searchCatalog } from './search.ts';
import { mark, rowMark, type Seen, seenOf, seenText } from './seen.ts';
import { type StatsFilters, type StatsRow, statsOf } from './stats.ts';

export interface CatalogAccess extends Access {
	/** Undefined when the file is gone. */
	look(path: string): (FileLook & { readonly mtimeMs: number }) | undefined;
}

export interface ListedSession {
	readonly session: SessionFile;
	readonly seen: Seen;
	readonly updated: number;
	/** Null until counted. */
	readonly turns: number | null;
	readonly costUsd: number | null;
}

export interface IndexOutcome {
	readonly unread: readonly Unread[];
	/** Another process is writing: the answer is that of what has been indexed so far. */
	readonly locked: boolean;
}

export interface CatalogOptions {
	readonly path: string;
	readonly access: CatalogAccess;
	/** Told when the catalog cannot be kept, and everything has to be read anew each time. */
	warn(message: string): void;
	/** How long to wait for another process that is writing. */
	readonly patienceMs?: number;
}

export class Catalog implements Disposable {
	readonly #options: CatalogOptions;
	#database: DatabaseSync;
	readonly #told = new Set<string>();

	constructor(options: CatalogOptions) {
		this.#options = options;
		this.#database = this.#open();
	}

	#open(): DatabaseSync {
		const { path, warn, patienceMs } = this.#options;
		try {
			return openCatalog(path, patienceMs);
		} catch (error) {
			if (!isUnwritable(error) && !isLocked(error)) throw error;
			warn(`the catalog ${path} cannot be used (${messageOf(error)}); nothing is remembered this time`);
			return openCatalog(':memory:');
		}
	}

	[Symbol.dispose](): void {
		this.#database.close();
	}

	/**
	 * Every session that exists, with what its first and last bytes tell. Files that did not change are not opened. One that
	 * cannot be read is listed by its name alone, and told of.
	 */
	list(sessions: Iterable<SessionFile>, tell: (unread: Unread) => void = () => undefined): readonly ListedSession[] {
		const all = [...sessions];
		return this.#mended(() => this.#list(all, tell));
	}

	/** Reads what has been added to the sessions since the last time. */
	index(
		sessions: Iterable<SessionFile>,
		prices: Prices,
		progress: (done: number, of: number) => void = () => undefined,
	): IndexOutcome {
		const all = [...sessions];
		return this.#mended(() => this.#index(all, prices, progress));
	}

	search(question: string, filters: SearchFilters): SearchAnswer {
		return this.#mended(() => searchCatalog(this.#database, this.#options.access, question, filters));
	}

	stats(by: 'project' | 'agent', filters: StatsFilters): readonly StatsRow[] {
		return this.#mended(() => statsOf(this.#database, this.#options.access, by, filters));
	}

	/** A catalog that turns out to be damaged is thrown away; what it held comes from the sessions again. */
	#mended<T>(work: () => T): T {
		try {
			return work();
		} catch (error) {
			if (!isDamaged(error)) throw error;
			this.#database.close();
			removeCatalog(this.#options.path);
			this.#database = this.#open();
			return work();
		}
	}

	#list(sessions: readonly SessionFile[], tell: (unread: Unread) => void): readonly ListedSession[] {
		const rows = this.#rows();
		const subagents = this.#subagentCosts();
		const listed: ListedSession[] = [];
		const news: { readonly session: SessionFile; readonly signature: string; readonly seen: Seen }[] = [];
		for (const session of sessions) {
			const look = this.#lookAt(session, tell);
			if (look === undefined) continue;
			const row = rowOf(rows.get(session.path));
			let seen = row?.listed === look.signature ? row.seen : undefined;
			if (seen === undefined) {
				seen = this.#look(session, tell);
				if (seen !== undefined) news.push({ session, signature: look.signature, seen });
			}
			const counted = row?.indexed === look.signature;
			listed.push({
				session,
				seen: seen ?? {},
				updated: counted ? (row.last ?? look.mtimeMs) : look.mtimeMs,
				turns: counted ? row.turns : null,
				costUsd: counted ? costOf(row, subagents.get(`${session.format} ${session.id}`)) : null,
			});
		}
		if (news.length > 0) this.#remember(news);
		return listed;
	}

	/** What the session looks like from outside, together with a file beside it that tells of its responses. */
	#lookAt({ path, format }: SessionFile, tell: (unread: Unread) => void): ReturnType<CatalogAccess['look']> {
		const { access } = this.#options;
		return readable(path, tell, () => {
			const look = access.look(path);
			const beside = look && codecOf(format)?.usage?.beside?.(path);
			const other = beside && access.look(beside.path);
			return look && other ? { ...look, signature: `${look.signature} ${other.signature}` } : look;
		});
	}

	#look(session: SessionFile, tell: (unread: Unread) => void): Seen | undefined {
		const { access } = this.#options;
		return readable(session.path, tell, () => {
			using source = access.open(session.path);
			return firstLook(session, source, access);
		});
	}

	/** All rows as one text: making ten thousand objects of them takes longer than looking at as many files. */
	#rows(): ReadonlyMap<string, string> {
		const row = this.#database.prepare(
			`SELECT group_concat(${rowText}, ?) AS all_rows FROM files WHERE parent IS NULL`,
		);
		const { all_rows } = row.get(rowMark) as { all_rows: string | null };
		const rows = new Map<string, string>();
		for (const text of all_rows?.split(rowMark) ?? []) rows.set(text.slice(0, text.indexOf(mark)), text);
		return rows;
	}

	/** What the sub-agents of each session cost. */
	#subagentCosts(): ReadonlyMap<string, CostColumns> {
		const sql =
			"SELECT format || ' ' || session AS key, sum(cost) AS cost, sum(unpriced) AS unpriced FROM files WHERE parent IS NOT NULL GROUP BY 1";
		const rows = this.#database.prepare(sql).all() as unknown as (CostColumns & { key: string })[];
		return new Map(rows.map((row) => [row.key, row]));
	}

	#remember(news: readonly { readonly session: SessionFile; readonly signature: string; readonly seen: Seen }[]): void {
		// All in one statement: each call would take longer than what it does.
		const put = this.#database.prepare(
			'INSERT INTO files (path, format, agent, session, parent, listed, seen) ' +
				'SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6 FROM json_each(?) WHERE true ' +
				'ON CONFLICT (path) DO UPDATE SET listed = excluded.listed, seen = excluded.seen',
		);
		const rows = news.map(({ session, signature, seen }) => {
			const { path, format, agent, id, parent } = session;
			return [path, format, agent, parent ?? id, parent === undefined ? null : id, signature, seenText(seen)];
		});
		try {
			transaction(this.#database, () => put.run(JSON.stringify(rows)));
		} catch (error) {
			if (isLocked(error)) {
				this.#tellLocked();
				return;
			}
			if (!isUnwritable(error)) throw error;
			this.#tellUnwritable(error);
		}
	}

	#index(sessions: readonly SessionFile[], prices: Prices, progress: (done: number, of: number) => void): IndexOutcome {
		const files = new FileIndex(this.#database, prices, this.#options.access);
		const unread: Unread[] = [];
		const found = sessions
			.map((session) => ({ session, look: this.#lookAt(session, (one) => unread.push(one)) }))
			.filter((file): file is typeof file & { look: NonNullable<typeof file.look> } => file.look !== undefined)
			// The oldest first: what is newest then has the highest numbers, and is found first.
			.sort((a, b) => a.look.mtimeMs - b.look.mtimeMs);
		try {
			this.#removeGone(files, new Set(found.map(({ session }) => session.path)));
			let done = 0;
			for (const batch of batches(found.filter((file) => files.isBehind(file)))) {
				progress(done, found.length);
				unread.push(...syncBatch(files, batch));
				done += batch.length;
			}
		} catch (error) {
			if (isLocked(error)) {
				this.#tellLocked();
				return { unread, locked: true };
			}
			if (!isUnwritable(error)) throw error;
			this.#tellUnwritable(error);
		}
		return { unread, locked: false };
	}

	#tellLocked(): void {
		this.#tell('another process writes the catalog; the answer is from what it has finished');
	}

	#tellUnwritable(error: unknown): void {
		this.#tell(`the catalog cannot be written (${messageOf(error)}); what it does not have yet may be missing`);
	}

	/** Once: a list and an index of one answer find the same. */
	#tell(message: string): void {
		if (!this.#told.has(message)) this.#options.warn(message);
		this.#told.add(message);
	}

	#removeGone(files: FileIndex, present: ReadonlySet<string>): void {
		const rows = this.#database.prepare('SELECT id, path FROM files').all() as unknown as {
			id: number;
			path: string;
		}[];
		for (const { id, path } of rows) {
			if (!present.has(path) && this.#options.access.look(path) === undefined) files.remove(id);
		}
	}
}

/** Undefined when the file is not there or cannot be read, which is then told. */
function readable<T>(path: string, tell: (unread: Unread) => void, read: () => T | undefined): T | undefined {
	try {
		return read();
	} catch (error) {
		if (!isFileError(error)) throw error;
		tell({ path, message: error.message });
		return undefined;
	}
}

/** Small files are indexed many at a time, which is several times cheaper; a large one by itself, in steps. */
function* batches(files: readonly FileToSync[]): Iterable<readonly FileToSync[]> {
	let batch: FileToSync[] = [];
	let size = 0;
	for (const file of files) {
		if (batch.length > 0 && size + file.look.size > stepSize) {
			yield batch;
			batch = [];
			size = 0;
		}
		batch.push(file);
		size += file.look.size;
	}
	if (batch.length > 0) yield batch;
}

/** Together where that works; if a file cannot be read, each by itself, to find out which. */
function syncBatch(files: FileIndex, batch: readonly FileToSync[]): readonly Unread[] {
	const [only] = batch;
	if (batch.length > 1) {
		try {
			files.syncTogether(batch);
			return [];
		} catch (error) {
			if (!isFileError(error)) throw error;
			return batch.flatMap((file) => syncBatch(files, [file]));
		}
	}
	if (only === undefined) return [];
	try {
		files.sync(only);
		return [];
	} catch (error) {
		if (!isFileError(error)) throw error;
		return [{ path: only.session.path, message: messageOf(error) }];
	}
}

interface CostColumns {
	readonly cost: number;
	readonly unpriced: number;
}

/** Dollars of a session, its sub-agents included; null where there are tokens and no price is known for any. */
function costOf(own: CostColumns, subagents: CostColumns = { cost: 0, unpriced: 0 }): number | null {
	const cost = exactDollars(own.cost + subagents.cost);
	return cost === 0 && own.unpriced + subagents.unpriced > 0 ? null : cost;
}

/** What the catalog remembers of a session, for a list. */
interface ListRow extends CostColumns {
	readonly listed: string;
	readonly indexed: string;
	readonly turns: number;
	readonly last: number | undefined;
	readonly seen: Seen;
}

const rowText =
	`concat_ws('${mark}', path, ifnull(listed, ''), ifnull(indexed, ''), turns, cost, unpriced, ifnull(last, ''), ` +
	"ifnull(seen, ''))";

/** A path with one of the marks in it makes a row that is not found again: its file is then read every time. */
function rowOf(text: string | undefined): ListRow | undefined {
	if (text === undefined) return undefined;
	const [, listed = '', indexed = '', turns, cost, unpriced, last, ...seen] = text.split(mark);
	return {
		listed,
		indexed,
		turns: Number(turns),
		cost: Number(cost),
		unpriced: Number(unpriced),
		last: last ? Number(last) : undefined,
		seen: seenOf(seen),
	};
}

function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
