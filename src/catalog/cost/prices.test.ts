/** Prices: what the table's own calculation gives, at a fraction of its time. */
import { calcPrice } from '@pydantic/genai-prices';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { loadPrices } from './prices.ts';

const prices = loadPrices();
const count = fc.oneof(fc.nat(1000), fc.nat(400_000));
const usage = fc.record({ input: count, output: count, cacheRead: count, cacheWrite5m: count, cacheWrite1h: count });
const models = [
	['claude-sonnet-4-5', 'anthropic'],
	['claude-opus-4-5-20251101', 'anthropic'],
	['claude-haiku-4-5', undefined],
	['claude-3-5-sonnet-20241022', 'anthropic'],
	['gpt-5', 'openai'],
	['gemini-2.5-pro', 'google'],
	['deepseek-chat', 'deepseek'],
	['o3', undefined],
] as const;

it('equals the library’s own calculation for every kind of token, tier and date', () => {
	const time = fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2026, 11, 1) });
	fc.assert(
		fc.property(usage, fc.constantFrom(...models), time, (spent, [model, provider], at) => {
			const { input, output, cacheRead, cacheWrite5m, cacheWrite1h } = spent;
			const whole = calcPrice(
				{
					input_tokens: input + cacheRead + cacheWrite5m + cacheWrite1h,
					output_tokens: output,
					cache_read_tokens: cacheRead,
					cache_write_tokens: cacheWrite5m + cacheWrite1h,
					cache_write_1h_tokens: cacheWrite1h,
				},
				model,
				{ timestamp: new Date(at), ...(provider === undefined ? {} : { providerId: provider }) },
			);
			expect(prices.cost(spent, model, provider, at)).toBeCloseTo(whole?.total_price ?? Number.NaN, 9);
		}),
		{ numRuns: 500 },
	);
});

it('a price is that of the day: an hour of cache costs more than five minutes', () => {
	const none = { input: 0, output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 };
	const short = prices.cost({ ...none, cacheWrite5m: 1e5 }, 'claude-haiku-4-5', 'anthropic', Date.UTC(2026, 0, 1));
	const long = prices.cost({ ...none, cacheWrite1h: 1e5 }, 'claude-haiku-4-5', 'anthropic', Date.UTC(2026, 0, 1));
	expect([short, long]).toEqual([0.125, 0.2]);
});

it('a model or provider that the table does not know has no price', () => {
	const spent = { input: 1, output: 1, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 };
	expect(prices.cost(spent, 'nobody-knows-this', undefined, 0)).toBeUndefined();
	expect(prices.cost(spent, 'claude-haiku-4-5', 'my-own-proxy', 0)).toBeUndefined();
});

it('every rate of the fast mode is the same multiple, as its only seller lists it', () => {
	const at = Date.UTC(2026, 9, 1);
	const kinds = { input: 0, output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 };
	const times = (model: string) =>
		Object.keys(kinds).map((kind) => {
			const spent = { ...kinds, [kind]: 1e6 };
			const [plain, fast] = [model, `${model}-fast`].map((name) => prices.cost(spent, name, 'anthropic', at));
			return (fast ?? Number.NaN) / (plain ?? Number.NaN);
		});
	for (const model of ['claude-opus-4-6', 'claude-opus-4-7', 'claude-opus-4-6-20260205']) {
		expect(times(model)).toEqual([6, 6, 6, 6, 6]);
	}
	expect(times('claude-opus-5')).toEqual([2, 2, 2, 2, 2]);
});
