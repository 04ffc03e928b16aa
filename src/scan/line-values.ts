/** Lines by their wanted values alone, in memory of their own: it can be given to another thread. */
import { scanFlag } from './flags.ts';
import type { ScannedLines } from './lines.ts';

export interface LineValues {
	readonly count: number;
	/** Of each line its offset in the input. */
	readonly at: Float64Array<ArrayBuffer>;
	/** For each field of each line where its raw value begins in `bytes`, and its length; 0 and 0 where it is absent. */
	readonly spans: Uint32Array<ArrayBuffer>;
	readonly bytes: Uint8Array<ArrayBuffer>;
	/** The last line has its newline. */
	readonly ended: boolean;
}

/** Gathers the lines of one input. */
export class ValueCollector {
	readonly #at: Float64Array<ArrayBuffer>[] = [];
	readonly #spans: Uint32Array<ArrayBuffer>[] = [];
	readonly #bytes: Uint8Array<ArrayBuffer>[] = [];
	#count = 0;
	#used = 0;
	#ended = true;

	/** False where values alone do not tell a line, and where the engine cannot copy them: then nothing is to be made of it all. */
	add(lines: ScannedLines): boolean {
		for (let row = 0; row < lines.count; ) {
			const packed = lines.pack?.(row, lines.count, this.#used);
			if (packed === undefined || packed.lines === 0) return false;
			this.#at.push(lines.at.slice(row, row + packed.lines));
			this.#spans.push(packed.spans.slice());
			this.#bytes.push(packed.bytes.slice());
			this.#used += packed.bytes.length;
			row += packed.lines;
		}
		this.#count += lines.count;
		this.#ended = ((lines.flags[lines.count - 1] as number) & scanFlag.unended) === 0;
		return true;
	}

	values(): LineValues {
		const at = joined(Float64Array, this.#at);
		const spans = joined(Uint32Array, this.#spans);
		return { count: this.#count, at, spans, bytes: joined(Uint8Array, this.#bytes), ended: this.#ended };
	}
}

interface Numbers<T> {
	readonly length: number;
	set(part: T, at: number): void;
}

function joined<T extends Numbers<T>>(make: new (length: number) => T, parts: readonly T[]): T {
	const [only] = parts;
	if (only !== undefined && parts.length === 1) return only;
	const all = new make(parts.reduce((length, part) => length + part.length, 0));
	let at = 0;
	for (const part of parts) {
		all.set(part, at);
		at += part.length;
	}
	return all;
}
