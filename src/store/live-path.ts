/** The path from root to leaf while a file grows: which ids are on it, and where the conversation goes on. */
import type { Link, Pointer } from '../codecs/index.ts';
import type { EntryId } from '../model/index.ts';

export class LivePath {
	readonly #ids: EntryId[];
	/** Where each id stands; made when it is first asked for. */
	#places: Map<EntryId, number> | undefined;
	#pointer: Pointer | undefined;
	#lost = false;

	constructor(ids: readonly EntryId[], pointer?: Pointer) {
		this.#ids = [...ids];
		this.#pointer = pointer;
	}

	get leaf(): EntryId | null {
		return this.#ids.at(-1) ?? null;
	}

	/** Something followed an entry that is not on this path: the whole file has to be looked at. */
	get lost(): boolean {
		return this.#lost;
	}

	get ids(): readonly EntryId[] {
		return this.#ids;
	}

	has(id: EntryId): boolean {
		return this.#placeOf(id) !== undefined;
	}

	add(link: Link): void {
		if (link.pointer) this.#follow(link.pointer);
		else if (link.id !== undefined && link.moves) this.#move(link.id, link.parent ?? null);
	}

	#follow(pointer: Pointer): void {
		const place = this.#placeOf(pointer.target);
		this.#pointer = pointer;
		if (place === undefined) this.#lost = true;
		else if (pointer.back) this.#cut(place + 1);
	}

	#move(id: EntryId, parent: EntryId | null): void {
		const place = parent === null ? -1 : this.#placeOf(parent);
		if (place === undefined || (place === -1 && this.#ids.length > 0)) {
			this.#lost = true;
			return;
		}
		const bound = this.#pointer?.binds ? this.#placeOf(this.#pointer.target) : undefined;
		if (bound !== undefined && place < bound) return; // its writer forgot to move the pointer: the client stays
		this.#cut(place + 1);
		this.#places?.set(id, this.#ids.length);
		this.#ids.push(id);
	}

	#cut(length: number): void {
		for (const id of this.#ids.splice(length)) this.#places?.delete(id);
	}

	#placeOf(id: EntryId): number | undefined {
		this.#places ??= new Map(this.#ids.map((one, place) => [one, place]));
		return this.#places.get(id);
	}
}
