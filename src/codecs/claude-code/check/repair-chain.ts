/** Mends the graph of Claude Code's files: parents, cycles, roots, times, compactions without their summary, and where the conversation goes on. */
import { type JsonObject, stringAt } from '../../../model/index.ts';
import { type Edits, lossNote, type Remedy } from '../../shared/check/repair.ts';
import { cycles, lostParents } from '../../shared/check/repair-graph.ts';
import type { Link, Links } from '../../shared/check/repair-links.ts';
import { deriveUuid } from '../../shared/write/derive.ts';
import { isKnownType } from '../lines.ts';
import { contentOf } from './repair-lines.ts';
import { envelopeOf, isMessage, isoTime, lastLink, lastSaid, threadLinks, timeOf } from './repair-thread.ts';

export const parentRemedy = lostParents(['claude-code/broken-parent', 'claude-code/lost-history'], threadLinks, {
	// A sub-agent that was split off begins after a line of its parent's file.
	keeps: (link, links) => link === links.all[0] && link.value.isSidechain === true,
	fits: ({ value: { type } }) => typeof type === 'string' && isKnownType(type) && type !== 'progress',
});

export const cycleRemedy = cycles('claude-code/cycle', threadLinks);

export const rootRemedy: Remedy = {
	rules: ['claude-code/several-roots'],
	does: 'A second beginning follows the line before it, so that one conversation is sent.',
	mend(edits, problems) {
		const links = threadLinks(edits);
		// A line that is written twice counts where it is last.
		const counted = links.all.filter((link) => links.get(link.id) === link);
		const roots = counted.filter((link) => link.parent === null && link.value.subtype !== 'compact_boundary');
		for (const { index, rule } of problems) {
			const hasEarlier = roots.some((root) => root.index < index && root.parent === null);
			const second = hasEarlier ? links.at(index) : roots.find((root) => root.index > index && root.parent === null);
			if (second?.parent === null) links.hang(second, rule);
		}
	},
};

export const timeRemedy: Remedy = {
	rules: ['claude-code/leaf-time'],
	does: 'Messages without a time get one between those of their neighbours.',
	mend(edits) {
		const messages = threadLinks(edits).all.filter((link) => isMessage(link.value));
		const known = messages.map((link) => timeOf(link.value));
		const first = known.findIndex((time) => !Number.isNaN(time));
		let last = first === -1 ? Date.parse(edits.file.options.time) : (known[first] ?? 0) - first - 1;
		messages.forEach((link, at) => {
			const time = known[at] ?? Number.NaN;
			if (!Number.isNaN(time)) {
				last = Math.max(last, time);
				return;
			}
			last += 1;
			const what = 'gave the message a time';
			const note = lossNote('claude-code/leaf-time', what, 'invented', 'when the message was written');
			edits.set(link.index, ['timestamp'], isoTime(last), note);
		});
	},
};

export const pointerRemedy: Remedy = {
	rules: ['claude-code/stale-pointer'],
	does: 'A new `last-prompt` line names the newest branch.',
	mend(edits) {
		const links = threadLinks(edits);
		const leaf = lastLink(links, edits);
		const last = edits.file.lines.findLast((line) => line.part === 'item');
		if (!leaf || !last) return;
		const sessionId = stringAt(leaf.value, 'sessionId');
		const line = {
			type: 'last-prompt',
			lastPrompt: lastPrompt(links),
			leafUuid: leaf.id,
			...(sessionId === undefined ? {} : { sessionId }),
		};
		const what = 'added a pointer to the newest branch';
		const invented = 'that the conversation goes on after the last line';
		edits.insertAfter(last.index, line, lossNote('claude-code/stale-pointer', what, 'invented', invented, 'leafUuid'));
	},
};

function lastPrompt(links: Links): string {
	const prompt = links.all.findLast((link) => link.value.type === 'user' && typeof contentOf(link.value) === 'string');
	const text = contentOf(prompt?.value);
	return typeof text === 'string' ? text.slice(0, 200) : '';
}

export const compactionRemedy: Remedy = {
	rules: ['claude-code/compaction-summary'],
	does: 'A compaction gets its summary as the user line that Claude Code sends; without a summary the cut goes.',
	mend(edits, problems) {
		const links = threadLinks(edits);
		const boundary = links.at(problems[0]?.index ?? -1);
		if (boundary?.id === undefined) return;
		const rule = 'claude-code/compaction-summary';
		const written = links.all.find((link) => link.index > boundary.index && link.value.isCompactSummary === true);
		const summary = summaryText(edits, boundary);
		if (written) links.setParent(written, boundary.id, { rule, what: 'the summary follows its boundary' });
		else if (summary !== undefined) insertSummary(edits, links, boundary, summary);
		else {
			const above = links.get(stringAt(boundary.value, 'logicalParentUuid')) ?? links.previous(boundary);
			links.take(boundary, above && !links.isBelow(above, boundary) ? (above.id ?? null) : null);
			const next = nextRoot(links, boundary);
			if (next) links.setParent(next, boundary.parent, { rule, what: 'follows what was before the cut' });
			const what = 'took out a compaction whose summary is gone, so that what came before is sent';
			links.remove(new Map([[boundary.index, lossNote(rule, what, 'dropped', 'the compaction')]]));
		}
	},
};

/** The text of the `summary` line before the boundary, in the published style. */
function summaryText(edits: Edits, boundary: Link): string | undefined {
	const leaf = boundary.value.logicalParentUuid;
	const before = edits.file.lines.filter(({ index, value }) => value?.type === 'summary' && index < boundary.index);
	const found = before.findLast(({ value }) => value?.leafUuid === leaf) ?? before.at(-1);
	return found?.value && stringAt(found.value, 'summary');
}

function nextRoot(links: Links, boundary: Link): Link | undefined {
	return links.all.find((link) => link.index > boundary.index && link.parent === null);
}

function insertSummary(edits: Edits, links: Links, boundary: Link, summary: string): void {
	const rule = 'claude-code/compaction-summary';
	const uuid = deriveUuid('repaired summary', boundary.id ?? '', summary);
	const time = timeOf(boundary.value);
	const line: JsonObject = {
		parentUuid: boundary.id,
		...envelopeOf(boundary.value),
		type: 'user',
		message: { role: 'user', content: summary },
		isVisibleInTranscriptOnly: true,
		isCompactSummary: true,
		uuid,
		timestamp: isoTime(Number.isNaN(time) ? Date.parse(edits.file.options.time) : time + 1),
	};
	const what = 'added the summary as the user line that Claude Code sends';
	const invented = 'the line of the summary; its text is the session’s own';
	edits.insertAfter(boundary.index, line, lossNote(rule, what, 'invented', invented));
	const after = links.childrenOf(boundary);
	const next = after.length > 0 ? after : [nextRoot(links, boundary)];
	for (const link of next) if (link) links.setParent(link, uuid, { rule, what: 'follows the summary' });
}

/** For 2.1.29, which stops at lines of unknown type. */
export const unknownLinkRemedy: Remedy = {
	rules: ['claude-code/unknown-link'],
	only: '2.1.29',
	does: 'For 2.1.29, a line that follows one of unknown type follows what that one follows.',
	mend(edits, problems) {
		const links = threadLinks(edits);
		for (const { index, rule } of problems) {
			const link = links.at(index);
			let above = links.get(link?.parent);
			const seen = new Set<Link>();
			while (above && !isKnownType(stringAt(above.value, 'type') ?? '') && !seen.has(above)) {
				seen.add(above);
				above = links.get(above.parent);
			}
			if (link && above)
				links.setParent(link, above.id ?? null, { rule, what: 'follows the last line of a known type' });
		}
	},
};

/** For 2.1.29, which goes on after the line with the latest time. */
export const latestRemedy: Remedy = {
	rules: ['claude-code/leaf-choice'],
	only: '2.1.29',
	does: 'For 2.1.29, the last message gets the latest time.',
	mend(edits) {
		const links = threadLinks(edits);
		const last = lastSaid(links, edits);
		const times = links.all.map((link) => timeOf(link.value));
		const latest = times.reduce((a, b) => Math.max(a, Number.isNaN(b) ? a : b), Number.NEGATIVE_INFINITY);
		if (!last || !Number.isFinite(latest)) return;
		const what = 'gave the last message the latest time of the file';
		const was = `the time was ${stringAt(last.value, 'timestamp')}`;
		const note = lossNote('claude-code/leaf-choice', what, 'approximated', was);
		edits.set(last.index, ['timestamp'], isoTime(latest + 1), note);
	},
};
