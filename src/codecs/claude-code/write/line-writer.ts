/** Gives written Claude Code lines their ids, parents, rising times and client version, so that both known client generations read the whole path. */
import type { Entry, Header, JsonObject, Loss, Profile } from '../../../model/index.ts';
import type { EncodeInput } from '../../codec.ts';
import { isKind } from '../../shared/check/fields.ts';
import { isTimeText, writtenTime } from '../../shared/times.ts';
import { isUuid, uuidsAfter } from '../../shared/write/derive.ts';
import { callsIn, resultsIn } from '../../shared/write/said.ts';
import { lastName, sessionName } from '../places/session-name.ts';
import { carried, isOwn, ownFields } from './own-fields.ts';
import { pruned } from './pruned.ts';

export type Fields = { [key: string]: JsonObject[string] };

/** What is known about a line in the file. */
interface Written {
	readonly parent: string | null;
	readonly isMessage: boolean;
	/** Tool calls on the path to this line without a result. */
	readonly open: readonly string[];
	/** The reply that the line is a block of, or whose calls were open when it was written. */
	readonly group: string | undefined;
}

export interface Effects {
	readonly isMessage?: boolean;
	readonly calls?: readonly string[];
	readonly results?: readonly string[];
	readonly group?: string | undefined;
	/** True for a progress line, which no other line may follow. */
	readonly besideChain?: boolean;
}

export interface WriterInput extends Pick<EncodeInput, 'profile' | 'id' | 'header' | 'after' | 'version' | 'live'> {
	/** The sub-agent whose own file this is. */
	readonly agent: string | undefined;
	/** A time before the earliest known one, for entries without any. */
	readonly start: number;
}

/** The newest version whose files are known; the document describes those up to 2.1.29. */
const writtenVersion: { readonly [P in Profile]: string } = { client: '2.1.325', published: '2.1.29' };

export class Writer {
	readonly profile: Profile;
	readonly sessionId: string;
	readonly header: Header;
	/** True while a run writes. */
	readonly isLive: boolean;
	readonly #version: string;
	cwd: string;
	/** The session's made-up name, where lines state it. */
	readonly #slug: string | undefined;
	/** The mode for user lines of the published style, which has no line of its own for it. */
	permissionMode: string | undefined;
	/** The last line of the graph. */
	last: string | null = null;
	readonly #agent: string | undefined;
	readonly #losses: Loss[];
	readonly #derived: (...parts: readonly string[]) => string;
	/** The lines since the last `take`; their ends are pieces of their own, because a joined text is copied once more when it is written. */
	#pieces: string[] = [];
	#written = new Map<string, Written>();
	/** The line that the children of an entry follow. */
	#ends = new Map<string, string | null>();
	#starts = new Map<string, string>();
	/** The last line of each reply's group: its blocks, the results of its calls and what came between. */
	#tails = new Map<string, string>();
	#callLines = new Map<string, string>();
	/** Calls with a result: the client hangs results of parallel calls beside each other, not all on one path. */
	readonly #answered = new Set<string>();
	#time: number;
	/** The entry whose time was checked last, so that a problem is reported once per entry. */
	#timed: string | undefined;

	constructor(input: WriterInput, losses: Loss[]) {
		this.profile = input.profile;
		this.sessionId = input.id;
		this.header = input.header;
		this.isLive = input.live !== undefined;
		this.#version = input.version ?? writtenVersion[input.profile];
		this.cwd = input.live?.folder ?? input.header.cwd ?? '/';
		this.#agent = input.agent;
		this.#losses = losses;
		this.#derived = uuidsAfter('claude-code', input.id);
		this.#time = input.start;
		this.#slug = input.live ? (lastName(input.after) ?? sessionName(input.id)) : undefined;
		if (!input.after) return;
		for (const entry of input.after.entries) this.#note(entry);
		this.last = input.after.leaf;
	}

	lose(entry: Entry | undefined, path: string, how: Loss['how'], note: string): void {
		this.#losses.push({ entry: entry?.id ?? '', path, how, note });
	}

	/** Writes a line of the graph after `parent` and returns its id. `part` tells the lines of one entry apart. */
	graphLine(entry: Entry, parent: string | null, fields: Fields, effects: Effects, part?: string): string {
		const uuid = this.uuidFor(entry, part);
		const timestamp = this.#stamp(entry);
		this.#push(entry, { parentUuid: parent, ...this.#envelope(entry), ...fields, uuid, timestamp });
		if (effects.besideChain) {
			this.#written.set(uuid, { parent, isMessage: false, open: [], group: undefined });
			this.#ends.set(entry.id, parent);
			return uuid;
		}
		this.#remember(uuid, parent, effects);
		if (!this.#starts.has(entry.id)) this.#starts.set(entry.id, uuid);
		this.#ends.set(entry.id, uuid);
		if (this.#agent !== undefined || entry.agent === undefined) this.last = uuid;
		return uuid;
	}

	besideLine(entry: Entry | undefined, fields: Fields): void {
		this.#push(entry, fields);
		if (entry) this.skip(entry);
	}

	/** Leaves an entry out: its children follow its parent. */
	skip(entry: Entry): void {
		if (entry.parent !== undefined) this.#ends.set(entry.id, this.parentOf(entry));
	}

	/** Starts a new root: the children of the entry follow nothing. */
	cutAfter(entry: Entry): void {
		this.#ends.set(entry.id, null);
	}

	/**
	 * The line that an entry follows. While calls are open, lines follow each other in the order of writing; only a
	 * second result of the same call starts a branch.
	 */
	parentOf(entry: Entry, call?: string): string | null {
		const declared = entry.parent === undefined ? this.last : this.#resolve(entry.parent);
		const above = this.#line(declared);
		if (!above || above.open.length === 0 || above.group === undefined) return declared;
		const tail = this.#tails.get(above.group) ?? declared;
		const again = call !== undefined && above.open.includes(call) && !this.openAt(tail).includes(call);
		return again ? declared : tail;
	}

	/** The uuid for an entry's line. Ids of this format stay, others are derived. */
	uuidFor(entry: Entry, part?: string): string {
		const keep = isUuid(entry.id) || (isOwn(entry.extra) && !entry.id.startsWith('line:'));
		let uuid = part === undefined ? (keep ? entry.id : this.#derived(entry.id)) : this.#derived(entry.id, part);
		for (let n = 1; this.#written.has(uuid); n += 1) uuid = this.#derived(entry.id, part ?? '', String(n));
		return uuid;
	}

	/**
	 * Forgets older entries, which nothing to come refers to: so a session of gigabytes is written without being held.
	 * Line ids need not be remembered, because entry ids are unique already and others are derived from them.
	 */
	forgetBefore(entry: string): void {
		const end = this.#ends.get(entry);
		const start = this.#starts.get(entry);
		const known = [end, this.last].flatMap((uuid) => {
			const line = this.#line(uuid ?? null);
			return uuid == null || !line ? [] : [[uuid, line] as const];
		});
		// New maps: what a cleared one has held stays in memory until the next full collection.
		this.#written = new Map();
		this.#ends = new Map();
		this.#starts = new Map();
		this.#tails = new Map();
		this.#callLines = new Map();
		for (const [uuid, line] of known) {
			this.#written.set(uuid, line);
			if (line.group !== undefined) this.#tails.set(line.group, uuid);
		}
		if (end !== undefined) this.#ends.set(entry, end);
		if (start !== undefined) this.#starts.set(entry, start);
	}

	/** The last line that an entry was written as. */
	uuidOf(entry: string): string | undefined {
		return this.#ends.get(entry) ?? (this.#written.has(entry) ? entry : undefined);
	}

	/** The first line that an entry was written as. */
	startOf(entry: string): string | undefined {
		return this.#starts.get(entry);
	}

	/** Calls on the path to a line that have no result. */
	openAt(uuid: string | null): readonly string[] {
		return this.#line(uuid)?.open.filter((call) => !this.#answered.has(call)) ?? [];
	}

	groupAt(uuid: string | null): string | undefined {
		return this.#line(uuid)?.group;
	}

	hasGroup(group: string): boolean {
		return this.#tails.has(group);
	}

	callLine(call: string): string | undefined {
		return this.#callLines.get(call);
	}

	/** Message lines from `from` to `to`, oldest first; undefined when `from` is not on the path. */
	messagesBetween(from: string, to: string | null): readonly string[] | undefined {
		const found: string[] = [];
		for (let at = to, steps = this.#written.size; at !== null && steps >= 0; steps -= 1) {
			const line = this.#written.get(at);
			if (!line) return undefined;
			if (line.isMessage) found.push(at);
			if (at === from) return found.reverse();
			at = line.parent;
		}
		return undefined;
	}

	isBelow(uuid: string | null, target: string): boolean {
		for (let at = uuid, steps = this.#written.size; at !== null && steps >= 0; steps -= 1) {
			if (at === target) return true;
			at = this.#written.get(at)?.parent ?? null;
		}
		return false;
	}

	/** A time for lines beside the graph. */
	plainTime(entry: Entry): string {
		if (entry.time !== undefined && isKind(entry.time, 'time')) return entry.time;
		return new Date(Math.max(this.#time, 0)).toISOString();
	}

	/** Returns the lines since the last call. */
	take(): readonly string[] {
		const pieces = this.#pieces;
		this.#pieces = [];
		return pieces;
	}

	/** Registers a line of a file that is appended to. */
	#note(entry: Entry): void {
		const at = entry.time === undefined ? Number.NaN : Date.parse(entry.time);
		if (at > this.#time) this.#time = at;
		if (entry.parent === undefined) return;
		if (entry.kind === 'event' && entry.event.type === 'progress') {
			// No line may follow a progress line: its children follow its parent.
			this.#written.set(entry.id, { parent: entry.parent, isMessage: false, open: [], group: undefined });
			this.#ends.set(entry.id, entry.parent === null ? null : (this.#ends.get(entry.parent) ?? entry.parent));
			return;
		}
		const isMessage = entry.kind === 'message';
		const results = resultsIn(entry);
		for (const call of results) this.#answered.add(call);
		const group = isMessage ? entry.response?.id : undefined;
		this.#remember(entry.id, entry.parent, { isMessage, calls: callsIn(entry), results, group });
		this.#ends.set(entry.id, entry.id);
		this.#starts.set(entry.id, entry.id);
	}

	#line(uuid: string | null): Written | undefined {
		return uuid === null ? undefined : this.#written.get(uuid);
	}

	#remember(uuid: string, parent: string | null, effects: Effects): void {
		const above = this.#line(parent);
		const { calls = [], results = [] } = effects;
		const open = new Set([...(above?.open ?? []), ...calls]);
		for (const call of results) open.delete(call);
		for (const call of calls) this.#callLines.set(call, uuid);
		const joins = (above?.open.length ?? 0) > 0 ? above?.group : undefined;
		const group = effects.group ?? joins;
		if (group !== undefined) this.#tails.set(group, uuid);
		this.#written.set(uuid, { parent, isMessage: effects.isMessage === true, open: [...open], group });
	}

	#resolve(parent: string | null): string | null {
		if (parent === null) return null;
		const end = this.#ends.get(parent);
		if (end !== undefined) return end;
		const derived = this.#derived(parent);
		return this.#written.has(derived) ? derived : this.last;
	}

	/** A time strictly later than all before, because 2.1.29 continues after the line with the latest time. */
	#stamp(entry: Entry): string {
		const { time } = entry;
		const given = writtenTime(time);
		if (given > this.#time) {
			this.#time = given;
			return time !== undefined && (isTimeText(time) || isKind(time, 'time')) ? time : new Date(given).toISOString();
		}
		this.#time += 1;
		if (this.#timed !== entry.id) this.#sayTime(entry, given);
		this.#timed = entry.id;
		return new Date(this.#time).toISOString();
	}

	#sayTime(entry: Entry, given: number): void {
		if (Number.isNaN(given)) {
			this.lose(entry, 'time', 'invented', 'the source has no usable time for it; it follows the one before');
		} else if (this.#time - given >= 1000) {
			this.lose(entry, 'time', 'approximated', 'moved after the time of the line before, which the client relies on');
		}
	}

	#envelope(entry: Entry): Fields {
		const agent = this.#agent ?? entry.agent;
		const made: Fields = {
			isSidechain: agent !== undefined,
			userType: 'external',
			cwd: this.cwd,
			sessionId: this.sessionId,
			version: this.#version,
		};
		if (this.header.gitBranch !== undefined) made.gitBranch = this.header.gitBranch;
		if (this.#slug !== undefined) made.slug = this.#slug;
		Object.assign(made, carried(ownFields(entry)));
		if (agent !== undefined) made.agentId = agent;
		return made;
	}

	#push(entry: Entry | undefined, line: Fields): void {
		try {
			this.#pieces.push(JSON.stringify(line), '\n');
		} catch (error) {
			if (!(error instanceof RangeError)) throw error;
			this.#pieces.push(JSON.stringify(pruned(line, 100)), '\n');
			this.lose(entry, '', 'approximated', 'values nested too deeply to be written are cut');
		}
	}
}
