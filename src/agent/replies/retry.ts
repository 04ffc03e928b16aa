/** Whether a request that failed is sent again: how often, after which waits, and how long a wait a server may ask for before the run ends instead. */
import type { RetryRules } from '../config.ts';
import type { Failure } from '../contracts.ts';

const defaults = {
	times: 5,
	firstWaitMs: 1000,
	longestWaitMs: 30_000,
	longestAskedMs: 300_000,
} as const satisfies RetryRules;

/** How long to wait before the next attempt, or the failure to end with. */
export type Retry = { readonly waitMs: number; readonly of: number } | { readonly failure: Failure };

/** `attempt`: how many have failed so far. Asking before a server wants to be asked only prolongs its refusal. */
export function retryAfter(failure: Failure, attempt: number, rules: RetryRules | undefined): Retry {
	const { times, firstWaitMs, longestWaitMs, longestAskedMs } = { ...defaults, ...rules };
	if (!failure.retry || attempt > times) return { failure };
	const { retryAfterMs: asked } = failure;
	if (asked === undefined) return { waitMs: Math.min(firstWaitMs * 2 ** (attempt - 1), longestWaitMs), of: times };
	if (asked <= longestAskedMs) return { waitMs: asked, of: times };
	const message = `${failure.message} It wants to be asked again in ${inWords(asked)}, which is longer than anybody waits here.`;
	return { failure: { ...failure, message, retry: false } };
}

function inWords(ms: number): string {
	const minutes = Math.ceil(ms / 60_000);
	if (minutes < 60) return `${minutes} min`;
	return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
