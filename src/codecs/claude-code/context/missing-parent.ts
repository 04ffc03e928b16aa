/** The parent that 2.1.325 uses where a line's own is missing or circular: the latest line written at most five seconds before it. */
import type { Json } from '../../../model/index.ts';
import type { Lines } from './lines.ts';

/** Milliseconds. After a longer gap the conversation begins with the line whose parent is missing. */
const longestGap = 5000;

interface Timed {
	readonly line: number;
	readonly time: number;
}

export class Nearby {
	readonly #lines: Lines;
	readonly #isGone: (line: number) => boolean;
	/** Lines by time, made at the first gap. Of equal times the first in the file counts, so it is sorted last. */
	#timed: readonly Timed[] | undefined;

	constructor(lines: Lines, isGone: (line: number) => boolean) {
		this.#lines = lines;
		this.#isGone = isGone;
	}

	/** The latest line not later than `line`, anywhere in the file, except those in `seen`. */
	before(line: number, seen: ReadonlySet<number>): number | undefined {
		this.#lines.miss(); // any earlier line could be nearer in time
		const own = timeOf(this.#lines.index.field(line, 'timestamp'));
		if (Number.isNaN(own)) return undefined;
		this.#timed ??= this.#byTime();
		for (let at = lastUpTo(this.#timed, own); at >= 0; at -= 1) {
			const found = this.#timed[at] as Timed;
			if (own - found.time > longestGap) return undefined;
			if (!seen.has(found.line)) return found.line;
		}
		return undefined;
	}

	#byTime(): readonly Timed[] {
		const lines = this.#lines;
		const timed: Timed[] = [];
		for (let line = 0; line < lines.end; line += 1) {
			if (!lines.isGraph(line) || lines.isSidechain(line) || this.#isGone(line) || !lines.counts(line)) continue;
			const time = timeOf(lines.index.field(line, 'timestamp'));
			if (!Number.isNaN(time)) timed.push({ line, time });
		}
		return timed.sort((a, b) => a.time - b.time || b.line - a.line);
	}
}

/** The index of the last one not later; -1 when all are later. */
function lastUpTo(timed: readonly Timed[], time: number): number {
	let low = 0;
	let high = timed.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if ((timed[middle] as Timed).time <= time) low = middle + 1;
		else high = middle;
	}
	return low - 1;
}

/** A time in milliseconds; NaN where the client cannot read it. */
export function timeOf(value: Json | undefined): number {
	return typeof value === 'string' ? Date.parse(value) : Number.NaN;
}
