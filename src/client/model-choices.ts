/** The models that a host or an editor shows its user to choose from. Others may be named all the same: no list knows all. */
import { offeredModels } from '../providers/registry.ts';
import type { Client } from './client.ts';

export interface ModelChoice {
	readonly provider: string;
	/** The model's name at its provider. */
	readonly model: string;
	/** With its provider, as `--model` and `Client.setModel` take it. */
	readonly full: string;
}

/** The one that answers comes first. */
export function modelChoices(client: Client): readonly [now: ModelChoice, ...others: readonly ModelChoice[]] {
	const { model, permissions } = client.station();
	const now = choiceOf(`${model.provider.id}/${model.name}`);
	const others = offeredModels({ ...process.env, ...permissions.env }).filter((full) => full !== now.full);
	return [now, ...others.map(choiceOf)];
}

function choiceOf(full: string): ModelChoice {
	const slash = full.indexOf('/');
	return { provider: full.slice(0, slash), model: full.slice(slash + 1), full };
}
