/** What a conversation says, block by block, so that it is recognised after its client has written it anew. */
import { hash } from 'node:crypto';
import { deriveHex } from '../codecs/derive.ts';
import {
	type Block,
	currentLeaf,
	type Entry,
	type EntryId,
	history,
	type MessageEntry,
	type Session,
	type Whole,
} from '../model/index.ts';

/** One block that no client changes when it rewrites or resumes a session. */
export interface Mark {
	readonly hash: string;
	/** Where it is: the entry's place in the conversation, and the block's in the entry. */
	readonly entry: number;
	readonly block: number;
}

export interface Conversation {
	readonly entries: readonly Entry[];
	readonly marks: readonly Mark[];
}

/** The conversation that goes on, first to last, through compactions and with the results that hang beside it. */
export function conversationOf(session: Pick<Session, 'entries'>, hashOf: HashOf = hashOfBlock): Conversation {
	const way = history(session, currentLeaf(session));
	const on = new Set<EntryId>(way.map((entry) => entry.id));
	const places = new Map(way.map((entry, place) => [entry.id, place]));
	const hanging = session.entries.filter((entry) => isHanging(entry, on));
	const entries = hanging.length === 0 ? way : withHanging(way, hanging, places);
	const marks: Mark[] = [];
	for (const [place, entry] of entries.entries()) marksOf(entry, place, marks, hashOf);
	return { entries, marks };
}

function isHanging(entry: Entry, on: ReadonlySet<EntryId>): boolean {
	if (entry.kind !== 'message' || entry.role !== 'user' || on.has(entry.id) || typeof entry.parent !== 'string')
		return false;
	return (
		on.has(entry.parent) && entry.content.length > 0 && entry.content.every((block) => block.type === 'tool_result')
	);
}

/** Each goes before the next message that is not a part of the reply. */
function withHanging(
	way: readonly Entry[],
	hanging: readonly Entry[],
	places: ReadonlyMap<EntryId, number>,
): readonly Entry[] {
	const made: Entry[] = [];
	const waiting = new Map<number, Entry[]>();
	for (const entry of hanging) {
		let at = places.get(entry.parent ?? '') ?? 0;
		while (isReply(way[at + 1])) at += 1;
		const list = waiting.get(at);
		if (list) list.push(entry);
		else waiting.set(at, [entry]);
	}
	for (const [place, entry] of way.entries()) made.push(entry, ...(waiting.get(place) ?? []));
	return made;
}

function isReply(entry: Entry | undefined): boolean {
	return entry?.kind === 'message' && entry.role === 'assistant';
}

/** Clients add their own system messages and notes; neither belongs to what was said. */
export function isSaid(entry: Entry): boolean {
	return entry.kind === 'message' && entry.role !== 'system' && entry.audience !== 'user';
}

/** What a block is recognised by; undefined for those that are not. */
export type HashOf = (role: string, block: Block) => string | undefined;

const hashLength = 12;

function hashOfBlock(role: string, block: Block, whole?: Whole): string | undefined {
	if (block.type === 'text') return hashOfText(role, whole?.(block.text) ?? block.text);
	const text = markText(block);
	return text === undefined ? undefined : deriveHex(hashLength, role, text);
}

const longText = 256;
/** What stands before a text when it is hashed takes less than this. */
const headRoom = 64;
let room = Buffer.alloc(0);

/** As if each run of blanks were one space. Long texts of plain characters are put together in memory that is used again. */
function hashOfText(role: string, text: string): string | undefined {
	const end = text.length < longText ? undefined : spaced(text);
	if (end === undefined) {
		const plain = text.replace(/\s+/g, ' ').trim();
		return plain === '' ? undefined : deriveHex(hashLength, role, `text ${plain}`);
	}
	if (end === headRoom) return undefined;
	const head = `${role.length}:${role}${5 + end - headRoom}:text `;
	room.write(head, headRoom - head.length, 'latin1');
	return hash('sha256', room.subarray(headRoom - head.length, end)).slice(0, hashLength);
}

/** Writes the text behind the head room, without blanks at its ends, and returns its end there; undefined where it is not ASCII. */
function spaced(text: string): number | undefined {
	if (room.length < headRoom + text.length * 3) room = Buffer.allocUnsafeSlow(headRoom + text.length * 4);
	const bytes = room;
	const length = bytes.write(text, headRoom, 'utf8');
	if (length !== text.length) return undefined;
	const stop = headRoom + length;
	let end = headRoom;
	let blank = true;
	for (let at = headRoom; at < stop; at += 1) {
		const byte = bytes[at] as number;
		const isBlank = byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
		if (isBlank && blank) continue;
		bytes[end] = isBlank ? 0x20 : byte;
		end += 1;
		blank = isBlank;
	}
	return blank && end > headRoom ? end - 1 : end;
}

/** For sessions whose texts are cut. */
export function hashWhole(whole: Whole): HashOf {
	return (role, block) => hashOfBlock(role, block, whole);
}

function marksOf(entry: Entry, place: number, marks: Mark[], hashOf: HashOf): void {
	if (entry.kind !== 'message' || !isSaid(entry)) return;
	for (const [index, block] of entry.content.entries()) {
		const hash = hashOf(entry.role, block);
		if (hash !== undefined) marks.push({ hash, entry: place, block: index });
	}
}

const noRecords: readonly number[] = [];
const noBlocks: readonly Block[] = [];
/** Stands for what is not recognised again. */
const unsaid: Block = { type: 'data', value: null };

/** The entry with what its blocks are recognised by in place of what they say: `hashOfSealed` reads it. */
export function sealed(entry: Entry, hashOf: HashOf): Entry {
	const { kind, id, parent, logicalParent, agent } = entry;
	if (kind === 'message') {
		const content = entry.content.map((block) => sealedBlock(entry, block, hashOf));
		const made: Mutable<MessageEntry> = { kind, id, records: noRecords, role: entry.role, content };
		if (entry.audience !== undefined) made.audience = entry.audience;
		return linked(made, parent, logicalParent, agent);
	}
	if (kind === 'leaf')
		return linked({ kind, id, records: noRecords, target: entry.target }, parent, logicalParent, agent);
	return linked({ kind: 'opaque', id, records: noRecords, type: kind }, parent, logicalParent, agent);
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Put in where they are there: one copy less for each of a hundred thousand entries. */
function linked(
	entry: Mutable<Entry>,
	parent: Entry['parent'],
	logicalParent: EntryId | undefined,
	agent: string | undefined,
): Entry {
	if (parent !== undefined) entry.parent = parent;
	if (logicalParent !== undefined) entry.logicalParent = logicalParent;
	if (agent !== undefined) entry.agent = agent;
	return entry;
}

function sealedBlock(entry: MessageEntry, block: Block, hashOf: HashOf): Block {
	const hash = isSaid(entry) ? hashOf(entry.role, block) : undefined;
	if (block.type === 'tool_result') return { type: 'tool_result', call: hash ?? '', content: noBlocks, isError: false };
	return hash === undefined ? unsaid : { type: 'text', text: hash };
}

export function hashOfSealed(_role: string, block: Block): string | undefined {
	if (block.type === 'tool_result') return block.call;
	return block.type === 'text' ? block.text : undefined;
}

/** Undefined for what clients leave out, such as thinking, and for what they write in another way. */
function markText(block: Exclude<Block, { type: 'text' }>): string | undefined {
	switch (block.type) {
		case 'tool_call':
			return `call ${block.id} ${block.name}`;
		case 'tool_result':
			return `result ${block.call}`;
		case 'image':
		case 'document':
			return block.type;
		case 'file':
			return `file ${block.path}`;
		case 'thinking':
		case 'data':
		case 'opaque':
			return undefined;
	}
}

/** True when the conversation begins with exactly what was written. */
export function beginsWith(marks: readonly Mark[], written: readonly string[]): boolean {
	return marks.length >= written.length && written.every((hash, index) => marks[index]?.hash === hash);
}
