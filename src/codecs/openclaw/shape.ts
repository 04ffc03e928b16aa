/** What of a line tells what a session is made of. */
import { isObject } from '../../model/index.ts';
import type { Shape } from '../codec.ts';

/**
 * Messages and compactions alone: headers, names, settings and OpenClaw's marks are on other lines. A system message is a
 * text or none, depending on sections whose names are anybody's.
 */
export const shape: Shape = {
	keys: [
		'type',
		'id',
		'parentId',
		'appendMode',
		'message',
		'__openclaw',
		'role',
		'content',
		'text',
		'thinking',
		'data',
		'mimeType',
		'name',
		'usage',
	],
	suffices: ({ type, message }) =>
		type === 'message' ? isObject(message) && message.role !== 'system' : type === 'compaction',
};
