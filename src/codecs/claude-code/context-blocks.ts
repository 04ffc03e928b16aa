/** The blocks of a message as 2.1.325 sends them. */
import { isObject, type Json, type JsonObject } from '../../model/index.ts';
import { isBlank, isCall, isResult, isText, isThinking, textBlock } from './context-pieces.ts';
import { type Building, noContent, replyText } from './context-wire.ts';

export function sentUser(message: Building, isLast: boolean): Building {
	if (message.role === 'assistant') return message;
	return { ...message, content: withoutBlanks(message, isLast).map(withoutPictures) };
}

export function sentReply(message: Building, model: string | undefined): Building {
	if (message.role === 'user') return message;
	const own = sameModel(message.model, model) ? message.content : message.content.filter((block) => !isThinking(block));
	const content = callsLast(own.filter((block) => !isText(block) || block.text !== ''));
	if (content.length > 0) return { ...message, content };
	return { ...message, content: [replyText(noContent)] };
}

/**
 * Blank texts go, unless a bare one is all there is; a message of nothing else says so. At the end nothing need be said: the
 * next prompt will be joined to it.
 */
function withoutBlanks({ content, bare }: Building, isLast: boolean): readonly JsonObject[] {
	if (bare && !isLast) return content;
	const rest = content.filter((block) => !isBlank(block));
	return rest.length > 0 || isLast ? rest : [textBlock(noContent)];
}

/** A failed call can only tell, not show. */
function withoutPictures(block: JsonObject): JsonObject {
	if (!isResult(block) || block.is_error !== true || !Array.isArray(block.content)) return block;
	const content = (block.content as readonly Json[]).filter((part) => isObject(part) && part.type === 'text');
	return content.length === block.content.length ? block : { ...block, content };
}

/** Calls stand last, unless the model thought again between them: then every block stays where it is. */
function callsLast(content: readonly JsonObject[]): readonly JsonObject[] {
	const first = content.findIndex(isCall);
	if (first === -1) return content;
	if (content.slice(0, first).some(isThinking) && content.slice(first).some(isThinking)) return content;
	return [...content.filter((block) => !isCall(block)), ...content.filter(isCall)];
}

/** Signed thinking is only good for the model that thought it. Two names of one model differ in date, provider and window. */
function sameModel(said: string | undefined, asked: string | undefined): boolean {
	return said !== undefined && asked?.includes('claude') === true && plainName(said) === plainName(asked);
}

function plainName(model: string): string {
	const name = model.replace(/\[\w+\]$/, '').replace(/^.*?(?=claude-)/, '');
	return name
		.replace(/(-v\d+:\d+)?$/, '')
		.replace(/[-@]\d{8}$/, '')
		.replaceAll('.', '-');
}
