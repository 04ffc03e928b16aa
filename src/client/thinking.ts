/** How hard a model thinks, in the words of hosts: which switch, effort or number of tokens is which level. */
import type { ThinkingLevel } from '../agent/contracts.ts';

const levels: { readonly [word: string]: ThinkingLevel } = {
	// A word that every object knows is no level.
	__proto__: null as never,
	...{ off: 'off', minimal: 'minimal', low: 'low', medium: 'medium', high: 'high' },
	...{ xhigh: 'high', max: 'high', disabled: 'off' },
	// The model decides how hard: where it cannot, the middle is the best guess.
	...{ adaptive: 'medium', enabled: 'medium' },
};

export interface ThinkingWords {
	readonly thinking?: string;
	readonly effort?: string;
	readonly tokens?: number;
}

/** Switched off is off; an effort says more than a switch. Undefined: as it would be if nobody had said anything. */
export function thinkingFor({ thinking, effort, tokens }: ThinkingWords): ThinkingLevel | undefined {
	const wanted = thinking === undefined ? undefined : levels[thinking];
	if (wanted === 'off') return wanted;
	const hard = effort === undefined ? undefined : levels[effort];
	if (hard !== undefined) return hard;
	if (tokens !== undefined && tokens >= 0) return levelOf(tokens);
	return wanted;
}

/** The level that comes nearest: providers have other numbers, or none. */
export function levelOf(tokens: number): ThinkingLevel {
	if (tokens === 0) return 'off';
	if (tokens < 4096) return 'minimal';
	if (tokens < 10_000) return 'low';
	return tokens < 20_000 ? 'medium' : 'high';
}
