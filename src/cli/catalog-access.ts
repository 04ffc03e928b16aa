/** The catalog as commands use it: under our own data folder, and brought up to date. */
import { join } from 'node:path';
import type { SessionFile } from '../catalog/cost/collect.ts';
import { loadPrices } from '../catalog/cost/prices.ts';
import { Catalog, type CatalogAccess } from '../catalog/index/catalog.ts';
import { diskCalls } from '../log/calls.ts';
import type { FileSource } from '../log/file-source.ts';
import type { Source } from '../model/index.ts';
import { thisMachine } from '../store/find/folders.ts';
import { dataFolder } from '../store/own-data/data-folder.ts';
import { databasePath } from '../store/reader/database.ts';
import { access, reportUnread } from './machine.ts';
import { complain } from './print.ts';
import { progressLine } from './progress.ts';

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

/** Lists all sessions and reads what is new in them, with a word about what could not be read. */
export function indexAll(catalog: Catalog, sessions: readonly SessionFile[]): void {
	catalog.list(sessions.filter((session) => session.parent === undefined));
	const prices = loadPrices();
	const progress = progressLine('indexing', ' MB');
	const megabytes = (bytes: number) => Math.ceil(bytes / 1e6);
	const { unread } = catalog.index(sessions, prices, (done, of) => progress(megabytes(done), megabytes(of)));
	progress.end();
	reportUnread(unread);
}
