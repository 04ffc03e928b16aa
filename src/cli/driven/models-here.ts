/** The models that can be asked here, as a host lists them: the one that answers, and that of every provider that is set up. */
import type { ChosenModel } from '../../client/model.ts';
import type { JsonObject } from '../../model/index.ts';
import { configuredProviders } from '../../providers/registry.ts';

export function modelsHere({ name, provider }: ChosenModel): readonly JsonObject[] {
	const efforts = { supportsEffort: true, supportedEffortLevels: ['low', 'medium', 'high'] };
	const others = configuredProviders(process.env).flatMap((one) => (one.model === undefined ? [] : [one.model]));
	const row = (value: string, displayName: string, resolvedModel: string, description: string): JsonObject => ({
		...{ value, resolvedModel, displayName, description, ...efforts },
	});
	return [
		row('default', 'Default', name, provider.id),
		row(name, name, name, provider.id),
		...others
			.filter((full) => full !== name && full !== `${provider.id}/${name}`)
			.map((full) => row(full, full.slice(full.indexOf('/') + 1), full, full.slice(0, full.indexOf('/')))),
	];
}

/** Anthropic's own is the first party to hosts; all others have the names that they have here. */
export function providerWord({ provider: { id } }: ChosenModel): string {
	return id === 'anthropic' ? 'firstParty' : id;
}
