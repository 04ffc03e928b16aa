/** Ids and their positions: quick as long as they are few, and little memory when they are many. */
import { IdTable } from './id-table.ts';

/** A session of hundreds of megabytes has fewer. */
const most = 1 << 16;

/** What IdTable does. The engine's own map is faster, and takes several times the memory. */
export class Ids {
	#positions = new Map<string, number>();
	#ids: string[] = [];
	#table: IdTable | undefined;

	get length(): number {
		return this.#table?.length ?? this.#ids.length;
	}

	/** The position of an id, which is new if nobody has asked for it before. */
	add(id: string): number {
		if (this.#table) return this.#table.add(id);
		const known = this.#positions.get(id);
		if (known !== undefined) return known;
		const position = this.#ids.length;
		if (position === most) return this.#move().add(id);
		this.#positions.set(id, position);
		this.#ids.push(id);
		return position;
	}

	find(id: string): number | undefined {
		if (this.#table) return this.#table.find(id);
		// Nearly every entry follows the one that came before it.
		const before = this.#ids.length - 2;
		return before >= 0 && this.#ids[before] === id ? before : this.#positions.get(id);
	}

	at(position: number): string {
		return this.#table?.at(position) ?? (this.#ids[position] as string);
	}

	#move(): IdTable {
		const table = new IdTable();
		for (const id of this.#ids) table.add(id);
		this.#table = table;
		this.#positions = new Map();
		this.#ids = [];
		return table;
	}
}
