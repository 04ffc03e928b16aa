/** Tells which records are Claude Code's and no other format's. */
import { isObject, type Json, type JsonObject } from '../../../model/index.ts';
import { type Dialect, dialectOf, isKnownType } from '../lines.ts';

/** Types that other formats use for records with a `sessionId`. */
const foreignTypes: ReadonlySet<string> = new Set(['session', 'message', 'custom', 'meta', 'result', 'title']);

/** The dialect of a record that only Claude Code writes. Frames of its stream, with only a `session_id`, are none. */
export function claimLine(value: Json): Dialect | undefined {
	if (!isObject(value) || Array.isArray(value.messages)) return undefined;
	const { type } = value;
	const inGraph = 'parentUuid' in value || 'leafUuid' in value || 'logicalParentUuid' in value;
	if (type === undefined) {
		const message = isObject(value.message) && typeof value.uuid === 'string';
		return message && inGraph ? 'classic' : undefined;
	}
	if (typeof type !== 'string') return undefined;
	const ours = inGraph || typeof value.sessionId === 'string';
	if (isKnownType(type)) return ours || speaksForItself(type, value) ? dialectOf(type) : undefined;
	return ours && !foreignTypes.has(type) ? 'classic' : undefined;
}

/** True for lines without a session id that no other format has. */
function speaksForItself(type: string, value: JsonObject): boolean {
	switch (type) {
		case 'summary':
			return typeof value.summary === 'string' && !('id' in value);
		case 'progress':
			return isObject(value.data) && typeof value.data.type === 'string';
		case 'user':
		case 'assistant':
			return isObject(value.message) && !('session_id' in value) && !('role' in value);
		case 'file-history-snapshot':
		case 'file-history-delta':
			return typeof value.messageId === 'string';
		case 'queue-operation':
			return typeof value.operation === 'string';
		case 'pr-link':
			return typeof value.prUrl === 'string';
		case 'system':
			return typeof value.uuid === 'string' && !('session_id' in value);
		default:
			return false;
	}
}
