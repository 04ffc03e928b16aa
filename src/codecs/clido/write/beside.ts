/** Writes what is beside the conversation: titles, results of runs, system lines, and losses for all else. */
import {
	type CompactionEntry,
	compact,
	type Entry,
	type EventEntry,
	type JsonObject,
	type OutcomeEntry,
	type SessionEvent,
	type SettingEntry,
	withArticle,
} from '../../../model/index.ts';
import { doubleText, wholeText } from './json-bytes.ts';
import { type Encoding, metaLine, noteCommon, systemLine, titleLine } from './line-writer.ts';
import { exitWord, subtypes, utcTime } from './words.ts';

/** The lines of an entry that is no message: none or one. What is not written, or changed, becomes a loss. */
export function besideLine(entry: Entry, encoding: Encoding): readonly string[] {
	const { json, losses } = encoding;
	switch (entry.kind) {
		case 'start':
			return forkLine(entry, encoding);
		case 'outcome':
			noteCommon(entry, losses);
			return [outcomeLine(entry, encoding)];
		case 'setting':
			return settingLine(entry, encoding);
		case 'compaction':
			noteCommon(entry, losses);
			if (entry.parent !== undefined)
				losses.approximated(entry.id, '', 'Clido resumes with the whole history: its compaction line is a remark only');
			return [systemLine('compaction', compactionText(entry, encoding), json, compactionNote(entry, encoding))];
		case 'summary':
			noteCommon(entry, losses);
			losses.approximated(entry.id, '', 'Clido has no summaries: it became a `system` line');
			return [systemLine('info', entry.text, json)];
		case 'event':
			return eventLine(entry, encoding);
		case 'edit':
			losses.dropped(entry.id, '', 'Clido changes no messages afterwards: the first version stays');
			return [];
		case 'checkpoint':
		case 'label':
		case 'leaf':
		case 'opaque':
		case 'message':
			losses.dropped(
				entry.id,
				'',
				`Clido has no line for ${withArticle(entry.kind === 'opaque' ? `"${entry.type}"` : entry.kind)}`,
			);
			return [];
	}
}

/** What a compaction saved, in the document's words, while a run writes it; and its summary. */
function compactionText(entry: CompactionEntry, { live, prompts }: Encoding): string | undefined {
	const { summary, tokensBefore, tokensAfter } = entry;
	if (!live || tokensBefore === undefined || tokensAfter === undefined) return summary;
	const saved = Math.max(0, tokensBefore - tokensAfter).toLocaleString('en-US');
	const turns = prompts === 1 ? '1 turn' : `${prompts} turns`;
	return [`Context compacted: ${turns} → 1 summary (saved ~${saved} tokens)`, summary].filter(Boolean).join('\n\n');
}

/** What the remark has no words for. */
function compactionNote(entry: CompactionEntry, { live, profile }: Encoding): JsonObject | undefined {
	if (!live || profile === 'published') return undefined;
	const { trigger, tokensBefore: tokens_before, tokensAfter: tokens_after, keptFrom } = entry;
	return { ...compact({ trigger, tokens_before, tokens_after }), kept: keptFrom !== undefined };
}

/** A second start, from the session that this one was forked from; Clido copies it along. */
function forkLine(entry: Extract<Entry, { kind: 'start' }>, { profile, json, losses }: Encoding): readonly string[] {
	const created = entry.time === undefined ? undefined : utcTime(entry.time, profile);
	if (profile === 'published' || created === undefined || entry.cwd === undefined) {
		losses.dropped(entry.id, '', 'the first line is the only one that starts a session');
		return [];
	}
	return [metaLine(entry.session, created, entry.cwd, json)];
}

function settingLine(entry: SettingEntry, { profile, json, losses }: Encoding): readonly string[] {
	const { title, ...others } = entry.set;
	for (const key of Object.keys(others)) losses.dropped(entry.id, `set.${key}`, `Clido does not record the ${key}`);
	if (title === undefined) return [];
	if (title === null) losses.dropped(entry.id, 'set.title', 'Clido cannot take a title away');
	else if (profile === 'published') losses.dropped(entry.id, 'set.title', 'the document has no titles');
	else {
		noteCommon(entry, losses);
		return [titleLine(title, json)];
	}
	return [];
}

function outcomeLine(entry: OutcomeEntry, { profile, prompts, json, losses, live }: Encoding): string {
	const { word, exact } = exitWord(entry.status, profile);
	if (!exact) losses.approximated(entry.id, 'status', `"${entry.status}" became "${word}", the nearest word there is`);
	const costs = entry.costUsd !== undefined && Number.isFinite(entry.costUsd);
	if (!costs) losses.invented(entry.id, 'costUsd', 'Clido wants a cost and the source has none: it is 0');
	const turns = wholeText(entry.turns, 0xffff_ffff);
	if (turns === undefined)
		losses.invented(entry.id, 'turns', 'Clido wants a number of turns and the source has none: prompts are counted');
	const duration = wholeText(entry.durationMs);
	if (duration === undefined)
		losses.invented(entry.id, 'durationMs', 'Clido wants a duration and the source has none: it is 0');
	const cost = doubleText(costs ? (entry.costUsd ?? 0) : 0);
	// Clido adds its costs up from run to run and ignores unknown fields: this one says that nothing was added.
	const own = live && profile === 'client' ? ',"reprise_run":1' : '';
	const counts = `"num_turns":${turns ?? prompts},"duration_ms":${duration ?? 0}${own}`;
	return `{"type":"result","exit_status":${json.write(word)},"total_cost_usd":${cost},${counts}}`;
}

function eventLine(entry: EventEntry, { profile, json, losses }: Encoding): readonly string[] {
	const event: SessionEvent = entry.event;
	if (event.type === 'error') {
		noteCommon(entry, losses);
		for (const key of ['attempt', 'data'] as const) {
			if (event[key] !== undefined)
				losses.dropped(entry.id, `event.${key}`, 'Clido keeps the message of an error only');
		}
		return [systemLine('error', event.message, json)];
	}
	if (event.type === 'notice') {
		noteCommon(entry, losses);
		const free = profile === 'client' && event.level !== 'compaction';
		const subtype = free || event.level === 'warning' || event.level === 'info' ? event.level : 'info';
		if (subtype !== event.level && subtypes.has(subtype))
			losses.approximated(entry.id, 'event.level', `"${event.level}" became "${subtype}"`);
		return [systemLine(subtype, event.message, json)];
	}
	losses.dropped(entry.id, '', `Clido has no line for ${withArticle(`${event.type} event`)}`);
	return [];
}
