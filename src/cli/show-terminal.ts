/** A transcript for the terminal: wrapped, coloured, long outputs folded. */
import { marked, type Token, type Tokens } from 'marked';
import wrapAnsi from 'wrap-ansi';
import type { Part, ToolPart } from '../export/transcript.ts';
import { clip, paint } from './print.ts';

export interface TerminalOptions {
	readonly width: number;
	/** Lines of a tool's output that are shown. */
	readonly fold: number;
	/** Colours code; absent: code stays plain. */
	readonly highlight?: (code: string, language: string) => string;
}

export function terminalText(parts: readonly Part[], options: TerminalOptions): string {
	return parts.map((part) => partText(part, options)).join('\n\n');
}

function partText(part: Part, options: TerminalOptions): string {
	switch (part.kind) {
		case 'prompt':
			return indent(wrap(part.text, options.width - 2), paint('cyan', '❯ '), '  ');
		case 'reply':
			return markdownText(part.text, options);
		case 'thinking':
			return indent(paintLines('dim', wrap(part.text, options.width - 2)), paint('dim', '∴ '), '  ');
		case 'injected':
			return paintLines('dim', folded(`added by the client:\n${part.text}`, options));
		case 'note':
			return paint('dim', wrap(`· ${part.text}`, options.width));
		case 'compaction':
			return `${paint('yellow', '── the conversation was compacted here ──')}${part.text === '' ? '' : `\n${paintLines('dim', folded(wrap(part.text, options.width), options))}`}`;
		case 'branch':
			return paint('yellow', `⑂ another branch begins here: --at ${part.leaf}`);
		case 'subagent':
			return `${paint('yellow', `▸ sub-agent ${part.agent}`)}\n${indent(terminalText(part.parts, { ...options, width: options.width - 2 }), '  ', '  ')}`;
		case 'tool':
			return toolText(part, options);
	}
}

function toolText(part: ToolPart, options: TerminalOptions): string {
	const mark =
		part.output === undefined ? paint('yellow', '?') : part.isError ? paint('red', '✗') : paint('green', '✓');
	const room = Math.max(20, options.width - part.name.length - 4);
	const head = `${mark} ${paint('bold', part.name)} ${clip(part.subject, room)}`;
	if (part.change !== undefined && !part.isError)
		return `${head}\n${indent(diffText(part.change, options), '  ', '  ')}`;
	if (part.output === undefined) return `${head}\n  ${paint('dim', 'no result was recorded')}`;
	if (part.output.trim() === '') return head;
	return `${head}\n${indent(paintLines('dim', folded(wrap(part.output.trimEnd(), options.width - 2), options)), '  ', '  ')}`;
}

function diffText(change: string, options: TerminalOptions): string {
	return folded(change, { ...options, fold: options.fold * 4 })
		.split('\n')
		.map((line) => {
			if (line.startsWith('+')) return paint('green', line);
			if (line.startsWith('-')) return paint('red', line);
			return line.startsWith('@@') ? paint('cyan', line) : line;
		})
		.join('\n');
}

function folded(text: string, { fold }: TerminalOptions): string {
	const lines = text.split('\n');
	if (lines.length <= fold + 1) return text;
	return [...lines.slice(0, fold), `… ${lines.length - fold} more lines (--full shows them)`].join('\n');
}

function wrap(text: string, width: number): string {
	return wrapAnsi(text.replaceAll('\t', '    '), Math.max(20, width), { trim: false, hard: true });
}

function indent(text: string, first: string, rest: string): string {
	return text
		.split('\n')
		.map((line, index) => (index === 0 ? first : rest) + line)
		.join('\n');
}

function paintLines(style: Parameters<typeof paint>[0], text: string): string {
	return text
		.split('\n')
		.map((line) => (line === '' ? '' : paint(style, line)))
		.join('\n');
}

function markdownText(text: string, options: TerminalOptions): string {
	return marked
		.lexer(text)
		.map((token) => blockToken(token, options))
		.filter((piece) => piece !== '')
		.join('\n\n');
}

function blockToken(token: Token, options: TerminalOptions): string {
	switch (token.type) {
		case 'space':
			return '';
		case 'heading':
			return paint('bold', wrap(inline((token as Tokens.Heading).tokens), options.width));
		case 'code': {
			const { text, lang } = token as Tokens.Code;
			return indent(options.highlight?.(text, lang ?? '') ?? text, '  ', '  ');
		}
		case 'list':
			return listText(token as Tokens.List, options);
		case 'blockquote':
			return indent(
				markdownText((token as Tokens.Blockquote).text, { ...options, width: options.width - 2 }),
				'│ ',
				'│ ',
			);
		case 'hr':
			return paint('dim', '─'.repeat(Math.min(40, options.width)));
		case 'paragraph':
			return wrap(inline((token as Tokens.Paragraph).tokens), options.width);
		default:
			return wrap(token.raw.trimEnd(), options.width);
	}
}

function listText(list: Tokens.List, options: TerminalOptions): string {
	return list.items
		.map((item, index) => {
			const mark = list.ordered ? `${Number(list.start || 1) + index}. ` : '• ';
			const inner = markdownText(item.text, { ...options, width: options.width - mark.length });
			return indent(inner, mark, ' '.repeat(mark.length));
		})
		.join('\n');
}

function inline(tokens: readonly Token[] | undefined): string {
	return (tokens ?? [])
		.map((token): string => {
			if (token.type === 'strong') return paint('bold', inline((token as Tokens.Strong).tokens));
			if (token.type === 'codespan') return paint('cyan', (token as Tokens.Codespan).text);
			if (token.type === 'link') {
				const { href, tokens: inner } = token as Tokens.Link;
				const label = inline(inner);
				return label === href ? href : `${label} (${href})`;
			}
			if (token.type === 'br') return '\n';
			if ('tokens' in token && token.tokens) return inline(token.tokens);
			return 'text' in token ? unescapeHtml(String(token.text)) : token.raw;
		})
		.join('');
}

/** The lexer escapes a few characters for HTML; a terminal wants them as they were. */
function unescapeHtml(text: string): string {
	return text
		.replaceAll('&lt;', '<')
		.replaceAll('&gt;', '>')
		.replaceAll('&quot;', '"')
		.replaceAll('&#39;', "'")
		.replaceAll('&amp;', '&');
}
