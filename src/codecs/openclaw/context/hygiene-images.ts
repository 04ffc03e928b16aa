/** Replaces images by a text, as OpenClaw does in all but the last three answered turns. */
import { type JsonObject, stringAt } from '../../../model/index.ts';
import { blocksOf, type Turn } from '../../../wires/prepare.ts';

const keptTurns = 3;
const removedImage = '[image data removed - already processed by model]';
const removedReference = '[media reference removed - already processed by model]';
/** Matches the names of media that came with a prompt. */
const references =
	/\[media attached(?:\s+\d+\/\d+)?:\s*[^\]]+\]|\[Image:\s*source:\s*[^\]]+\]|\bmedia:\/\/inbound\/[^\]\s/\\]+/gi;

export function withoutOldImages(turns: readonly Turn[]): readonly Turn[] {
	const end = firstKeptTurn(turns);
	return turns.map((turn, at) => {
		const { message } = turn;
		if (at >= end || (message.role !== 'user' && message.role !== 'toolResult')) return turn;
		const content =
			typeof message.content === 'string' ? withoutReferences(message.content) : blocksOf(message).map(pruned);
		return { ...turn, message: { ...message, content } };
	});
}

/** The start of the oldest turn whose images stay: a turn is a prompt with what follows, once it has a reply. */
function firstKeptTurn(turns: readonly Turn[]): number {
	const answered: number[] = [];
	let start = -1;
	for (const [at, { message }] of turns.entries()) {
		if (message.role === 'user' || (message.role === 'toolResult' && start < 0)) start = at;
		else if (message.role === 'assistant' && start >= 0 && answered.at(-1) !== start) answered.push(start);
	}
	return answered.length <= keptTurns ? 0 : (answered.at(-keptTurns) ?? 0);
}

function pruned(block: JsonObject): JsonObject {
	if (block.type === 'image') return { type: 'text', text: removedImage };
	const text = block.type === 'text' ? stringAt(block, 'text') : undefined;
	return text === undefined ? block : { ...block, text: withoutReferences(text) };
}

function withoutReferences(text: string): string {
	return text.replaceAll(references, removedReference);
}
