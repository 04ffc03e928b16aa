/** Opens the catalog (`catalog.sqlite` in our own data folder) and brings it up to date; by which facts of the file system a session counts as changed. */
import { join } from 'node:path';
import { diskCalls } from '../log/calls.ts';
import type { FileSource } from '../log/file-source.ts';
import type { Source } from '../model/index.ts';
import { thisMachine } from '../store/find/folders.ts';
import { dataFolder } from '../store/own-data/data-folder.ts';
import { databasePath } from '../store/reader/database.ts';
import type { SessionFile, Unread } from './cost/collect.ts';
import { loadPrices } from './cost/prices.ts';
import { Catalog, type CatalogAccess } from './index/catalog.ts';
import type { SessionQuery, SessionsHere } from './sessions-here.ts';

/** The state of a file. A database that is being written has its latest changes in a `-wal` file. */
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

export function openCatalog({ access, warn }: SessionsHere): Catalog {
	const path = join(dataFolder(thisMachine()), 'catalog.sqlite');
	return new Catalog({ path, access: { ...access, look }, warn });
}

/** Lists all sessions and indexes what is new in them; warns about files that could not be read. */
export function indexAll(
	catalog: Catalog,
	here: SessionsHere,
	sessions: readonly SessionFile[],
	progress?: SessionQuery['progress'],
	tell = (unread: readonly Unread[]) => here.tellUnread(unread),
): void {
	catalog.list(sessions.filter((session) => session.parent === undefined));
	tell(catalog.index(sessions, loadPrices(), progress).unread);
}
