/** What the catalog's commands share: how sessions are found and reached, and which project the user is in. */
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { periodOf } from '../catalog/cost/calendar.ts';
import type { Access, SessionFile, Unread } from '../catalog/cost/collect.ts';
import { loadPrices } from '../catalog/cost/prices.ts';
import { Catalog, type CatalogAccess } from '../catalog/index/catalog.ts';
import { diskCalls } from '../log/calls.ts';
import { type FileSource, openFile } from '../log/file-source.ts';
import type { Source } from '../model/index.ts';
import { dataFolder } from '../store/data-folder.ts';
import { databasePath } from '../store/database.ts';
import { discoverSessions, type FoundSession } from '../store/discover.ts';
import { InputError } from '../store/errors.ts';
import { diskFolders, foldersOfDisk, thisMachine } from '../store/folders.ts';
import { identify } from '../store/identify.ts';
import { type Marks, readMarks } from '../store/marks.ts';
import { progressLine } from './progress.ts';

export const access: Access = { open, folders: diskFolders, folderOf: (session) => marksOf(session).folder };

type MarksOf = ReturnType<typeof readMarks>;
let marks: MarksOf | undefined;

/** What was noted about a session. Read once per command; without the notes there is still an answer. */
export function marksOf(session: Parameters<MarksOf>[0]): Marks {
	if (marks === undefined) {
		try {
			marks = readMarks(thisMachine());
		} catch (error) {
			if (!(error instanceof InputError || (error instanceof Error && 'code' in error))) throw error;
			complain(`tags, archived sessions and moved projects are not known: ${error.message}`);
			marks = () => ({ tags: [] });
		}
	}
	return marks(session);
}

function open(path: string): Source & Disposable {
	if (databasePath(path).session === undefined) return openFile(path);
	const found = identify(path);
	if (found.ok) return found.source;
	throw Object.assign(new Error(found.message), { code: found.rule });
}

const catalogAccess: CatalogAccess = { ...access, look };

/** A database that is being written to has its news in a second file. */
function look(path: string, opened?: Source): ReturnType<CatalogAccess['look']> {
	const { file, session } = databasePath(path);
	const stat = opened && 'stat' in opened ? (opened as FileSource).stat : diskCalls.stat(file);
	if (stat === undefined || !stat.isFile()) return undefined;
	const log = session === undefined ? undefined : diskCalls.stat(`${file}-wal`);
	const parts = [stat.ino, stat.size, stat.mtimeMs, ...(log ? [log.size, log.mtimeMs] : [])];
	return {
		inode: String(stat.ino),
		signature: parts.join(' '),
		size: stat.size,
		mtimeMs: Math.max(stat.mtimeMs, log?.mtimeMs ?? 0),
	};
}

/** The catalog under our own data folder. */
export function openCatalog(): Catalog {
	const path = join(dataFolder(thisMachine()), 'catalog.sqlite');
	return new Catalog({ path, access: catalogAccess, warn: complain });
}

export function complain(message: string): void {
	process.stderr.write(`reprise: ${message}\n`);
}

/** Lists all sessions and reads what is new in them, with a word about what could not be read. */
export async function indexAll(catalog: Catalog, sessions: readonly SessionFile[]): Promise<void> {
	catalog.list(sessions.filter((session) => session.parent === undefined));
	const prices = await loadPrices();
	const progress = progressLine('indexing', ' MB');
	const megabytes = (bytes: number) => Math.ceil(bytes / 1e6);
	const { unread } = catalog.index(sessions, prices, (done, of) => progress(megabytes(done), megabytes(of)));
	progress.end();
	reportUnread(unread);
}

/** Every session of this machine, sub-agents' files included where they are wanted. Folders that may not be read are told of, once. */
export function allSessions({ subagents = true } = {}): Iterable<FoundSession> {
	return discoverSessions(thisMachine(), tellingFolders, { subagents });
}

const toldOf = new Set<string>();
const tellingFolders = foldersOfDisk((path, message) => {
	if (!toldOf.has(path)) reportUnread([{ path, message }]);
	toldOf.add(path);
});

/** The folder of the repository that the user is in, else the current folder. */
export function currentProject(): string {
	const here = currentFolder();
	for (let folder = here; ; folder = dirname(folder)) {
		if (existsSync(join(folder, '.git'))) return folder;
		if (dirname(folder) === folder) return here;
	}
}

/** A folder may be deleted while a shell is in it. Its sessions are still there, under the name that it had. */
function currentFolder(): string {
	try {
		return realpathSync(process.cwd());
	} catch (error) {
		const name = process.env.PWD;
		if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT') || !name) throw error;
		if (!told) complain(`the folder ${name} is gone; this is about the sessions it had. --all looks everywhere`);
		told = true;
		return name;
	}
}

let told = false;

/** One line each for what is missing from the answer. */
export function reportUnread(unread: readonly Unread[]): void {
	// The path is told already.
	for (const { path, message } of unread) complain(`left out ${path}: ${message.replace(/, \w+ '.*'$/s, '')}`);
}

export function terminalWidth(): number {
	return Math.max(40, process.stdout.columns ?? (Number(process.env.COLUMNS) || 80));
}

export interface Period {
	readonly from: number;
	readonly to: number;
}

/** For options that name a day, a month or a time ago. commander turns the error into a usage message. */
export function parsePeriod(text: string): Period {
	const period = periodOf(text);
	if (period === undefined) throw new InvalidArgumentError('Give a day (2026-03-09), a month (2026-03) or 7d, 2w, 3m.');
	return period;
}

export function parseCount(text: string): number {
	const count = Number(text);
	if (!Number.isSafeInteger(count) || count < 1) throw new InvalidArgumentError('Give a whole number from 1 on.');
	return count;
}
