/** Follows sessions inside a database. Nothing reports their changes, so the database is polled. */
import { statSync } from 'node:fs';
import type { Log, LogStat } from '../../log/index.ts';
import { watchLog } from '../../log/watch.ts';
import { databasePath, databaseTranscript } from '../reader/database.ts';

interface Looked {
	/** The sizes and times of the database's files at the last look. */
	readonly signature: string;
	readonly stat: LogStat;
}

/** A log whose keys are `DB#SESSION`. A session is read again only when the files of its database have changed. */
export function databaseLog(pollMs: number): Pick<Log, 'stat' | 'watch'> {
	const known = new Map<string, Looked>();
	const stat = async (key: string): Promise<LogStat | undefined> => {
		const { file, session } = databasePath(key);
		const own = statSync(file, { throwIfNoEntry: false });
		if (!own?.isFile() || session === undefined) return undefined;
		// SQLite keeps new rows in the `-wal` file until they are moved into the database.
		const news = statSync(`${file}-wal`, { throwIfNoEntry: false });
		const mtimeMs = Math.max(own.mtimeMs, news?.mtimeMs ?? 0);
		const signature = [own.ino, own.size, own.mtimeMs, news?.size, news?.mtimeMs].join(' ');
		const before = known.get(key);
		if (before?.signature === signature) return before.stat;
		const { length } = databaseTranscript(file, session);
		// The change may be in any session of the database: this one has news only if its text has become longer.
		const found = { key, length, mtimeMs, id: String(own.ino), version: String(length) };
		known.set(key, { signature, stat: found });
		return found;
	};
	return { stat, watch: (key, from, signal) => watchLog({ look: () => stat(key), pollMs }, from, signal) };
}
