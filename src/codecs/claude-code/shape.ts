/** What of a line tells what a session is made of. */
import type { Json } from '../../model/index.ts';
import type { Shape } from '../codec.ts';

/** Titles and settings are on lines of other types. */
const types: ReadonlySet<Json | undefined> = new Set([
	'user',
	'assistant',
	'system',
	'progress',
	'attachment',
	'file-history-snapshot',
]);

export const shape: Shape = {
	keys: [
		'type',
		'uuid',
		'parentUuid',
		'logicalParentUuid',
		'isSidechain',
		'agentId',
		'sessionId',
		'cwd',
		'version',
		'message',
		'content',
		'text',
		'thinking',
		'source',
		'data',
		'url',
		'id',
		'name',
		'tool_use_id',
	],
	suffices: ({ type }) => types.has(type),
};
