/** A session that the editor opens again: what was said and done in it, told as the updates that it would have got then. */
import type { ContentBlock, SessionUpdate } from '@agentclientprotocol/sdk';
import { idsUpTo } from '../export/story.ts';
import { openStory } from '../export/story-file.ts';
import { type ToolPart, type TranscriptPart, transcript } from '../export/transcript.ts';
import { type Block, blockText, type Entry, type EntryId, type ToolResultBlock } from '../model/index.ts';
import { isListCall, planOf } from './plans.ts';
import { blocksFrom } from './prompts.ts';
import { type CallPlace, type CallResult, callFields, resultFields } from './tool-calls.ts';

/** One after the other, so that a large session is never held. `behind`: only what follows this entry, where it is still there. */
export async function* pastUpdates(
	path: string,
	place: CallPlace,
	behind: EntryId | null = null,
): AsyncGenerator<SessionUpdate, void> {
	using story = await openStory(path, { subagents: true });
	const answer = (call: string): ToolResultBlock | undefined => story.answer(call);
	const known = behind === null ? new Set<EntryId>() : idsUpTo(story, behind);
	const parts = Iterator.from(transcript(story, { thinking: true })).filter(({ from }) => !known.has(from.id));
	yield* updatesOf(parts, answer, place);
}

type Answer = (call: string) => ToolResultBlock | undefined;

function* updatesOf(
	parts: Iterable<TranscriptPart>,
	answer: Answer,
	place: CallPlace,
): Generator<SessionUpdate, void, undefined> {
	for (const part of parts) {
		const messageId = part.from.id;
		switch (part.kind) {
			case 'prompt':
				for (const content of promptBlocks(part.from, part.text))
					yield { sessionUpdate: 'user_message_chunk', content, messageId };
				break;
			case 'reply':
			case 'error':
				yield { sessionUpdate: 'agent_message_chunk', content: text(part.text), messageId };
				break;
			case 'thinking':
				yield { sessionUpdate: 'agent_thought_chunk', content: text(part.text), messageId };
				break;
			case 'tool':
				yield* callUpdates(part, answer, place);
				break;
			case 'subagent':
				// Of a sub-agent its calls are shown, as they are while it runs; what it says is its caller's result.
				for (const one of part.parts)
					if (one.kind === 'tool' && !isListCall(one.name)) yield* callUpdates(one, () => undefined, place);
		}
	}
}

function* callUpdates(part: ToolPart, answer: Answer, place: CallPlace): Generator<SessionUpdate, void, undefined> {
	const { call: id, name, from, output, isError, list } = part;
	if (list) yield { sessionUpdate: 'plan', ...planOf(list) };
	if (isListCall(name) && !isError) return;
	const block = blocksOf(from).find((one) => one.type === 'tool_call' && one.id === id);
	const made = { id, name, input: block?.type === 'tool_call' ? block.input : {} };
	yield { sessionUpdate: 'tool_call', status: 'pending', ...callFields(made, place) };
	const result = answer(id);
	if (result) yield { sessionUpdate: 'tool_call_update', ...resultFields(made, resultOf(result), place) };
	else if (output !== undefined)
		yield { sessionUpdate: 'tool_call_update', ...resultFields(made, { content: [text(output)], isError }, place) };
	else yield { sessionUpdate: 'tool_call_update', toolCallId: id, status: 'failed' };
}

/** A result as a session has it. */
export function resultOf({ content, isError, details }: ToolResultBlock): CallResult {
	return { content: content.map(contentOf), isError, details };
}

function promptBlocks(from: Entry, said: string): readonly ContentBlock[] {
	const pictures = blocksOf(from).filter((block) => block.type === 'image');
	return blocksFrom(pictures.length === 0 ? [text(said)] : blocksOf(from).map(contentOf));
}

function blocksOf(from: Entry): readonly Block[] {
	return from.kind === 'message' ? from.content : [];
}

function contentOf(block: Block): ContentBlock {
	return block.type === 'image' && 'base64' in block.data
		? { type: 'image', data: block.data.base64, mimeType: block.mime }
		: text(blockText(block));
}

function text(said: string): ContentBlock {
	return { type: 'text', text: said };
}
