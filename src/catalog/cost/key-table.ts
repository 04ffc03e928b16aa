/** Numbers millions of keys. Only 64 bits of each are kept, in typed arrays that the garbage collector skips. */

/**
 * Two of ten million keys share all 64 bits on one in four hundred thousand machines. A Map of the keys themselves
 * would take longer to collect than their files take to read.
 */
export class KeyTable {
	/** How many keys there are; the next one gets this number. */
	size = 0;
	/** Each place holds two halves of a hash and the key's number plus one; 0 marks a free place. */
	#table = new Int32Array(3 * 4096);
	#high = 0;
	#low = 0;

	/** The number of the key, or -1 for an unknown one. */
	get(key: string): number {
		this.#digest(key);
		return (this.#table[this.#place() + 2] as number) - 1;
	}

	/** Adds the unknown key that `get` was last asked for. */
	add(): number {
		if (this.size * 2 >= this.#table.length / 3) this.#grow();
		this.#put(this.#place(), this.size);
		this.size += 1;
		return this.size - 1;
	}

	#put(place: number, number: number): void {
		this.#table[place] = this.#high;
		this.#table[place + 1] = this.#low;
		this.#table[place + 2] = number + 1;
	}

	/** Where the key with the current hash is, or would be. */
	#place(): number {
		const table = this.#table;
		const mask = table.length / 3 - 1;
		for (let at = this.#low & mask; ; at = (at + 1) & mask) {
			const place = at * 3;
			if (table[place + 2] === 0) return place;
			if (table[place] === this.#high && table[place + 1] === this.#low) return place;
		}
	}

	#grow(): void {
		const old = this.#table;
		const high = this.#high;
		const low = this.#low;
		this.#table = new Int32Array(old.length * 4);
		for (let place = 0; place < old.length; place += 3) {
			const number = (old[place + 2] as number) - 1;
			if (number < 0) continue;
			this.#high = old[place] as number;
			this.#low = old[place + 1] as number;
			this.#put(this.#place(), number);
		}
		this.#high = high;
		this.#low = low;
	}

	#digest(key: string): void {
		digest(key);
		this.#high = high;
		this.#low = low;
	}
}

/** The hash of the text that `digest` was last called with, in two halves. */
let high = 0;
let low = 0;

/** Computes two hashes side by side, each of which takes in the other at the end. */
function digest(key: string): void {
	let one = 0x9e3779b1 ^ key.length;
	let other = 0x85ebca77;
	for (let at = 0; at < key.length; at += 1) {
		const code = key.charCodeAt(at);
		one = Math.imul(one ^ code, 0x9e3779b1);
		other = Math.imul(other ^ code, 0x5f356495);
	}
	one = Math.imul(one ^ (one >>> 16), 0x85ebca6b) ^ Math.imul(other ^ (other >>> 13), 0xc2b2ae35);
	other = Math.imul(other ^ (other >>> 16), 0x85ebca6b) ^ Math.imul(one ^ (one >>> 13), 0xc2b2ae35);
	high = one | 0;
	low = other | 0;
}

/** As much of a text's hash as a number holds: it tells apart two texts that stand for the same key. */
export function hashNumber(text: string): number {
	digest(text);
	return (high >>> 11) * 0x1_0000_0000 + (low >>> 0);
}
