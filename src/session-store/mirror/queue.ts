/** The mirror's queue on the disk: how far each transcript was read, what the store has not acknowledged, how much it held when it was last asked, and how many lines and bytes are sent at once. */

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Machine } from '../../codecs/index.ts';
import { loadSqlite } from '../../log/load-sqlite.ts';
import { makeFolders } from '../../log/make-folders.ts';
import { useWal } from '../../log/wal.ts';
import { dataFolder } from '../../store/own-data/data-folder.ts';
import type { SessionKey, StoredLine } from '../contract.ts';

/** How far a transcript was read. */
export interface Cursor {
	/** The length up to which its lines were queued. */
	readonly end: number;
	/** A hash of the last bytes before that: another one means that the file was rewritten. */
	readonly tail: string;
	/** Size and time of the file at that moment. As long as they are the same, it is not opened. */
	readonly stamp: string;
}

const schema = `
	CREATE TABLE IF NOT EXISTS cursors (
		path TEXT PRIMARY KEY, end INTEGER NOT NULL, tail TEXT NOT NULL, stamp TEXT NOT NULL, document BLOB
	) STRICT;
	CREATE TABLE IF NOT EXISTS said (path TEXT NOT NULL, line TEXT NOT NULL, times INTEGER NOT NULL, PRIMARY KEY (path, line))
		STRICT, WITHOUT ROWID;
	CREATE TABLE IF NOT EXISTS held (
		key TEXT PRIMARY KEY, size INTEGER NOT NULL, written REAL NOT NULL DEFAULT 0
	) STRICT, WITHOUT ROWID;
	CREATE TABLE IF NOT EXISTS waiting (nr INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL, id TEXT, text TEXT NOT NULL) STRICT;
`;

const patienceMs = 30_000;
const mostLines = 500;
const mostBytes = 1 << 20;

/** Lines of one transcript, as many as are sent at once. */
export interface Batch {
	readonly key: SessionKey;
	readonly lines: readonly StoredLine[];
	readonly last: number;
	/** When the transcript was written last. */
	readonly written?: number;
}

export class MirrorQueue implements Disposable {
	readonly #database: DatabaseSync;

	/** The queue for the store of this name. */
	constructor(machine: Machine, name: string) {
		const folder = join(dataFolder(machine), 'mirror');
		makeFolders(folder);
		const hash = createHash('sha256').update(name).digest('hex').slice(0, 24);
		this.#database = new (loadSqlite().DatabaseSync)(join(folder, `${hash}.db`), { timeout: patienceMs });
		useWal(this.#database, patienceMs);
		this.#database.exec(`PRAGMA synchronous = FULL; ${schema}`);
	}

	cursor(path: string): Cursor | undefined {
		return this.#database.prepare('SELECT end, tail, stamp FROM cursors WHERE path = ?').get(path) as
			| Cursor
			| undefined;
	}

	/** The state of a document that was queued last. */
	document(path: string): Uint8Array | undefined {
		return this.#database.prepare('SELECT document FROM cursors WHERE path = ?').get(path)?.document as
			| Uint8Array
			| undefined;
	}

	/** Forgets how often lines of a transcript were said: it is read from its beginning. */
	restart(path: string): void {
		this.#database.prepare('DELETE FROM said WHERE path = ?').run(path);
	}

	/** How often a line without an id was queued before, counting this time. */
	times(path: string, line: string): number {
		const count = `INSERT INTO said (path, line, times) VALUES (?, ?, 1)
			ON CONFLICT DO UPDATE SET times = times + 1 RETURNING times`;
		return Number(this.#database.prepare(count).get(path, line)?.times) - 1;
	}

	/** Adds lines and moves the cursor, both or neither: neither where another process has moved it meanwhile. */
	add(
		path: string,
		key: SessionKey,
		cursor: { readonly from: Cursor | undefined; readonly to: Cursor; readonly written: number },
		lines: () => readonly StoredLine[],
		document?: Uint8Array,
	): number {
		this.#database.exec('BEGIN IMMEDIATE');
		try {
			const now = this.cursor(path);
			if (now?.end !== cursor.from?.end || now?.stamp !== cursor.from?.stamp) return 0;
			const insert = this.#database.prepare('INSERT INTO waiting (key, id, text) VALUES (?, ?, ?)');
			const found = lines();
			for (const { id, text } of found) insert.run(JSON.stringify(key), id ?? null, text);
			this.#database
				.prepare('INSERT OR REPLACE INTO cursors (path, end, tail, stamp, document) VALUES (?, ?, ?, ?, ?)')
				.run(path, cursor.to.end, cursor.to.tail, cursor.to.stamp, document ?? null);
			const known = `INSERT INTO held (key, size, written) VALUES (?, 0, ?)
				ON CONFLICT DO UPDATE SET written = max(written, excluded.written)`;
			this.#database.prepare(known).run(JSON.stringify(key), cursor.written);
			this.#database.exec('COMMIT');
			return found.length;
		} finally {
			if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
		}
	}

	/** How much the store held of a transcript, at least. Undefined in a queue of an earlier version, which did not ask. */
	held(key: SessionKey): number | undefined {
		const found = this.#database.prepare('SELECT size FROM held WHERE key = ?').get(JSON.stringify(key));
		return found ? Number(found.size) : undefined;
	}

	/** The store holds so much of a transcript. */
	holds(key: SessionKey, size: number): void {
		this.#database.prepare('UPDATE held SET size = ? WHERE key = ?').run(size, JSON.stringify(key));
	}

	/** The files of a transcript are read from their beginning. What waits of it is read again with the rest, and in its order. */
	forget(key: SessionKey, paths: readonly string[]): void {
		const name = JSON.stringify(key);
		this.#database.exec('BEGIN IMMEDIATE');
		try {
			for (const table of ['cursors', 'said'])
				for (const path of paths) this.#database.prepare(`DELETE FROM ${table} WHERE path = ?`).run(path);
			for (const table of ['waiting', 'held']) this.#database.prepare(`DELETE FROM ${table} WHERE key = ?`).run(name);
			this.#database.exec('COMMIT');
		} finally {
			if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
		}
	}

	/** The lines that go next; undefined when nothing waits. */
	next(): Batch | undefined {
		const waiting = this.#database.prepare(
			'SELECT nr, key, id, text, written FROM waiting LEFT JOIN held USING (key) ORDER BY nr LIMIT ?',
		);
		const lines: StoredLine[] = [];
		let key: string | undefined;
		let bytes = 0;
		let [last, written] = [0, 0];
		// Row by row: lines may be megabytes long, and those behind the first of them are not sent yet.
		for (const row of waiting.iterate(mostLines)) {
			const text = String(row.text);
			bytes += text.length;
			key ??= String(row.key);
			if (row.key !== key || (lines.length > 0 && bytes > mostBytes)) break;
			lines.push(typeof row.id === 'string' ? { text, id: row.id } : { text });
			[last, written] = [Number(row.nr), Number(row.written)];
		}
		if (key === undefined) return undefined;
		return { key: JSON.parse(key) as SessionKey, lines, last, ...(written > 0 ? { written } : {}) };
	}

	/** The store has acknowledged what was next. */
	done({ key, last }: Batch): void {
		this.#database.prepare('DELETE FROM waiting WHERE nr <= ?').run(last);
		// Until it is asked how much it holds, it holds something.
		this.#database.prepare('UPDATE held SET size = 1 WHERE key = ? AND size = 0').run(JSON.stringify(key));
	}

	/** How many lines wait. */
	get waiting(): number {
		return Number(this.#database.prepare('SELECT count(*) AS waiting FROM waiting').get()?.waiting);
	}

	[Symbol.dispose](): void {
		this.#database.close();
	}
}
