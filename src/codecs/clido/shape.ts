/** What of a line tells what a session is made of. */
import type { Json } from '../../model/index.ts';
import type { Shape } from '../codec.ts';

/** All others are few and short: what they say is in the header. */
const types: ReadonlySet<Json | undefined> = new Set(['user_message', 'assistant_message', 'tool_result', 'tool_call']);

export const shape: Shape = {
	keys: ['type', 'content', 'text', 'thinking', 'id', 'name', 'tool_use_id', 'media_type', 'base64_data'],
	suffices: ({ type }) => types.has(type),
};
