/** OpenClaw's SQLite store: the queries and rows that are needed to read transcripts, without a connection. */
import { zstdDecompressSync } from 'node:zlib';

import type { SessionDatabase } from '../../codec.ts';

export const database: SessionDatabase = {
	isStore: "SELECT count(*) AS found FROM sqlite_master WHERE type = 'table' AND name = 'transcript_events'",
	sessions:
		'SELECT session_id AS id, max(created_at) AS updated FROM transcript_events GROUP BY session_id ORDER BY updated DESC, id',
	rows: 'SELECT seq, event_json AS json, event_zstd AS zstd FROM transcript_events WHERE session_id = ? ORDER BY seq',
	transcript: transcriptBytes,
};

/** The transcript as lines of a file: each row's JSON exactly as stored. Large rows are compressed. */
function transcriptBytes(rows: Iterable<{ readonly [column: string]: unknown }>): Uint8Array {
	const parts: Uint8Array[] = [];
	const newline = Buffer.from('\n');
	for (const row of rows) {
		if (typeof row.json === 'string') parts.push(Buffer.from(row.json, 'utf8'), newline);
		else if (row.zstd instanceof Uint8Array) parts.push(zstdDecompressSync(row.zstd), newline);
	}
	return Buffer.concat(parts);
}
