/** The status line: who answers, how full the context is, what it has cost, what may be done, and where. */
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
	let row = '';
	let used = 2;
	for (const part of parts) {
		const text = partText(part, status);
		if (text === '') continue;
		const wide = textWidth(text) + (row === '' ? 0 : between.length);
		if (used + wide > width) continue;
		row += (row === '' ? '' : theme.dim(between)) + painted(part, text, status, theme);
		used += wide;
	}
	return [`  ${row}`];
}

const modeWords: { readonly [mode in Status['mode']]: string } = {
	default: '',
	acceptEdits: 'accepts edits (shift+tab)',
	plan: 'plan mode (shift+tab)',
	bypassPermissions: 'asks nothing (shift+tab)',
	dontAsk: 'denies without asking (shift+tab)',
};

function partText(part: StatusPart, status: Status): string {
	const { tokens, window, costUsd } = status;
	switch (part) {
		case 'mode':
			return modeWords[status.mode];
		case 'context':
			if (tokens === 0) return '';
			return window
				? `${Math.min(100, Math.round((tokens / window) * 100))}% of ${tokenText(window)}`
				: `${tokenText(tokens)} tokens`;
		case 'cost':
			return costUsd > 0 ? dollarText(costUsd) : '';
		default:
			return oneLine(status[part] ?? '');
	}
}

function painted(part: StatusPart, text: string, { mode, tokens, window }: Status, theme: Theme): string {
	if (part === 'mode')
		return mode === 'plan' ? theme.modePlan(text) : mode === 'acceptEdits' ? theme.modeEdits(text) : theme.warn(text);
	const isFull = part === 'context' && window !== undefined && tokens / window > 0.8;
	return isFull ? theme.warn(text) : theme.dim(text);
}
