/** Replies that are no answer, or only a part of one. */
import type { AssistantMessage } from '../model/index.ts';
import { textOf } from './blocks.ts';

const cutOff =
	'Your response was cut off because it exceeded the output token limit. Please break your work into smaller pieces. Continue from where you left off.';
const nothingSaid =
	'[Your previous response had no visible output. Please continue and produce a user-visible response.]';

/** What a model is told whose reply was cut off, or said nothing; undefined for an answer. */
export function nudgeFor({ stopReason, content }: AssistantMessage): string | undefined {
	if (stopReason === 'length') return cutOff;
	return stopReason === 'stop' && textOf(content).trim() === '' ? nothingSaid : undefined;
}

/** A block that arrived to its end: half a signature or half a call is of no use to anybody. */
export function isWhole(block: AssistantMessage['content'][number]): boolean {
	if (block.type === 'text') return block.text.trim() !== '';
	return block.type === 'toolCall' || block.thinkingSignature !== undefined;
}
