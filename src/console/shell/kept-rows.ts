/** A finished block: its rows are made once for each width. */
import type { Component } from '@earendil-works/pi-tui';

export class KeptRows implements Component {
	readonly #rows: (width: number) => readonly string[];
	#width = 0;
	#kept: string[] = [];

	constructor(rows: (width: number) => readonly string[]) {
		this.#rows = rows;
	}

	render(width: number): string[] {
		if (width !== this.#width) this.#kept = [...this.#rows(width)];
		this.#width = width;
		return this.#kept;
	}

	invalidate(): void {
		this.#width = 0;
	}
}
