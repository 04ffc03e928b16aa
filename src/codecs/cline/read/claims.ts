/** Tells which documents are Cline's: by agent and session id, by the keys that only Cline writes, or as an array of messages. */
import { isObject, type Json } from '../../../model/index.ts';
import { agents } from '../lines.ts';
import { looksLikeMessage } from './decode.ts';
import { looksLegacy } from './vscode.ts';

const headerKeys = new Set([
	'version',
	'updated_at',
	'agent',
	'sessionId',
	'taskType',
	'origin',
	'messages',
	'system_prompt',
]);

/** Claims a document with messages that names its agent or session, or has only fields that Cline writes. */
export function claims(value: Json): string | undefined {
	if (Array.isArray(value)) {
		const some: readonly Json[] = value.slice(0, 4);
		if (some.length === 0 || !some.every(looksLikeMessage)) return undefined;
		return some.some(looksLegacy) ? 'vscode' : 'array';
	}
	if (!isObject(value) || !Array.isArray(value.messages)) return undefined;
	// Records of other formats have a type; Cline's own sidecar counts the messages it replaces.
	if (typeof value.type === 'string' || value.source_message_count !== undefined) return undefined;
	const named = agents.includes(value.agent as string) || (isVersioned(value.version) && hasText(value.sessionId));
	if (!named && !Object.keys(value).every((key) => headerKeys.has(key))) return undefined;
	return isObject(value.origin) ? 'client' : 'contract';
}

function isVersioned(version: Json | undefined): boolean {
	return typeof version === 'number';
}

function hasText(text: Json | undefined): boolean {
	return typeof text === 'string';
}
