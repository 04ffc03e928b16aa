/** What the editor's user may choose for a session: the permission mode, who answers, and how hard it thinks. */
import type { SessionConfigOption, SessionModeState } from '@agentclientprotocol/sdk';
import type { PermissionMode, ThinkingLevel } from '../agent/contracts.ts';
import type { Client } from '../client/client.ts';
import { modeOf } from '../client/config.ts';
import { permissionModes } from '../client/options.ts';
import { configuredProviders } from '../providers/registry.ts';
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
	const models = modelsFor(client).map((name): Value => [name, name]);
	const thinking = ['default', ...levels].map((level): Value => [level, level]);
	return [
		select('mode', 'mode', 'Mode', mode, modes),
		select('model', 'model', 'Model', modelName(client), models),
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
	else if (option === 'model') {
		if (!modelsFor(client).includes(given)) throw unknown('model', given, modelsFor(client));
		if (given !== modelName(client)) await client.setModel(given);
	} else if (option === 'thinking') {
		const level = levels.find((one) => one === given);
		if (level === undefined && given !== 'default') throw unknown('level', given, ['default', ...levels]);
		client.setOptions({ thinking: level });
	} else throw unknown('option', option, ['mode', 'model', 'thinking']);
}

function modelName(client: Client): string {
	const { provider, name } = client.station().model;
	return `${provider.id}/${name}`;
}

/** Who answers now, and of each provider that is set up the model that it would be asked for. */
function modelsFor(client: Client): readonly string[] {
	const { options, permissions } = client.station();
	// A script that is played answers whoever asks.
	if (options.script !== undefined) return [modelName(client)];
	const set = configuredProviders({ ...process.env, ...permissions.env }).flatMap(({ model }) => model ?? []);
	const flag = options.model?.includes('/') ? [options.model] : [];
	return [...new Set([modelName(client), ...flag, ...set])];
}

function unknown(what: string, given: string, known: readonly string[]): InputError {
	return new InputError('bad-value', `there is no ${what} ${given.slice(0, 100)}; use one of ${known.join(', ')}`);
}
