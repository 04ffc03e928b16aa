/** A recorded session as something to play: its prompts, the replies to each, and what the tools answered. */
import {
	type Block,
	type MessageEntry,
	type ModelResponse,
	responseKey,
	type Session,
	type ToolResultBlock,
	turns,
} from '../../model/index.ts';

export interface Recording {
	readonly turns: readonly RecordedTurn[];
	/** What each call was answered, by its id. */
	readonly results: ReadonlyMap<string, ToolResultBlock>;
}

export interface RecordedTurn {
	readonly prompt: MessageEntry;
	readonly replies: readonly RecordedReply[];
}

export interface RecordedReply {
	readonly content: readonly Block[];
	readonly response: ModelResponse;
}

/** The conversation on the way to the session's leaf. What no model said, and what was said to nobody, is left out. */
export function recordingOf(session: Session): Recording {
	const results = new Map<string, ToolResultBlock>();
	const played: RecordedTurn[] = [];
	for (const { prompt, entries } of turns(session)) {
		const replies: { content: Block[]; response: ModelResponse; key: string | undefined }[] = [];
		for (const entry of entries) {
			if (entry.kind !== 'message' || entry.audience === 'user') continue;
			if (entry.role === 'assistant') addReply(entry, replies);
			else for (const block of entry.content) if (block.type === 'tool_result') results.set(block.call, block);
		}
		if (prompt) played.push({ prompt, replies });
	}
	return { turns: played, results };
}

/** Blocks of one reply that stand in entries of their own belong together; a reply that failed is not played. */
function addReply(
	entry: MessageEntry,
	replies: { content: Block[]; response: ModelResponse; key: string | undefined }[],
): void {
	const response = entry.response ?? {};
	if (response.synthetic || response.error !== undefined || response.stop === 'aborted') return;
	const key = responseKey(response);
	const last = replies.at(-1);
	if (last && key !== undefined && last.key === key) {
		last.content.push(...entry.content);
		last.response = { ...last.response, ...response };
	} else replies.push({ content: [...entry.content], response, key });
}
