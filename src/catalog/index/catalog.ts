/** The catalog lists, searches and counts all sessions: in which order files are indexed, and what is done when it is locked, damaged or cannot be written. */
import type { DatabaseSync } from 'node:sqlite';
import { errorText } from '../../model/index.ts';
import type { SessionFile, Unread } from '../cost/collect.ts';
import type { Prices } from '../cost/prices.ts';
import { Standings } from '../cost/standing.ts';
import { isFileError } from '../file-error.ts';
import { FileIndex, type FileToSync, stepSize, transaction } from './file-index.ts';
import { type CatalogAccess, type ListedSession, Lister, lookAt, type News, remember, type Tell } from './listing.ts';
import { isDamaged, isLocked, isUnwritable, openCatalog, removeCatalog } from './schema.ts';
import { type SearchAnswer, type SearchFilters, searchCatalog } from './search.ts';
import { type StatsFilters, type StatsRow, statsOf } from './stats.ts';

export type { CatalogAccess, ListedSession } from './listing.ts';

export interface IndexOutcome {
	readonly unread: readonly Unread[];
	/** True when another process was writing: the answer covers what was indexed so far. */
	readonly locked: boolean;
}

export interface CatalogOptions {
	readonly path: string;
	readonly access: CatalogAccess;
	/** Called when the catalog cannot be stored, so that everything is read anew each time. */
	warn(message: string): void;
	/** How long to wait for another process that writes. */
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
			warn(`the catalog ${path} cannot be used (${errorText(error)}); nothing is remembered this time`);
			return openCatalog(':memory:');
		}
	}

	[Symbol.dispose](): void {
		this.#database.close();
	}

	/**
	 * Every session, with what its first and last bytes tell. Unchanged files are not opened. A file that cannot be read
	 * is listed by its name alone and reported.
	 */
	list(sessions: Iterable<SessionFile>, tell: Tell = () => undefined): readonly ListedSession[] {
		const all = [...sessions];
		return this.#mended(() => this.#list(all, tell));
	}

	/** Reads what was added to sessions since the last time. Progress counts the bytes of files that have changed. */
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

	/** Runs `work`. A damaged catalog is removed and filled from the sessions again. */
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

	#list(sessions: readonly SessionFile[], tell: Tell): readonly ListedSession[] {
		const lister = new Lister(this.#database, this.#options.access, tell);
		// `map` and not a loop: the engine would compile a loop anew with all of listing, which costs more than it saves.
		const listed = sessions.map((session) => lister.list(session)).filter((one) => one !== undefined);
		if (lister.news.length > 0 || lister.isStale()) this.#remember(lister.news, lister.isStale());
		return listed;
	}

	#remember(news: readonly News[], anew: boolean): void {
		try {
			transaction(this.#database, () => remember(this.#database, news, anew));
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
		const { access } = this.#options;
		const unread: Unread[] = [];
		const found = sessions
			.map((session) => ({ session, look: lookAt(session, access, (one) => unread.push(one)) }))
			.filter((file): file is typeof file & { look: NonNullable<typeof file.look> } => file.look !== undefined)
			// The oldest first: the newest then get the highest numbers and are found first.
			.sort((a, b) => a.look.mtimeMs - b.look.mtimeMs);
		const present = found.map(({ session }) => session);
		const files = new FileIndex(this.#database, prices, access, new Standings(access.carried?.() ?? [], present));
		try {
			this.#removeGone(files, new Set(present.map(({ path }) => path)));
			files.settleStandings(present);
			const behind = found.filter((file) => files.isBehind(file));
			const all = behind.reduce((sum, { look }) => sum + look.size, 0);
			let done = 0;
			for (const batch of batches(behind)) {
				progress(done, all);
				unread.push(...syncBatch(files, batch, (bytes) => progress(done + bytes, all)));
				done += batch.reduce((sum, { look }) => sum + look.size, 0);
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

	/** Warns once that another process holds the catalog, which may last minutes: nobody waits a second time. */
	#tellLocked(): void {
		this.#database.exec('PRAGMA busy_timeout = 0');
		this.#tell('another process writes the catalog; the answer is from what it has finished');
	}

	#tellUnwritable(error: unknown): void {
		this.#tell(`the catalog cannot be written (${errorText(error)}); what it does not have yet may be missing`);
	}

	/** Warns once: the list and the index of one answer meet the same fault. */
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
			if (!present.has(path) && this.#isGone(path)) files.remove(id);
		}
	}

	/** True for a missing file. One that may not be read is not gone: it may come back, and indexing it again is slow. */
	#isGone(path: string): boolean {
		try {
			return this.#options.access.look(path) === undefined;
		} catch (error) {
			if (!isFileError(error)) throw error;
			return false;
		}
	}
}

/** Groups of files to index: many small ones together, which is several times cheaper; a large one alone. */
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

/** Indexes files together; if one of them cannot be read, one by one, to find out which. */
function syncBatch(files: FileIndex, batch: readonly FileToSync[], step: (bytes: number) => void): readonly Unread[] {
	const [only] = batch;
	if (batch.length > 1) {
		try {
			files.syncTogether(batch);
			return [];
		} catch (error) {
			if (!isFileError(error)) throw error;
			return batch.flatMap((file) => syncBatch(files, [file], () => undefined));
		}
	}
	if (only === undefined) return [];
	try {
		files.sync(only, step);
		return [];
	} catch (error) {
		if (!isFileError(error)) throw error;
		return [{ path: only.session.path, message: errorText(error) }];
	}
}
