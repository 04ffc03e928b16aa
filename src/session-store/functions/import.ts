/** `importSessionToStore`: a session of this machine into any store, once, and how much goes into one append. `reprise mirror` goes on with it. */

import { isObject, parsedJson } from '../../model/index.ts';
import { scanLines } from '../../scan/index.ts';
import { thisMachine } from '../../store/find/folders.ts';
import { openSource } from '../../store/reader/open-source.ts';
import type { ExactStore, SessionStore, SessionStoreEntry, StoredLine } from '../contract.ts';
import { documentText, lineText } from '../document-entries.ts';
import { contentId, lineFrom } from '../exact-store.ts';
import { oldestFirst, type Transcript, transcriptsOf } from '../transcripts.ts';
import { wantedSession } from './place.ts';

export interface ImportOptions {
	/** The project's folder. Default: the session is looked for in every project. */
	readonly dir?: string;
	/** Also what belongs to the session. Default true. */
	readonly includeSubagents?: boolean;
	/** The most entries of one append. Default 500. */
	readonly batchSize?: number;
}

const mostBytes = 1 << 20;

/** Stores a session under the key of its own project. Into a store of ours it may be imported again: nothing is doubled. */
export async function importSessionToStore(
	sessionId: string,
	store: SessionStore | ExactStore,
	options: ImportOptions = {},
): Promise<void> {
	const { dir, includeSubagents = true, batchSize = 500 } = options;
	const all = transcriptsOf(wantedSession(sessionId, dir), thisMachine());
	for (const transcript of oldestFirst(includeSubagents ? all : all.slice(0, 1))) {
		let batch: StoredLine[] = [];
		let bytes = 0;
		const send = async (): Promise<void> => {
			if ('appendLines' in store) await store.appendLines(transcript.key, batch, transcript.written);
			else
				await store.append(
					transcript.key,
					batch.map(({ text }) => JSON.parse(text) as SessionStoreEntry),
				);
			[batch, bytes] = [[], 0];
		};
		for (const line of linesOf(transcript)) {
			if (batch.length >= batchSize || (batch.length > 0 && bytes + line.text.length > mostBytes)) await send();
			batch.push(line);
			bytes += line.text.length;
		}
		if (batch.length > 0) await send();
	}
}

function linesOf({ path, kind }: Transcript): readonly StoredLine[] {
	const opened = openSource(path);
	if (!opened.ok) return [];
	using source = opened.source;
	if (kind !== 'lines') {
		const bytes = source.read(0, source.size);
		const value = kind === 'metadata' ? parsedJson(Buffer.from(bytes).toString('utf8')) : undefined;
		const text = isObject(value)
			? JSON.stringify({ type: 'agent_metadata', ...value })
			: documentText(new Uint8Array(0), bytes);
		return text === undefined ? [] : [{ text, id: contentId(text, 0) }];
	}
	const times = new Map<string, number>();
	const found: StoredLine[] = [];
	scanLines(source, ({ window, from, to, ended }) => {
		const bytes = window.subarray(from, to);
		if (!bytes.some((byte) => byte > 32) || (!ended && lineFrom(bytes.toString('utf8')) === undefined)) return;
		const line = lineFrom(lineText(bytes));
		if (!line) return;
		const said = contentId(line.text, 0);
		const before = times.get(said) ?? 0;
		times.set(said, before + 1);
		found.push({ text: line.text, id: line.id ?? contentId(line.text, before) });
	});
	return found;
}
