/** Tidies entries for a conversion: which messages are left out (system prompts, empty ones), which prompt is put before a first reply, and what becomes of summaries. */
import {
	type Block,
	byId,
	type EntriesWithLeaf,
	type Entry,
	type EntryId,
	isSummary,
	type Loss,
	type MessageEntry,
	summaryMessages,
} from '../model/index.ts';
import { leavingOut } from './flatten.ts';

/**
 * The entries without empty messages, with failed replies as errors, a prompt before the first reply, and every
 * compaction with its summary.
 */
export function tidy({ entries, leaf }: EntriesWithLeaf, losses: Loss[]): EntriesWithLeaf {
	const plain = oneRequest(entries).map((entry) => remark(failedReply(entry), losses));
	const said = spoken({ entries: plain, leaf }, losses);
	return { ...said, entries: summaries(promptFirst(said.entries, losses), losses) };
}

/** Gives the lines of one reply, which share its id, the same request. */
function oneRequest(entries: readonly Entry[]): readonly Entry[] {
	const requests = new Map<string, string | undefined>();
	return entries.map((entry) => {
		if (entry.kind !== 'message' || entry.response?.id === undefined) return entry;
		const { id, request } = entry.response;
		if (!requests.has(id)) requests.set(id, request);
		const first = requests.get(id);
		if (first === request) return entry;
		const { request: _, ...rest } = entry.response;
		return { ...entry, response: { ...rest, ...(first === undefined ? {} : { request: first }) } };
	});
}

/** Drops the text that a client shows for a failed reply: it is never sent, and the error says the same. */
function failedReply(entry: Entry): Entry {
	if (entry.kind !== 'message' || entry.role !== 'assistant' || !entry.response?.synthetic) return entry;
	if (entry.response.error === undefined || !entry.content.every((block) => block.type === 'text')) return entry;
	return { ...entry, content: [] };
}

/** Makes a notice of a compaction beside the conversation: the client goes on with all of it, and so must others. */
function remark(entry: Entry, losses: Loss[]): Entry {
	if (entry.kind !== 'compaction' || entry.parent !== undefined) return entry;
	const note = 'it is a remark, which cuts nothing: it is written as a notice';
	losses.push({ entry: entry.id, path: '', how: 'approximated', note });
	const {
		kind: _kind,
		summary,
		keptFrom: _kept,
		tokensBefore: _before,
		tokensAfter: _after,
		trigger: _,
		...base
	} = entry;
	return {
		...base,
		kind: 'event',
		event: { type: 'notice', level: 'info', ...(summary === undefined ? {} : { message: summary }) },
	};
}

/** Why a message is left out; undefined for those that are kept. */
function leftOut(entry: Entry): string | undefined {
	if (entry.kind !== 'message') return undefined;
	if (entry.role === 'system') return 'the client builds its own system prompt';
	if (entry.response?.error !== undefined || entry.audience === 'user') return undefined;
	const empty = entry.content.every((block) => block.type === 'text' && block.text.trim() === '');
	return empty ? 'there is nothing in it: no model would take it' : undefined;
}

/** Only what was said: system prompts are each client's own, and no API takes a message without content. */
function spoken(told: EntriesWithLeaf, losses: Loss[]): EntriesWithLeaf {
	return leavingOut(told, (entry) => {
		const note = leftOut(entry);
		if (note === undefined) return withoutBlanks(entry, losses);
		losses.push({ entry: entry.id, path: '', how: 'dropped', note });
		return undefined;
	});
}

/** The entry without blank texts, which APIs refuse even beside other blocks. */
function withoutBlanks(entry: Entry, losses: Loss[]): Entry {
	if (entry.kind !== 'message' || !entry.content.some(isBlank)) return entry;
	const content = entry.content.filter((block, index) => {
		if (!isBlank(block)) return true;
		losses.push({
			entry: entry.id,
			path: `content[${index}]`,
			how: 'dropped',
			note: 'a blank text: no model would take it',
		});
		return false;
	});
	return content.length === 0 ? entry : { ...entry, content };
}

function isBlank(block: Block): boolean {
	return block.type === 'text' && block.signature === undefined && block.text.trim() === '';
}

const noPrompt = '(The conversation starts with a reply.)';

/** Puts a prompt first: no API takes a conversation that starts with a reply. */
function promptFirst(entries: readonly Entry[], losses: Loss[]): readonly Entry[] {
	const spokenTo = new Set<EntryId>();
	return entries.flatMap((entry) => {
		const above = entry.parent ?? entry.logicalParent;
		if (tellsFirst(entry) || (above !== undefined && spokenTo.has(above))) spokenTo.add(entry.id);
		if (entry.agent !== undefined || !isSent(entry, 'assistant') || spokenTo.has(entry.id)) return [entry];
		spokenTo.add(entry.id);
		const note = `no API takes a reply first: before it somebody says "${noPrompt}"`;
		losses.push({ entry: entry.id, path: '', how: 'invented', note });
		const { id, parent = null, time } = entry;
		const prompt: MessageEntry = {
			kind: 'message',
			role: 'user',
			content: [{ type: 'text', text: noPrompt }],
			id: `${id}/prompt`,
			parent,
			records: [],
			...(time === undefined ? {} : { time }),
		};
		return [prompt, { ...entry, parent: prompt.id }];
	});
}

/** True for an entry that the model gets as the user's words, as it does summaries. */
function tellsFirst(entry: Entry): boolean {
	return entry.kind === 'compaction' || (entry.kind === 'summary' && entry.of === 'branch') || isSent(entry, 'user');
}

function isSent(entry: Entry, role: MessageEntry['role']): boolean {
	return (
		entry.kind === 'message' &&
		entry.role === role &&
		entry.audience !== 'user' &&
		(role === 'user' || entry.response?.error === undefined)
	);
}

/**
 * Gives each compaction its summary, which clients word in their own ways. A summary on a line before the compaction,
 * as the document of Claude Code has it, goes into the compaction.
 */
function summaries(entries: readonly Entry[], losses: Loss[]): readonly Entry[] {
	const cuts: number[] = [];
	const texts: MessageEntry[] = [];
	for (let at = 0; at < entries.length; at += 1) {
		const entry = entries[at];
		if (entry?.kind === 'compaction') cuts.push(at);
		else if (entry && isSummary(entry)) texts.push(entry);
	}
	if (cuts.length === 0 && texts.length === 0) return entries;
	const told = summaryMessages(entries);
	const made = [...entries];
	const taken = new Set<Entry>();
	keepWithCalls(made, cuts, losses);
	for (const at of cuts) {
		const entry = made[at];
		const before = entries[at - 1];
		if (entry?.kind !== 'compaction') continue;
		sayWording(entry, losses);
		const lacks = entry.summary === undefined && !told.has(entry.id);
		if (!lacks || before?.kind !== 'summary' || before.of !== 'conversation') continue;
		sayWording(before, losses);
		taken.add(before);
		made[at] = { ...entry, summary: before.text };
	}
	for (const entry of texts) sayWording(entry, losses);
	return taken.size === 0 ? made : made.filter((entry) => !taken.has(entry));
}

/** Moves the first kept entry from a result to its call: no API takes a result without its call. */
function keepWithCalls(entries: Entry[], cuts: readonly number[], losses: Loss[]): void {
	let known: ReadonlyMap<EntryId, Entry> | undefined;
	for (const at of cuts) {
		const entry = entries[at];
		if (entry?.kind !== 'compaction' || entry.keptFrom === undefined) continue;
		known ??= byId({ entries });
		const first = callOf(known.get(entry.keptFrom), known);
		if (first === undefined) continue;
		const note = 'the call that the first kept result answers is kept as well';
		losses.push({ entry: entry.id, path: 'keptFrom', how: 'approximated', note });
		entries[at] = { ...entry, keptFrom: first };
	}
}

/** The beginning of the reply that a message of results answers; undefined for other messages. */
function callOf(entry: Entry | undefined, known: ReadonlyMap<EntryId, Entry>): EntryId | undefined {
	if (!entry || !hasResults(entry)) return undefined;
	let at: Entry | undefined = entry;
	while (at && (at.kind !== 'message' || hasResults(at))) at = known.get(at.parent ?? '');
	if (at?.role !== 'assistant') return undefined;
	for (;;) {
		const above = known.get(at.parent ?? '');
		if (above?.kind !== 'message' || above.response?.id === undefined || above.response.id !== at.response?.id)
			return at.id;
		at = above;
	}
}

function hasResults(entry: Entry): boolean {
	return entry.kind === 'message' && entry.content.some((block) => block.type === 'tool_result');
}

function sayWording(entry: Entry, losses: Loss[]): void {
	const note =
		'each client introduces the summary of a compaction in its own words and keeps different messages with it';
	losses.push({ entry: entry.id, path: 'summary', how: 'approximated', note });
}
