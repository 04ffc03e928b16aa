/** Sums of files: they guard against changed bytes, not against forgers, at a fifth of the cost of SHA-256. */
import { reusedPieces, type Source } from '../model/index.ts';

export interface Sum {
	readonly length: number;
	/** The hash as 16 hex digits. */
	readonly xxh64: string;
}

export function isSameSum(a: Sum, b: Sum): boolean {
	return a.length === b.length && a.xxh64 === b.xxh64;
}

interface Hash {
	update(bytes: Uint8Array): unknown;
	digest(): bigint;
}

let loaded: Promise<Sums> | undefined;

/** Loads what makes sums. */
export async function loadSums(): Promise<Sums> {
	loaded ??= import('xxhash-wasm').then(async ({ default: load }) => new Sums((await load()).create64));
	return await loaded;
}

const known = new WeakMap<Source, Sum>();

export class Sums {
	readonly #create: () => Hash;

	constructor(create: () => Hash) {
		this.#create = create;
	}

	start(): Summing {
		return new Summing(this.#create());
	}

	/** Remembers the sum of a source that somebody else read, if all of it was read. */
	settle(source: Source, passed: Summing): void {
		if (passed.length === source.size && !known.has(source)) known.set(source, passed.sum());
	}

	/** The sum of a whole source, which is read once. */
	of(source: Source): Sum {
		let sum = known.get(source);
		if (!sum) {
			const summing = this.start();
			for (const piece of reusedPieces(source)) summing.take(piece);
			sum = summing.sum();
			known.set(source, sum);
		}
		return sum;
	}

	/** True when the source still begins with the bytes of this sum. */
	stillBegins(source: Source, sum: Sum): boolean {
		if (source.size < sum.length) return false;
		const now = this.start();
		for (const piece of reusedPieces(source)) {
			now.take(piece.subarray(0, sum.length - now.length));
			if (now.length === sum.length) break;
		}
		return isSameSum(now.sum(), sum);
	}
}

/** Sums bytes while they pass. */
class Summing {
	readonly #hash: Hash;
	#length = 0;

	constructor(hash: Hash) {
		this.#hash = hash;
	}

	get length(): number {
		return this.#length;
	}

	take(piece: Uint8Array): void {
		this.#length += piece.length;
		this.#hash.update(piece);
	}

	/** Yields the pieces again and adds them to the sum. */
	*through(pieces: Iterable<Uint8Array>): Generator<Uint8Array> {
		for (const piece of pieces) {
			this.take(piece);
			yield piece;
		}
	}

	/** The sum of all bytes so far. */
	sum(): Sum {
		return { length: this.#length, xxh64: this.#hash.digest().toString(16).padStart(16, '0') };
	}
}
