/** A session that is there already, as the blocks that whoever had watched it would have seen: its last turns. */
import { openStory } from '../export/story-file.ts';
import { type TranscriptPart, transcript } from '../export/transcript.ts';
import { compact } from '../model/index.ts';
import { replyBlocks } from './reduce.ts';
import { blocksOf } from './reply-blocks.ts';
import type { Block } from './state.ts';

export async function storedBlocks(path: string, turns: number): Promise<readonly Block[]> {
	using story = await openStory(path, { last: turns });
	return [...transcript(story, { last: turns, thinking: true })].flatMap(partBlocks);
}

export function partBlocks(part: TranscriptPart): readonly Block[] {
	switch (part.kind) {
		case 'prompt':
			return [{ kind: 'prompt', text: part.text }];
		case 'reply':
			return replyBlocks(blocksOf(part.text.replaceAll('\r\n', '\n')), true);
		case 'thinking':
			return [{ kind: 'thinking', text: part.text }];
		case 'tool': {
			const { name, subject, change, list, output, isError } = part;
			return [{ kind: 'tool', name, subject, isError, ...compact({ change, list, output }) }];
		}
		case 'error':
			return [{ kind: 'error', text: part.text }];
		case 'note':
			// What is noted of a call stands in its result, too.
			return part.call === undefined ? [{ kind: 'note', text: part.text }] : [];
		case 'compaction':
			return [{ kind: 'compaction', text: 'what was said before is a summary from here on (/uncompact undoes it)' }];
		case 'omitted':
			return [{ kind: 'omitted', entries: part.entries }];
		default:
			return [];
	}
}
