/** Indexes one file: when it is read on and when anew, how large a step is, what counts as a turn, and how long a pause between entries still counts as active time. */
import { createHash } from 'node:crypto';
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { codecOf, type Portion, type ReadState, readSession, timeOf } from '../../codecs/index.ts';
import { compact, type Source } from '../../model/index.ts';
import type { Access, SessionFile } from '../cost/collect.ts';
import type { Prices } from '../cost/prices.ts';
import { type CostPosition, readCosts, readCostsBeside } from '../cost/read.ts';
import type { Standings } from '../cost/standing.ts';
import { Notes } from './activity.ts';
import { CostIndex } from './cost-index.ts';
import { roles, searchable } from './entry-text.ts';
import { sideTitle, titleBeside } from './side-title.ts';
import { indexable } from './words.ts';

/** What the file system tells about a file without opening it. */
export interface FileLook {
	readonly inode: string;
	/** Changes whenever the file does. */
	readonly signature: string;
	readonly size: number;
}

export interface FileToSync {
	readonly session: SessionFile;
	readonly look: FileLook;
}

/** What is kept to go on with a file that has grown. */
interface Progress {
	readonly read?: ReadState;
	readonly cost?: CostPosition;
	/** The latest tool calls, so that later results find the tool's name. */
	readonly calls: readonly (readonly [string, string])[];
	/** The parts that were left out of the activity, as JSON. */
	readonly retold?: string;
	/** True when a last line without a newline was taken as whole: more bytes may change what it says. */
	readonly provisional?: boolean;
}

interface FileRow {
	readonly id: number;
	readonly indexed: string | null;
	readonly inode: string | null;
	readonly size: number;
	readonly fingerprint: string | null;
	readonly progress: string | null;
	readonly turns: number;
	readonly activity: string | null;
}

/** The step in which a large file is indexed. Finished steps survive an interruption. */
export const stepSize = 1 << 23;
const pieceSize = 1 << 18;
const newline = 0x0a;

export class FileIndex {
	readonly #database: DatabaseSync;
	readonly #costs: CostIndex;
	readonly #access: Access;
	readonly #standings: Standings;
	readonly #memory = Buffer.allocUnsafeSlow(pieceSize);
	readonly #row: StatementSync;
	readonly #insert: StatementSync;
	readonly #save: StatementSync;
	readonly #addEntry: StatementSync;
	readonly #addWords: StatementSync;

	constructor(database: DatabaseSync, prices: Prices, access: Access, standings: Standings) {
		this.#database = database;
		this.#access = access;
		this.#standings = standings;
		this.#costs = new CostIndex(database, prices);
		this.#row = database.prepare(
			'SELECT id, indexed, inode, size, fingerprint, progress, turns, activity FROM files WHERE path = ?',
		);
		this.#insert = database.prepare(
			'INSERT INTO files (path, format, agent, session, parent, standing) VALUES (?, ?, ?, ?, ?, ?)',
		);
		this.#save = database.prepare(
			'UPDATE files SET indexed = ?, inode = ?, size = ?, fingerprint = ?, progress = ?, turns = ?, activity = ? WHERE id = ?',
		);
		this.#addEntry = database.prepare(
			'INSERT INTO entries (file, entry, at, length, role, tools, time) VALUES (?, ?, ?, ?, ?, ?, ?)',
		);
		this.#addWords = database.prepare('INSERT INTO words (rowid, text) VALUES (?, ?)');
	}

	/** Brings the catalog up to date with a file; false when it was. `told` hears of the progress in a large one. */
	sync({ session, look }: FileToSync, told: (bytes: number) => void = () => undefined): boolean {
		const row = this.#row.get(session.path) as unknown as FileRow | undefined;
		if (row && this.#isCurrent(row, session, look)) return false;
		using source = this.#access.open(session.path);
		while (!this.#step(session, look, source)) told((this.#row.get(session.path) as unknown as FileRow).size);
		return true;
	}

	/** True when the catalog lacks something of the file. */
	isBehind({ session, look }: FileToSync): boolean {
		const row = this.#row.get(session.path) as unknown as FileRow | undefined;
		return row === undefined || !this.#isCurrent(row, session, look);
	}

	/** What was counted of a file depends on its bytes, and on which of them tell again what another session did. */
	#isCurrent(row: FileRow, session: SessionFile, look: FileLook): boolean {
		return row.indexed === look.signature && retoldBefore(row) === this.#retoldIn(session);
	}

	#retoldIn(session: SessionFile): string | undefined {
		const parts = this.#standings.retold(session);
		return parts.length === 0 ? undefined : JSON.stringify(parts);
	}

	/** Indexes several files in one transaction, which is much cheaper. If one cannot be read, none is indexed. */
	syncTogether(files: readonly FileToSync[]): void {
		this.#settled(() => {
			for (const file of files) this.sync(file);
		});
	}

	/** Runs `work` in a transaction, at whose end everything that was read counts. */
	#settled<T>(work: () => T): T {
		if (this.#database.isTransaction) return work();
		this.#costs.reset();
		return transaction(this.#database, () => {
			const result = work();
			this.#costs.settle();
			return result;
		});
	}

	/** Indexes one step in a transaction; true when the end of the file is reached. */
	#step(session: SessionFile, look: FileLook, source: Source): boolean {
		return this.#settled(() => {
			// Read again: another process may have indexed more meanwhile.
			const row = this.#rowOf(session);
			if (this.#isCurrent(row, session, look)) return true;
			const going = canGoOn(row, look, source, this.#retoldIn(session));
			if (!going && row.progress !== null) this.#clear(row.id);
			return this.#read(session, row.id, look, source, going ? row : undefined);
		});
	}

	/** Updates which session responses count for: hand-offs and vanished sessions change that without changing a file. */
	settleStandings(sessions: readonly SessionFile[]): void {
		const rows = this.#database.prepare('SELECT path, standing FROM files WHERE standing IS NOT NULL').all();
		const known = new Map(rows.map(({ path, standing }) => [path, standing]));
		const changed = sessions.filter((session) => this.#standingOf(session) !== (known.get(session.path) ?? null));
		if (changed.length === 0) return;
		this.#settled(() => {
			for (const session of changed) {
				const row = this.#row.get(session.path) as unknown as FileRow | undefined;
				if (row !== undefined) this.#costs.stand(row.id, this.#standingOf(session));
			}
		});
	}

	#standingOf(session: SessionFile): string | null {
		const standing = this.#standings.of(session);
		return standing === undefined ? null : JSON.stringify(standing);
	}

	#rowOf(session: SessionFile): FileRow {
		const { path, format, agent, id, parent } = session;
		let row = this.#row.get(path);
		if (row === undefined) {
			const standing = this.#standingOf(session);
			this.#insert.run(path, format, agent, parent ?? id, parent === undefined ? null : id, standing);
			row = this.#row.get(path);
		}
		return row as unknown as FileRow;
	}

	#read(session: SessionFile, id: number, look: FileLook, source: Source, from: FileRow | undefined): boolean {
		const codec = codecOf(session.format);
		if (!codec) throw new Error(`no codec for ${session.format}`);
		const old: Progress = from?.progress ? (JSON.parse(from.progress) as Progress) : { calls: [] };
		const reading = readSession(codec, old.read);
		const start = old.read?.position.at ?? 0;
		const whole = codec.capabilities.container === 'document';
		const notes = new Notes(old.calls, from, this.#standings.retold(session));
		let done = true;
		for (let at = start; at < source.size && done; at += pieceSize) {
			const bytes = this.#piece(source, at);
			if (bytes.length === 0) break; // the source has shrunk meanwhile
			// A step ends with a whole line, however long: the start of another would be read twice.
			const cut = !whole && at + pieceSize >= start + stepSize ? bytes.lastIndexOf(newline) + 1 : 0;
			this.#add(id, reading.push(cut > 0 ? bytes.subarray(0, cut) : bytes), notes);
			done = cut === 0 || at + cut >= source.size;
		}
		const state = reading.state();
		const provisional = this.#add(id, reading.end(), notes) > 0 && !whole;
		if (done) this.#addTitle(session, id, notes);
		const cost = done ? this.#readCosts(session, id, source, old.cost) : old.cost;
		const offset = whole ? source.size : state.position.at;
		this.#saveRow(id, {
			indexed: done ? look.signature : null,
			inode: look.inode,
			size: done ? source.size : offset,
			fingerprint: fingerprint(source, offset),
			progress: JSON.stringify({
				...(whole ? {} : { read: state }),
				...(cost === undefined ? {} : { cost }),
				calls: notes.calls(),
				...(provisional ? { provisional } : {}),
				...compact({ retold: this.#retoldIn(session) }),
			} satisfies Progress),
			turns: notes.turns,
			activity: JSON.stringify(notes.activity()),
		});
		return done;
	}

	/** Reads a piece, always into the same memory: readers copy what they need later. */
	#piece(source: Source, at: number): Uint8Array {
		if (!source.readInto) return source.read(at, pieceSize);
		const got = source.readInto(at, this.#memory);
		return got === pieceSize ? this.#memory : this.#memory.subarray(0, got);
	}

	/** A title beside the file is an entry without bytes. */
	#addTitle(session: SessionFile, file: number, notes: Notes): void {
		const title = titleBeside(session, this.#access, notes.said);
		if (title === undefined) return;
		const { lastInsertRowid } = this.#addEntry.run(file, sideTitle, 0, 0, roles.indexOf('title'), null, null);
		this.#addWords.run(lastInsertRowid, indexable(title));
	}

	/** Adds entries and returns how many there were. */
	#add(file: number, { entries, records }: Portion, notes: Notes): number {
		const base = records[0]?.index ?? 0;
		for (const entry of entries) {
			const record = records[(entry.records[0] ?? -1) - base];
			notes.see(entry, record);
			const found = searchable(entry, (call) => notes.toolOf(call));
			if (!found || !record) continue;
			const time = timeOf(entry.time) ?? null;
			const tools = found.tools.length === 0 ? null : ` ${[...new Set(found.tools)].join(' ')} `;
			const role = roles.indexOf(found.role);
			const { lastInsertRowid } = this.#addEntry.run(file, entry.id, record.at, record.length, role, tools, time);
			this.#addWords.run(lastInsertRowid, indexable(found.text));
		}
		return entries.length;
	}

	#readCosts(
		{ format, path }: SessionFile,
		file: number,
		source: Source,
		from: CostPosition | undefined,
	): CostPosition {
		const rules = codecOf(format)?.places.usage;
		const sink = this.#costs.sink(file);
		if (rules === undefined || readCostsBeside(rules, path, this.#access, () => sink)) return { at: 0 };
		return readCosts(rules, source, sink, from);
	}

	#saveRow(id: number, row: Omit<FileRow, 'id'>): void {
		const { indexed, inode, size, fingerprint: print, progress, turns, activity } = row;
		this.#save.run(indexed, inode, size, print, progress, turns, activity, id);
	}

	/** Removes a file that is gone. */
	remove(id: number): void {
		this.#settled(() => {
			this.#clear(id);
			this.#exec('DELETE FROM files WHERE id = ?', id);
		});
	}

	#clear(id: number): void {
		// One by one: a deletion of many at once scans the whole table of words.
		const entries = this.#database.prepare('SELECT id FROM entries WHERE file = ?').all(id) as { id: number }[];
		const forget = this.#database.prepare('DELETE FROM words WHERE rowid = ?');
		for (const entry of entries) forget.run(entry.id);
		this.#exec('DELETE FROM entries WHERE file = ?', id);
		this.#costs.forget(id);
		this.#saveRow(id, {
			indexed: null,
			inode: null,
			size: 0,
			fingerprint: null,
			progress: null,
			turns: 0,
			activity: null,
		});
	}

	#exec(sql: string, ...values: SQLInputValue[]): void {
		this.#database.prepare(sql).run(...values);
	}
}

/** Runs `work` in a transaction: all of it is kept or nothing. Inside another transaction it is a part of that one. */
export function transaction<T>(database: DatabaseSync, work: () => T): T {
	if (database.isTransaction) return work();
	database.exec('BEGIN IMMEDIATE');
	try {
		const result = work();
		database.exec('COMMIT');
		return result;
	} catch (error) {
		if (database.isTransaction) database.exec('ROLLBACK');
		throw error;
	}
}

/** The parts that were left out when the file was read. Most files have none, and are told apart without being parsed. */
function retoldBefore({ progress }: FileRow): string | undefined {
	return progress?.includes('"retold":') ? (JSON.parse(progress) as Progress).retold : undefined;
}

/** True for a file that only grew and can be read on; any other is read anew. */
function canGoOn(row: FileRow, look: FileLook, source: Source, retold: string | undefined): boolean {
	if (row.progress === null || row.inode !== look.inode) return false;
	const { read, provisional, retold: before } = JSON.parse(row.progress) as Progress;
	if (read === undefined || provisional || before !== retold) return false;
	// An indexed file that changed without growing was overwritten.
	if (row.indexed !== null && source.size <= row.size) return false;
	return source.size >= row.size && row.fingerprint === fingerprint(source, read.position.at);
}

const window = 4096;

/** A hash of bytes at the beginning and before the offset: an overwritten file differs in one of them. */
function fingerprint(source: Source, offset: number): string {
	const hash = createHash('sha256');
	hash.update(source.read(0, Math.min(window, offset)));
	hash.update(source.read(Math.max(0, offset - window), Math.min(window, offset)));
	return `${offset}:${hash.digest('base64url')}`;
}
