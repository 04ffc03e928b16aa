/** What an editor's user may choose for a session: permission modes and their wording, models, thinking levels; and which choices are refused. */
import type { SessionConfigOption, SessionModeState } from '@agentclientprotocol/sdk';
import type { PermissionMode, ThinkingLevel } from '../agent/contracts.ts';
import type { Client } from '../client/client.ts';
import { modeOf } from '../client/config.ts';
import { modelChoices } from '../client/model-choices.ts';
import { permissionModes } from '../client/options.ts';
import { InputError } from '../store/errors.ts';

const modeWords: { readonly [mode in PermissionMode]: { readonly name: string; readonly description: string } } = {
	default: { name: 'Ask', description: 'Asks before anything is changed or run that no rule allows' },
	acceptEdits: { name: 'Accept edits', description: 'Changes files of the project without asking' },
	plan: { name: 'Plan', description: 'Looks, and changes nothing until you have approved a plan' },
	bypassPermissions: { name: 'Bypass permissions', description: 'Never asks' },
	dontAsk: { name: 'Do not ask', description: 'Does what rules allow, and nothing that would have to be asked about' },
};

const levels = ['off', 'minimal', 'low', 'medium', 'high'] as const satisfies readonly ThinkingLevel[];

/** The one that never asks is there only where the command was started with it. */
function modesFor(client: Client): readonly PermissionMode[] {
	const { options, session, permissions } = client.station();
	const bypasses = modeOf(options, session, permissions) === 'bypassPermissions';
	return permissionModes.filter((mode) => mode !== 'bypassPermissions' || bypasses);
}

export function modesOf(client: Client): SessionModeState {
	return {
		currentModeId: client.station().mode,
		availableModes: modesFor(client).map((id) => ({ id, ...modeWords[id] })),
	};
}

export function choicesOf(client: Client): SessionConfigOption[] {
	const { mode, options } = client.station();
	const select = (id: string, category: string, name: string, currentValue: string, values: readonly Value[]) => ({
		...{ type: 'select' as const, id, category, name, currentValue },
		options: values.map(([value, title, description]) => ({ value, name: title, ...(description && { description }) })),
	});
	const modes = modesFor(client).map((id): Value => [id, modeWords[id].name, modeWords[id].description]);
	const [now, ...others] = modelChoices(client);
	const models = [now, ...others].map((one): Value => [one.full, one.model, one.provider]);
	const thinking = ['default', ...levels].map((level): Value => [level, level]);
	return [
		select('mode', 'mode', 'Mode', mode, modes),
		select('model', 'model', 'Model', now.full, [
			['default', 'Default', 'who answers when nobody is chosen'],
			...models,
		]),
		select('thinking', 'thought_level', 'Thinking', options.thinking ?? 'default', thinking),
	];
}

type Value = readonly [value: string, title: string, description?: string];

export function chooseMode(client: Client, given: string): void {
	const mode = modesFor(client).find((one) => one === given);
	if (mode === undefined) throw unknown('mode', given, modesFor(client));
	client.setMode(mode);
}

export async function choose(client: Client, option: string, value: unknown): Promise<void> {
	const given = String(value);
	if (option === 'mode') chooseMode(client, given);
	else if (option === 'model') await chooseModel(client, given);
	else if (option === 'thinking') {
		const level = levels.find((one) => one === given);
		if (level === undefined && given !== 'default') throw unknown('level', given, ['default', ...levels]);
		client.setOptions({ thinking: level });
	} else throw unknown('option', option, ['mode', 'model', 'thinking']);
}

/** Whatever a provider here can answer by, listed or not. A script is a file: it is played only where the command was started with it. */
async function chooseModel(client: Client, given: string): Promise<void> {
	const [now, ...others] = modelChoices(client);
	if (given === now.full) return;
	if (given.startsWith('offline/') && given !== client.station().options.model)
		throw unknown('model', given, ['default', now.full, ...others.map(({ full }) => full)]);
	await client.setModel(given === 'default' ? undefined : given);
}

function unknown(what: string, given: string, known: readonly string[]): InputError {
	return new InputError('bad-value', `there is no ${what} ${given.slice(0, 100)}; use one of ${known.join(', ')}`);
}
