/** What a conversation from elsewhere needs so that every version of the client can resume it. */
import { type Entry, isPrompt, type Loss } from '../../model/index.ts';
import type { Adoption } from '../codec.ts';
import { oneRoot } from './roots.ts';

export function adopt(entries: readonly Entry[], { session, profile }: Adoption, losses: Loss[]): readonly Entry[] {
	const single = oneRoot(entries, losses);
	return profile === 'client' ? withDate(single, session, losses) : single;
}

/**
 * The date after the first prompt, as the client itself notes it. Without any such note 2.1.325 sends newer models an empty
 * system message, which the API refuses; that happens with sessions of its own older versions as well.
 */
function withDate(entries: readonly Entry[], session: string, losses: Loss[]): readonly Entry[] {
	const first = entries.find((entry) => isPrompt(entry) && entry.agent === undefined);
	if (!first || entries.some((entry) => entry.kind === 'event' && entry.event.type === 'attachment')) return entries;
	const time = entries.find((entry) => entry.time !== undefined)?.time;
	const date = (time !== undefined && !Number.isNaN(Date.parse(time)) ? new Date(time) : new Date(0)).toISOString();
	const day = date.slice(0, 10);
	const id = `${first.id}/date`;
	const note: Entry = {
		kind: 'event',
		id,
		parent: first.id,
		records: [],
		event: {
			type: 'attachment',
			of: 'date',
			data: { type: 'date', date: day },
			rendered: [`<system-reminder>\nToday's date is ${day}.\n</system-reminder>`],
		},
		extra: { sessionId: session, renderedRole: 'system' },
		...(first.time === undefined ? {} : { time: first.time }),
	};
	losses.push({
		entry: first.id,
		path: '',
		how: 'invented',
		note: 'the date of the session is noted after its first prompt',
	});
	return entries.flatMap((entry) => {
		if (entry === first) return [entry, note];
		return [entry.parent === first.id ? { ...entry, parent: id } : entry];
	});
}
