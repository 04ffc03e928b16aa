/** A stored session as the console's blocks: which parts of its last turns are shown, and when a call without a result, or a prompt at its end, counts as cut off. */
import { prompted } from '../codecs/index.ts';
import { idsUpTo } from '../export/story.ts';
import { openStory } from '../export/story-file.ts';
import { inputSubject } from '../export/tool-words.ts';
import { type TranscriptPart, transcript } from '../export/transcript.ts';
import { compact, type EntryId, type Json, type ToolCallBlock } from '../model/index.ts';
import { thisMachine } from '../store/find/folders.ts';
import { isWritten } from '../store/own-data/own-data.ts';
import { replyBlocks } from './reduce.ts';
import { blocksOf } from './reply-blocks.ts';
import type { Block } from './state.ts';
import { toldTool } from './told-tool.ts';
import { hasFailed } from './user-shell-command.ts';

/** `behind`: only what follows this entry; all of the turns where it is none of theirs. */
export async function storedBlocks(path: string, turns: number, behind?: EntryId | null): Promise<readonly Block[]> {
	using story = await openStory(path, { last: turns });
	const parts = [...transcript(story, { last: turns, thinking: true })];
	const known = behind == null ? new Set<EntryId>() : idsUpTo(story, behind);
	// What has no result may still get it from whoever works in the session now.
	return partsBlocks(
		parts.filter(({ from }) => !known.has(from.id)),
		isWritten(path, thisMachine()),
	);
}

/** The same where a session is opened. A prompt at its end that nobody answers any more was left so by whoever was killed. */
export async function openedBlocks(path: string, turns: number, behind?: EntryId | null): Promise<readonly Block[]> {
	const blocks = await storedBlocks(path, turns, behind);
	const isOpen = behind === undefined && blocks.at(-1)?.kind === 'prompt' && !isWritten(path, thisMachine());
	return isOpen ? [...blocks, { kind: 'note', text: 'not answered: it was interrupted' }] : blocks;
}

/** What had been said when this entry was the last; undefined where it is none of the turns. */
export async function blocksUpTo(path: string, turns: number, last: EntryId): Promise<readonly Block[] | undefined> {
	using story = await openStory(path, { last: turns });
	const known = idsUpTo(story, last);
	if (known.size === 0) return undefined;
	const parts = [...transcript(story, { last: turns, thinking: true })];
	return partsBlocks(
		parts.filter(({ from }) => known.has(from.id)),
		false,
	);
}

/** What the user has run stands in two messages, the command and what it has printed: here they are one block again. */
function partsBlocks(parts: readonly TranscriptPart[], goesOn: boolean): readonly Block[] {
	const blocks: Block[] = [];
	let call: string | undefined;
	for (const part of parts) {
		if (part.kind === 'tool') call = part.call;
		const printed = part.kind === 'prompt' ? prompted(part.text) : undefined;
		const last = blocks.at(-1);
		if (printed?.isOutput && last?.kind === 'tool' && last.own && last.output === undefined)
			blocks[blocks.length - 1] = { ...last, output: printed.text, isError: hasFailed(printed.text) };
		// As while it ran: the row says what was run, whatever the model wanted.
		else if (part.kind === 'note' && part.changedTo !== undefined && part.call === call && last?.kind === 'tool')
			blocks[blocks.length - 1] = { ...last, subject: inputSubject(part.changedTo) };
		// Why there is no result, where that is known.
		else if (part.kind === 'note' && part.call === call && last?.kind === 'tool' && last.output === cutOff)
			blocks[blocks.length - 1] = { ...last, output: part.text };
		else if (part.kind === 'tool' && part.output === undefined && !goesOn)
			blocks.push(...partBlocks({ ...part, output: cutOff, isError: true }));
		else blocks.push(...partBlocks(part));
	}
	return blocks;
}

/** It looks like what the model is told of such a call when the session goes on. */
const cutOff = 'It was cut off: there is no result.';

function promptBlock(said: string): Block {
	const { text, isOutput, command } = prompted(said);
	if (command !== undefined) return { kind: 'tool', name: '!', subject: command, isError: false, own: true };
	return { kind: isOutput ? 'said' : 'prompt', text };
}

function inputOf({ call, from }: Extract<TranscriptPart, { kind: 'tool' }>): Json {
	const calls = from.kind === 'message' ? from.content : [];
	return calls.find((block): block is ToolCallBlock => block.type === 'tool_call' && block.id === call)?.input ?? null;
}

function partBlocks(part: TranscriptPart): readonly Block[] {
	switch (part.kind) {
		case 'prompt':
			return [promptBlock(part.text)];
		case 'reply':
			return replyBlocks(blocksOf(part.text.replaceAll('\r\n', '\n')), true);
		case 'thinking':
			return [{ kind: 'thinking', text: part.text }];
		case 'tool': {
			const { name, subject, change, list, output, isError } = part;
			return [
				{ kind: 'tool', ...toldTool({ name, subject, isError, ...compact({ change, list, output }) }, inputOf(part)) },
			];
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
