/** How long a frame has stood, in beats of a timer: what a busy machine has kept from this process counts as one beat, however long it was. */
// A terminal says late that it has another size, and a process that did not run hears of it later still. By the clock, frames that
// were drawn in between would be old by then, and would count as drawn for the size that they were meant for.

/** So many beats stand for the time in which a terminal says what it has done. */
const beats = 5;

export class Pulse {
	readonly #beatMs: number;
	#now = 0;
	#drawnAt = 0;
	#timer: NodeJS.Timeout | undefined;

	constructor(unsureMs: number) {
		this.#beatMs = unsureMs / beats;
	}

	/** A frame was drawn now. */
	drawn(): void {
		this.#drawnAt = this.#now;
		this.#beat();
	}

	get now(): number {
		return this.#now;
	}

	/** What was drawn at this beat or before it stands as it was meant. */
	get calmSince(): number {
		return this.#now - beats - 1;
	}

	/** Nothing was drawn lately. */
	get isCalm(): boolean {
		return this.#drawnAt <= this.calmSince;
	}

	/** Nothing beats while nothing is drawn. */
	#beat(): void {
		this.#timer ??= setTimeout(() => {
			this.#timer = undefined;
			this.#now += 1;
			if (!this.isCalm) this.#beat();
		}, this.#beatMs).unref();
	}
}
