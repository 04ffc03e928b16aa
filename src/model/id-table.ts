/** Many ids and their positions in little memory: a session of gigabytes has a million of them. */
import { Numbers } from './numbers.ts';

/** Positions count from 0, in the order in which ids are first met. */
export class IdTable {
	/** The characters of all ids, one after the other, and where each one's end. */
	#characters = new Uint8Array(1 << 12);
	readonly #ends = new Numbers(Uint32Array);
	/** Positions + 1 by hash, the next free place taken where two meet; 0 is free. */
	#slots = new Int32Array(1 << 8);
	/** Ids that are not plain ASCII; nearly always none. */
	readonly #others = new Map<string, number>();
	readonly #otherIds = new Map<number, string>();

	get length(): number {
		return this.#ends.length;
	}

	/** The position of an id, which is new if nobody has asked for it before. */
	add(id: string): number {
		const hash = plainHash(id);
		if (hash === notPlain) return this.#others.get(id) ?? this.#addOther(id);
		const slot = this.#slotOf(id, hash);
		const taken = this.#slots[slot] as number;
		if (taken !== 0) return taken - 1;
		const position = this.length;
		this.#slots[slot] = position + 1;
		this.#append(id);
		if (2 * this.length > this.#slots.length) this.#rehash();
		return position;
	}

	#addOther(id: string): number {
		const position = this.length;
		this.#ends.push(this.#end(position - 1));
		this.#others.set(id, position);
		this.#otherIds.set(position, id);
		return position;
	}

	find(id: string): number | undefined {
		// Nearly every entry follows the one that came before it.
		const before = this.length - 2;
		if (before >= 0 && id !== '' && this.#equals(before, id)) return before;
		const hash = plainHash(id);
		if (hash === notPlain) return this.#others.get(id);
		const taken = this.#slots[this.#slotOf(id, hash)] as number;
		return taken === 0 ? undefined : taken - 1;
	}

	at(position: number): string {
		const other = this.#otherIds.get(position);
		if (other !== undefined) return other;
		return String.fromCharCode(...this.#characters.subarray(this.#end(position - 1), this.#end(position)));
	}

	#end(position: number): number {
		return position < 0 ? 0 : this.#ends.at(position);
	}

	#append(id: string): void {
		const start = this.#end(this.length - 1);
		const end = start + id.length;
		if (end > this.#characters.length) {
			const larger = new Uint8Array(Math.max(end, this.#characters.length * 2));
			larger.set(this.#characters);
			this.#characters = larger;
		}
		for (let i = 0; i < id.length; i += 1) this.#characters[start + i] = id.charCodeAt(i);
		this.#ends.push(end);
	}

	/** Where the id stands, or the free place where it would. */
	#slotOf(id: string, hash: number): number {
		const mask = this.#slots.length - 1;
		for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
			const taken = this.#slots[slot] as number;
			if (taken === 0 || this.#equals(taken - 1, id)) return slot;
		}
	}

	#equals(position: number, id: string): boolean {
		const start = this.#end(position - 1);
		if (this.#end(position) - start !== id.length) return false;
		for (let i = 0; i < id.length; i += 1) if (this.#characters[start + i] !== id.charCodeAt(i)) return false;
		return true;
	}

	/** From the characters themselves: making a text of each id again would cost more than all the rest. */
	#rehash(): void {
		const slots = new Int32Array(this.#slots.length * 2);
		const mask = slots.length - 1;
		let start = 0;
		for (let position = 0; position < this.length; position += 1) {
			const end = this.#ends.at(position);
			let hash = hashStart;
			for (let i = start; i < end; i += 1) hash = mixed(hash, this.#characters[i] as number);
			let slot = ended(hash) & mask;
			if (end > start) {
				while (slots[slot] !== 0) slot = (slot + 1) & mask;
				slots[slot] = position + 1;
			}
			start = end;
		}
		this.#slots = slots;
	}
}

const longest = 1 << 12;
const notPlain = -1;

/** An empty id has no characters to be told by, and one of many has too many. */
function plainHash(id: string): number {
	if (id === '' || id.length > longest) return notPlain;
	let hash = hashStart;
	let all = 0;
	for (let i = 0; i < id.length; i += 1) {
		const character = id.charCodeAt(i);
		all |= character;
		hash = mixed(hash, character);
	}
	return all > 0x7f ? notPlain : ended(hash);
}

const hashStart = 0x811c9dc5 | 0;
const mixed = (hash: number, character: number): number => Math.imul(hash ^ character, 0x01000193);
/** Never negative. */
const ended = (hash: number): number => (hash ^ (hash >>> 15)) >>> 1;
