/** Chance that comes out the same every time. */

export interface Random {
	/** From 0 up to and without 1. */
	next(): number;
	/** A whole number from `low` to `high`, both included. */
	int(low: number, high: number): number;
	pick<T>(items: readonly T[]): T;
	chance(share: number): boolean;
	/** Half of the values are below `median`; `spread` is the deviation of their logarithm. */
	logNormal(median: number, spread: number): number;
	hex(length: number): string;
	letters(length: number): string;
	uuid(): string;
}

const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';

export function randomFrom(seed: number): Random {
	let state = (seed ^ 0x6d2b79f5) >>> 0;
	/** splitmix32. */
	function bits(): number {
		state = (state + 0x9e3779b9) >>> 0;
		let x = state;
		x = Math.imul(x ^ (x >>> 16), 0x21f0aaad);
		x = Math.imul(x ^ (x >>> 15), 0x735a2d97);
		return (x ^ (x >>> 15)) >>> 0;
	}
	const next = () => bits() / 0x1_0000_0000;
	const int = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
	function hex(length: number): string {
		let text = '';
		while (text.length < length) text += bits().toString(16).padStart(8, '0');
		return text.slice(0, length);
	}
	return {
		next,
		int,
		hex,
		pick: <T>(items: readonly T[]) => items[int(0, items.length - 1)] as T,
		chance: (share) => next() < share,
		logNormal(median, spread) {
			const normal = Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
			return median * Math.exp(spread * normal);
		},
		letters(length) {
			let text = '';
			for (let i = 0; i < length; i += 1) text += alphabet[int(0, alphabet.length - 1)];
			return text;
		},
		uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`,
	};
}
