/** Requests of a host that change how the client works: initialize, interrupt, mode, model, thinking, settings; which fields have no effect, and what is refused. */
import type { AgentType, PermissionMode } from '../../agent/contracts.ts';
import { type Rule, type Rules, readRule } from '../../agent/permissions/rule.ts';
import type { Client } from '../../client/client.ts';
import { builtinNames } from '../../client/commands/builtins.ts';
import { callable } from '../../client/commands/commands-here.ts';
import { knownMode, modeOf } from '../../client/config.ts';
import { levelOf, thinkingFor } from '../../client/thinking.ts';
import { capabilities, framesOf } from '../../frames/frames.ts';
import { type HookSetting, readCallbacks } from '../../host/hooks/hook-settings.ts';
import { ruledName } from '../../mcp/names.ts';
import { compact, isObject, type Json, type JsonObject, stringAt, stringsIn } from '../../model/index.ts';
import { InputError } from '../../store/errors.ts';
import { version } from '../version.ts';
import type { ControlTable } from './controls.ts';
import { Beside } from './driver.ts';
import type { FrameOutput } from './frame-output.ts';
import { modelRows, providerWord } from './models-here.ts';
import { textIn } from './request-fields.ts';
import type { Serving } from './serving.ts';

export const steerControls: ControlTable = {
	async initialize(body, serving) {
		const { client, frames } = serving;
		const { hooks } = callbacksIn(body.hooks, serving);
		client.setOptions(instructionsIn(body));
		client.add(serving.callBack(hooks, client.station().session.cwd), agentsIn(body.agents));
		serving.suggests = body.promptSuggestions === true;
		const wanted = stringsIn(body.sdkMcpServers);
		const known = new Set(client.station().servers?.status.map(({ name }) => name));
		const fresh = wanted.filter((name) => !known.has(name)).map((name) => serving.hostServers.configOf(name));
		// Not waited for: the host has to hear our questions to its servers, which come over the same wire.
		if (fresh.length > 0) serving.ready = client.withServers().then((servers) => servers.add(fresh));
		const title = stringAt(body, 'title');
		if (title !== undefined) client.setOptions({ title });
		if (isObject(body.jsonSchema)) await client.shape(JSON.stringify(body.jsonSchema));
		client.live.rule(policiesIn(body.sdkMcpServerConfigs));
		for (const field of unread)
			if (isSet(body[field])) frames.inform(`initialize: ${field} has no effect here`, 'warning');
		if (frames.isInitialized) frames.tasks();
		frames.isInitialized = true;
		const pending = [...serving.questions.pending.values()];
		return new Beside(await started(serving, hooks.length > 0), {
			pending_permission_requests: pending,
			pending_user_dialog_requests: [],
		});
	},

	interrupt({ cancel_queued: all }, { client, driver, frames }) {
		const cancelled = all === true ? driver.takeBack() : [];
		client.interrupt();
		for (const uuid of cancelled) frames.lifecycle(uuid, 'cancelled');
		return { still_queued: driver.waiting, ...(all === true ? { cancelled } : {}) };
	},

	set_permission_mode(body, { client, frames }) {
		const mode = mayBe(knownMode(textIn(body, 'mode')), client);
		client.setMode(mode);
		return new Beside({ mode }, {}, () => frames.mode(mode));
	},

	async set_model({ model: given }, { client, frames }) {
		if (given !== undefined && given !== null && typeof given !== 'string')
			throw new InputError('bad-value', 'model is not a text');
		return { model: await setModel(given, client, frames) };
	},

	set_max_thinking_tokens({ max_thinking_tokens: tokens }, { client }) {
		if (tokens !== null && tokens !== undefined && !(typeof tokens === 'number' && tokens >= 0))
			throw new InputError('bad-value', 'max_thinking_tokens is not a number');
		client.setOptions({ thinking: typeof tokens === 'number' ? levelOf(tokens) : undefined });
		return undefined;
	},

	async apply_flag_settings({ settings }, { client, frames }) {
		if (!isObject(settings)) throw new InputError('bad-value', 'settings is not an object');
		const wanted = isObject(settings.permissions) ? stringAt(settings.permissions, 'defaultMode') : undefined;
		const mode = wanted === undefined ? undefined : mayBe(knownMode(wanted), client);
		const effort = settings.effortLevel;
		if (typeof effort === 'string' && thinkingFor({ effort }) === undefined)
			throw new InputError('bad-value', `${effort} is no effort`);
		client.live.apply(settings);
		if (mode !== undefined) {
			client.setMode(mode);
			frames.mode(mode);
		}
		if (effort !== undefined)
			client.setOptions({ thinking: typeof effort === 'string' ? thinkingFor({ effort }) : undefined });
		const { agent, fallbackModel } = settings;
		if (agent !== undefined) client.setOptions({ agent: typeof agent === 'string' ? agent : undefined });
		if (fallbackModel !== undefined) client.setOptions({ fallbackModel: namesIn(fallbackModel)?.join(',') });
		if (settings.model !== undefined || fallbackModel !== undefined) await setModel(settings.model, client, frames);
		return undefined;
	},

	async cancel_async_message({ message_uuid: given }, { driver, frames }) {
		const taken = typeof given === 'string' ? await driver.takeBackSent(given) : [];
		for (const uuid of taken) frames.lifecycle(uuid, 'cancelled');
		return { cancelled: taken.length > 0 };
	},

	end_session(_, { driver }) {
		driver.end();
		return undefined;
	},
};

/** The mode, where it may be chosen by now: that nothing is asked about is decided when the client is started. */
function mayBe(mode: PermissionMode, client: Client): PermissionMode {
	const { options, session, permissions } = client.station();
	const launched = options.allowDangerouslySkipPermissions && !permissions.bypassDisabled;
	if (mode !== 'bypassPermissions' || launched || modeOf(options, session, permissions) === mode) return mode;
	const why = 'because the session was not launched with --dangerously-skip-permissions';
	throw new InputError('no-bypass', `Cannot set permission mode to bypassPermissions ${why}`);
}

/** Who answers from now on, and the row that tells of it. */
async function setModel(given: Json | undefined, client: Client, frames: FrameOutput): Promise<string> {
	const model = await client.setModel(typeof given === 'string' && given !== 'default' ? given : undefined);
	frames.notice(`<local-command-stdout>Set model to \`${model}\`</local-command-stdout>`);
	return model;
}

/** The commands as a host shows them. */
function offeredCommands({ commands }: Client): readonly JsonObject[] {
	return callable(commands).map(({ name, description, hint = '' }) => ({
		...{ name, description, argumentHint: hint },
		...(builtinNames.includes(name) ? { builtin: true } : {}),
	}));
}

/** What a host learns of the client when it begins. */
async function started({ client, frames }: Serving, hooks: boolean): Promise<JsonObject> {
	const { mode, model, config } = client.station();
	const { agents } = await config();
	const types = agents?.types ?? [];
	return {
		commands: offeredCommands(client),
		agents: types.map(({ name, description, model: own }) => ({ name, description, ...compact({ model: own }) })),
		output_style: 'default',
		available_output_styles: ['default'],
		models: modelRows(client),
		account: { tokenSource: 'none', apiKeySource: model.keySource ?? 'none', apiProvider: providerWord(model) },
		pid: process.pid,
		claude_code_version: framesOf,
		reprise_version: version(),
		session_state: frames.state,
		current_permission_mode: mode,
		...(hooks ? { hooks_applied: true } : {}),
		hook_on_failure_supported: true,
		capabilities,
	};
}

/** What a host may ask for when it begins, and does not get. */
const unread = [
	...['skills', 'toolAliases', 'planModeInstructions', 'excludeDynamicSections', 'agentProgressSummaries', 'plugins'],
] as const;

function isSet(value: Json | undefined): boolean {
	return value !== undefined && value !== null && value !== false && !(Array.isArray(value) && value.length === 0);
}

/** The rules that a host has for tools of its own servers: what it wants to be asked about, whatever is allowed, and what never. */
function policiesIn(given: Json | undefined): Rules {
	const rules: { readonly [K in 'allow' | 'ask' | 'deny']: Rule[] } = { allow: [], ask: [], deny: [] };
	for (const [server, config] of Object.entries(isObject(given) ? given : {})) {
		const tools = isObject(config) && Array.isArray(config.tools) ? (config.tools as readonly Json[]) : [];
		for (const { name, permission_policy: policy } of tools.filter(isObject)) {
			const kind = policy === 'always_deny' ? 'deny' : policy === 'always_ask' ? 'ask' : undefined;
			const read = kind && readRule(ruledName(server, String(name)), kind);
			if (kind && read && 'rule' in read) rules[kind].push(read.rule);
		}
	}
	return rules;
}

/** Hooks that are never called are told of, and nothing else: a host may name events that no client here has. */
function callbacksIn(given: Json | undefined, { frames }: Serving): { readonly hooks: readonly HookSetting[] } {
	const { hooks, uncalled, problem } = readCallbacks(given);
	// Nothing of initialize is done: a host that goes on without its gate has to decide that itself.
	if (problem !== undefined) throw new InputError('bad-value', `initialize: ${problem}`);
	if (uncalled.length > 0)
		frames.inform(`Reprise calls no hooks for ${uncalled.join(', ')}`, 'warning', 'hooks_not_called');
	return { hooks };
}

/** An empty system prompt is what hosts send that want the usual one. */
function instructionsIn(body: JsonObject): { readonly systemPrompt?: string; readonly appendSystemPrompt?: string } {
	const { systemPrompt: given } = body;
	const parts = Array.isArray(given) ? given : [given];
	const text = parts.filter((part): part is string => typeof part === 'string' && part !== '').join('\n\n');
	const appended = stringAt(body, 'appendSystemPrompt');
	return { ...(text === '' ? {} : { systemPrompt: text }), ...compact({ appendSystemPrompt: appended }) };
}

function agentsIn(given: Json | undefined): readonly AgentType[] {
	return Object.entries(isObject(given) ? given : {}).flatMap(([name, one]) => {
		const description = isObject(one) ? stringAt(one, 'description') : undefined;
		const prompt = isObject(one) ? stringAt(one, 'prompt') : undefined;
		if (!isObject(one) || description === undefined || prompt === undefined) return [];
		const turns = typeof one.maxTurns === 'number' ? one.maxTurns : undefined;
		return [
			{
				...{ name, description, system: prompt, instructions: true, builtIn: false },
				...compact({ tools: namesIn(one.tools), withoutTools: namesIn(one.disallowedTools), turns }),
				...compact({ model: stringAt(one, 'model') }),
			},
		];
	});
}

function namesIn(given: Json | undefined): readonly string[] | undefined {
	return Array.isArray(given) ? stringsIn(given) : undefined;
}
