/** Shares one sync among all callers that wait for one. */

/** While one sync runs, callers gather; the next one serves them all. */
export class GroupSync {
	readonly #sync: () => Promise<void>;
	#running: Promise<void> | undefined;
	#next: Promise<void> | undefined;

	constructor(sync: () => Promise<void>) {
		this.#sync = sync;
	}

	/** Resolves after a sync that began after this call: one that is under way may have missed the caller's bytes. */
	run(): Promise<void> {
		if (this.#next) return this.#next;
		if (!this.#running) return this.#start();
		const begin = (): Promise<void> => this.#start();
		this.#next = this.#running.then(begin, begin);
		return this.#next;
	}

	/** Resolves when no sync is running, whether it succeeded or not: its own callers get the error. */
	async idle(): Promise<void> {
		while (this.#next ?? this.#running) await Promise.allSettled([this.#next ?? this.#running]);
	}

	#start(): Promise<void> {
		this.#next = undefined;
		const running = this.#sync().finally(() => {
			if (this.#running === running) this.#running = undefined;
		});
		this.#running = running;
		return running;
	}
}
