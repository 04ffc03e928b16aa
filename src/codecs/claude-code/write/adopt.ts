/** What a foreign conversation gets before it is written for Claude Code: one root, and a note of the date after the first prompt and each compaction. */
import { compact, type EntriesWithLeaf, type Entry, type EntryId, type Loss } from '../../../model/index.ts';
import type { Adoption } from '../../codec.ts';
import { deriveUuid } from '../../shared/write/derive.ts';
import { liveCuts, oneRoot } from './roots.ts';

export function adopt({ entries, leaf }: EntriesWithLeaf, to: Adoption, losses: Loss[]): EntriesWithLeaf {
	const single = to.begun ? entries : liveCuts({ entries: oneRoot({ entries, leaf }, losses), leaf }, losses);
	return to.profile === 'client' ? withDate({ entries: single, leaf }, to, losses) : { entries: single, leaf };
}

/**
 * Adds the date after the first message and each compaction, as the client notes it. Without such a note 2.1.325 sends
 * newer models an empty system message, which the API refuses, even in sessions of its own older versions.
 */
function withDate({ entries, leaf }: EntriesWithLeaf, { session, begun }: Adoption, losses: Loss[]): EntriesWithLeaf {
	const first = begun ? undefined : entries.find(isFirst);
	if (!lacksDates(entries, first)) return { entries, leaf };
	const day = dayOf(begun ? [begun] : entries);
	const notes = new Map<EntryId, Entry>();
	const made: Entry[] = [];
	for (const entry of entries) {
		const note = typeof entry.parent === 'string' ? notes.get(entry.parent) : undefined;
		made.push(note ? ({ ...entry, parent: note.id } as Entry) : entry);
		if (entry !== first && !isCut(entry)) continue;
		const after = noteAfter(entry, day, session);
		notes.set(entry.id, after);
		made.push(after);
		losses.push({ entry: entry.id, path: '', how: 'invented', note: 'the date of the session is noted after it' });
	}
	return { entries: made, leaf: notes.get(leaf ?? '')?.id ?? leaf };
}

/** False where the source has notes of its own, or where no entry exists that one could follow. */
function lacksDates(entries: readonly Entry[], first: Entry | undefined): boolean {
	let some = false;
	for (const entry of entries) {
		if (entry.kind === 'event' && entry.event.type === 'attachment') return false;
		if (entry === first || isCut(entry)) some = true;
	}
	return some;
}

function isCut(entry: Entry): boolean {
	return entry.kind === 'compaction' && entry.agent === undefined && entry.parent !== undefined;
}

/** True for a user message that is sent, which can be a conversation's first; after a compaction it is the summary. */
function isFirst(entry: Entry): boolean {
	return entry.kind === 'message' && entry.role === 'user' && entry.agent === undefined && entry.audience !== 'user';
}

function dayOf(entries: readonly Entry[]): string {
	const time = Date.parse(entries.find((entry) => entry.time !== undefined)?.time ?? '');
	return new Date(Number.isNaN(time) ? 0 : time).toISOString().slice(0, 10);
}

function noteAfter(entry: Entry, day: string, session: string): Entry {
	return {
		kind: 'event',
		id: deriveUuid('date', session, entry.id),
		parent: entry.id,
		records: [],
		event: {
			type: 'attachment',
			of: 'date',
			data: { type: 'date', date: day },
			rendered: [`<system-reminder>\nToday's date is ${day}.\n</system-reminder>`],
		},
		extra: { sessionId: session, renderedRole: 'system' },
		...compact({ time: entry.time }),
	};
}
