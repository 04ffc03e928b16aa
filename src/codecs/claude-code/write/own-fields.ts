/** Tells which leftover fields of an entry are Claude Code's own and may be written back. */
import type { Entry, JsonObject } from '../../../model/index.ts';

/** Fields of lines without a session id. Lines with one are recognised by it. */
const fieldsBeside: ReadonlySet<string> = new Set([
	'messageId',
	'snapshot',
	'snapshotMessageId',
	'trackingPath',
	'backup',
	'message',
	'userType',
	'cwd',
	'version',
	'gitBranch',
	'slug',
	'permissionMode',
	'permissionDecision',
	'toolDenialKind',
	'toolUseResult',
	'level',
	'isMeta',
	'content',
	'subtype',
	'lastPrompt',
	'explicit',
	'rewound',
	'cutUuid',
]);

/** The type of our line with the reference to a session's source. It has no uuid, so every version skips it. */
export const referenceType = 'reprise-lineage';

const none: JsonObject = {};

/** The leftover fields if this format wrote them; else an empty object. */
export function ownFields(entry: Entry): JsonObject {
	const { extra } = entry;
	return extra !== undefined && isOwn(extra) ? extra : none;
}

/** True where this format wrote the leftover fields of an entry. */
export function isOwn(extra: JsonObject | undefined): boolean {
	if (extra === undefined) return false;
	if (typeof extra.sessionId === 'string') return true;
	let some = false;
	for (const key in extra) {
		if (!fieldsBeside.has(key)) return false;
		some = true;
	}
	return some;
}

/** Fields that the writer states itself, whatever the leftovers hold. */
const stated: ReadonlySet<string> = new Set([
	'type',
	'uuid',
	'parentUuid',
	'logicalParentUuid',
	'timestamp',
	'sessionId',
	'isSidechain',
	'agentId',
	'message',
	'__proto__',
]);

/** The leftovers that are written unchanged. */
export function carried(own: JsonObject, ...except: readonly string[]): { [key: string]: JsonObject[string] } {
	const made: { [key: string]: JsonObject[string] } = {};
	for (const key of Object.keys(own)) if (!stated.has(key) && !except.includes(key)) made[key] = own[key];
	return made;
}
