/** Numbers ids from 0 on, in the order in which they are first met. */
export class Ids {
	readonly #positions = new Map<string, number>();
	readonly #ids: string[] = [];

	get length(): number {
		return this.#ids.length;
	}

	/** The position of an id, which is new if nobody has asked for it before. */
	add(id: string): number {
		const known = this.#positions.get(id);
		if (known !== undefined) return known;
		this.#positions.set(id, this.#ids.length);
		return this.#ids.push(id) - 1;
	}

	find(id: string): number | undefined {
		// Nearly every entry follows the one that came before it.
		const before = this.#ids.length - 2;
		return before >= 0 && this.#ids[before] === id ? before : this.#positions.get(id);
	}

	at(position: number): string {
		return this.#ids[position] as string;
	}
}
