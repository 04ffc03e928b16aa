/** What Clido sends to a model when it resumes a session, in the shape of the Anthropic Messages API. */
import type { JsonObject } from '../../../model/index.ts';
import type { BuildContext } from '../../shared/context/context.ts';
import type { ContentBlock } from '../lines.ts';
import { contextMessages } from './messages.ts';

const newest = '1.0.15';

/** The client versions whose rules are known: one, whose rules serve for all. */
export const clients: readonly string[] = [newest];

export const build: BuildContext = (index, { at }) => {
	const resumed = contextMessages(index, at);
	if (!resumed.ok) return { client: newest, messages: [], from: [], refused: resumed.refused };
	return {
		client: newest,
		messages: resumed.messages.map(({ role, content }) => ({ role, content: content.map(wireBlock) })),
		from: resumed.messages.map(({ from }) => from),
	};
};

/** The block for the API; only images have another form in the file. */
function wireBlock(block: ContentBlock): JsonObject {
	if (block.type !== 'image') return { ...block };
	return { type: 'image', source: { type: 'base64', media_type: block.media_type, data: block.base64_data } };
}
