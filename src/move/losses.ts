/** Collects the losses of a conversion: how many of one kind are listed before the rest is only counted, and which losses are of one kind. */
import type { Loss } from '../model/index.ts';

/** How many losses of a kind are listed; the last one says how many more there are. */
const keptPerKind = 1000;
/** How many notes are remembered with their kind. Notes that name an entry all differ and would fill the memory. */
const knownNotes = 1000;

interface Kind {
	count: number;
	/** The index of the last one that is listed. */
	last: number;
}

/** A list that keeps only the first losses of each kind: a session of gigabytes may have a million of one kind. */
export class LossList extends Array<Loss> {
	/** Arrays made from the list, as by `map`, are ordinary ones. */
	static override get [Symbol.species](): ArrayConstructor {
		return Array;
	}

	readonly #kinds = new Map<string, Kind>();
	/** Kinds by exact wording, which spares work: most losses repeat those of the entry before. */
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

	/** The listed losses, with the numbers of those left out. */
	told(): readonly Loss[] {
		const told: Loss[] = [...this];
		for (const { count, last } of this.#kinds.values()) {
			const loss = told[last];
			if (loss && count > keptPerKind) told[last] = { ...loss, more: count - keptPerKind };
		}
		return told;
	}
}

/** The kind of a loss: equal for losses that differ only in the entry, block or call that they name. */
export function lossKind({ how, path, note }: Loss): string {
	return `${how} ${pathShape(path)} ${noteShape(note)}`;
}

/** A path without the numbers of blocks. */
export function pathShape(path: string): string {
	return path.includes('[') ? path.replace(/\[\d+\]/g, '[]') : path;
}

function noteShape(note: string): string {
	return note.replace(/\S*\d\S*/g, '#');
}
