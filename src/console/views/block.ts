/** How a finished block is drawn: its signs, the widest text, and after how many rows a prompt or the output of a command is folded. Tool calls: tool.ts. */
import { earlierText } from '../../export/count-text.ts';
import { countOf } from '../../model/index.ts';
import { clip, oneLine } from '../../terminal/print.ts';
import { markdownText } from '../../terminal/terminal-markdown.ts';
import { widestText } from '../../terminal/width.ts';
import { cleaned } from '../../terminal/writer.ts';
import type { Block, ShownPicture, ShownTool } from '../state.ts';
import type { Theme } from '../theme.ts';
import { foldedRows, reportRows, texted } from './rows.ts';
import { keyHint, type ToolView, toolHead, toolRows, underHead } from './tool.ts';

export interface BlockView extends ToolView {
	/** Colours code. */
	readonly highlight?: ((code: string, language: string) => string) | undefined;
	/** What was thought is shown. */
	readonly thinking?: boolean;
}

/** Rows of a prompt: somebody who pastes a file knows what is in it. */
const promptFoldAt = 20;
const saidFoldAt = 200;

export function blockRows(block: Block, width: number, theme: Theme, view: BlockView = {}): readonly string[] {
	const rows = rowsOf(block, width, theme, view);
	// A picture or a file belongs to what stands above it.
	return block.kind === 'picture' || block.kind === 'file' ? rows : ['', ...rows];
}

function rowsOf(block: Block, width: number, theme: Theme, view: BlockView): readonly string[] {
	const fold = (rows: readonly string[], most: number): readonly string[] =>
		foldedRows(rows, view.full ? Infinity : most, (count) =>
			theme.dim(clip(`  … +${count} rows${keyHint('ctrl+o', view)}`, width)),
		);
	switch (block.kind) {
		case 'prompt':
			return fold(texted(block.text, width, `${theme.accent('❯')} `, theme.user), promptFoldAt);
		case 'reply':
			return replyRows(block.text, block.first, width, theme, view);
		case 'thinking':
			return view.full || view.thinking
				? texted(block.text, width, '✻ ', theme.thinking)
				: [thoughtRow(block.text, width, theme, view)];
		case 'picture':
			return [theme.dim(clip(pictureText(block), width))];
		case 'file':
			return [theme.dim(clip(`  ⎿  ${oneLine(block.name)} · ${sizeText(block.size)}`, width))];
		case 'tool':
			return block.markdown === undefined
				? toolRows(block, width, theme, view)
				: markdownRows(block, block.markdown, width, theme, view);
		case 'error':
			return texted(block.text, width, `${theme.bad('✗')} `, theme.bad);
		case 'note':
			return texted(block.text, Math.min(width, widestText), '· ', theme.dim);
		case 'said':
			return fold(reportRows(block.text.replace(/\n+$/, ''), width, '  '), saidFoldAt);
		case 'compaction':
			return texted(`Compacted: ${block.text}`, width, '✻ ', theme.dim);
		case 'omitted':
			return [theme.dim(clip(`… ${earlierText(block.entries)} (/export, reprise show)`, width))];
	}
}

export function replyRows(
	text: string,
	first: boolean,
	width: number,
	theme: Theme,
	{ highlight }: BlockView = {},
): readonly string[] {
	const room = Math.max(1, Math.min(width, widestText) - 2);
	// Code is not broken into rows by Markdown, so that it can be copied; a row that is too wide would be cut, so it is broken here.
	return markdownText(cleaned(text), { width: room, wider: Math.max(0, width - 2 - room), highlight })
		.split('\n')
		.flatMap((row) => codeRows(row, width))
		.map((row, index) => (index === 0 && first ? `${theme.accent('●')} ${row.replace(/^ {0,2}/, '')}` : row));
}

/** What goes on below stands as far right as the line that it is of. */
function codeRows(row: string, width: number): readonly string[] {
	const [begun = '', codes = '', blanks = ''] = lineStart.exec(row) ?? [];
	const kept = blanks.slice(0, Math.floor(width / 2));
	return texted(codes + row.slice(begun.length), width, `  ${kept}`);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours may stand before the blanks of a line.
const lineStart = /^((?:\u001b\[[\d;]*m)*)( *)/;

/** A plan, or a report, under the call that has brought it. */
function markdownRows(tool: ShownTool, text: string, width: number, theme: Theme, view: BlockView): readonly string[] {
	const rows = replyRows(text, false, width - 3, theme, view).map((row) => row.slice(2));
	return [
		toolHead(tool, width, theme),
		...underHead(rows, { ...view, full: view.full || tool.isWhole === true }, theme),
	];
}

function thoughtRow(text: string, width: number, theme: Theme, view: BlockView): string {
	const words = text.split(/\s+/).filter((word) => word !== '').length;
	return theme.thinking(clip(`✻ Thought, ${countOf(words, 'word')}${keyHint('alt+t', view)}`, width));
}

function pictureText({ name = 'picture', mime, base64 }: ShownPicture): string {
	return `  ⎿  ${oneLine(name)} · ${oneLine(mime)} · ${sizeText(Buffer.byteLength(base64, 'base64'))}`;
}

function sizeText(bytes: number): string {
	return bytes < 1000 ? `${bytes} bytes` : `${Math.round(bytes / 1000)} KB`;
}
