/** Plain text of blocks and entries: what one would read out, without markup or payloads. */
import type { Block } from './block.ts';
import type { Entry } from './entry.ts';
import type { SessionEvent } from './event.ts';
import type { Json } from './json.ts';

/** The word in the singular or plural, by the count. */
export function plural(count: number, one: string, many = `${one}s`): string {
	return count === 1 ? one : many;
}

/** `1 file`, `2 files`. */
export function countOf(count: number, one: string, many?: string): string {
	return `${count} ${plural(count, one, many)}`;
}

/** The text, or its beginning with an ellipsis where it is longer than that. */
export function shortened(text: string, longest: number): string {
	return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

/** The text on one line, without blanks around it, and shortened. */
export function shortLine(text: string, longest: number): string {
	return shortened(text.replaceAll(/\s+/g, ' ').trim(), longest);
}

/** What was thrown, in words. */
export function errorText(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

/** A name with its article: `an event`, `a "label"`. */
export function withArticle(name: string): string {
	return `${/^"?[aeiou]/i.test(name) ? 'an' : 'a'} ${name}`;
}

/** What a block says, as plain text. */
export function blockText(block: Block): string {
	switch (block.type) {
		case 'text':
		case 'thinking':
			return block.text;
		case 'image':
		case 'document':
			return `[${block.type}: ${block.mime}]`;
		case 'tool_call':
			return `${block.name}(${jsonText(block.input)})`;
		case 'tool_result':
			return block.content.map(blockText).join('\n');
		case 'file':
			return `${block.path}\n${block.text}`;
		case 'data':
			return jsonText(block.value);
		case 'opaque':
			return `[${block.of}]`;
	}
}

/** What an entry says, as plain text. */
export function entryText(entry: Entry): string {
	switch (entry.kind) {
		case 'message':
			return entry.content.map(blockText).join('\n');
		case 'compaction':
			return entry.summary ?? '';
		case 'summary':
			return entry.text;
		case 'label':
			return entry.text ?? '';
		case 'setting':
			return entry.set.title ?? '';
		case 'edit':
			return (entry.replacement ?? []).map(blockText).join('\n');
		case 'event':
			return eventText(entry.event);
		case 'checkpoint':
			return entry.files.map((file) => file.path).join('\n');
		case 'outcome':
			return entry.status;
		case 'start':
		case 'leaf':
		case 'opaque':
			return '';
	}
}

function eventText(event: SessionEvent): string {
	switch (event.type) {
		case 'queue':
			return event.content ?? '';
		case 'command':
			return event.content;
		case 'hook':
			return event.output ?? '';
		case 'pr_link':
			return event.url;
		case 'error':
			return event.message;
		case 'notice':
			return event.message ?? '';
		case 'attachment':
			return (event.rendered ?? []).join('\n');
		default:
			return '';
	}
}

/** JSON on one line. Foreign values may be nested too deeply to serialise; then a mark stands for them. */
export function jsonText(value: Json): string {
	if (typeof value === 'string') return value;
	try {
		return JSON.stringify(value) ?? '';
	} catch (error) {
		if (error instanceof RangeError) return '[too deeply nested]';
		throw error;
	}
}
