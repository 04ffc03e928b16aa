/** The status line: the words for each part and mode, which part a narrow screen loses, and from when on the context is painted as full. */
import { dollarText } from '../../export/count-text.ts';
import { clip, oneLine } from '../../terminal/print.ts';
import { textWidth } from '../../terminal/width.ts';
import { defaultSettings, type StatusPart } from '../settings.ts';
import type { Status } from '../state.ts';
import type { Theme } from '../theme.ts';
import { tokenText } from './rows.ts';

const between = ' · ';

/** As many parts as fit, the first ones first. */
export function statusRows(
	status: Status,
	width: number,
	theme: Theme,
	parts: readonly StatusPart[] = defaultSettings.statusLine,
): readonly string[] {
	if (status.hint) return [theme.dim(clip(`  ${oneLine(status.hint.text)}`, width))];
	// What may be changed without a question is never left out: its room is kept free.
	const mode = parts.includes('mode') ? modeText(status, width) : '';
	let row = '';
	let used = 2 + (mode === '' ? 0 : textWidth(mode));
	for (const part of parts) {
		const text = part === 'mode' ? mode : partText(part, status);
		if (text === '') continue;
		const wide = textWidth(text) + (row === '' && mode === '' ? 0 : between.length);
		if (part !== 'mode' && used + wide > width) continue;
		row += (row === '' ? '' : theme.dim(between)) + painted(part, text, status, theme);
		if (part !== 'mode') used += wide;
	}
	return [`  ${row}`];
}

/** Without the key that changes it where there is room for little else. */
function modeText({ mode }: Status, width: number): string {
	const words = modeWords[mode];
	return width >= 60 ? words : clip(words.replace(/ \(.*/, ''), Math.max(0, width - 2));
}

const modeWords: { readonly [mode in Status['mode']]: string } = {
	default: '',
	acceptEdits: 'accepts edits (shift+tab)',
	plan: 'plan mode (shift+tab)',
	bypassPermissions: 'asks nothing (shift+tab)',
	dontAsk: 'denies without asking (shift+tab)',
};

function partText(part: StatusPart, status: Status): string {
	const { tokens, window, costUsd, background = 0 } = status;
	switch (part) {
		case 'mode':
			return '';
		case 'background':
			return background === 0 ? '' : `${background} in the background`;
		case 'context':
			if (tokens === 0) return '';
			return window
				? `${Math.min(100, Math.round((tokens / window) * 100))}% of ${tokenText(window)}`
				: `${tokenText(tokens)} tokens`;
		case 'cost':
			return costUsd !== null && costUsd > 0 ? dollarText(costUsd) : '';
		default:
			return oneLine(status[part] ?? '');
	}
}

function painted(part: StatusPart, text: string, { mode, tokens, window }: Status, theme: Theme): string {
	if (part === 'mode')
		return mode === 'plan' ? theme.modePlan(text) : mode === 'acceptEdits' ? theme.modeEdits(text) : theme.warn(text);
	if (part === 'background') return theme.accent(text);
	const isFull = part === 'context' && window !== undefined && tokens / window > 0.8;
	return isFull ? theme.warn(text) : theme.dim(text);
}
