/** Finds the branches of a conversation: which leaves count as one, where each turns off, and what beside a path still belongs to it. */
import type { Entry, EntryId } from './entry.ts';
import { Ids } from './ids.ts';
import { interleaved } from './interleaved.ts';
import type { Session } from './session.ts';

export interface Branch {
	readonly leaf: EntryId;
	/** The entry after which this branch is alone; `null` when it has a root of its own. */
	readonly from: EntryId | null;
}

/**
 * The conversations in a file: one per leaf that has a prompt or a reply of its own. Results of parallel tool calls,
 * the other lines of a reply that goes on elsewhere, and progress lines hang off the path as well, but nobody would
 * call them a branch.
 */
export function branches(session: Pick<Session, 'entries'>): readonly Branch[] {
	const finder = new BranchFinder();
	for (const entry of session.entries) finder.add(entry);
	return finder.branches();
}

const inGraph = 1;
const speaks = 2;
const ofAgent = 4;
const isReply = 8;
const isResult = 16;
const root = -1;
const unknown = -2;

interface Waiting {
	readonly parent: EntryId | null | undefined;
	readonly logicalParent: EntryId | undefined;
}

/**
 * Finds branches while entries come one by one, and keeps only the position of each, because a session of gigabytes has
 * a million entries. Of two with the same id the later counts, in the place of the first.
 */
export class BranchFinder {
	readonly #ids = new Ids();
	/** For each entry the position of the one that it follows. */
	readonly #above: number[] = [];
	readonly #flags: number[] = [];
	/** Entries that name a parent which may still come. */
	readonly #waiting = new Map<number, Waiting>();

	/** Adds an entry and returns its position: entries are numbered in the order in which their ids are first met. */
	add(entry: Entry): number {
		const { id, parent, logicalParent } = entry;
		const position = this.#ids.add(id);
		const above = parent == null ? undefined : this.#ids.find(parent);
		this.#above[position] = above ?? root;
		this.#flags[position] = branchFlags(entry);
		if (above === undefined && (parent != null || logicalParent !== undefined)) {
			this.#waiting.set(position, { parent, logicalParent });
		} else if (this.#waiting.size > 0) this.#waiting.delete(position);
		return position;
	}

	/** True where the path to a leaf begins with an entry whose parent is missing or circular. */
	isCutOff(leaf: EntryId): boolean {
		const [first = root] = this.history(leaf);
		return first !== root && (this.#above[first] !== root || this.#waiting.get(first)?.parent != null);
	}

	/** Makes an entry follow another parent than it names. */
	bridge(id: EntryId, parent: EntryId): void {
		const position = this.find(id);
		const above = this.find(parent);
		if (position === undefined || above === undefined) return;
		this.#above[position] = above;
		this.#waiting.delete(position);
	}

	find(id: EntryId): number | undefined {
		return this.#ids.find(id);
	}

	idOf(position: number): EntryId {
		return this.#ids.at(position);
	}

	/** The positions from root to leaf through compactions, as `history` finds them. */
	history(leaf: EntryId): readonly number[] {
		this.#resolve();
		const seen = new Uint8Array(this.#ids.length); // a cycle ends the walk
		const start = this.find(leaf) ?? root;
		let length = 0;
		for (let at = start; at !== root && seen[at] === 0; at = this.#above[at] as number) {
			seen[at] = 1;
			length += 1;
		}
		// The length is counted first: a list that grows to a million leaves as much garbage behind.
		const found = new Array<number>(length);
		for (let at = start; length > 0; at = this.#above[at] as number) {
			length -= 1;
			found[length] = at;
		}
		return found;
	}

	/**
	 * The history for a reader: with entries that hang beside the path and yet belong to it, in the order of the file. A
	 * client may write a reply of parallel calls as a line per call and hang each result on the line of its call; only
	 * one of them leads on. Encoders take `history`, since what they write has a single path.
	 */
	told(leaf: EntryId): readonly number[] {
		const path = this.history(leaf);
		const goesOn = this.#goesOn();
		const belongs = new Uint8Array(this.#ids.length);
		for (const position of path) belongs[position] = 1;
		const beside: number[] = [];
		// What comes after the leaf in the file had not happened at the leaf.
		for (let position = 0; position < (path.at(-1) ?? 0); position += 1) {
			if (belongs[position] === 1 || belongs[this.#above[position] as number] !== 1) continue;
			if (goesOn[position] === 0 && !this.#hangsOnReply(position, isResult)) continue;
			belongs[position] = 1;
			beside.push(position);
		}
		return interleaved(path, beside, (position) => position);
	}

	/** True when an entry of this kind hangs on a line of a reply that is before it in the same thread. */
	#hangsOnReply(position: number, kind: BranchFlags): boolean {
		const above = this.#above[position] as number;
		if (above === root || above >= position) return false;
		const flags = this.#flags[position] as number;
		const before = this.#flags[above] as number;
		return (flags & kind) !== 0 && (before & isReply) !== 0 && (flags & ofAgent) === (before & ofAgent);
	}

	/**
	 * 1 for each line that continues the reply whose line it hangs on. Lines are matched by position and not by the
	 * reply's id, which an outline does not read. A reply's lines follow each other, so two that hang on the same line
	 * are not its next lines but two attempts to go on.
	 */
	#goesOn(): Uint8Array {
		const last = new Int32Array(this.#ids.length).fill(root);
		const goesOn = new Uint8Array(this.#ids.length);
		for (let position = 0; position < this.#ids.length; position += 1) {
			if (!this.#hangsOnReply(position, isReply)) continue;
			const above = this.#above[position] as number;
			const other = last[above] as number;
			if (other === root) goesOn[position] = 1;
			else goesOn[other] = 0;
			last[above] = position;
		}
		return goesOn;
	}

	/** The leaves of all branches off a path, by the entry of the path at which each turns off. */
	forks(path: readonly number[]): ReadonlyMap<EntryId, readonly EntryId[]> {
		/** The position on the path that each entry leads to, as far as known, so that no walk is repeated. */
		const leads = new Int32Array(this.#ids.length).fill(unknown);
		for (const position of path) leads[position] = position;
		const found = new Map<EntryId, EntryId[]>();
		for (const { leaf } of this.branches()) {
			const start = this.find(leaf) ?? root;
			const at = this.#leadTo(start, leads);
			// What follows the end of the path is not another branch.
			if (at === root || at === path.at(-1) || at === start) continue;
			const from = this.idOf(at);
			const leaves = found.get(from);
			if (leaves) leaves.push(leaf);
			else found.set(from, [leaf]);
		}
		return found;
	}

	/** Where the walk up from `start` meets a known position; an endless walk leads nowhere. */
	#leadTo(start: number, leads: Int32Array): number {
		let at = start;
		for (; at !== root && leads[at] === unknown; at = this.#above[at] as number) leads[at] = root;
		const to = at === root ? root : (leads[at] as number);
		for (let passed = start; passed !== at; passed = this.#above[passed] as number) leads[passed] = to;
		return to;
	}

	branches(): readonly Branch[] {
		this.#resolve();
		const below = this.#below();
		const goesOn = this.#goesOn();
		const answered = this.#answered(goesOn);
		const found: Branch[] = [];
		/** The leaf from which an entry was last passed, so that no walk goes round a cycle twice. */
		const passed = new Int32Array(this.#ids.length).fill(root);
		for (let leaf = 0; leaf < this.#ids.length; leaf += 1) {
			const flags = this.#flags[leaf] as number;
			if ((flags & inGraph) === 0 || (flags & ofAgent) !== 0 || (below[leaf] as number) > 0) continue;
			let spoken = 0;
			let at = leaf;
			while (at !== root && passed[at] !== leaf) {
				passed[at] = leaf;
				if (answered[at] === 0 || goesOn[at] === 0) spoken |= (this.#flags[at] as number) & speaks;
				at = this.#above[at] as number;
				if ((below[at === root ? this.#ids.length : at] as number) > 1) break;
			}
			if (spoken !== 0) found.push({ leaf: this.#ids.at(leaf), from: at === root ? null : this.#ids.at(at) });
		}
		return found;
	}

	#resolve(): void {
		for (const [position, { parent, logicalParent }] of this.#waiting) {
			const above = parent == null ? undefined : this.#ids.find(parent);
			const logical = logicalParent === undefined ? undefined : this.#ids.find(logicalParent);
			this.#above[position] = above ?? logical ?? root;
		}
	}

	/** For each entry whether more was said after it or, for a line of a reply, after any line of that reply. */
	#answered(goesOn: Uint8Array): Uint8Array {
		const answered = new Uint8Array(this.#ids.length);
		for (let position = 0; position < this.#ids.length; position += 1) {
			if (((this.#flags[position] as number) & speaks) === 0 || goesOn[position] === 1) continue;
			for (let at = this.#above[position] as number; at !== root && answered[at] === 0; at = this.#above[at] as number)
				answered[at] = 1;
		}
		for (let position = 0; position < this.#ids.length; position += 1) {
			if (goesOn[position] === 1) answered[position] = answered[this.#above[position] as number] as number;
		}
		return answered;
	}

	/** How many entries follow each; the last element counts those that follow nothing. */
	#below(): Int32Array {
		const below = new Int32Array(this.#ids.length + 1);
		for (let position = 0; position < this.#ids.length; position += 1) {
			if (((this.#flags[position] as number) & inGraph) === 0) continue;
			const above = this.#above[position] as number;
			const place = above === root ? this.#ids.length : above;
			below[place] = (below[place] as number) + 1;
		}
		return below;
	}
}

/** Bits for what matters of an entry to branches, beside its links. */
type BranchFlags = number;

function branchFlags(entry: Entry): BranchFlags {
	const placed = entry.parent === undefined ? 0 : inGraph;
	return placed | (entry.agent === undefined ? 0 : ofAgent) | messageFlags(entry);
}

function messageFlags(entry: Entry): BranchFlags {
	if (entry.kind !== 'message') return 0;
	if (entry.role === 'assistant') return speaks | isReply;
	for (const block of entry.content) if (block.type !== 'tool_result') return speaks;
	return entry.content.length > 0 ? isResult : 0;
}
