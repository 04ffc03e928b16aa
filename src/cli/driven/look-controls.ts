/** Requests of a host that only look: context, cost, models, settings, files; how much of a file or diff is given, how long files are searched, which rules deny reading. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { circumstancesOf } from '../../agent/calls/circumstances.ts';
import type { ThinkingLevel } from '../../agent/contracts.ts';
import { decide } from '../../agent/permissions/decide.ts';
import { cost } from '../../client/commands/builtin-views.ts';
import { framesOf, modelUsage } from '../../frames/frames.ts';
import { diffFromHead } from '../../host/looks/git-files.ts';
import { nodeHost } from '../../host/node-host.ts';
import { readRegular } from '../../log/regular-file.ts';
import { InputError } from '../../store/errors.ts';
import { version } from '../version.ts';
import { contextUsage } from './context-usage.ts';
import type { ControlTable } from './controls.ts';
import { modelRows } from './models-here.ts';
import type { Serving } from './serving.ts';
import { hooksListing, permissionRules } from './settings-views.ts';

export const lookControls: ControlTable = {
	async get_context_usage(_, { client, frames }) {
		return await contextUsage(client.station(), frames.lastUsage);
	},

	get_usage(_, { frames }) {
		const { costUsd, models, apiMs, linesAdded, linesRemoved } = frames.spent;
		const lines = { total_lines_added: linesAdded, total_lines_removed: linesRemoved };
		const times = { total_api_duration_ms: apiMs, total_duration_ms: Date.now() - frames.began };
		const session = { total_cost_usd: costUsd, ...times, ...lines, model_usage: modelUsage(models, frames.windows) };
		return { session, subscription_type: null, rate_limits_available: false, rate_limits: null, behaviors: null };
	},

	async get_session_cost(_, { client }) {
		return { text: (await cost('', client.station())).text };
	},

	list_models(_, { client }) {
		return { models: modelRows(client) };
	},

	get_binary_version() {
		return { version: framesOf, reprise_version: version() };
	},

	get_status(_, { client, frames }) {
		const { session, model, mode } = client.station();
		const { handle, cwd } = session;
		return {
			...{ session_id: handle.session.id, cwd, model: model.name, permission_mode: mode },
			...{ version: framesOf, reprise_version: version() },
			...{ session_state: frames.state, transcript_path: handle.path },
		};
	},

	get_settings(_, { client }) {
		const { model, mode, permissions, options } = client.station();
		const effort = effortOf(options.thinking);
		const list = (kind: 'allow' | 'ask' | 'deny'): readonly string[] => permissions.rules[kind].map(({ text }) => text);
		const rules = { allow: list('allow'), ask: list('ask'), deny: list('deny'), defaultMode: mode };
		const effective = { model: model.name, permissions: rules };
		return {
			effective,
			sources: client.live.sources.map((one) => ({ ...one })),
			applied: { model: model.name, effort },
		};
	},

	list_permission_rules(_, { client }) {
		const { session, permissions } = client.station();
		const rules = permissionRules(permissions.rules, session.conversation.granted, client.live.sources);
		const places = { workspaceDirectories: permissions.dirs, originalCwd: session.cwd };
		return { state: { rules, ...places, managedOnly: false } };
	},

	get_hooks_listing(_, { client }) {
		return hooksListing(client.station().permissions.hooks, client.live.sources);
	},

	async file_suggestions({ query }, { client }, signal) {
		const { cwd } = client.station().session;
		const wanted = String(query ?? '').toLowerCase();
		const found: string[] = [];
		const heard = (text: string): boolean => {
			found.push(...text.split('\n').filter((path) => path !== '' && path.toLowerCase().includes(wanted)));
			return found.length < mostSuggested;
		};
		if (wanted !== '')
			await nodeHost().search({ flags: ['--files'], folder: cwd, timeoutMs: suggestMs }, heard, signal);
		return { suggestions: found.slice(0, mostSuggested).map((path) => ({ displayText: path, path })), cwd };
	},

	async read_file({ path: given, max_bytes: most, encoding }, serving) {
		if (typeof given !== 'string') throw new InputError('bad-value', 'path is missing');
		const path = await readable(given, serving);
		const bytes = readRegular(path, typeof most === 'number' && most >= 0 ? Math.min(most, mostRead) : mostRead);
		const cut = statSync(path).size > bytes.length ? { truncated: true } : {};
		const named = { absPath: path, ...cut, requested_path: given };
		if (encoding === 'base64') return { contents: bytes.toString('base64'), encoding: 'base64', ...named };
		const contents = bytes.toString('utf8');
		return { contents, lossy: !Buffer.from(contents).equals(bytes), ...named };
	},

	async get_workspace_diff(_, serving) {
		const { cwd } = serving.client.station().session;
		const isKept = await keptFrom(serving);
		const found = await diffFromHead(cwd, async (path) => !(await isKept(path)));
		// Nothing to compare with is something else than no difference.
		if (!found) return { diff: '', noDiffReason: 'no-repository' };
		const { diff, omitted } = found;
		return { diff: diff.slice(0, mostRead), ...(omitted.length > 0 && { omitted }) };
	},
};

const mostSuggested = 20;
const suggestMs = 2000;
const mostRead = 10 * 1024 * 1024;

/** The level in the words of hosts; null where nobody has said one. */
function effortOf(level: ThinkingLevel | undefined): string | null {
	return level === undefined || level === 'off' ? null : level === 'minimal' ? 'low' : level;
}

/** A file that a rule keeps from the agent is kept from its host's requests as well: they may be those of a page or a plug-in. */
async function keptFrom({ client }: Serving): Promise<(path: string) => Promise<boolean>> {
	const at = client.station();
	const here = circumstancesOf(await at.config(), at.session.conversation);
	return async (path) => (await decide({ tool: 'Read', input: { file_path: path } }, here)).decision === 'deny';
}

async function readable(given: string, serving: Serving): Promise<string> {
	const path = resolve(serving.client.station().session.cwd, given);
	if (await (await keptFrom(serving))(path)) throw new InputError('denied', `a rule forbids to read ${path}`);
	const found = statSync(path, { throwIfNoEntry: false });
	if (!found) throw new InputError('missing', `there is no file ${path}`);
	if (!found.isFile())
		throw new InputError('not-a-file', `${path} is ${found.isDirectory() ? 'a folder' : 'no regular file'}`);
	return path;
}
