/** What 2.1.325 takes for a parent that is not there or leads back: the line that was written shortly before. */
import type { Json } from '../../../model/index.ts';
import type { Lines } from './lines.ts';

/** Milliseconds. What is older is not taken: then the conversation begins with the line whose parent is missing. */
const longestGap = 5000;

interface Timed {
	readonly line: number;
	readonly time: number;
}

export class Nearby {
	readonly #lines: Lines;
	readonly #isGone: (line: number) => boolean;
	/** By time; of equal times the first in the file counts, so it comes last. Made when the first gap is met. */
	#timed: readonly Timed[] | undefined;

	constructor(lines: Lines, isGone: (line: number) => boolean) {
		this.#lines = lines;
		this.#isGone = isGone;
	}

	/** The latest line that is not later than `line` itself, wherever in the file; none of those that were walked over. */
	before(line: number, seen: ReadonlySet<number>): number | undefined {
		this.#lines.miss(); // any line further up could be nearer in time
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

/** The place of the last one that is not later; -1 when all are. */
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

/** NaN for a time that the client cannot read. */
export function timeOf(value: Json | undefined): number {
	return typeof value === 'string' ? Date.parse(value) : Number.NaN;
}
