/** What of a line tells what a session is made of. */
import { type Entry, type Header, type Json, type JsonObject, objectAt } from '../../model/index.ts';
import type { Shape } from '../codec.ts';
import { blocksOf } from './decode-blocks.ts';

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
	callKeys: ['id', 'tool_use_id'],
	texts: ['content', 'text', 'thinking', 'data', 'url'],
	links: { id: 'uuid', parent: 'parentUuid' },
	suffices: ({ type }) => types.has(type),
	message,
};

/** The first lines tell where and when the session is; what a sub-agent says may change whose file it is. */
function message(line: JsonObject, record: number, { id: session, cwd }: Header): Entry | undefined {
	const { type, uuid, parentUuid, logicalParentUuid, isSidechain } = line;
	if ((type !== 'user' && type !== 'assistant') || typeof uuid !== 'string' || isSidechain === true) return undefined;
	if (session === undefined || cwd === undefined || logicalParentUuid !== undefined) return undefined;
	const parent = typeof parentUuid === 'string' ? parentUuid : null;
	const content = blocksOf(objectAt(line, 'message')?.content);
	return { id: uuid, parent, records: [record], kind: 'message', role: type, content };
}
