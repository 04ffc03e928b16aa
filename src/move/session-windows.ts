/** Splits a large session into windows that can be converted one by one: where a split is possible, how many entries a window has, and what makes it impossible. */
import type { Codec } from '../codecs/index.ts';
import { NotPossible } from '../codecs/shared/write/pieces.ts';
import {
	type Block,
	type Entry,
	type EntryId,
	type Header,
	lastInGraph,
	type MessageEntry,
	type ModelResponse,
	type Session,
} from '../model/index.ts';
import { isReference } from './reference.ts';

export interface WindowSizes {
	/** The fewest entries of a window. */
	readonly least: number;
	/** Entries kept behind a split: references usually reach back less far. */
	readonly held: number;
}

const usual: WindowSizes = { least: 1 << 7, held: 1 << 8 };

/** A session that is being read. */
export interface Passing {
	readonly parts: Iterable<readonly Entry[]>;
	session(): Pick<Session, 'header'>;
	/** The leaf, asked for when all entries have been read; `last` is the conversation's last entry. */
	leaf(last: EntryId | null): EntryId | null;
}

/** A place between two entries at which the session can be split. */
interface Cut {
	/** The number of the first entry behind it. */
	readonly at: number;
	/** The number of the prompt that goes on there. */
	readonly prompt: number;
}

/**
 * The entries in windows. Each begins with a prompt (and what stands beside the conversation before it) that follows
 * the last entry of the window before; a call and its results, the parts of a reply and whatever an entry names are in
 * one window. So converting the windows gives what converting the whole would. What all depend on is in the first:
 * identity, start, title. Throws NotPossible where a session does not allow this.
 */
export function* windowsOf(passing: Passing, to: Codec, sizes: WindowSizes = usual): Generator<readonly Entry[]> {
	const watch = new Watch(to);
	let window: Entry[] = [];
	let enough = sizes.least + sizes.held;
	/** True when a line says where the conversation goes on. */
	let hasPointers = false;
	let header: Header | undefined;
	for (const part of passing.parts) {
		if (header) refuseChange(header, passing.session().header);
		for (const entry of part) {
			watch.take(entry);
			hasPointers ||= entry.kind === 'leaf';
			window.push(entry);
		}
		while (window.length >= enough) {
			const at = watch.cutBefore(sizes);
			// Tried again with half as many entries more: a session that cannot be split is held as a whole.
			enough = at === undefined ? Math.ceil(window.length * 1.5) : sizes.least + sizes.held;
			if (at === undefined) break;
			const ready = window.slice(0, at);
			window = window.slice(at);
			header ??= passing.session().header;
			yield ready;
		}
	}
	if (header) refuseChange(header, passing.session().header);
	if (hasPointers) refuseElsewhere(window, passing);
	yield window;
}

/** Throws where a pointer leads the conversation away from what was said later on another branch. */
function refuseElsewhere(window: readonly Entry[], { leaf }: Passing): void {
	const goesOn = leaf(lastInGraph(window));
	const at = window.findLastIndex((entry) => entry.id === goesOn);
	if (at === -1 || window.slice(at + 1).some(({ kind }) => kind === 'message' || kind === 'compaction'))
		throw new NotPossible('it goes on elsewhere');
}

function refuseChange(before: Header, now: Header): void {
	if (before === now) return;
	for (const key of new Set([...Object.keys(before), ...Object.keys(now)]) as Set<keyof Header>) {
		if (before[key] !== now[key]) throw new NotPossible(`the ${key} of the session changes`);
	}
}

/** Looks at every entry once and remembers where the session can be split. */
class Watch {
	/** The target: what only it cannot take is refused late. */
	readonly #to: Codec;
	/** Names of things, each with the number of the entry that had it first. */
	readonly #ids = new Map<string, number>();
	readonly #calls = new Set<string>();
	readonly #replies = new Map<string, number>();
	/** Calls without a result, with the numbers of the entries that made them. */
	readonly #unanswered = new Map<string, number>();
	/** How many entries came, from the beginning of the session. */
	#count = 0;
	/** The first entry that was not yielded yet. */
	#start = 0;
	/** The places that are still possible, in order. */
	#cuts: Cut[] = [];
	/** The last entry of the conversation. */
	#last: EntryId | undefined;
	#lastAt = -1;
	/** Where a window ends that stops at `#last`. */
	#end = 0;
	/** True when a window may stop at `#last`, because an entry of the next one may follow it. */
	#ends = false;
	/** True while only entries beside the conversation came after `#last`, and none of them names another. */
	#alone = false;
	#compaction = -1;
	/** The last entry that belongs into the first window. */
	#first = -1;
	/** Calls since the last prompt that have no result. */
	#open = 0;
	/** True after the first reply. */
	#said = false;
	#times = false;
	#models = false;

	constructor(to: Codec) {
		this.#to = to;
	}

	/** The best place for a split, counted from the first entry not yielded yet; the entries before it are yielded. */
	cutBefore({ least, held }: WindowSizes): number | undefined {
		const found = this.#cuts.findLast(({ at, prompt }) => prompt <= this.#count - held && at - this.#start >= least);
		if (!found) return undefined;
		this.#cuts = this.#cuts.filter(({ at }) => at > found.at);
		const length = found.at - this.#start;
		this.#start = found.at;
		return length;
	}

	take(entry: Entry): void {
		const at = this.#count;
		this.#count += 1;
		if (this.#ids.has(entry.id)) throw new NotPossible('two entries have one id');
		this.#ids.set(entry.id, at);
		this.#refuse(entry);
		this.#keepFirst(entry);
		const holds = entry.kind === 'message' ? heldBy(entry) : 0;
		if (isPlainPrompt(entry, holds) && this.#mayCut(entry)) this.#cuts.push({ at: this.#end, prompt: at });
		else this.#follow(entry, at);
		this.#refer(entry);
		if (entry.kind === 'message') this.#converse(entry, holds, at);
		if (entry.time !== undefined) this.#times = true;
		// A pointer to where the conversation goes on anyway belongs before the split.
		if (entry.kind === 'leaf') this.#end = at + 1;
		if (entry.parent === undefined) return;
		if (entry.kind === 'compaction') this.#compaction = at;
		this.#last = entry.id;
		this.#lastAt = at;
		this.#end = at + 1;
		this.#ends = endsTurn(entry, holds);
		if (entry.kind === 'message' && this.#ends) this.#said = true;
		this.#alone = true;
	}

	#mayCut(entry: Entry): boolean {
		if (!this.#said || !this.#alone || this.#open > 0) return false;
		return this.#ends && entry.parent === this.#last && this.#end > this.#first;
	}

	/** Binds an entry to the one that it follows, from the first entry of a window on. */
	#follow(entry: Entry, at: number): void {
		const { parent } = entry;
		if (parent === undefined) return;
		if (parent === null) {
			if (this.#last === undefined) return;
			if (entry.kind !== 'compaction' || entry.logicalParent !== this.#last)
				throw new NotPossible('the conversation starts anew');
			return;
		}
		if (entry.kind === 'compaction' && parent !== this.#last)
			throw new NotPossible('a compaction is on another branch');
		const above = parent === this.#last ? this.#lastAt : this.#ids.get(parent);
		if (above === undefined || above === at) throw new NotPossible('a parent is missing');
		if (above < this.#compaction) throw new NotPossible('a branch begins before a compaction');
		this.#bind(above);
	}

	/** Binds an entry to everything else that it names. */
	#refer(entry: Entry): void {
		if (entry.logicalParent !== undefined) this.#name(entry.logicalParent);
		if (entry.kind === 'compaction' && entry.keptFrom !== undefined) this.#name(entry.keptFrom);
		if (entry.kind === 'summary' && entry.leaf !== undefined) this.#name(entry.leaf);
		if ((entry.kind === 'label' || entry.kind === 'edit') && entry.target !== null) this.#name(entry.target);
	}

	#name(id: EntryId): void {
		const at = this.#ids.get(id);
		if (at === undefined) throw new NotPossible('what an entry names is missing');
		if (at !== this.#count - 1) this.#alone = false;
		this.#bind(at);
	}

	/** Keeps the entry with this number and the current one in one window. */
	#bind(at: number): void {
		if (at < this.#start) throw new NotPossible('an entry names one that was let go');
		while ((this.#cuts.at(-1)?.at ?? 0) > at) this.#cuts.pop();
	}

	#converse(entry: MessageEntry, holds: number, at: number): void {
		if (entry.role !== 'assistant' && (holds & others) !== 0) this.#open = 0;
		if ((holds & (calls | results)) !== 0) for (const block of entry.content) this.#pair(block, entry, at);
		if (entry.response) this.#reply(entry.response, at);
	}

	#pair(block: Block, { role }: MessageEntry, at: number): void {
		if (block.type === 'tool_call') {
			if (role !== 'assistant' || this.#calls.has(block.id)) throw new NotPossible('a call is made twice');
			this.#calls.add(block.id);
			this.#unanswered.set(block.id, at);
			this.#open += 1;
		} else if (block.type === 'tool_result') {
			const caller = this.#unanswered.get(block.call);
			if (caller === undefined) throw new NotPossible('a result answers no call, or one that has a result');
			this.#unanswered.delete(block.call);
			this.#bind(caller);
			this.#open = Math.max(0, this.#open - 1);
		}
	}

	#reply({ id, model }: ModelResponse, at: number): void {
		if (model !== undefined) this.#models = true;
		if (id === undefined) return;
		const first = this.#replies.get(id);
		if (first === undefined) this.#replies.set(id, at);
		else this.#bind(first);
	}

	#refuse(entry: Entry): void {
		if (entry.agent !== undefined) throw new NotPossible('sub-agents are inside');
		if (entry.kind === 'message') return;
		if (isReference(entry)) throw new NotPossible('it came from elsewhere');
		if (entry.kind === 'leaf' && (entry.parent !== undefined || entry.target !== this.#last))
			throw new NotPossible('it goes on elsewhere');
		if (this.#to.write.inPassing?.(entry) === 'all')
			throw new NotPossible(`it has a ${entry.kind} that others matter to`);
	}

	/** Keeps what must be known before the first line is written in the first window. */
	#keepFirst(entry: Entry): void {
		const why = this.#whyFirst(entry);
		if (why === undefined) return;
		if (this.#start > 0) throw new NotPossible(why);
		this.#cuts = [];
		this.#first = this.#count - 1;
	}

	#whyFirst(entry: Entry): string | undefined {
		const titled = entry.kind === 'setting' && entry.set.title !== undefined;
		const named = entry.kind === 'event' && entry.event.type === 'custom' && entry.event.of === 'ai-title';
		if (titled || named || entry.kind === 'summary') return 'a title comes late';
		if (entry.kind === 'start' || this.#to.write.inPassing?.(entry) === 'first') return 'it starts or ends inside';
		if (!this.#times && entry.time !== undefined) return 'the first time comes late';
		const model = entry.kind === 'message' ? entry.response?.model : undefined;
		return !this.#models && model !== undefined ? 'the first model comes late' : undefined;
	}
}

/** Bits for the kinds of blocks in a message. */
const texts = 1;
const calls = 2;
const results = 4;
/** The bit for anything but results. */
const others = 8;

function heldBy({ content }: MessageEntry): number {
	let holds = 0;
	for (const block of content) {
		if (block.type === 'tool_result') holds |= results;
		else if (block.type === 'tool_call') holds |= calls | others;
		else holds |= block.type === 'text' && block.text.trim() !== '' ? texts | others : others;
	}
	return holds;
}

/** True for a message of a person that holds nothing else. */
function isPlainPrompt(entry: Entry, holds: number): boolean {
	if (entry.kind !== 'message' || entry.role !== 'user' || entry.audience !== undefined || entry.origin !== undefined)
		return false;
	return (holds & (texts | results)) === texts;
}

/** True for an entry that a conversion leaves as and where it is, whatever comes before it. */
function endsTurn(entry: Entry, holds: number): boolean {
	if (entry.kind === 'event') return true;
	if (entry.kind !== 'message' || entry.role !== 'assistant' || entry.audience !== undefined) return false;
	if (entry.response?.error !== undefined || entry.response?.synthetic) return false;
	return (holds & (texts | calls)) === texts;
}
