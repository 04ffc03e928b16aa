/** A buffer that grows by doubling, so that many small additions do not copy all of it each time. */

export class GrowingBytes {
	#buffer = Buffer.alloc(0);
	#length = 0;

	get length(): number {
		return this.#length;
	}

	add(bytes: Uint8Array): void {
		const length = this.#length + bytes.length;
		if (length > this.#buffer.length) {
			const larger = Buffer.allocUnsafe(2 * length);
			larger.set(this.#buffer.subarray(0, this.#length));
			this.#buffer = larger;
		}
		this.#buffer.set(bytes, this.#length);
		this.#length = length;
	}

	/** The bytes so far, as a view that later additions do not change. */
	bytes(): Uint8Array {
		return this.#buffer.subarray(0, this.#length);
	}
}
