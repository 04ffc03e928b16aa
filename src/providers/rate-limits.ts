/** What the headers of an answer say of a provider's rate limits: which of several counts, and from which share on hosts are warned (`rate_limit_event`). */
import type { RateLimits } from '../agent/contracts.ts';
import { compact } from '../model/index.ts';

/** From this share on somebody should know. */
const warnsAt = 0.9;

/**
 * `refused`: the request was turned away because of them. `now` and `waitMs`, which the refusal itself may say, in milliseconds.
 * Undefined where nothing is said.
 */
export function limitsOf(
	headers: Headers | undefined,
	refused: boolean,
	now: number,
	waitMs?: number,
): RateLimits | undefined {
	const found = headers ? (unifiedLimits(headers) ?? mostUsed(headers, now)) : undefined;
	if (!refused) return found;
	const after = waitMs === undefined ? undefined : Math.round((now + waitMs) / 1000);
	const resetsAt = found?.resetsAt ?? resetAfter(headers?.get('retry-after'), now) ?? after;
	return { ...found, status: 'rejected', ...(resetsAt === undefined ? {} : { resetsAt }) };
}

const unified = 'anthropic-ratelimit-unified';
const windows: { readonly [kind: string]: string } = { five_hour: '5h', seven_day: '7d' };

/** The limits of Anthropic's subscriptions. */
function unifiedLimits(headers: Headers): RateLimits | undefined {
	const given = headers.get(`${unified}-status`);
	const status = (['allowed', 'allowed_warning', 'rejected'] as const).find((one) => one === given);
	if (status === undefined) return undefined;
	const kind = headers.get(`${unified}-representative-claim`) ?? undefined;
	const window = kind === undefined ? undefined : windows[kind];
	const at = (name: string): number | undefined => numberIn(headers.get(`${unified}-${name}`));
	const utilization = window === undefined ? undefined : at(`${window}-utilization`);
	const surpassedThreshold = window === undefined ? undefined : at(`${window}-surpassed-threshold`);
	return compact({ status, kind, resetsAt: at('reset'), utilization, surpassedThreshold });
}

const counted = ['requests', 'tokens', 'input-tokens', 'output-tokens'] as const;

/** Of several limits the one that is nearest. */
function mostUsed(headers: Headers, now: number): RateLimits | undefined {
	const all = counted.flatMap((kind) => [
		limitIn(headers, kind, (what) => `anthropic-ratelimit-${kind}-${what}`, now),
		limitIn(headers, kind, (what) => `x-ratelimit-${what}-${kind}`, now),
	]);
	return all
		.filter((one) => one !== undefined)
		.reduce<RateLimits | undefined>(
			(most, one) => (most === undefined || (one.utilization ?? 0) > (most.utilization ?? 0) ? one : most),
			undefined,
		);
}

function limitIn(headers: Headers, kind: string, name: (what: string) => string, now: number): RateLimits | undefined {
	const limit = numberIn(headers.get(name('limit')));
	const remaining = numberIn(headers.get(name('remaining')));
	if (limit === undefined || remaining === undefined || limit <= 0) return undefined;
	const utilization = Math.min(1, Math.max(0, 1 - remaining / limit));
	const isNear = utilization >= warnsAt;
	const resetsAt = resetAfter(headers.get(name('reset')), now);
	const status = isNear ? 'allowed_warning' : 'allowed';
	return compact({ status, kind, resetsAt, utilization, surpassedThreshold: isNear ? warnsAt : undefined });
}

function numberIn(given: string | null): number | undefined {
	const value = given === null || given.trim() === '' ? Number.NaN : Number(given);
	return Number.isFinite(value) ? value : undefined;
}

/** A date, seconds from now on, or OpenAI's `6m0s`, as seconds since the epoch. */
function resetAfter(given: string | null | undefined, now: number): number | undefined {
	if (given === null || given === undefined || given === '') return undefined;
	const seconds = numberIn(given) ?? spanIn(given);
	if (seconds !== undefined) return Math.round(now / 1000 + seconds);
	const date = Date.parse(given);
	return Number.isNaN(date) ? undefined : Math.round(date / 1000);
}

const units: { readonly [unit: string]: number } = { ms: 0.001, s: 1, m: 60, h: 3600, d: 86_400 };

function spanIn(given: string): number | undefined {
	if (!/^(\d+(\.\d+)?(ms|s|m|h|d))+$/.test(given)) return undefined;
	const parts = [...given.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)];
	return parts.reduce((all, [, amount, unit = 's']) => all + Number(amount) * (units[unit] ?? 1), 0);
}
