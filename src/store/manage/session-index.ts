/** Adds a new session to the database in which its client lists its sessions, if the table is the one we know. */
import { existsSync } from 'node:fs';
import type { Codec, Machine, SessionIndex } from '../../codecs/index.ts';
import { openFile } from '../../log/file-source.ts';
import { loadSqlite } from '../../log/load-sqlite.ts';
import { diskFolders } from '../find/folders.ts';
import { isInHome } from '../find/place.ts';

/**
 * Adds the session whose main file is `path`; a sentence for the user where that was not possible. Without a row Cline's
 * command line and its history still find the session by its manifest, but programs that ask its library for a list do not.
 */
export function addToIndex(codec: Codec, path: string, machine: Machine): string | undefined {
	const { index } = codec.places;
	if (!index || !isInHome(codec, path, machine)) return undefined; // the client does not list files outside its home
	const database = index.path(machine);
	if (!existsSync(database)) return undefined; // the client has not run yet, and has to make the table itself
	const file = codec.places.sideFiles(path, diskFolders).find(({ role }) => role === index.role);
	if (!file) return undefined;
	using source = openFile(file.path);
	const row = index.row(source.read(0, source.size));
	return row && insert(index, database, row);
}

type Row = NonNullable<ReturnType<SessionIndex['row']>>;

function insert({ table, columns }: SessionIndex, path: string, row: Row): string | undefined {
	const { DatabaseSync } = loadSqlite();
	try {
		using database = new DatabaseSync(path, { timeout: 2000 });
		const found = database.prepare('select name from pragma_table_info(?)').all(table);
		const names = found.map((column) => String(column.name));
		if (names.length !== columns.length || !columns.every((column) => names.includes(column))) {
			return `${path} has another table of sessions than the one Reprise knows: it was left alone`;
		}
		const places = columns.map(() => '?').join(', ');
		database.prepare(`insert into ${table} (${columns.join(', ')}) values (${places})`).run(...row);
		return undefined;
	} catch (error) {
		if (error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR') {
			return `the session could not be added to ${path}: ${error.message}`;
		}
		throw error;
	}
}
