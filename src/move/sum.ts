/** Check sums of files: they guard against bytes that have changed, not against forgers, at a fifth of what SHA-256 costs. */
import { reusedPieces, type Source } from '../model/index.ts';

export interface Sum {
	readonly length: number;
	/** As 16 hex digits. */
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

/** What makes sums: it has to be loaded first. */
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

	/** The sum of a source that somebody else went through, known from now on if all of it went by. */
	settle(source: Source, passed: Summing): void {
		if (passed.length === source.size && !known.has(source)) known.set(source, passed.sum());
	}

	/** Of all of a source, which is gone through once. */
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

	/** True when the source still begins with these bytes. */
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

/** The sum of bytes that go by. */
export class Summing {
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

	/** The same pieces, which are taken. */
	*through(pieces: Iterable<Uint8Array>): Generator<Uint8Array> {
		for (const piece of pieces) {
			this.take(piece);
			yield piece;
		}
	}

	/** Of all that was taken. */
	sum(): Sum {
		return { length: this.#length, xxh64: this.#hash.digest().toString(16).padStart(16, '0') };
	}
}
