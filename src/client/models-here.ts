/** The models that can be asked here: those of the providers that are set up, with what they take and cost. */
import type { PricedModel, Prices } from '../catalog/cost/prices.ts';
import { isOpenAi } from '../providers/openai-client.ts';
import { configuredProviders } from '../providers/registry.ts';

export interface ModelHere extends PricedModel {
	/** With its provider, as `--model` takes it. */
	readonly name: string;
	/** It is asked when nobody names one. */
	readonly isDefault: boolean;
}

/** The newest of a provider come first. A name that is not listed may exist all the same: no table knows all. */
export function modelsHere(
	env: { readonly [name: string]: string | undefined },
	prices: Pick<Prices, 'models'>,
): readonly ModelHere[] {
	return configuredProviders(env).flatMap(({ name: provider, url, model }) => {
		// Another server that speaks like OpenAI has models of its own.
		const known = provider === 'openai' && !isOpenAi(url) ? [] : prices.models(provider);
		const listed = known.map((one) => ({ ...one, name: `${provider}/${one.name}` }));
		const missing = model !== undefined && !listed.some(({ name }) => name === model) ? [{ name: model }] : [];
		return [...missing, ...listed.sort((a, b) => byVersion(b.name, a.name))].map((one) => ({
			...one,
			isDefault: one.name === model,
		}));
	});
}

/** Numbers by their value: `gpt-5.10` is newer than `gpt-5.9`. */
function byVersion(a: string, b: string): number {
	const [one, other] = [a, b].map((name) => name.match(/\d+/g)?.map(Number) ?? []) as [number[], number[]];
	for (let at = 0; at < Math.max(one.length, other.length); at += 1) {
		const order = (one[at] ?? 0) - (other[at] ?? 0);
		if (order !== 0) return order;
	}
	return a < b ? 1 : a > b ? -1 : 0;
}
