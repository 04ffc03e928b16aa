/** Sessions inside a database as something to follow: nobody tells when they change, so they are looked at. */
import { statSync } from 'node:fs';
import type { Log, LogStat } from '../../log/index.ts';
import { watchLog } from '../../log/watch.ts';
import { databasePath, databaseTranscript } from '../reader/database.ts';

interface Looked {
	/** What the database's files looked like. */
	readonly signature: string;
	readonly stat: LogStat;
}

/** Keys are `DB#SESSION`. A session is read again only when its database has changed. */
export function databaseLog(pollMs: number): Pick<Log, 'stat' | 'watch'> {
	const known = new Map<string, Looked>();
	const stat = async (key: string): Promise<LogStat | undefined> => {
		const { file, session } = databasePath(key);
		const own = statSync(file, { throwIfNoEntry: false });
		if (!own?.isFile() || session === undefined) return undefined;
		// What is new stands in a second file until the database takes it over.
		const news = statSync(`${file}-wal`, { throwIfNoEntry: false });
		const mtimeMs = Math.max(own.mtimeMs, news?.mtimeMs ?? 0);
		const signature = [own.ino, own.size, own.mtimeMs, news?.size, news?.mtimeMs].join(' ');
		const before = known.get(key);
		if (before?.signature === signature) return before.stat;
		const { length } = databaseTranscript(file, session);
		// Any other session in the database may be the one that has changed: only more text is news of this one.
		const found = { key, length, mtimeMs, id: String(own.ino), version: String(length) };
		known.set(key, { signature, stat: found });
		return found;
	};
	return { stat, watch: (key, from, signal) => watchLog({ look: () => stat(key), pollMs }, from, signal) };
}
