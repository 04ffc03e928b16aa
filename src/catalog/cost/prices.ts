/** What tokens cost: a maintained table, asked once per model and price. */
import type { Usage } from '../../model/index.ts';

export interface Prices {
	/** Dollars, or undefined when the table does not know the model. */
	cost(usage: Usage, model: string, provider: string | undefined, time: number | undefined): number | undefined;
}

type Library = typeof import('@pydantic/genai-prices');
type ModelPrice = NonNullable<ReturnType<Library['calcPrice']>>['model_price'];
type Price = ModelPrice[string];

/** For what the clients themselves have priced. */
const noPrices: Prices = { cost: () => undefined };

/** The table is large: where the clients recorded all dollars, loading it takes as long as reading some hundred megabytes. */
export async function pricesFor(ledger: { needsPrices(): boolean }): Promise<Prices> {
	return ledger.needsPrices() ? loadPrices() : noPrices;
}

export async function loadPrices(): Promise<Prices> {
	return makePrices(await import('@pydantic/genai-prices'));
}

interface Known {
	/** Absent: the price has been the same at all times. */
	readonly bySlot?: Map<number, Rates>;
	readonly rates?: Rates;
}

/** Prices change on a day or at an hour, and no table knows finer steps than these. */
const slotMs = 30 * 60_000;

function makePrices(library: Library): Prices {
	const models = new Map<string, Known | undefined>();

	function ask(model: string, provider: string | undefined, time: number) {
		return library.calcPrice({}, model, {
			timestamp: new Date(time),
			...(provider === undefined ? {} : { providerId: provider }),
		});
	}

	function learn(model: string, provider: string | undefined): Known | undefined {
		const found = ask(model, provider, Date.now());
		if (!found) return undefined;
		return Array.isArray(found.model.prices) ? { bySlot: new Map() } : { rates: ratesOf(found.model_price) };
	}

	function ratesAt(model: string, provider: string | undefined, time: number): Rates | undefined {
		const key = `${provider ?? ''}\n${model}`;
		if (!models.has(key)) models.set(key, learn(model, provider));
		const known = models.get(key);
		if (known?.bySlot === undefined) return known?.rates;
		const slot = Math.floor(time / slotMs);
		let rates = known.bySlot.get(slot);
		if (rates === undefined) {
			const found = ask(model, provider, slot * slotMs);
			if (!found) return undefined;
			rates = ratesOf(found.model_price);
			known.bySlot.set(slot, rates);
		}
		return rates;
	}

	return {
		cost(usage, model, provider, time = Date.now()) {
			const rates = ratesAt(model, provider, time);
			return rates && apply(rates, usage);
		},
	};
}

/** Dollars per million tokens, by how large the whole input of a request is. */
interface Rates {
	readonly input: Price;
	readonly output: Price;
	readonly cacheRead: Price;
	readonly cacheWrite: Price;
	readonly cacheWrite1h: Price;
}

/** A kind of token without a price of its own costs what the kind costs that it is a part of. */
function ratesOf(price: ModelPrice): Rates {
	const input = price.input_mtok;
	const cacheWrite = price.cache_write_mtok ?? input;
	return {
		input,
		output: price.output_mtok,
		cacheRead: price.cache_read_mtok ?? input,
		cacheWrite,
		cacheWrite1h: price.cache_write_1h_mtok ?? cacheWrite,
	};
}

function apply(rates: Rates, usage: Usage): number {
	const whole = usage.input + usage.cacheRead + usage.cacheWrite5m + usage.cacheWrite1h;
	const millionths =
		usage.input * rate(rates.input, whole) +
		usage.cacheRead * rate(rates.cacheRead, whole) +
		usage.cacheWrite5m * rate(rates.cacheWrite, whole) +
		usage.cacheWrite1h * rate(rates.cacheWrite1h, whole) +
		usage.output * rate(rates.output, whole);
	return millionths / 1e6;
}

/** Beyond a threshold the whole request is charged at the higher rate, not only what is above it. */
function rate(price: Price, whole: number): number {
	if (typeof price !== 'object') return price ?? 0;
	let current = price.base;
	for (const tier of price.tiers) if (whole > tier.start) current = tier.price;
	return current;
}
