/** Which blocks of a message Claude Code 2.1.325 sends (blank texts, pictures of failed results, another model's thinking), and which model it asks. */
import { isObject, type Json, type JsonObject } from '../../../model/index.ts';
import { isBlank, isCall, isResult, isText, isThinking, textBlock } from './pieces.ts';
import { type Building, noContent, replyText } from './wire.ts';

export function sentUser(message: Building, isLast: boolean): Building {
	if (message.role === 'assistant') return message;
	return { ...message, content: withoutBlanks(message, isLast).map(withoutPictures) };
}

export function sentReply(message: Building, model: string): Building {
	if (message.role === 'user') return message;
	const own = sameModel(message.model, model) ? message.content : message.content.filter((block) => !isThinking(block));
	const content = callsLast(own.filter((block) => !isText(block) || block.text !== '').map(renamed));
	if (content.length > 0) return { ...message, content };
	return { ...message, content: [replyText(noContent)] };
}

/**
 * The blocks without blank texts, unless a bare one is all there is; a message that becomes empty says so. The last
 * message may become empty: the next prompt is joined to it.
 */
function withoutBlanks({ content, bare }: Building, isLast: boolean): readonly JsonObject[] {
	if (bare && !isLast) return content;
	const rest = content.filter((block) => !isBlank(block));
	return rest.length > 0 || isLast ? rest : [textBlock(noContent)];
}

/** A failed result without its images, which the client does not send. */
function withoutPictures(block: JsonObject): JsonObject {
	if (!isResult(block) || block.is_error !== true || !Array.isArray(block.content)) return block;
	const content = (block.content as readonly Json[]).filter((part) => isObject(part) && part.type === 'text');
	return content.length === block.content.length ? block : { ...block, content };
}

/** The block with today's name of the tool that starts sub-agents, which had another once. */
function renamed(block: JsonObject): JsonObject {
	return isCall(block) && block.name === 'Task' ? { ...block, name: 'Agent' } : block;
}

/** The blocks with calls last, unless the model thought again between them: then all blocks stay in place. */
function callsLast(content: readonly JsonObject[]): readonly JsonObject[] {
	const first = content.findIndex(isCall);
	if (first === -1) return content;
	if (content.slice(0, first).some(isThinking) && content.slice(first).some(isThinking)) return content;
	return [...content.filter((block) => !isCall(block)), ...content.filter(isCall)];
}

/** True for names of one model, which differ in date, provider and window: signed thinking is valid for it alone. */
function sameModel(said: string | undefined, asked: string): boolean {
	return said !== undefined && plainName(said) === plainName(asked);
}

/** The models that 2.1.325 goes on with; in place of any other it asks its own. */
const offered = /^claude-(opus-(4-[5678]|5|5-5)|sonnet-(4-[56]|5|5-5)|haiku-(4-5|5-5)|fable-(5|5-1|5-2))$/;
const ownModel = 'claude-opus-5-5';

/** The model that is asked, by the one that answered last. */
export function askedModel(last: string | undefined): string {
	return last !== undefined && offered.test(plainName(last)) ? last : ownModel;
}

function plainName(model: string): string {
	const name = model
		.toLowerCase()
		.replace(/\[\w+\]$/, '')
		.replace(/^.*?(?=claude-)/, '');
	return name
		.replace(/(-v\d+:\d+)?$/, '')
		.replace(/[-@]\d{8}$/, '')
		.replaceAll('.', '-');
}
