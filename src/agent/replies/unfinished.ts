/** How often and in which words a model is told to go on after a reply that was cut off or said nothing; and the notice after an interruption. */
import type { AssistantMessage } from '../../model/index.ts';
import { textOf } from '../recording/blocks.ts';

const cutOff =
	'Your response was cut off because it exceeded the output token limit. Please break your work into smaller pieces. Continue from where you left off.';
const nothingSaid =
	'[Your previous response had no visible output. Please continue and produce a user-visible response.]';

/** How often a model is told to go on for one prompt, as in Claude Code. */
const mostNudges = 3;

/** Asks a model to go on after a reply that is no answer, a few times for each prompt: without an end, a model that says nothing would cost for ever. */
export class Nudges {
	#since = 0;

	/** With a new prompt the count begins anew. */
	reset(): void {
		this.#since = 0;
	}

	/** What a model is told whose reply was cut off, or said nothing; undefined for an answer. */
	for({ stopReason, content }: AssistantMessage): string | undefined {
		const isSilent = stopReason === 'stop' && textOf(content).trim() === '';
		if ((stopReason !== 'length' && !isSilent) || this.#since === mostNudges) return undefined;
		this.#since += 1;
		return isSilent ? nothingSaid : cutOff;
	}
}

/** What a model is told that goes on from a reply of its own which the user did not let it finish; marked, since nobody typed it. */
export const interruptedNotice =
	'<system-reminder>\nThe user has interrupted your last turn: what you said or did there may be incomplete.\n</system-reminder>';

/** A block that arrived to its end: half a signature or half a call is of no use to anybody. */
export function isWhole(block: AssistantMessage['content'][number]): boolean {
	if (block.type === 'text') return block.text.trim() !== '';
	return block.type === 'toolCall' || block.thinkingSignature !== undefined;
}
