/** The list of models that a host is offered, `default` first, and the effort levels that each is said to have. */
import type { Client } from '../../client/client.ts';
import type { ChosenModel } from '../../client/model.ts';
import { modelChoices } from '../../client/model-choices.ts';
import type { JsonObject } from '../../model/index.ts';

export function modelRows(client: Client): readonly JsonObject[] {
	const efforts = { supportsEffort: true, supportedEffortLevels: ['low', 'medium', 'high'] };
	const [{ model, provider }, ...others] = modelChoices(client);
	const row = (value: string, displayName: string, resolvedModel: string, description: string): JsonObject => ({
		...{ value, resolvedModel, displayName, description, ...efforts },
	});
	return [
		row('default', 'Default', model, provider),
		row(model, model, model, provider),
		...others.map((one) => row(one.full, one.model, one.full, one.provider)),
	];
}

/** Anthropic's own is the first party to hosts; all others have the names that they have here. */
export function providerWord({ provider: { id } }: ChosenModel): string {
	return id === 'anthropic' ? 'firstParty' : id;
}
