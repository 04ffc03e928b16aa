/** Decides whether a source has gone on since it was handed off, or only holds new notes (commands of its user, a title, timings), behind which a return may append. */
import { existsSync } from 'node:fs';
import { codecOf, decodeBytes } from '../codecs/index.ts';
import { openFile } from '../log/file-source.ts';
import type { Entry } from '../model/index.ts';
import { conversationOf } from './conversation-print.ts';
import type { Lineage } from './lineage.ts';
import { loadSums } from './sum.ts';

/** Kinds of entries that say nothing to the model, and lead the conversation nowhere else. */
const notes: ReadonlySet<Entry['kind']> = new Set(['event', 'setting', 'outcome', 'checkpoint']);

/**
 * The bytes of the source as they are now, where they are those that were handed off with nothing but notes behind them. Undefined where
 * they are the same, and where the conversation has gone on. A document is written anew with each note: nobody knows what else was changed.
 */
export async function notedSince({ source: { path, format, id, sum } }: Lineage): Promise<Uint8Array | undefined> {
	const codec = codecOf(format);
	if (codec?.capabilities.container !== 'lines' || !existsSync(path)) return undefined;
	using source = openFile(path);
	if (source.size <= sum.length || !(await loadSums()).stillBegins(source, sum)) return undefined;
	const bytes = source.read(0, source.size);
	const then = decodeBytes(codec, bytes.subarray(0, sum.length), id);
	const now = decodeBytes(codec, bytes, id);
	const known = new Set(then.entries.map((entry) => entry.id));
	if (!now.entries.every((entry) => known.has(entry.id) || notes.has(entry.kind))) return undefined;
	const { entries, marks } = conversationOf(now);
	const isSame = marks.length === conversationOf(then).marks.length;
	return isSame && (then.leaf === null || entries.some((entry) => entry.id === then.leaf)) ? bytes : undefined;
}
