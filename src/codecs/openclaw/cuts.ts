/** Which texts of a line nobody looks into. */
import { isObject } from '../../model/index.ts';
import type { CutRules } from '../codec.ts';

/** Headers, names, settings and OpenClaw's marks are on other lines. A system message is put together of its sections. */
export const cuts: CutRules = {
	whole: [
		'type',
		'id',
		'parentId',
		'timestamp',
		'role',
		'toolCallId',
		'toolName',
		'name',
		'api',
		'provider',
		'model',
		'responseId',
		'stopReason',
		'customType',
		'mimeType',
		'firstKeptEntryId',
		// Two arguments of an edit that must be the same.
		'oldText',
	],
	suffices({ type, message, role }) {
		if (type === undefined) return role === 'user' || role === 'assistant' || role === 'toolResult';
		if (type === 'message') return isObject(message) && message.role !== 'system';
		return type === 'compaction' || type === 'custom' || type === 'custom_message';
	},
};
