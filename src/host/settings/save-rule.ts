/** Where a rule goes that its user wants to keep: into the project's `.claude/settings.local.json`, with a note of our own that the user saved it. */
import { join } from 'node:path';
import type { Machine } from '../../codecs/index.ts';
import { readIfThere } from '../../log/regular-file.ts';
import { isObject, type JsonObject, parsedJson, stringsIn } from '../../model/index.ts';
import { InputError } from '../../store/errors.ts';
import { dataFolder } from '../../store/own-data/data-folder.ts';
import { changeOwn, ownLog, readOwn } from '../../store/own-data/own-data.ts';

export function localSettings(cwd: string): string {
	return join(cwd, '.claude', 'settings.local.json');
}

/** Everything else in the file stays as it means. A file that cannot be read is not written over. Who saved it is noted in our own data. */
export async function saveAllowRule(cwd: string, rule: string, machine: Machine): Promise<void> {
	const path = localSettings(cwd);
	await using writer = await ownLog(machine).writer(path, { lines: false, within: cwd });
	const bytes = readIfThere(path);
	const settings = bytes === undefined ? {} : settingsIn(bytes, path);
	const permissions = isObject(settings.permissions) ? settings.permissions : {};
	const allow = Array.isArray(permissions.allow) ? permissions.allow : [];
	const next = { ...settings, permissions: { ...permissions, allow: [...allow, rule] } };
	if (!allow.includes(rule))
		await writer.replace(Buffer.from(`${JSON.stringify(next, null, 2)}\n`), { expect: bytes?.length ?? 0 });
	await changeOwn(machine, savedFile(machine), (before = {}) => {
		const folders = isObject(before.folders) ? before.folders : {};
		return { ...before, folders: { ...folders, [cwd]: [...new Set([...rulesOf(before, cwd), rule])] } };
	});
}

/** The rules that its user has saved for a folder, word for word: in its local settings they are not the folder's word but the user's. */
export function savedRules(cwd: string, machine: Machine): readonly string[] {
	return rulesOf(readOwn(savedFile(machine)), cwd);
}

function savedFile(machine: Machine): string {
	return join(dataFolder(machine), 'saved-rules.json');
}

/** Own keys only: a folder may be called anything. */
function rulesOf(saved: JsonObject | undefined, cwd: string): readonly string[] {
	const folders = saved?.folders;
	if (!isObject(folders) || !Object.hasOwn(folders, cwd)) return [];
	return stringsIn(folders[cwd]);
}

function settingsIn(bytes: Buffer, path: string): JsonObject {
	const value = parsedJson(bytes.toString('utf8').replace(/^\uFEFF/, ''));
	if (isObject(value)) return value;
	throw new InputError('damaged', `${path} is not a JSON object`);
}
