/** Makes the conversation print, by which a session is recognised after a rewrite: which blocks count, and what of each is hashed. */
import { deriveHex } from '../codecs/shared/write/derive.ts';
import { type Block, type EntriesWithLeaf, type Entry, type EntryId, history, type Session } from '../model/index.ts';

/** A block that no client changes when it rewrites or resumes a session. */
export interface Mark {
	readonly hash: string;
	/** The position of the entry in the conversation; `block` is the block's in the entry. */
	readonly entry: number;
	readonly block: number;
}

export interface Conversation {
	readonly entries: readonly Entry[];
	readonly marks: readonly Mark[];
}

/** The conversation to the leaf, from the first entry on, through compactions and with results that hang beside it. */
export function conversationOf(session: EntriesWithLeaf): Conversation {
	const way = history(session);
	const entries = isAll(way, session.entries) ? way : withHanging(way, session.entries);
	const marks: Mark[] = [];
	for (const [place, entry] of entries.entries()) marksOf(entry, place, marks);
	return { entries, marks };
}

/** True where all entries are on the path, as in most windows of a session. */
function isAll(way: readonly Entry[], entries: readonly Entry[]): boolean {
	return linkedIn(way) === linkedIn(entries);
}

function linkedIn(entries: readonly Entry[]): number {
	let count = 0;
	for (const entry of entries) if (entry.parent !== undefined) count += 1;
	return count;
}

function isHanging(entry: Entry, places: ReadonlyMap<EntryId, number>): boolean {
	if (entry.kind !== 'message' || entry.role !== 'user' || places.has(entry.id) || typeof entry.parent !== 'string')
		return false;
	return (
		places.has(entry.parent) && entry.content.length > 0 && entry.content.every((block) => block.type === 'tool_result')
	);
}

/** Adds the results that hang beside the path, each before the next message that is not a part of its reply. */
function withHanging(way: readonly Entry[], entries: readonly Entry[]): readonly Entry[] {
	const places = new Map(way.map((entry, place) => [entry.id, place]));
	const hanging = entries.filter((entry) => isHanging(entry, places));
	if (hanging.length === 0) return way;
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

/** True for an entry that is part of what was said; clients' own system messages and notes are not. */
export function isSaid(entry: Entry): boolean {
	return entry.kind === 'message' && entry.role !== 'system' && entry.audience !== 'user';
}

const hashLength = 12;

function marksOf(entry: Entry, place: number, marks: Mark[]): void {
	if (entry.kind !== 'message' || !isSaid(entry)) return;
	for (const [index, block] of entry.content.entries()) {
		const text = markText(block);
		if (text !== undefined) marks.push({ hash: deriveHex(hashLength, entry.role, text), entry: place, block: index });
	}
}

/** The text that marks a block; undefined for kinds that clients leave out, such as thinking, or reword. */
function markText(block: Block): string | undefined {
	switch (block.type) {
		case 'text': {
			const words = block.text.replace(/\s+/g, ' ').trim();
			return words === '' ? undefined : `text ${words}`;
		}
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

/** What a session is recognised by when it comes back. */
export interface Said {
	/** The marks of its blocks, from first to last. */
	readonly marks: readonly string[];
	/** The entries after the last marked block. */
	readonly tail: readonly EntryId[];
	/** The number of entries. */
	readonly entries: number;
	/** The sub-agents whose threads are in the session. */
	readonly agents: readonly string[];
	readonly title: string;
}

export function saidIn(session: Session): Said {
	const conversation = conversationOf(session);
	const last = conversation.marks.at(-1)?.entry ?? -1;
	const agents = new Set(session.entries.flatMap(({ agent }) => (agent === undefined ? [] : [agent])));
	return {
		marks: conversation.marks.map((mark) => mark.hash),
		tail: conversation.entries.slice(last + 1).map((entry) => entry.id),
		entries: session.entries.length,
		agents: [...agents],
		title: session.header.title ?? '',
	};
}
