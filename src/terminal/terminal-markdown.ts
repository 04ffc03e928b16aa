/** How Markdown of replies is drawn on a terminal: headings, lists, code, quotes, links, tables. */
import { marked, type Token, type Tokens } from 'marked';
import { coloursWanted, paint } from './print.ts';
import { tableText } from './table-text.ts';
import { paintLines } from './terminal-text.ts';
import { indent, wrap } from './wrap.ts';

export interface MarkdownOptions {
	readonly width: number;
	/** So many columns more than that a table may take: text of that width would be bad to read. */
	readonly wider?: number;
	/** Colours code; absent: code stays plain. */
	readonly highlight?: ((code: string, language: string) => string) | undefined;
}

export function markdownText(text: string, options: MarkdownOptions): string {
	return blocksText(markdownTokens(text), options);
}

/** A text that the parser has no stack for, because of its length or its nesting, is a text as it stands. */
export function markdownTokens(text: string): readonly Token[] {
	try {
		return marked.lexer(text);
	} catch (error) {
		if (!(error instanceof RangeError)) throw error;
		return [{ type: 'text', raw: text, text }];
	}
}

function blocksText(tokens: readonly Token[], options: MarkdownOptions): string {
	return tokens
		.map((token) => blockText(token, options))
		.filter((piece) => piece !== '')
		.join('\n\n');
}

function blockText(token: Token, options: MarkdownOptions): string {
	switch (token.type) {
		case 'space':
		case 'def':
			return '';
		case 'heading':
			return paintLines('bold', wrap(inline((token as Tokens.Heading).tokens), options.width));
		case 'code': {
			const { text, lang } = token as Tokens.Code;
			// Not wrapped: code that somebody copies has to stay as it is. A terminal's own tabs are too wide.
			const code = text.replaceAll('\t', '    ');
			return indent(options.highlight?.(code, lang?.split(/\s/)[0] ?? '') ?? code, '  ', '  ');
		}
		case 'list':
			return listText(token as Tokens.List, options);
		case 'blockquote': {
			const inner = blocksText((token as Tokens.Blockquote).tokens, { ...options, width: options.width - 2 });
			return indent(inner, '│ ', '│ ');
		}
		case 'hr':
			return paint('dim', '─'.repeat(Math.min(40, options.width)));
		case 'table':
			return tableOf(token as Tokens.Table, options);
		case 'paragraph':
		case 'text':
			return wrap(inline((token as Tokens.Paragraph).tokens ?? [token]), options.width);
		default:
			return wrap(token.raw.trimEnd(), options.width);
	}
}

function listText(list: Tokens.List, options: MarkdownOptions): string {
	const items = list.items.map((item, index) => {
		const bullet = list.ordered ? `${Number(list.start || 1) + index}. ` : '• ';
		const mark = item.task ? (item.checked ? '☑ ' : '☐ ') : bullet;
		const inner = item.tokens.filter((token) => token.type !== 'checkbox');
		const room = { ...options, width: options.width - mark.length };
		// The items of a tight list have no paragraphs: what follows an item's text stands right under it.
		const text = inner.map((token) => blockText(token, room)).filter((piece) => piece !== '');
		return indent(text.join(list.loose ? '\n\n' : '\n'), mark, ' '.repeat(mark.length));
	});
	return items.join(list.loose ? '\n\n' : '\n');
}

function tableOf({ header, rows, align }: Tokens.Table, { width, wider = 0 }: MarkdownOptions): string {
	return tableText(
		[header, ...rows].map((row) => row.map((cell) => inline(cell.tokens))),
		align,
		width + wider,
	);
}

function inline(tokens: readonly Token[]): string {
	return tokens.map(inlineText).join('');
}

function inlineText(token: Token): string {
	switch (token.type) {
		case 'strong':
			return paint('bold', inline((token as Tokens.Strong).tokens));
		case 'em':
			return paint('italic', inline((token as Tokens.Em).tokens));
		case 'codespan':
			// Cyan, as terminals have it, is hardly seen on a light ground.
			return coloursWanted() ? paint('magenta', (token as Tokens.Codespan).text) : token.raw;
		case 'link': {
			const { href, tokens } = token as Tokens.Link;
			const label = inline(tokens);
			return label === href ? href : `${label} (${href})`;
		}
		case 'br':
			return '\n';
		default:
			if ('tokens' in token && token.tokens) return inline(token.tokens);
			return 'text' in token ? withoutEntities(String(token.text)) : token.raw;
	}
}

const entities: { readonly [name: string]: string } = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' };

/** Those that people and models write; in code they mean themselves. */
function withoutEntities(text: string): string {
	return text.replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => entities[name] ?? '');
}
