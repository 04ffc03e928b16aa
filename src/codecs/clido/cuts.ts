/** Which texts of a line nobody looks into. */
import type { Json } from '../../model/index.ts';
import type { CutRules } from '../codec.ts';

const types: ReadonlySet<Json | undefined> = new Set(['user_message', 'assistant_message', 'tool_call', 'tool_result']);

export const cuts: CutRules = {
	whole: ['type', 'role', 'id', 'tool_use_id', 'name', 'tool_name', 'path', 'content_hash', 'media_type'],
	suffices: ({ type }) => types.has(type),
};
