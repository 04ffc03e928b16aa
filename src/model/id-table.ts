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

	/** The position that was given or asked for last. */
	#last = 0;

	/** The position of an id, which is new if nobody has asked for it before. */
	add(id: string): number {
		const found = this.find(id);
		if (found !== undefined) return found;
		const position = this.length;
		if (isPlain(id)) {
			this.#append(id);
			if (2 * (position + 1) > this.#slots.length) this.#rehash();
			this.#slots[this.#slotOf(id)] = position + 1;
		} else {
			this.#ends.push(this.#end(position - 1));
			this.#others.set(id, position);
			this.#otherIds.set(position, id);
		}
		this.#last = position;
		return position;
	}

	find(id: string): number | undefined {
		// Nearly every entry follows the one that came before it.
		if (this.#last < this.length && this.#equals(this.#last, id) && id !== '') return this.#last;
		const slot = isPlain(id) ? (this.#slots[this.#slotOf(id)] as number) : 0;
		return slot === 0 ? this.#others.get(id) : slot - 1;
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
	#slotOf(id: string): number {
		const mask = this.#slots.length - 1;
		for (let slot = hashOf(id) & mask; ; slot = (slot + 1) & mask) {
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

	#rehash(): void {
		this.#slots = new Int32Array(this.#slots.length * 2);
		for (let position = 0; position < this.length - 1; position += 1) {
			if (!this.#otherIds.has(position)) this.#slots[this.#slotOf(this.at(position))] = position + 1;
		}
	}
}

/** An empty id has no characters to be told by, and one of many has too many. */
function isPlain(id: string): boolean {
	if (id.length > longest) return false;
	for (let i = 0; i < id.length; i += 1) if (id.charCodeAt(i) > 0x7f) return false;
	return id !== '';
}

const longest = 1 << 12;

function hashOf(id: string): number {
	let hash = 0x811c9dc5;
	for (let i = 0; i < id.length; i += 1) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193);
	return hash ^ (hash >>> 15);
}
