/** Which messages of a session its client would not send when it resumes it, the words for why, and which of them count as lost; and which calls have no result. */
import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../codecs/index.ts';
import {
	byId,
	type Entry,
	type EntryId,
	history,
	type MessageEntry,
	path,
	responseKey,
	type Session,
} from '../../model/index.ts';

export interface DroppedEntry {
	readonly entry: EntryId;
	readonly reason: string;
	/** True: nobody decided to leave it out, and the conversation goes on without it. */
	readonly lost: boolean;
}

type Why = Omit<DroppedEntry, 'entry'>;

const left = (reason: string): Why => ({ reason, lost: false });
const lost = (reason: string): Why => ({ reason, lost: true });

/** The messages of the main thread that are not in the context, in the order of the file. */
export function droppedEntries(session: Session, context: Context): readonly DroppedEntry[] {
	const sent = new Set(context.from.flat());
	const look = new Look(session, sent);
	return session.entries.flatMap((entry) => {
		if (!isSaid(entry)) return [];
		if (look.isReplaced(entry))
			return [{ entry: entry.id, ...lost('a later line has its id, and stands in its place') }];
		if (sent.has(entry.id)) return [];
		const why = context.refused === undefined ? look.why(entry) : lost('its client refuses the session');
		return [{ entry: entry.id, ...why }];
	});
}

export interface OpenCall {
	readonly id: string;
	readonly name: string;
}

/** Calls on the way to where the conversation goes on that have no result: whoever ran them was ended. */
export function openCalls(session: Session): readonly OpenCall[] {
	const blocks = session.entries.flatMap((entry) => (isSaid(entry) ? entry.content : []));
	const answered = new Set(blocks.flatMap((block) => (block.type === 'tool_result' ? [block.call] : [])));
	const way = path(session);
	const compacted = new Set(compactedOn(way));
	return way.flatMap((entry) =>
		isSaid(entry) && !compacted.has(entry.id)
			? entry.content.flatMap((block) =>
					block.type === 'tool_call' && !answered.has(block.id) ? [{ id: block.id, name: block.name }] : [],
				)
			: [],
	);
}

/** The entries of a path that its last compaction stands for: those before it, up to the first that stays. */
function compactedOn(way: readonly Entry[]): readonly EntryId[] {
	const at = way.findLastIndex(({ kind }) => kind === 'compaction');
	const cut = way[at];
	const before = way.slice(0, Math.max(at, 0)).map(({ id }) => id);
	const kept = cut?.kind === 'compaction' && cut.keptFrom !== undefined ? before.indexOf(cut.keptFrom) : -1;
	return kept === -1 ? before : before.slice(0, kept);
}

/** A part of the main conversation, and not a note for its user. */
function isSaid(entry: Entry): entry is MessageEntry {
	return entry.kind === 'message' && entry.agent === undefined && entry.audience !== 'user' && entry.role !== 'system';
}

function hasCall({ content }: MessageEntry): boolean {
	return content.some(({ type }) => type === 'tool_call');
}

class Look {
	readonly #entries: ReadonlyMap<EntryId, Entry>;
	readonly #onPath: ReadonlySet<EntryId>;
	readonly #before: ReadonlySet<EntryId>;
	/** What is on the path and yet before a compaction: some clients hang the compaction on it. */
	readonly #compacted: ReadonlySet<EntryId>;
	/** The parent that the path begins with is not in the file. */
	readonly #broken: boolean;
	/** Calls that are sent, and the replies that any part is sent of. */
	readonly #calls = new Set<string>();
	readonly #replies = new Set<string>();
	readonly #answered = new Set<string>();

	constructor(session: Session, sent: ReadonlySet<EntryId>) {
		this.#entries = byId(session);
		const now = path(session);
		const all = history(session);
		this.#onPath = new Set(now.map(({ id }) => id));
		this.#before = new Set(all.map(({ id }) => id));
		this.#compacted = new Set(compactedOn(now));
		this.#broken = this.#lacksParent(all[0]);
		for (const entry of session.entries) {
			if (!isSaid(entry)) continue;
			const key = entry.response && responseKey(entry.response);
			if (sent.has(entry.id) && key !== undefined) this.#replies.add(key);
			for (const block of entry.content) {
				if (block.type === 'tool_call' && sent.has(entry.id)) this.#calls.add(block.id);
				if (block.type === 'tool_result') this.#answered.add(block.call);
			}
		}
	}

	#lacksParent(entry: Entry | undefined): boolean {
		const parent = entry?.parent;
		return typeof parent === 'string' && !this.#entries.has(parent);
	}

	/** Of two entries with one id clients keep the later. One that says the same is only written twice. */
	isReplaced(entry: MessageEntry): boolean {
		const kept = this.#entries.get(entry.id);
		return kept !== entry && kept?.kind === 'message' && !isDeepStrictEqual(kept.content, entry.content);
	}

	why(entry: MessageEntry): Why {
		const isBefore = !this.#onPath.has(entry.id) && this.#before.has(entry.id);
		if (isBefore || this.#compacted.has(entry.id)) return left('a compaction stands for it');
		if (entry.origin === 'command') return left('a command of its client');
		const key = entry.response && responseKey(entry.response);
		if ((key !== undefined && this.#replies.has(key) && hasCall(entry)) || this.#answersSibling(entry))
			return lost('one of several calls of a reply, or its result: this client goes on from another of them');
		if (this.#onPath.has(entry.id)) return this.#onTheWay(entry);
		const top = this.#top(entry);
		if (top !== undefined && this.#before.has(top.id))
			return left('on a branch that the conversation does not go on from');
		if (this.#broken || this.#lacksParent(top))
			return lost('no line leads from it to where the conversation goes on: one between them is missing');
		return left('of another beginning of the conversation');
	}

	/** A result for a call of a reply that is sent in part. */
	#answersSibling(entry: MessageEntry): boolean {
		const { parent } = entry;
		const above = typeof parent === 'string' ? this.#entries.get(parent) : undefined;
		if (above?.kind !== 'message' || !entry.content.some(({ type }) => type === 'tool_result')) return false;
		const key = above.response && responseKey(above.response);
		return key !== undefined && this.#replies.has(key);
	}

	/** The first entry above it that the history has, else the one above which there is none. */
	#top(entry: Entry): Entry | undefined {
		const seen = new Set<EntryId>();
		let at: Entry | undefined = entry;
		while (at !== undefined && !this.#before.has(at.id) && !seen.has(at.id)) {
			seen.add(at.id);
			const above: Entry | undefined = typeof at.parent === 'string' ? this.#entries.get(at.parent) : undefined;
			if (above === undefined) return at;
			at = above;
		}
		return at;
	}

	#onTheWay({ content, response }: MessageEntry): Why {
		if (response?.error !== undefined) return left('it says that a request failed');
		if (response?.stop === 'aborted') return left('it was interrupted');
		if (content.every((block) => block.type === 'text' && block.text.trim() === ''))
			return left('there is nothing in it');
		if (content.every(({ type }) => type === 'thinking')) return left('thinking without anything that was said');
		for (const block of content) {
			if (block.type === 'tool_result' && !this.#calls.has(block.call))
				return lost('the call that it answers is not sent');
			if (block.type === 'tool_call' && !this.#answered.has(block.id)) return lost('a call that has no result');
		}
		return lost('its client leaves it out');
	}
}
