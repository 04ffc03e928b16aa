/** OpenClaw's SQLite store, as far as it must be known to read transcripts out of it: queries and rows, no connection. */
import { zstdDecompressSync } from 'node:zlib';

/** The sessions that have a transcript, newest first. Empty when the database is not OpenClaw's. */
export const isStoreQuery =
	"SELECT count(*) AS found FROM sqlite_master WHERE type = 'table' AND name = 'transcript_events'";
export const sessionsQuery =
	'SELECT session_id AS id, max(created_at) AS updated FROM transcript_events GROUP BY session_id ORDER BY updated DESC, id';
export const eventsQuery =
	'SELECT seq, event_json AS json, event_zstd AS zstd FROM transcript_events WHERE session_id = ? ORDER BY seq';

export interface EventRow {
	readonly seq: number;
	/** Absent for large events, which are compressed. */
	readonly json: string | null;
	readonly zstd: Uint8Array | null;
}

/** The transcript as the lines it would have in a file: each row's JSON exactly as stored. */
export function transcriptBytes(rows: Iterable<EventRow>): Uint8Array {
	const parts: Uint8Array[] = [];
	const newline = Buffer.from('\n');
	for (const row of rows) {
		if (row.json !== null) parts.push(Buffer.from(row.json, 'utf8'), newline);
		else if (row.zstd !== null) parts.push(zstdDecompressSync(row.zstd), newline);
	}
	return Buffer.concat(parts);
}
