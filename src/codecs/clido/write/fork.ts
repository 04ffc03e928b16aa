/** Forks as Clido does: a meta line of its own, then the lines of the original with its meta line. */
// By the document a session has one meta line, and every result counts when the costs of all sessions are added up: the
// copy keeps only those of its own runs.
import { type Json, type Loss, recordBytes } from '../../../model/index.ts';
import type { Forked, ForkInput } from '../../codec.ts';
import { parseRecord } from '../../shared/read/parse.ts';
import { endedLine } from '../../shared/write/splice.ts';
import { jsonWriter } from './json-bytes.ts';
import { metaLine } from './line-writer.ts';
import { utcTime } from './words.ts';

const ofOriginal: ReadonlySet<Json | undefined> = new Set(['meta', 'result']);

export function fork({ session, at, id, time, profile, uncompacted }: ForkInput): Forked {
	const entry = session.entries.findLast((one) => one.id === at);
	const whole = at === session.leaf;
	const end = whole ? session.records.length : Math.max(-1, ...(entry?.records ?? [])) + 1;
	const losses: Loss[] = [];
	const created = utcTime(time, profile) ?? time;
	const meta = metaLine(id, created, session.header.cwd ?? '/', jsonWriter());
	const pieces: Uint8Array[] = [Buffer.from(`${meta}\n`)];
	for (const record of session.records.slice(0, end)) {
		const bytes = recordBytes(session.source, record);
		const parsed = parseRecord(bytes, record.at === 0);
		// Clido refuses a whole session because of one line that it cannot read.
		if (parsed.value) {
			if (uncompacted && parsed.value.type === 'system' && parsed.value.subtype === 'compaction') continue;
			if (profile === 'client' || !ofOriginal.has(parsed.value.type)) pieces.push(endedLine(bytes));
		} else if (!parsed.blank) {
			losses.push({ entry: `line:${record.line}`, path: '', how: 'dropped', note: 'a line that nobody can read' });
		}
	}
	return { pieces, beside: [], losses };
}
