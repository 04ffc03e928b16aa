/** The lines that killed writers write: line `n` is the same whoever writes it. */

/** From a few bytes to some tens of thousands: the large ones are what a kill tears. */
const sizes = [0, 10, 300, 5_000, 40_000];

export function lineOf(n: number): string {
	return JSON.stringify({ n, pad: 'x'.repeat(sizes[(n * 7) % sizes.length] ?? 0) });
}
