/** A list of numbers that grows, outside the heap: ten times a million of them are no work for the garbage collector. */
type Memory = Uint8Array | Int32Array | Uint32Array | Float64Array;

export class Numbers<T extends Memory = Memory> {
	#memory: T;
	#length = 0;
	readonly #make: new (
		length: number,
	) => T;

	constructor(make: new (length: number) => T) {
		this.#make = make;
		this.#memory = new make(1 << 8);
	}

	get length(): number {
		return this.#length;
	}

	/** Zero for a place that nobody has written to. */
	at(place: number): number {
		return this.#memory[place] ?? 0;
	}

	push(value: number): void {
		this.set(this.#length, value);
	}

	/** A place behind the end makes the list longer. */
	set(place: number, value: number): void {
		if (place >= this.#memory.length) {
			const larger = new this.#make(Math.max(place + 1, this.#memory.length * 2));
			larger.set(this.#memory);
			this.#memory = larger;
		}
		this.#memory[place] = value;
		if (place >= this.#length) this.#length = place + 1;
	}
}
