/** Which texts of a line nobody looks into. */
import type { Json } from '../../model/index.ts';
import type { CutRules } from '../codec.ts';

/** Commands are looked for in the text of system lines; titles, settings and pointers are on lines of other types. */
const types: ReadonlySet<Json | undefined> = new Set([
	'user',
	'assistant',
	'progress',
	'attachment',
	'file-history-snapshot',
]);

export const cuts: CutRules = {
	whole: [
		'type',
		'subtype',
		'role',
		'uuid',
		'parentUuid',
		'logicalParentUuid',
		'sessionId',
		'agentId',
		'messageId',
		'id',
		'tool_use_id',
		'toolUseID',
		'parentToolUseID',
		'sourceToolAssistantUUID',
		'requestId',
		'name',
		'model',
		'stop_reason',
		'media_type',
		'timestamp',
		'cwd',
		'version',
		'gitBranch',
		'slug',
		'permissionMode',
		'backupFileName',
		'backupTime',
		'hookEvent',
		'hookName',
	],
	suffices: ({ type }) => types.has(type),
};
