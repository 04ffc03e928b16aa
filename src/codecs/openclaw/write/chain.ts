/** Ids and parents of written lines: 8 hex digits each, linked so that the last line leads to all it should. */
import type { Entry, Session } from '../../../model/index.ts';
import { deriveHex } from '../../shared/write/derive.ts';
import { keptOf } from '../read/values.ts';

const shortId = /^[0-9a-f]{8}$/;

/** Ids of entries, and of parts of entries, in the file. */
export class Ids {
	readonly #used = new Set<string>();
	#native = new Map<string, string>();

	constructor(after: Session | undefined) {
		for (const entry of after?.entries ?? []) {
			if (entry.parent === undefined || entry.id.startsWith('line:')) continue;
			this.#used.add(entry.id);
			this.#native.set(entry.id, entry.id);
		}
	}

	/** The id of an entry that is in the file or will be. */
	of(entry: string): string | undefined {
		const known = this.#native.get(entry);
		if (known !== undefined) return known;
		// An entry written earlier from the same source got this id then.
		const derived = deriveHex(8, entry);
		return this.#used.has(derived) ? derived : undefined;
	}

	assign(entry: Entry): string {
		const mine = shortId.test(entry.id) || (keptOf(entry.extra) !== undefined && !entry.id.startsWith('line:'));
		let { id } = entry;
		if (!mine || this.#used.has(id)) id = this.fresh(id);
		else this.#used.add(id);
		this.#native.set(entry.id, id);
		return id;
	}

	/** Forgets older entries, which nothing to come refers to. Still no id is given twice. */
	forgetBefore(entry: string, id: string): void {
		this.#native = new Map([[entry, id]]);
	}

	/** Gives an entry the id of the line that it was merged into. */
	alias(entry: string, id: string): void {
		this.#native.set(entry, id);
	}

	fresh(...parts: readonly string[]): string {
		let id = deriveHex(8, ...parts);
		for (let n = 1; this.#used.has(id); n++) id = deriveHex(8, ...parts, String(n));
		this.#used.add(id);
		return id;
	}
}

/** The results of one reply's calls, which follow each other. */
interface Fan {
	readonly calls: Set<string>;
	last: string;
	/** True once sibling results were put one after the other: what followed one then follows all. */
	joined: boolean;
}

/** Which line follows which. */
export class Chain {
	/** The last line, from which the client goes on. */
	last: string | null;
	#written = new Set<string>();
	/** Lines beside the conversation, by the line that they were put after. */
	#beside = new Map<string, string>();
	#fans = new Map<string, Fan>();
	#fanOf = new Map<string, Fan>();

	constructor(after: Session | undefined) {
		// No line can follow one without an id.
		this.last = after?.leaf?.startsWith('line:') ? null : (after?.leaf ?? null);
		for (const entry of after?.entries ?? []) if (entry.parent !== undefined) this.#written.add(entry.id);
	}

	has(id: string): boolean {
		return this.#written.has(id);
	}

	/** Forgets older lines, which no line to come follows. */
	forgetBefore(id: string): void {
		const tip = this.tip(id);
		this.#written = new Set([id]);
		this.#beside = new Map(tip === id ? [] : [[id, tip]]);
		this.#fans = new Map();
		this.#fanOf = new Map();
	}

	/** The last of the lines that hang beside a line. */
	tip(id: string): string {
		let at = id;
		for (let next = this.#beside.get(at); next !== undefined; next = this.#beside.get(at)) at = next;
		const fan = this.#fanOf.get(at);
		return fan?.joined && fan.last !== at ? this.tip(fan.last) : at;
	}

	/** The parent for a line that follows `wanted`; `result` is the call that the line answers. */
	follow(wanted: string | null, result: string | undefined): string | null {
		if (wanted === null) return null;
		const fan = this.#fans.get(wanted) ?? this.#fanOf.get(wanted);
		if (result !== undefined && fan?.calls.has(result)) {
			if (fan.last !== this.tip(wanted)) fan.joined = true;
			return this.tip(fan.last);
		}
		return this.tip(wanted);
	}

	/** Records a line of the conversation. */
	add(id: string, parent: string | null, calls: readonly string[] | undefined, result: string | undefined): void {
		this.#written.add(id);
		this.last = id;
		if (calls !== undefined && calls.length > 0) this.#fans.set(id, { calls: new Set(calls), last: id, joined: false });
		if (result === undefined || parent === null) return;
		const fan = this.#fans.get(parent) ?? this.#fanOf.get(parent);
		if (!fan?.calls.delete(result)) return;
		fan.last = id;
		this.#fanOf.set(id, fan);
	}

	/** Records a line beside the conversation, written after `parent`. */
	addBeside(id: string, parent: string | null): void {
		this.#written.add(id);
		if (parent !== null) this.#beside.set(parent, id);
		this.last = id;
	}
}
