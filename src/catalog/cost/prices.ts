/** What tokens cost, by a maintained price table: fast mode, rates for large requests, the windows of models, and which models of a provider are listed. */
import { createRequire } from 'node:module';
import { compact, type Usage } from '../../model/index.ts';

export interface Prices {
	/** Dollars, or undefined when the table does not know the model. */
	cost(usage: Usage, model: string, provider: string | undefined, time: number | undefined): number | undefined;
	/** The tokens that the model can take, where the table says so. */
	window(model: string, provider: string | undefined): number | undefined;
	/** The models of a provider that talk, as far as the table has them. */
	models(provider: string): readonly PricedModel[];
}

export interface PricedModel {
	readonly name: string;
	readonly window?: number;
	/** Dollars per million tokens. */
	readonly input?: number;
	readonly output?: number;
}

type Library = typeof import('@pydantic/genai-prices');
type ModelPrice = NonNullable<ReturnType<Library['calcPrice']>>['model_price'];
type Price = ModelPrice[string];

/** Stands for the table where the clients recorded every cost. */
const noPrices: Prices = { cost: () => undefined, window: () => undefined, models: () => [] };

/** Loads the price table only where needed: loading takes as long as reading some hundred megabytes. */
export function pricesFor(ledger: { needsPrices(): boolean }): Prices {
	return ledger.needsPrices() ? loadPrices() : noPrices;
}

let loaded: Prices | undefined;

export function loadPrices(): Prices {
	loaded ??= makePrices(createRequire(import.meta.url)('@pydantic/genai-prices') as Library);
	return loaded;
}

interface Known {
	/** The model's name in the table. */
	readonly name: string;
	/** The factor for every rate. */
	readonly times: number;
	/** Rates by slot of time. Absent: the price never changed. */
	readonly bySlot?: Map<number, Rates>;
	readonly rates?: Rates;
}

/** The ending that our readers give to a model that was asked to be fast. */
const fastMode = '-fast';

/** All Gemini models that write text take this much; of the newest the table says nothing. */
const geminiWindow = 1_000_000;
const longGemini = /^gemini-(?!.*(?:image|tts|audio|live|embedding)|1\.0)/;

/** Prices change on a day or at an hour; no table has finer steps than this. */
const slotMs = 30 * 60_000;

function makePrices(library: Library): Prices {
	const models = new Map<string, Known | undefined>();

	function ask(model: string, provider: string | undefined, time: number) {
		return library.calcPrice({}, model, {
			timestamp: new Date(time),
			...(provider === undefined ? {} : { providerId: provider }),
		});
	}

	/** How many times as much a fast reply costs; the table knows it from the one seller that lists both prices. */
	function timesAsMuch(model: string, time: number): number | undefined {
		const name = `anthropic/${model.replace(/-\d{8}$/, '').replace(/(\d)-(\d)/, '$1.$2')}`;
		const [plain, fast] = [name, `${name}${fastMode}`].map((one) => {
			const found = ask(one, 'openrouter', time);
			return found?.model.id === one ? baseOf(found.model_price.input_mtok) : undefined;
		});
		return plain && fast ? fast / plain : undefined;
	}

	function learn(model: string, provider: string | undefined): Known | undefined {
		const isFast = provider === 'anthropic' && model.endsWith(fastMode);
		const name = isFast ? model.slice(0, -fastMode.length) : model;
		const times = isFast ? timesAsMuch(name, Date.now()) : 1;
		const found = times === undefined ? undefined : ask(name, provider, Date.now());
		if (!found || times === undefined) return undefined;
		const known = { name, times };
		return Array.isArray(found.model.prices)
			? { ...known, bySlot: new Map() }
			: { ...known, rates: ratesOf(found.model_price) };
	}

	function knownOf(model: string, provider: string | undefined): Known | undefined {
		const key = `${provider ?? ''}\n${model}`;
		if (!models.has(key)) models.set(key, learn(model, provider));
		return models.get(key);
	}

	function ratesAt(known: Known, provider: string | undefined, time: number): Rates | undefined {
		if (known.bySlot === undefined) return known.rates;
		const slot = Math.floor(time / slotMs);
		let rates = known.bySlot.get(slot);
		if (rates === undefined) {
			const found = ask(known.name, provider, slot * slotMs);
			if (!found) return undefined;
			rates = ratesOf(found.model_price);
			known.bySlot.set(slot, rates);
		}
		return rates;
	}

	return {
		cost(usage, model, provider, time = Date.now()) {
			const known = knownOf(model, provider);
			const rates = known && ratesAt(known, provider, time);
			return known && rates && known.times * apply(rates, usage);
		},
		// The table has the windows of some models only where another seller lists them, under the names of both.
		window: (model, provider) =>
			ask(model, provider, Date.now())?.model.context_window ??
			ask(`${provider}/${model}`, 'openrouter', Date.now())?.model.context_window ??
			(provider === 'google' && longGemini.test(model) ? geminiWindow : undefined),
		models(provider) {
			const listed = library.findProvider({ providerId: provider })?.models ?? [];
			return listed
				.filter(({ id, deprecated }) => !deprecated && families[provider]?.test(id) && !otherMedia.test(id))
				.map(({ id }) => {
					const price = ask(id, provider, Date.now())?.model_price;
					return {
						name: id,
						...compact({
							window: this.window(id, provider),
							input: baseOf(price?.input_mtok),
							output: baseOf(price?.output_mtok),
						}),
					};
				});
		},
	};
}

/** A seller of many lists the models of others, too, under names that it alone knows. */
const families: { readonly [provider: string]: RegExp } = {
	anthropic: /^claude-(?!v?\d)/,
	openai: /^(?:gpt-(?!oss|3)|o\d)/,
	google: /^gemini-(?!pro|flash|1)/,
};
/** What writes no text, or answers nobody. */
const otherMedia = /image|tts|audio|live|realtime|embedding|transcribe|search|instruct|vision|omni|:|\.ft-/;

/** Dollars per million tokens, by the size of a request's whole input. */
interface Rates {
	readonly input: Price;
	readonly output: Price;
	readonly cacheRead: Price;
	readonly cacheWrite: Price;
	readonly cacheWrite1h: Price;
}

/** The rates of a model. A kind of token without a price costs as much as the kind that it is a part of. */
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

function baseOf(price: Price): number | undefined {
	return typeof price === 'object' ? price.base : price;
}

/** The rate for a request: above a threshold the higher rate holds for all of it, not only for the excess. */
function rate(price: Price, whole: number): number {
	if (typeof price !== 'object') return price ?? 0;
	let current = price.base;
	for (const tier of price.tiers) if (whole > tier.start) current = tier.price;
	return current;
}
