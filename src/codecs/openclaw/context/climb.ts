/** Climbs from a leaf, and tells how far up lines matter to what is sent. */
import type { Json } from '../../../model/index.ts';
import type { LineIndex } from '../../shared/read/line-index.ts';
import type { Path } from './path.ts';

/**
 * Nothing above what the last compaction keeps is sent, but the model that answered last is needed too. Where all lines
 * are at hand the path goes up to the root: pi fails on damage anywhere on it.
 */
export class Climb {
	readonly #index: LineIndex;
	readonly #stops: boolean;
	readonly #lines: number[] = [];
	#isCut = false;
	#isAnswered = false;
	/** The id of the first line that the compaction keeps; undefined when it was passed, or none is kept. */
	#wanted: Json | undefined;

	constructor(index: LineIndex, all: boolean) {
		this.#index = index;
		this.#stops = index.partial && !all;
	}

	/** Adds the next line above. True when none above it matters. */
	takes(line: number): boolean {
		this.#lines.push(line);
		if (!this.#stops) return false;
		if (this.#wanted !== undefined && this.#index.field(line, 'id') === this.#wanted) this.#wanted = undefined;
		if (this.#index.field(line, 'message.role') === 'assistant') this.#isAnswered = true;
		if (!this.#isCut && this.#index.field(line, 'type') === 'compaction') {
			this.#isCut = true;
			// A parent always has an id, so an empty value names no line of the path.
			this.#wanted = this.#index.value(line).firstKeptEntryId || undefined;
		}
		return this.#isCut && this.#isAnswered && this.#wanted === undefined;
	}

	path(): Path {
		return { lines: this.#lines.reverse() };
	}
}
