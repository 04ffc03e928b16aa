/** How numbers, dollars, tokens and unknown costs are written for people. */
import { plural } from '../model/index.ts';

/** A whole number as `1,234,567`. The runtime's formatter would load tables of all languages: 20 ms and 8 MB. */
export function countText(count: number): string {
	return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** `1 message`, `1,234 messages`. */
export function countedText(count: number, one: string, many?: string): string {
	return `${countText(count)} ${plural(count, one, many)}`;
}

const leastShown = 0.005;

/** Dollars as `$1,234.50`. An amount below a cent is not shown as zero. */
export function dollarText(dollars: number): string {
	if (dollars > 0 && dollars < leastShown) return '<$0.01';
	const [whole = '', cents = ''] = dollars.toFixed(2).split('.');
	return `$${countText(Number(whole))}.${cents}`;
}

/** `3 earlier entries`, or without a number where nobody counted. */
export function earlierText(entries: number | undefined): string {
	return entries === undefined
		? 'earlier entries'
		: `${countText(entries)} earlier ${plural(entries, 'entry', 'entries')}`;
}

/** What something costs, or that nobody knows. */
export function costText(costUsd: number | null): string {
	return costUsd === null ? 'cost not known' : dollarText(costUsd);
}

interface Tokens {
	readonly inputTokens: number;
	readonly outputTokens: number;
	readonly cacheReadTokens: number;
	readonly cacheWriteTokens: number;
}

/** The tokens of a model by what they were used for. Some formats record dollars alone. */
export function tokensText({ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }: Tokens): string {
	const parts = {
		input: inputTokens,
		output: outputTokens,
		'cache read': cacheReadTokens,
		'cache write': cacheWriteTokens,
	};
	if (Object.values(parts).every((tokens) => tokens === 0)) return 'the session records no tokens';
	return Object.entries(parts)
		.map(([what, tokens]) => `${countText(tokens)} ${what}`)
		.join(', ');
}
