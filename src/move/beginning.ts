/** What a file began with when it was written: clients that only add to it leave that as it is. */
import { crc32 } from 'node:zlib';
import { reusedPieces, type Source } from '../model/index.ts';

/** A check sum: it guards against files that were written anew, not against forgers, at a third of what SHA-256 costs. */
export interface Sum {
	readonly length: number;
	readonly crc32: number;
}

export class Beginning implements Sum {
	#length = 0;
	#crc32 = 0;

	get length(): number {
		return this.#length;
	}

	get crc32(): number {
		return this.#crc32;
	}

	take(piece: Uint8Array): void {
		this.#length += piece.length;
		this.#crc32 = crc32(piece, this.#crc32);
	}

	/** The same pieces, which it begins with. */
	*through(pieces: Iterable<Uint8Array>): Generator<Uint8Array> {
		for (const piece of pieces) {
			this.take(piece);
			yield piece;
		}
	}
}

/** True when the file still begins with these bytes. */
export function stillBegins(source: Source, sum: Sum): boolean {
	if (source.size < sum.length) return false;
	const now = new Beginning();
	for (const piece of reusedPieces(source)) {
		now.take(piece.subarray(0, sum.length - now.length));
		if (now.length === sum.length) break;
	}
	return now.length === sum.length && now.crc32 === sum.crc32;
}
