/** When a block of a streamed Markdown reply is finished and may be drawn for good: at a blank line or a closed fence, never within half a line. */
import type { Token } from 'marked';
import { markdownTokens } from '../terminal/terminal-markdown.ts';
import type { Action } from './state.ts';

export interface Cut {
	/** Blocks that cannot change any more. */
	readonly finished: readonly string[];
	readonly rest: string;
}

/** All blocks of a whole text. */
export function blocksOf(text: string): readonly string[] {
	const tokens = markdownTokens(text);
	const isKept = tokens.reduce((sum, { raw }) => sum + raw.length, 0) === text.length;
	return isKept ? textsOf(tokens) : text.trim() === '' ? [] : [text];
}

/** Every block but the last, which may go on. */
export function cutOf(text: string): Cut {
	// Half a line can be anything: `2.` is a list that ends, until its words come.
	const whole = text.slice(0, text.lastIndexOf('\n') + 1);
	const tokens = markdownTokens(whole);
	// Where the parser did not keep every sign, lengths say nothing: then it is one block.
	if (tokens.reduce((sum, { raw }) => sum + raw.length, 0) !== whole.length) return { finished: [], rest: text };
	const last = tokens.findLastIndex(({ type }) => type !== 'space');
	const done = tokens.slice(0, isOver(tokens[last], whole) ? tokens.length : Math.max(0, last));
	return {
		finished: textsOf(done),
		rest: text.slice(done.reduce((sum, { raw }) => sum + raw.length, 0)),
	};
}

/** A blank line ends these, whatever comes behind it, and so does its fence a block of code. */
function isOver(token: Token | undefined, text: string): boolean {
	if (token?.type === 'code') return /^ {0,3}(`{3,}|~{3,})[\s\S]*\n {0,3}\1[`~]*\s*$/.test(token.raw);
	return /\n[ \t]*\n$/.test(text) && ['paragraph', 'heading', 'hr', 'table'].includes(token?.type ?? '');
}

function textsOf(tokens: readonly Token[]): readonly string[] {
	return tokens.filter(({ type }) => type !== 'space' && type !== 'def').map(({ raw }) => raw.replace(/\n+$/, ''));
}

/** Parsing for every line would take the square of a long block's time: only a blank line or a closed fence ends a block surely. */
export function mayCut(rest: string, delta: string): boolean {
	if (!delta.includes('\n')) return false;
	const tail = rest.slice(-delta.length - 4);
	if (/^ {0,3}(`{3,}|~{3,})/.test(rest))
		return /\n {0,3}(`{3,}|~{3,})\s*\n/.test(tail.length < 16 ? rest.slice(-16) : tail);
	return /\n[ \t]*\n/.test(tail);
}

/** The first line of a block of code that names its language. */
export function openFence(block: string): string | undefined {
	return /^ {0,3}(?:`{3,}|~{3,})\w.*\n/.exec(block)?.[0];
}

/** A line of a reply is complete. */
export function endsLine(action: Action): boolean {
	if (action.type !== 'event' || action.event.type !== 'message_update') return false;
	const { assistantMessageEvent: streamed } = action.event;
	return streamed.type === 'text_delta' && streamed.delta.includes('\n');
}
