/** A list of numbers that grows, outside the heap: ten times a million of them are no work for the garbage collector. */
type Memory = Uint8Array<ArrayBuffer> | Int32Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;

interface Make<T> {
	readonly BYTES_PER_ELEMENT: number;
	new (memory: ArrayBuffer): T;
}

export class Numbers<T extends Memory = Memory> {
	#memory: T;
	#length = 0;
	readonly #make: Make<T>;

	constructor(make: Make<T>) {
		this.#make = make;
		this.#memory = new make(new ArrayBuffer(make.BYTES_PER_ELEMENT << 8));
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
			// By a quarter, since all of it is filled with zeros; and moved, since a copy leaves memory behind that is given back late.
			const length = Math.max(place + 1, Math.ceil(this.#memory.length * 1.25));
			this.#memory = new this.#make(this.#memory.buffer.transfer(length * this.#make.BYTES_PER_ELEMENT));
		}
		this.#memory[place] = value;
		if (place >= this.#length) this.#length = place + 1;
	}
}
