/** What a host's answer to a permission question changes beside the call (rules, mode, folders): what is saved in a file, what holds until the end, what is refused and told. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { readRule } from '../../agent/permissions/rule.ts';
import { modeIn, ruleTexts } from '../../agent/permissions/verdict.ts';
import type { Client } from '../../client/client.ts';
import { localSettings, saveAllowRule } from '../../host/settings/save-rule.ts';
import { errorText, isObject, type Json, type JsonObject, stringsIn } from '../../model/index.ts';
import { thisMachine } from '../../store/find/folders.ts';
import type { FrameOutput } from './frame-output.ts';

const files: readonly string[] = ['userSettings', 'projectSettings', 'localSettings'];

/** Rules that allow hold until the session is left, by the verdict; here is done what else an update asks for. */
export async function applyUpdates(given: Json | undefined, client: Client, frames: FrameOutput): Promise<void> {
	const updates = Array.isArray(given) ? (given as readonly Json[]).filter(isObject) : [];
	for (const update of updates) {
		const problem = await applied(update, client);
		if (problem !== undefined) frames.inform(problem, 'warning', 'permission_update');
	}
}

/** What of it is not as the host wants it. */
async function applied(update: JsonObject, client: Client): Promise<string | undefined> {
	const { type, behavior } = update;
	const kept = files.includes(String(update.destination));
	const onlyNow = kept ? `${String(update.destination)} is not written: it holds until the client ends` : undefined;
	if (type === 'setMode') return modeIn([update]) === undefined ? noMode(update, client) : onlyNow;
	if (type === 'addRules' && behavior === 'allow') return kept ? await save(update, client) : undefined;
	if (type === 'addRules' && (behavior === 'deny' || behavior === 'ask')) {
		return forbid(behavior, update, client) ?? onlyNow;
	}
	if (type === 'addDirectories') return addFolders(update, client) ?? onlyNow;
	if (type === 'removeRules' && !kept) {
		const { granted } = client.station().session.conversation;
		const gone = new Set(ruleTexts(update));
		granted.splice(0, granted.length, ...granted.filter(({ text }) => !gone.has(text)));
		return undefined;
	}
	return `${String(type).slice(0, 40)} for ${String(update.destination).slice(0, 40)} is not done here: nothing has changed`;
}

function noMode({ mode: wanted }: JsonObject, client: Client): string | undefined {
	const { mode } = client.station();
	if (wanted === mode) return undefined;
	const why =
		wanted === 'bypassPermissions' ? 'it is chosen when the client is started, and not by an answer' : 'there is none';
	return `the mode ${String(wanted).slice(0, 40)} is not set, because ${why}: the mode is ${mode}`;
}

/** In the settings that the project has for this user alone, and only where its settings count. */
async function save(update: JsonObject, client: Client): Promise<string | undefined> {
	const { session, permissions } = client.station();
	const texts = ruleTexts(update).join(', ');
	const until = 'it holds until the session is left';
	if (update.destination !== 'localSettings')
		return `${texts} is not written to ${String(update.destination)}, which only its user edits: ${until}`;
	if (!permissions.trusted)
		return `${texts} is not written to ${localSettings(session.cwd)}, because the folder is not trusted: ${until}`;
	try {
		for (const rule of ruleTexts(update)) await saveAllowRule(session.cwd, rule, thisMachine());
		return undefined;
	} catch (error) {
		return `${texts} could not be kept (${errorText(error)}): ${until}`;
	}
}

function forbid(kind: 'deny' | 'ask', update: JsonObject, client: Client): string | undefined {
	const problems = ruleTexts(update).flatMap((text) => {
		const read = readRule(text, kind);
		if ('problem' in read) return [`${text} is not a rule: ${read.problem}`];
		client.live.forbid(kind, read.rule);
		return [];
	});
	return problems.length === 0 ? undefined : problems.join('; ');
}

function addFolders(update: JsonObject, client: Client): string | undefined {
	const { cwd } = client.station().session;
	const folders = stringsIn(update.directories).map((one) => resolve(cwd, one));
	const missing = folders.filter((folder) => !existsSync(folder));
	for (const folder of folders) if (!missing.includes(folder)) client.live.addFolder(folder);
	return missing.length === 0 ? undefined : `there is no folder ${missing.join(', ')}`;
}
