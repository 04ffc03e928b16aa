/** The path from root to leaf while a file grows: which ids are on it, and where the conversation goes on. */
import type { Link } from '../../codecs/index.ts';
import type { EntryId } from '../../model/index.ts';

/** Follows only what plainly goes on from the leaf. Otherwise the file is read again, by its client's rule. */
export class LivePath {
	readonly #ids: EntryId[];
	/** The ids on the path as a set, which is made at the first question. */
	#known: Set<EntryId> | undefined;
	#lost = false;

	constructor(ids: readonly EntryId[]) {
		this.#ids = [...ids];
	}

	get leaf(): EntryId | null {
		return this.#ids.at(-1) ?? null;
	}

	/** True when the conversation may have turned elsewhere: the whole file has to be read again. */
	get lost(): boolean {
		return this.#lost;
	}

	get ids(): readonly EntryId[] {
		return this.#ids;
	}

	has(id: EntryId): boolean {
		this.#known ??= new Set(this.#ids);
		return this.#known.has(id);
	}

	add(link: Link): void {
		if (link.is === 'beside') return;
		if (link.is === 'next' && link.parent === this.leaf && !this.has(link.id)) {
			this.#ids.push(link.id);
			this.#known?.add(link.id);
		} else if (link.is !== 'pointer' || link.target !== this.leaf) this.#lost = true;
	}
}
