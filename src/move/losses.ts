/** What a conversion could not carry over: told in full for ordinary sessions, and counted where there is too much of it. */
import type { Loss } from '../model/index.ts';

/** Of each kind so many are listed; how many more there are is told on the last of them. */
const keptPerKind = 1000;
/** Notes that name an entry or a call are all different: remembering their shapes is for the others. */
const knownNotes = 1000;

interface Kind {
	count: number;
	/** Where the last one that is listed stands. */
	last: number;
}

/** A list that keeps the first of each kind: a session of gigabytes loses the same thing a million times. */
export class LossList extends Array<Loss> {
	/** What is made from it is an ordinary array. */
	static override get [Symbol.species](): ArrayConstructor {
		return Array;
	}

	readonly #kinds = new Map<string, Kind>();
	/** The same by all words as they are: most losses repeat those of the entry before. */
	readonly #known = new Map<string, Kind>();

	override push(...losses: readonly Loss[]): number {
		for (const loss of losses) {
			const kind = this.#kind(loss);
			kind.count += 1;
			if (kind.count <= keptPerKind) kind.last = super.push(loss) - 1;
		}
		return this.length;
	}

	#kind(loss: Loss): Kind {
		const words = `${loss.how} ${loss.path} ${loss.note}`;
		const known = this.#known.get(words);
		if (known) return known;
		const name = lossKind(loss);
		const kind = this.#kinds.get(name) ?? { count: 0, last: 0 };
		this.#kinds.set(name, kind);
		if (this.#known.size < knownNotes) this.#known.set(words, kind);
		return kind;
	}

	/** All that is listed, with the numbers of what is not. */
	told(): readonly Loss[] {
		const told: Loss[] = [...this];
		for (const { count, last } of this.#kinds.values()) {
			const loss = told[last];
			if (loss && count > keptPerKind) told[last] = { ...loss, more: count - keptPerKind };
		}
		return told;
	}
}

/** Equal for losses that differ only in which entry, block or call they are about. */
export function lossKind({ how, path, note }: Loss): string {
	return `${how} ${pathShape(path)} ${noteShape(note)}`;
}

/** The path without the places of blocks. */
export function pathShape(path: string): string {
	return path.includes('[') ? path.replace(/\[\d+\]/g, '[]') : path;
}

function noteShape(note: string): string {
	return note.replace(/\S*\d\S*/g, '#');
}
