/** How long texts may be that Cline sends (results 8,000 characters, files 50,000, replies 200,000): the middle of a longer one becomes a mark. */
import { isObject, type Json, type JsonObject } from '../../../model/index.ts';

type Mark = (removed: number) => string;

const ofResult: Mark = (removed) => `\n\n...[truncated ${removed} chars]...\n\n`;
const ofReply: Mark = (removed) => `\n\n...[assistant text truncated: omitted ${removed} chars]...\n\n`;
const ofMarkup: Mark = (removed) =>
	`\n\n...[assistant text truncated: omitted ${removed} chars due to repeated tool-call markup]...\n\n`;

export const longestResult = 8_000;
export const longestFile = 50_000;
export const longestReply = 200_000;
const longestMarkup = 12_000;
const manyTags = 8;

/** Shortens a text. The mark's length depends on the number in it, so the mark is made twice. */
function middleOut(text: string, longest: number, mark: Mark): string {
	if (text.length <= longest) return text;
	const side = (length: number): number => Math.max(0, Math.floor((longest - length) / 2));
	const removed = text.length - side(mark(text.length - longest).length) * 2;
	const made = mark(removed);
	const keep = side(made.length);
	return text.slice(0, keep) + made + (keep > 0 ? text.slice(-keep) : '');
}

export const shortResult = (text: string): string => middleOut(text, longestResult, ofResult);
export const shortFile = (text: string): string => middleOut(text, longestFile, ofResult);

/** Shortens a reply more if the model wrote tool calls as text. */
export function shortReply(text: string): string {
	if (text.length > longestMarkup && hasManyTags(text)) return middleOut(text, longestMarkup, ofMarkup);
	return middleOut(text, longestReply, ofReply);
}

const tag =
	/<\s*(?:[|｜]\s*)?DSML\s*(?:[|｜]\s*)?(?:tool_calls|invoke)\b[^>]*>|<\s*(?:\/\s*)?(?:tool_calls?|function_calls?|invoke)\b[^>]*>/gi;

function hasManyTags(text: string): boolean {
	let count = 0;
	// No tag ends after the last `>`; without this limit every opening there would be searched to the end.
	for (const _ of text.slice(0, text.lastIndexOf('>') + 1).matchAll(tag)) {
		count += 1;
		if (count >= manyTags) return true;
	}
	return false;
}

/** The value with every text shortened; images keep their data. */
export function shortTexts(value: Json | undefined): Json | undefined {
	if (typeof value === 'string') return shortResult(value);
	if (Array.isArray(value)) return mapped(value as readonly Json[], (item) => shortTexts(item) as Json);
	if (!isObject(value) || isImage(value)) return value;
	return mappedObject(value, shortTexts);
}

export function isImage(value: JsonObject): boolean {
	return value.type === 'image' && typeof value.data === 'string' && typeof value.mediaType === 'string';
}

/** The changed list, or the same list when nothing in it changes. */
export function mapped<T>(list: readonly T[], change: (item: T) => T): readonly T[] {
	const next = list.map(change);
	return next.every((item, index) => item === list[index]) ? list : next;
}

export function mappedObject(object: JsonObject, change: (value: Json | undefined) => Json | undefined): JsonObject {
	const entries = Object.entries(object);
	const next = entries.map(([key, value]) => [key, change(value)] as const);
	return next.every(([, value], index) => value === entries[index]?.[1]) ? object : Object.fromEntries(next);
}
