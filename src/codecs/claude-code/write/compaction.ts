/** Writes a compaction as the client does (boundary, summary as a user line, kept messages) or as the document has it; and how long the title made of it is. */
import type { CompactionEntry, Entry } from '../../../model/index.ts';
import { writeMadeTitle } from './beside.ts';
import type { Fields, Writer } from './line-writer.ts';
import { isOwn, ownFields } from './own-fields.ts';

/** The note right after each boundary, by the boundary's id. */
export function notesAfterCuts(entries: readonly Entry[]): ReadonlyMap<string, Entry> {
	const found = new Map<string, Entry>();
	for (const entry of entries) {
		if (entry.kind === 'event' && entry.event.type === 'attachment' && entry.parent != null)
			found.set(entry.parent, entry);
	}
	return found;
}

export interface CompactionInput {
	readonly entry: CompactionEntry;
	/** The summary, from the boundary or from the message after it. */
	readonly summary: string | undefined;
	/** A note before the kept messages: without one 2.1.325 sends an empty message. */
	readonly note: Entry | undefined;
	/** True when a summary line with the same text is right before. */
	readonly summarised: boolean;
}

export function writeCompaction({ entry, summary, note, summarised }: CompactionInput, writer: Writer): void {
	const before = logicalParent(entry, writer);
	if (summary !== undefined && !summarised && (entry.summary !== undefined || writer.profile === 'published')) {
		writer.besideLine(undefined, { type: 'summary', summary: lineFor(summary, writer), leafUuid: before ?? '' });
	}
	const anchor = note ? writer.uuidFor(note) : writer.uuidFor(entry, 'summary');
	const fields: Fields = {
		type: 'system',
		subtype: 'compact_boundary',
		logicalParentUuid: before,
		content: 'Conversation compacted',
		isMeta: false,
		level: 'info',
		compactMetadata: metadata(entry, before, anchor, writer),
	};
	const own = ownFields(entry);
	if (typeof own.content === 'string') fields.content = own.content;
	const boundary = writer.graphLine(entry, null, fields, {});
	if (writer.profile === 'published') {
		writer.cutAfter(entry);
		return;
	}
	if (entry.summary === undefined) return;
	const line = {
		type: 'user',
		isCompactSummary: true,
		isVisibleInTranscriptOnly: true,
		message: { role: 'user', content: entry.summary },
	};
	writer.graphLine(entry, boundary, line, { isMessage: true }, 'summary');
	if (entry.title !== undefined) writeMadeTitle(undefined, entry.title, writer);
}

/**
 * What the summary line says. Where the client reads it, it is the session's title, and the text that is sent stands in a line of
 * its own: a run writes its first line, which names what the conversation is about.
 */
function lineFor(summary: string, { profile, isLive }: Writer): string {
	if (profile === 'published' || !isLive) return summary;
	return (/[^#\s].*/.exec(summary)?.[0] ?? summary).slice(0, longestTitle);
}

const longestTitle = 200;

function logicalParent(entry: CompactionEntry, writer: Writer): string | null {
	const named = entry.logicalParent === undefined ? undefined : writer.uuidOf(entry.logicalParent);
	if (named !== undefined) return named;
	return entry.parent == null ? writer.last : writer.parentOf(entry);
}

function metadata(entry: CompactionEntry, before: string | null, anchor: string, writer: Writer): Fields {
	const own = ownFields(entry).compactMetadata;
	if (isOwn(entry.extra) && typeof own === 'object' && own !== null) return own as Fields;
	const known = entry.trigger === 'auto' || entry.trigger === 'manual';
	if (entry.trigger !== undefined && !known) {
		writer.lose(entry, 'trigger', 'approximated', `the trigger ${entry.trigger} is written as auto`);
	}
	if (entry.tokensBefore === undefined) {
		writer.lose(entry, 'tokensBefore', 'invented', 'the source does not count the tokens before; zero is written');
	}
	const made: Fields = { trigger: known ? entry.trigger : 'auto', preTokens: entry.tokensBefore ?? 0 };
	if (entry.tokensAfter !== undefined) made.postTokens = entry.tokensAfter;
	if (entry.keptFrom !== undefined) Object.assign(made, preserved(entry, entry.keptFrom, before, anchor, writer));
	return made;
}

/** The metadata for messages that stay in the context; 2.1.325 puts them after the summary. */
function preserved(
	entry: CompactionEntry,
	keptFrom: string,
	before: string | null,
	anchorUuid: string,
	writer: Writer,
): Fields {
	const from = writer.startOf(keptFrom);
	const uuids = from === undefined ? undefined : writer.messagesBetween(from, before);
	const headUuid = uuids?.[0];
	const tailUuid = uuids?.at(-1);
	if (
		writer.profile === 'published' ||
		entry.summary === undefined ||
		headUuid === undefined ||
		tailUuid === undefined
	) {
		writer.lose(entry, 'keptFrom', 'dropped', 'that messages before the boundary stay in the context cannot be said');
		return {};
	}
	writer.lose(
		entry,
		'keptFrom',
		'approximated',
		'Claude Code before 2.1.325 does not keep the messages before the boundary',
	);
	return {
		preservedSegment: { headUuid, anchorUuid, tailUuid },
		preservedMessages: { anchorUuid, uuids, allUuids: uuids },
	};
}
