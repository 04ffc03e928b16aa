/** Catalogs in tests: access to a real disk, and everything a catalog holds as one comparable value. */
import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { CatalogAccess } from '../../src/catalog/index/catalog.ts';
import { type FileSource, openFile } from '../../src/log/file-source.ts';
import { diskFolders } from '../../src/store/find/folders.ts';

export const diskAccess: CatalogAccess = {
	open: openFile,
	folders: diskFolders,
	look(path, opened) {
		const stat = opened && 'stat' in opened ? (opened as FileSource).stat : statSync(path, { throwIfNoEntry: false });
		if (!stat) return undefined;
		const { ino, size, mtimeMs } = stat;
		return { inode: String(ino), signature: `${ino} ${size} ${mtimeMs}`, size, mtimeMs };
	},
};

/** What a catalog says, without the numbers that depend on the order of work. */
export function dump(path: string): object {
	const database = new DatabaseSync(path);
	try {
		database.exec("CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab('main', 'words', 'instance')");
		const all = (sql: string) =>
			database
				.prepare(sql)
				.all()
				.map((row) => ({ ...row }));
		return {
			files: all(
				'SELECT path, format, agent, session, parent, size, turns, activity, responses, input, output, cache_read, ' +
					'cache_write, round(cost, 9) + 0 AS cost, unpriced, indexed IS NULL AS unfinished FROM files ORDER BY path',
			),
			entries: all(
				'SELECT path, entry, at, length, role, tools, time FROM entries JOIN files ON files.id = file ORDER BY path, at, entry, role',
			),
			words: all(
				'SELECT path, at, entry, term, "offset" FROM temp.vocabulary JOIN entries ON entries.id = doc JOIN files ON files.id = file ' +
					'ORDER BY path, at, entry, "offset", term',
			),
			orphans: all('SELECT doc FROM temp.vocabulary WHERE doc NOT IN (SELECT id FROM entries) LIMIT 3'),
			sightings: all(
				'SELECT key, request, path, at, sightings.input, sightings.output, sightings.cache_read, write_5m, write_1h, sightings.cost, time FROM sightings JOIN files ON files.id = file ORDER BY key, path, at',
			),
		};
	} finally {
		database.close();
	}
}
