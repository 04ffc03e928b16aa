/** One row in Cline's index, when its table is the one we know. */
import { existsSync } from 'node:fs';
import { indexColumns, indexPath, indexRow } from '../codecs/cline/index.ts';
import type { Machine } from '../codecs/index.ts';
import { loadSqlite } from '../log/load-sqlite.ts';

/** Adds the session to the index; a sentence for the user where that was not possible. Cline itself goes by the manifest. */
export function addToClineIndex(machine: Machine, manifest: Uint8Array): string | undefined {
	const path = indexPath(machine);
	const row = indexRow(manifest);
	if (!existsSync(path) || !row) return undefined; // Cline makes its index when it first runs, from the manifests
	const { DatabaseSync } = loadSqlite();
	try {
		using database = new DatabaseSync(path, { timeout: 2000 });
		const columns = database.prepare("select name from pragma_table_info('sessions')").all();
		const names = columns.map((column) => String(column.name));
		if (names.length !== indexColumns.length || !indexColumns.every((column) => names.includes(column))) {
			return `${path} has another table of sessions than the one Reprise knows: it was left alone`;
		}
		const places = indexColumns.map(() => '?').join(', ');
		database.prepare(`insert into sessions (${indexColumns.join(', ')}) values (${places})`).run(...row);
		return undefined;
	} catch (error) {
		if (error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR') {
			return `the session could not be added to ${path}: ${error.message}`;
		}
		throw error;
	}
}
