/** The conversations that a file holds. */
import type { Entry, EntryId } from './entry.ts';
import { Ids } from './ids.ts';
import { Numbers } from './numbers.ts';
import type { Session } from './session.ts';

export interface Branch {
	readonly leaf: EntryId;
	/** The entry after which this branch is alone; `null` when it has a root of its own. */
	readonly from: EntryId | null;
}

/**
 * The conversations a file holds: one per leaf that has a prompt or a reply of its own. Results of parallel tool calls and
 * progress lines hang off the chain as well, but nobody would call them a branch.
 */
export function branches(session: Pick<Session, 'entries'>): readonly Branch[] {
	const finder = new BranchFinder();
	for (const entry of session.entries) finder.add(entry);
	return finder.branches();
}

const inGraph = 1;
const speaks = 2;
const ofAgent = 4;
const root = -1;
const unknown = -2;

interface Waiting {
	readonly parent: EntryId | null | undefined;
	readonly logicalParent: EntryId | undefined;
}

/**
 * Finds branches while entries come one after the other, and keeps of each no more than its place: a session of gigabytes
 * has a million of them. Of two with the same id the later one counts, in the place of the first.
 */
export class BranchFinder {
	readonly #ids = new Ids();
	/** The position of what each follows. */
	readonly #above = new Numbers(Int32Array);
	readonly #flags = new Numbers(Uint8Array);
	/** Those that name somebody who may still come. */
	readonly #waiting = new Map<number, Waiting>();

	/** Returns its position: entries are numbered in the order in which their ids are first met. */
	add(entry: Entry): number {
		return this.place(entry.id, entry.parent, entry.logicalParent, branchFlags(entry));
	}

	/** Adds an entry that is like another, whose flags these are. */
	place(
		id: EntryId,
		parent: EntryId | null | undefined,
		logicalParent: EntryId | undefined,
		flags: BranchFlags,
	): number {
		const position = this.#ids.add(id);
		const above = parent == null ? undefined : this.#ids.find(parent);
		this.#above.set(position, above ?? root);
		this.#flags.set(position, flags);
		if (above === undefined && (parent != null || logicalParent !== undefined)) {
			this.#waiting.set(position, { parent, logicalParent });
		} else if (this.#waiting.size > 0) this.#waiting.delete(position);
		return position;
	}

	find(id: EntryId): number | undefined {
		return this.#ids.find(id);
	}

	idOf(position: number): EntryId {
		return this.#ids.at(position);
	}

	/** Root to leaf through compactions, as `history` finds it: the positions. */
	history(leaf: EntryId): readonly number[] {
		this.#resolve();
		const seen = new Uint8Array(this.#ids.length); // a cycle ends the walk
		const start = this.find(leaf) ?? root;
		let length = 0;
		for (let at = start; at !== root && seen[at] === 0; at = this.#above.at(at)) {
			seen[at] = 1;
			length += 1;
		}
		// Counted first: a list that grows to a million leaves as much again behind.
		const found = new Array<number>(length);
		for (let at = start; length > 0; at = this.#above.at(at)) {
			length -= 1;
			found[length] = at;
		}
		return found;
	}

	/** The leaves of all branches that are not on a path, by the entry of the path from which one gets there. */
	forks(path: readonly number[]): ReadonlyMap<EntryId, readonly EntryId[]> {
		/** The position on the path that each leads to, as far as that is known: no way is gone twice. */
		const leads = new Int32Array(this.#ids.length).fill(unknown);
		for (const position of path) leads[position] = position;
		const found = new Map<EntryId, EntryId[]>();
		for (const { leaf } of this.branches()) {
			const start = this.find(leaf) ?? root;
			const at = this.#leadTo(start, leads);
			// What goes on behind the end of the path is no other branch.
			if (at === root || at === path.at(-1) || at === start) continue;
			const from = this.idOf(at);
			const leaves = found.get(from);
			if (leaves) leaves.push(leaf);
			else found.set(from, [leaf]);
		}
		return found;
	}

	/** Where the way up from `start` meets what is known already; a way that has no end leads nowhere. */
	#leadTo(start: number, leads: Int32Array): number {
		let at = start;
		for (; at !== root && leads[at] === unknown; at = this.#above.at(at)) leads[at] = root;
		const to = at === root ? root : (leads[at] as number);
		for (let passed = start; passed !== at; passed = this.#above.at(passed)) leads[passed] = to;
		return to;
	}

	branches(): readonly Branch[] {
		this.#resolve();
		const below = this.#below();
		const found: Branch[] = [];
		/** The leaf from which an entry was last passed: no walk goes round a cycle twice. */
		const passed = new Int32Array(this.#ids.length).fill(root);
		for (let leaf = 0; leaf < this.#ids.length; leaf += 1) {
			const flags = this.#flags.at(leaf);
			if ((flags & inGraph) === 0 || (flags & ofAgent) !== 0 || (below[leaf] as number) > 0) continue;
			let spoken = 0;
			let at = leaf;
			while (at !== root && passed[at] !== leaf) {
				passed[at] = leaf;
				spoken |= this.#flags.at(at) & speaks;
				at = this.#above.at(at);
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
			this.#above.set(position, above ?? logical ?? root);
		}
	}

	/** How many of the graph follow each; last, how many follow nothing. */
	#below(): Int32Array {
		const below = new Int32Array(this.#ids.length + 1);
		for (let position = 0; position < this.#ids.length; position += 1) {
			if ((this.#flags.at(position) & inGraph) === 0) continue;
			const above = this.#above.at(position);
			const place = above === root ? this.#ids.length : above;
			below[place] = (below[place] as number) + 1;
		}
		return below;
	}
}

/** What of an entry, but for its links, matters to branches. */
export type BranchFlags = number;

export function branchFlags(entry: Entry): BranchFlags {
	const placed = entry.parent === undefined ? 0 : inGraph;
	return placed | (isSpeech(entry) ? speaks : 0) | (entry.agent === undefined ? 0 : ofAgent);
}

function isSpeech(entry: Entry): boolean {
	if (entry.kind !== 'message') return false;
	if (entry.role === 'assistant') return true;
	for (const block of entry.content) if (block.type !== 'tool_result') return true;
	return false;
}
