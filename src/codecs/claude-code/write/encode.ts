/** Encodes entries as Claude Code's lines, for a new file or behind an old one: their order, when a `last-prompt` pointer is needed, files of sub-agents. */
import { dirname, relative } from 'node:path';
import {
	type Entry,
	history,
	isPrompt,
	type LeafEntry,
	type Loss,
	lastInGraph,
	type MessageEntry,
	summaryMessages,
	withArticle,
} from '../../../model/index.ts';
import type { EncodedPieces, EncodeInput } from '../../codec.ts';
import { fileName } from '../../shared/places/file-name.ts';
import { writtenTime } from '../../shared/times.ts';
import { deriveHex } from '../../shared/write/derive.ts';
import { textIn } from '../../shared/write/said.ts';
import { backupFolder } from '../places/backups.ts';
import { subagentCalls } from '../read/subagents.ts';
import {
	type BesideFile,
	type Checkpoints,
	writeCheckpoint,
	writeLeaf,
	writePointer,
	writeSetting,
	writeSummary,
	writeTitle,
} from './beside.ts';
import { notesAfterCuts, writeCompaction } from './compaction.ts';
import { writeEvent } from './events.ts';
import { Writer } from './line-writer.ts';
import { writeMessage } from './messages.ts';
import { carried, isOwn, ownFields, referenceType } from './own-fields.ts';

export function encodeInPieces(input: EncodeInput): EncodedPieces {
	const losses: Loss[] = input.losses ?? [];
	const beside: BesideFile[] = [];
	return { pieces: pieces(input, losses, beside), losses, beside };
}

type Part = Pick<EncodeInput, 'entries' | 'leaf'>;

function* pieces(input: EncodeInput, losses: Loss[], beside: BesideFile[]): Generator<string> {
	const start = startTime(input);
	const { agent } = input.header;
	const main = new Writer({ ...input, start, agent }, losses);
	if (!input.after) writeHeader(input, main);
	// An append cannot add to side files, so a sub-agent's lines stay in the main file.
	const inline = input.after !== undefined || agent !== undefined;
	const ofAgents = new Map<string, Entry[]>();
	const own: Entry[] = [];
	const written = (part: Part): readonly Entry[] =>
		input.profile === 'published' ? upToLeaf(part, losses) : part.entries;
	for (const entry of written(input)) {
		if (inline || entry.agent === undefined) own.push(entry);
		else collect(ofAgents, entry.agent, entry);
	}
	const going = goingInto(input, beside);
	yield* writeAll(own, main, going);
	let last = lastId(own);
	let part: Part = input;
	for (const entries of input.more ?? []) {
		part = { entries, leaf: lastInGraph(entries) };
		if (last !== undefined) main.forgetBefore(last);
		yield* writeAll(written(part), main, going);
		last = lastId(entries) ?? last;
	}
	if (input.after) movePointer(input, own, main);
	else if (input.profile === 'client') pointToLeaf(part, main);
	if (input.reference && !input.after && input.profile === 'client') {
		main.besideLine(undefined, { type: referenceType, ...input.reference(), sessionId: input.id });
	}
	yield* main.take();
	for (const [name, entries] of ofAgents) writeAgent(name, entries, input, start, losses, beside);
}

function collect(map: Map<string, Entry[]>, key: string, entry: Entry): void {
	const list = map.get(key);
	if (list) list.push(entry);
	else map.set(key, [entry]);
}

/** A time just before the first known one, or the epoch: with the clock two conversions would differ. */
function startTime({ header, entries }: EncodeInput): number {
	const times = [header.created, ...entries.map((entry) => entry.time)];
	for (const text of times) {
		const time = writtenTime(text);
		if (!Number.isNaN(time)) return time - 1;
	}
	return -1;
}

function writeHeader({ header, entries }: EncodeInput, writer: Writer): void {
	if (header.systemPrompt !== undefined) {
		writer.lose(undefined, 'header.systemPrompt', 'dropped', 'the client builds its own system prompt');
	}
	const { title } = header;
	if (title === undefined || entries.some((entry) => saysTitle(entry, title))) return;
	writeTitle(title, writer);
}

function saysTitle(entry: Entry, title: string): boolean {
	if (entry.kind === 'setting') return entry.set.title !== undefined;
	if (entry.kind === 'summary') return entry.text === title;
	return entry.kind === 'event' && entry.event.type === 'custom' && entry.event.of === 'ai-title';
}

function lastId(entries: readonly Entry[]): string | undefined {
	return entries.findLast((entry) => entry.parent !== undefined)?.id;
}

/** What later entries depend on. */
interface Going {
	readonly checkpoints: Checkpoints;
	/** True when lines are appended to an existing file. */
	readonly grows: boolean;
	prompt: MessageEntry | undefined;
	before: Entry | undefined;
}

function goingInto({ path, id, after }: EncodeInput, beside: BesideFile[]): Going {
	const folder =
		path === undefined
			? `${fileName(id)}/file-history`
			: relative(dirname(path), backupFolder(path)).replaceAll('\\', '/');
	const checkpoints = { known: new Map(), folder, beside };
	return { checkpoints, grows: after !== undefined, prompt: undefined, before: undefined };
}

function* writeAll(entries: readonly Entry[], writer: Writer, going: Going): Generator<string> {
	const summaries = summaryMessages(entries);
	const taken = takenSummaries(entries, summaries);
	const notes = notesAfterCuts(entries);
	for (const entry of entries) {
		sayForeignFields(entry, writer);
		if (isPrompt(entry) && hasText(entry)) going.prompt = entry;
		if (entry.kind === 'compaction') {
			const told = summaries.get(entry.id);
			const summary = entry.summary ?? (told && textIn(told));
			const { before } = going;
			const summarised = before?.kind === 'summary' && before.text === summary;
			writeCompaction({ entry, summarised, summary, note: notes.get(entry.id) }, writer);
		} else if (entry.kind === 'message') {
			// The document keeps the text of a compaction in its summary line.
			if (writer.profile === 'published' && taken.has(entry)) writer.skip(entry);
			else writeMessage(entry, writer);
		} else if (entry.kind === 'leaf') writeMoved(entry, going, writer);
		else if (entry.kind === 'checkpoint') writeCheckpoint(entry, going.checkpoints, writer);
		else writeOther(entry, writer);
		going.before = entry;
		yield* writer.take();
	}
}

/** Writes a pointer. In a new file another format's leaf is written at the end: here it would hide what came later. */
function writeMoved(entry: LeafEntry, { grows, prompt }: Going, writer: Writer): void {
	if (grows || isOwn(entry.extra)) writeLeaf(entry, prompt, writer);
	else writer.skip(entry);
}

/** True for a message with text that a session picker can show. */
function hasText(entry: MessageEntry): boolean {
	const [first, second] = entry.content.filter((block) => block.type === 'text');
	return second !== undefined || (first !== undefined && first.text !== '');
}

function sayForeignFields(entry: Entry, writer: Writer): void {
	if (entry.extra === undefined || isOwn(entry.extra)) return;
	const names = Object.keys(entry.extra).slice(0, 10).join(', ');
	writer.lose(entry, 'extra', 'dropped', `fields of another format: ${names}`);
}

/** The messages whose text is taken over by a compaction without one. */
function takenSummaries(
	entries: readonly Entry[],
	summaries: ReadonlyMap<string, MessageEntry>,
): ReadonlySet<MessageEntry> {
	if (summaries.size === 0) return new Set();
	const cuts = entries.filter((entry) => entry.kind === 'compaction' && entry.summary === undefined);
	return new Set(cuts.flatMap((entry) => summaries.get(entry.id) ?? []));
}

function writeOther(
	entry: Exclude<Entry, { kind: 'message' | 'compaction' | 'leaf' | 'checkpoint' }>,
	writer: Writer,
): void {
	if (entry.kind === 'setting') writeSetting(entry, writer);
	else if (entry.kind === 'summary') writeSummary(entry, writer);
	else if (entry.kind === 'event') writeEvent(entry, writer);
	else if (entry.kind === 'opaque') writeOpaque(entry, writer);
	else if (entry.kind === 'start') {
		if (entry.parentSession !== undefined) {
			writer.lose(entry, 'parentSession', 'dropped', 'which session it was forked from is not recorded');
		}
		writer.skip(entry);
	} else {
		writer.lose(entry, '', 'dropped', `there is no line for ${withArticle(entry.kind)}`);
		writer.skip(entry);
	}
}

/** Writes an opaque line with all its fields, if it is of this format. */
function writeOpaque(entry: Extract<Entry, { kind: 'opaque' }>, writer: Writer): void {
	const own = ownFields(entry);
	if (!isOwn(entry.extra) || writer.profile === 'published') {
		writer.lose(entry, '', 'dropped', `a line of type ${entry.type} has no equivalent`);
		writer.skip(entry);
	} else if (entry.parent === undefined) {
		writer.besideLine(entry, { type: entry.type, ...carried(own), sessionId: writer.sessionId });
	} else writer.graphLine(entry, writer.parentOf(entry), { type: entry.type }, {});
}

/**
 * Moves the pointer: 2.1.325 stays below the last one in the file, so lines on another branch need a new one. So does a note right
 * behind a pointer: the client would take it for a sign that the pointer is old, and go on where somebody said something last.
 */
function movePointer({ after, profile, entries }: EncodeInput, own: readonly Entry[], writer: Writer): void {
	if (!after || profile === 'published' || own.length === 0) return;
	const at = after.entries.findLastIndex((entry) => entry.kind === 'leaf');
	const pointer = after.entries[at];
	if (pointer?.kind !== 'leaf' || pointer.target === null || entries.some((entry) => entry.kind === 'leaf')) return;
	const isSaid = [...after.entries.slice(at), ...own].some((entry) => entry.kind === 'message');
	const follows = after.leaf !== null && writer.isBelow(writer.last, after.leaf);
	if (isSaid ? follows : writer.last === after.leaf) return;
	const prompt = own.findLast((entry) => entry.kind === 'message' && entry.role === 'user');
	const again = isSaid ? {} : { ...carried(ownFields(pointer)), explicit: true };
	const fields = { ...again, leafUuid: writer.last ?? '' };
	writePointer(prompt?.kind === 'message' ? prompt : undefined, fields, writer);
}

/** Writes a pointer where the leaf is not the last line of a new file, from which the client would go on. */
function pointToLeaf({ entries, leaf }: Part, writer: Writer): void {
	const leafUuid = leaf == null ? undefined : writer.uuidOf(leaf);
	if (leaf == null || leafUuid === undefined) return;
	// Notes that were written behind the leaf belong to it.
	if (writer.messagesBetween(leafUuid, writer.last)?.every((uuid) => uuid === leafUuid)) return;
	const prompt = history({ entries }, leaf).findLast((entry) => isPrompt(entry) && hasText(entry));
	writePointer(prompt?.kind === 'message' ? prompt : undefined, { explicit: true, leafUuid }, writer);
}

/** The entries up to the leaf: the document has no pointers, so later ones elsewhere would seem to be the end. */
function upToLeaf({ entries, leaf }: Part, losses: Loss[]): readonly Entry[] {
	const isLast = (entry: Entry): boolean => isSaid(entry) && entry.parent !== undefined && entry.agent === undefined;
	if (leaf == null || entries.findLast(isLast)?.id === leaf) return entries;
	const way = history({ entries }, leaf);
	const end = entries.lastIndexOf(way.findLast(isLast) as Entry);
	const known = new Set(way);
	const isLater = (entry: Entry, place: number): boolean =>
		place > end && entry.parent !== undefined && entry.agent === undefined && !known.has(entry);
	if (end === -1 || !entries.some((entry, place) => isSaid(entry) && isLater(entry, place))) return entries;
	return entries.filter((entry, place) => {
		if (!isLater(entry, place)) return true;
		const note = 'it is on a branch that was left, and the document cannot say where the conversation goes on';
		losses.push({ entry: entry.id, path: '', how: 'dropped', note });
		return false;
	});
}

function isSaid({ kind }: Entry): boolean {
	return kind === 'message' || kind === 'compaction';
}

const hex7 = /^[0-9a-f]{7}$/;
const agentName = /^[A-Za-z0-9_-]{1,64}$/;

function writeAgent(
	name: string,
	entries: readonly Entry[],
	input: EncodeInput,
	start: number,
	losses: Loss[],
	beside: BesideFile[],
): void {
	const published = input.profile === 'published';
	const keep = published ? hex7.test(name) : agentName.test(name) && name !== 'sidechain';
	const agent = keep ? name : published ? deriveHex(7, input.id, name) : `a${deriveHex(16, input.id, name)}`;
	if (!keep) {
		const note = `the sub-agent ${name} is called ${agent} here`;
		losses.push({ entry: entries[0]?.id ?? '', path: 'agent', how: 'approximated', note });
	}
	const { after: _, ...base } = input;
	const writer = new Writer({ ...base, agent, start }, losses);
	const text = [...writeAll(entries, writer, goingInto(input, beside))].join('');
	const folder = published ? '' : `${fileName(input.id)}/subagents/`;
	beside.push({ path: `${folder}agent-${agent}.jsonl`, bytes: Buffer.from(text, 'utf8') });
	// The last one in a list counts, and the first call started the agent: later ones went on with it.
	const calls = subagentCalls({ entries: input.entries.toReversed(), subagents: [] });
	const call = published ? undefined : calls.get(name);
	if (call === undefined) return;
	const meta = JSON.stringify({ agentType: 'general-purpose', toolUseId: call });
	beside.push({ path: `${folder}agent-${agent}.meta.json`, bytes: Buffer.from(meta, 'utf8') });
}
