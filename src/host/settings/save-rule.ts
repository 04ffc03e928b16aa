/** A rule that its user wants to keep, in the settings that a project has for this user alone. */
import { join } from 'node:path';
import type { Machine } from '../../codecs/index.ts';
import { readIfThere } from '../../log/regular-file.ts';
import { isObject, type JsonObject, parsedJson } from '../../model/index.ts';
import { InputError } from '../../store/errors.ts';
import { ownLog } from '../../store/own-data/own-data.ts';

export function localSettings(cwd: string): string {
	return join(cwd, '.claude', 'settings.local.json');
}

/** Everything else in the file stays as it means. A file that cannot be read is not written over. */
export async function saveAllowRule(cwd: string, rule: string, machine: Machine): Promise<void> {
	const path = localSettings(cwd);
	await using writer = await ownLog(machine).writer(path, { lines: false, within: cwd });
	const bytes = readIfThere(path);
	const settings = bytes === undefined ? {} : settingsIn(bytes, path);
	const permissions = isObject(settings.permissions) ? settings.permissions : {};
	const allow = Array.isArray(permissions.allow) ? permissions.allow : [];
	if (allow.includes(rule)) return;
	const next = { ...settings, permissions: { ...permissions, allow: [...allow, rule] } };
	await writer.replace(Buffer.from(`${JSON.stringify(next, null, 2)}\n`), { expect: bytes?.length ?? 0 });
}

function settingsIn(bytes: Buffer, path: string): JsonObject {
	const value = parsedJson(bytes.toString('utf8').replace(/^\uFEFF/, ''));
	if (isObject(value)) return value;
	throw new InputError('damaged', `${path} is not a JSON object`);
}
