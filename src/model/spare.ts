/** Memory that serves again: new memory costs more than what is put into it, and stands around until it is collected. */

const nothing = Buffer.alloc(0);

/** Kept from one user to the next, unless it is larger than `largest`. Who finds it taken gets memory of their own. */
export class Spare {
	readonly #largest: number;
	#room = nothing;

	constructor(largest: number) {
		this.#largest = largest;
	}

	/** At least that large, with anything in it. */
	take(size: number): Buffer<ArrayBuffer> {
		if (size > this.#room.length) return Buffer.allocUnsafeSlow(size);
		const room = this.#room;
		this.#room = nothing;
		return room;
	}

	/** From now on nobody may look at it but who takes it next. */
	leave(room: Buffer<ArrayBuffer>): void {
		if (room.length > this.#room.length && room.length <= this.#largest) this.#room = room;
	}
}
