/** Reads lines from the end of a source towards its beginning, without reading the rest: how much at a time, and when it stops. */
import type { Source } from '../model/index.ts';

export interface BackwardOptions {
	/** Offset to begin before: a line's start, or the end of the source (default). */
	readonly from?: number;
	/** Bytes of the first read; reads double from there. Default 64 KB. */
	readonly window?: number;
	/** The largest read, and the most bytes that are held of a line. Default 4 MB. */
	readonly maxWindow?: number;
	/** Stop when about this many bytes have been read, even in the middle of a line. Default: no limit. */
	readonly budget?: number;
}

export interface BackwardLine {
	readonly at: number;
	/** Includes the newline, which the last line of a source may lack. */
	readonly length: number;
	/** The bytes of the line. A line too long to be held is read again. */
	bytes(): Uint8Array;
}

const newline = 0x0a;

/**
 * Yields the lines before `from`, the last one first. Returns where the last yielded line begins: 0 when all have been
 * yielded, more when the budget was used up before.
 */
export function* backwardLines(source: Source, options: BackwardOptions = {}): Generator<BackwardLine, number> {
	const maxWindow = Math.max(1, options.maxWindow ?? 1 << 22);
	let window = Math.min(maxWindow, Math.max(1, options.window ?? 1 << 16));
	let budget = options.budget ?? Number.POSITIVE_INFINITY;
	/** The current line ends here; [low, end) has been read and holds no other newline. */
	let end = Math.min(options.from ?? source.size, source.size);
	let low = end;
	/** The bytes of [low, end), in order; undefined when they are too many to be held. */
	let held: Uint8Array[] | undefined = [];
	while (low > 0) {
		if (budget <= 0) return end;
		const length = Math.min(window, low);
		const piece = source.read(low - length, length);
		if (piece.length < length) return end; // the source has shrunk meanwhile, so its content is unknown
		low -= length;
		budget -= length;
		window = Math.min(maxWindow, window * 2);
		let rest = piece.length;
		for (let found = startBefore(piece, rest, end - low); found !== -1; found = startBefore(piece, rest, end - low)) {
			const at = low + found + 1;
			yield lineOf(source, at, end, held && [piece.subarray(found + 1, rest), ...held]);
			held = [];
			end = at;
			rest = found + 1;
		}
		held = held && end - low <= maxWindow ? [piece.subarray(0, rest), ...held] : undefined;
	}
	if (end > 0) yield lineOf(source, 0, end, held);
	return 0;
}

/** The last newline of piece[0, rest), except the one that ends the line at `end`. */
function startBefore(piece: Uint8Array, rest: number, end: number): number {
	const last = Math.min(rest - 1, end - 2);
	return last < 0 ? -1 : piece.lastIndexOf(newline, last);
}

function lineOf(source: Source, at: number, end: number, held: readonly Uint8Array[] | undefined): BackwardLine {
	const length = end - at;
	return {
		at,
		length,
		bytes() {
			if (held === undefined) return source.read(at, length);
			return held.length === 1 ? (held[0] as Uint8Array) : Buffer.concat(held);
		},
	};
}
