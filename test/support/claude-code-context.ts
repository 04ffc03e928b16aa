/** What a real Claude Code sent, made comparable with a context, and the ways in which the two differ. */
import { claudeCode } from '../../src/codecs/claude-code/index.ts';
import type { Context, ContextOptions } from '../../src/codecs/shared/context/context.ts';
import { parsedIndex } from '../../src/codecs/shared/read/line-index.ts';
import { isObject, type Json, type JsonObject } from '../../src/model/index.ts';

export type Sent = Context['messages'];

export function contextOf(bytes: Uint8Array, options: ContextOptions = {}): Context {
	const context = claudeCode.context.build?.(parsedIndex(claudeCode, bytes), options);
	if (!context || context === 'more') throw new Error('a whole file has a context');
	return context;
}

/**
 * The normalisations, each with its reason. They apply to both sides alike, and nothing else is left out.
 *
 * | what | why |
 * |---|---|
 * | messages of role `system` | the client's own notes about its tools, date and folder; on older models they are reminders |
 * | texts that are one or several `<system-reminder>`, and those at the end of a result | the same, as text |
 * | `cache_control` | where the client wants the provider to cache; it moves with every request |
 * | a bare text is one text block | the client sends either, depending on where its cache marks are |
 * | the prompt, and the line break that its merging puts at the end of what comes before | the context ends before the prompt |
 */
export function comparable(messages: Sent, prompt?: string): readonly Comparable[] {
	const cleaned = messages
		.filter((message) => message.role !== 'system')
		.map(({ role, content }) => ({ role, content: blocksOf(content).flatMap((block) => cleanedBlock(block, role)) }));
	const whole = prompt === undefined ? cleaned : withoutPrompt(cleaned, prompt);
	return whole.filter((message) => message.content.length > 0);
}

interface Comparable {
	readonly role: string;
	readonly content: readonly JsonObject[];
}

function blocksOf(content: Sent[number]['content']): readonly JsonObject[] {
	return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

/** One that holds no other: a file that was read has reminders in it too. */
const innermost = /<system-reminder>((?!<system-reminder>)[\s\S])*?<\/system-reminder>/g;
const reminderAtEnd = /\n\n<system-reminder>[\s\S]*?<\/system-reminder>\s*$/;

function cleanedBlock({ cache_control: _, ...block }: JsonObject, role: string): readonly JsonObject[] {
	if (role === 'user' && block.type === 'text' && isReminder(block.text)) return [];
	if (block.type !== 'tool_result' || typeof block.content !== 'string') return [block];
	return [{ ...block, content: block.content.replace(reminderAtEnd, '') }];
}

function isReminder(text: Json | undefined): boolean {
	if (typeof text !== 'string' || !text.includes('<system-reminder>')) return false;
	const rest = text.replace(innermost, '');
	return rest.trim() === '' || (rest !== text && isReminder(rest));
}

/** Everything before the prompt, which is in the last message of the user. */
function withoutPrompt(messages: readonly Comparable[], prompt: string): readonly Comparable[] {
	const last = messages.findLastIndex((message) => message.role === 'user');
	const content = messages[last]?.content ?? [];
	const at = content.findLastIndex((block) => typeof block.text === 'string' && block.text.startsWith(prompt));
	if (at === -1) throw new Error(`the request has no prompt ${prompt}`);
	return [...messages.slice(0, last), { role: 'user', content: content.slice(0, at).map(unbroken) }];
}

/** Only the last text can have got its line break from the prompt. */
function unbroken(block: JsonObject, at: number, all: readonly JsonObject[]): JsonObject {
	if (at < all.length - 1 || typeof block.text !== 'string') return block;
	return { ...block, text: block.text.replace(/\n$/, '') };
}

/** One line for each message that is not the same. */
export function differences(ours: readonly Comparable[], theirs: readonly Comparable[]): readonly string[] {
	const found: string[] = [];
	for (let at = 0; at < Math.max(ours.length, theirs.length); at += 1) {
		const [own, their] = [inOrder(ours[at] ?? null), inOrder(theirs[at] ?? null)];
		if (own !== their) found.push(`${at}: we ${own}, the client ${their}`);
	}
	return found;
}

/** JSON with the keys of objects in order. */
function inOrder(value: unknown): string {
	return JSON.stringify(value, (_, one: unknown) =>
		isObject(one) ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1))) : one,
	);
}
