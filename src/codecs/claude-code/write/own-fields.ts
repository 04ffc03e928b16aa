/** Which leftover fields of an entry are Claude Code's own, and may be written back. */
import type { Entry, JsonObject } from '../../../model/index.ts';

/** Fields of lines without a session id of their own. Lines with one are recognised by it. */
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

/** Our own line about where a converted session came from. Without an id of its own every version skips it. */
export const referenceType = 'reprise-lineage';

const none: JsonObject = {};

/** The leftover fields if this format wrote them; an empty object otherwise. */
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

/** What the writer states itself, whatever the leftovers say. */
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

/** The leftovers that go on the line as they are. */
export function carried(own: JsonObject, ...except: readonly string[]): { [key: string]: JsonObject[string] } {
	const made: { [key: string]: JsonObject[string] } = {};
	for (const key of Object.keys(own)) if (!stated.has(key) && !except.includes(key)) made[key] = own[key];
	return made;
}
