/** Which texts of a message nobody looks into. */
import { isObject, type Json, type JsonObject, objectAt } from '../../model/index.ts';
import type { CutRules } from '../codec.ts';

export const cuts: CutRules = {
	items: 'messages',
	whole: [
		'type',
		'id',
		'role',
		'tool_use_id',
		'name',
		'path',
		'mediaType',
		'media_type',
		'modality',
		'modelId',
		'provider',
		'providerId',
		'kind',
		'displayRole',
	],
	suffices: (message) => !isNote(message) && !(message.role === 'user' && mayBeWrapped(message.content)),
};

/** What went wrong is put together of its texts. */
function isNote(message: JsonObject): boolean {
	return objectAt(message, 'metadata')?.displayRole === 'error';
}

/** Whether tags stand around a prompt can be told by its end only. */
function mayBeWrapped(content: Json | undefined): boolean {
	if (typeof content === 'string') return content.startsWith('<');
	return Array.isArray(content) && (content as readonly Json[]).some(beginsWithTag);
}

function beginsWithTag(block: Json): boolean {
	return isObject(block) && block.type === 'text' && typeof block.text === 'string' && block.text.startsWith('<');
}
