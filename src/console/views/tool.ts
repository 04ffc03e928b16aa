/** How a tool call is drawn: its row, and after how many rows results, errors, changes and the output of the user's own commands are folded. */

import type { ChecklistItem } from '../../export/checklist.ts';
import { subjectOf } from '../../export/tool-words.ts';
import { clip, oneLine } from '../../terminal/print.ts';
import { harmless } from '../../terminal/terminal-text.ts';
import type { RunningTool, ShownTool } from '../state.ts';
import type { Painter, Theme } from '../theme.ts';
import { foldedRows, leastFolded, texted, timeText } from './rows.ts';

/** Rows of a result that stand in the conversation; the rest is told with Ctrl-O. */
const foldAt = 3;
/** The same for a command that the user has typed behind `!`, to see what it prints. */
const ownFoldAt = 20;
const errorFoldAt = 8;
const changeFoldAt = 40;
/** Of a new file nothing was there before that what is left out would have to be compared with. */
const newFoldAt = 10;
const tailRows = 4;
/** A line of megabytes is not wrapped whole. */
const mostLooked = 1 << 16;

const under = '  ⎿  ';
const indent = '     ';

export interface ToolView {
	/** Nothing is folded. */
	readonly full?: boolean;
	/** No key shows more: none is named. */
	readonly keyless?: boolean;
}

/** The key that shows more, behind the words that say there is more. */
export function keyHint(key: string, { keyless }: ToolView): string {
	return keyless ? '' : ` (${key})`;
}

export function toolRows(tool: ShownTool, width: number, theme: Theme, view: ToolView = {}): readonly string[] {
	const { full = false } = view;
	const hint = keyHint('ctrl+o', view);
	const { change, list, output, isError, own } = tool;
	const head = toolHead(tool, width, theme);
	const fold = (most: number): number => (full ? Infinity : own ? ownFoldAt : most);
	if (isError) return [head, ...endOf(output ?? '', width, theme.bad, fold(errorFoldAt), hint)];
	if (list) return [head, ...listRows(list, width, theme)];
	if (change !== undefined) return [head, ...changeRows(tool, change, width, theme, full, hint)];
	if (output === undefined) return [head, ...below('(no result yet)', width, theme.dim, foldAt, hint)];
	return [head, ...below(output.trim() === '' ? '(no output)' : output, width, theme.dim, fold(foldAt), hint)];
}

/** Without colours, too, a failure is told from a success. */
export function toolHead(tool: ShownTool, width: number, theme: Theme): string {
	const { isError, output } = tool;
	const paint = output === undefined ? theme.accent : theme.good;
	return headRow(tool, tool.subject, width, theme, isError ? theme.bad('✗') : paint('●'));
}

/** What came of a call, drawn already: under its head. */
export function underHead(rows: readonly string[], view: ToolView, theme: Theme): readonly string[] {
	const drawn = rows.map((row, index) => (index === 0 ? under : indent) + row).map((row) => row.trimEnd());
	return foldedRows(
		drawn,
		view.full ? Infinity : errorFoldAt,
		(count) => indent + theme.dim(`… +${count} rows${keyHint('ctrl+o', view)}`),
	);
}

export function runningRows(tool: RunningTool, now: number, width: number, theme: Theme): readonly string[] {
	if (tool.done) return toolRows(tool.done, width, theme);
	const { tail, steps, stepCount, since, until } = tool;
	const time = `${timeText((until ?? now) - since)}${until === undefined ? '' : ', ended'}`;
	const head =
		headRow(tool, subjectOf(tool), width - time.length - 3, theme, theme.accent('●')) + theme.dim(` · ${time}`);
	const lines = steps.length > 0 ? steps : harmless(tail.trimEnd()).split('\n').slice(-tailRows);
	const earlier = steps.length > 0 ? stepCount - steps.length : 0;
	const shown = lines.filter((line) => line !== '').map((line) => clip(oneLine(line), width - indent.length));
	const counted = earlier > 0 ? [`… ${earlier} earlier`, ...shown] : shown;
	return [head, ...counted.map((line, index) => (index === 0 ? under : indent) + theme.dim(line))];
}

function headRow(
	{ name, own }: { name: string; own?: true },
	subject: string,
	width: number,
	theme: Theme,
	sign: string,
): string {
	if (own) return theme.warn('! ') + theme.bold(clip(oneLine(subject), Math.max(1, width - 2)));
	const title = clip(oneLine(name), Math.max(1, width - 2));
	const room = width - 2 - title.length - 2;
	const about = room > 2 ? `(${clip(oneLine(subject), room)})` : '';
	return `${sign} ${theme.bold(title)}${about}`;
}

function below(text: string, width: number, paint: Painter, most: number, hint: string): readonly string[] {
	const looked = most === Infinity ? text : text.slice(0, mostLooked);
	const rows = texted(looked.replace(/\n+$/, ''), width, under, paint, harmless);
	const lines = text.split('\n').length;
	return foldedRows(
		rows,
		most,
		(count) => indent + paint(clip(`… +${Math.max(count, lines - most)} lines${hint}`, width - 5)),
	);
}

/** The last rows: what went wrong is said at the end. */
function endOf(text: string, width: number, paint: Painter, most: number, hint: string): readonly string[] {
	const looked = most === Infinity ? text : text.slice(-mostLooked);
	const rows = texted(looked.replace(/\n+$/, ''), width, indent, paint, harmless);
	const isFolded = rows.length > most + leastFolded - 1;
	const earlier = Math.max(rows.length, text.trimEnd().split('\n').length) - most;
	const shown = isFolded
		? [indent + paint(clip(`… ${earlier} lines before${hint}`, width - indent.length)), ...rows.slice(-most)]
		: rows;
	return shown.map((row, index) => (index === 0 ? under + row.slice(indent.length) : row));
}

function changeRows(
	{ edited }: ShownTool,
	change: string,
	width: number,
	theme: Theme,
	full: boolean,
	hint: string,
): readonly string[] {
	const lines = change.split('\n').filter((line) => !line.startsWith('@@') && !line.startsWith('\\'));
	const added = lines.filter((line) => line.startsWith('+')).length;
	const removed = lines.filter((line) => line.startsWith('-')).length;
	const most = full ? Infinity : added === lines.length ? newFoldAt : changeFoldAt;
	const head = under + theme.dim(`+${added} -${removed}${edited ? ', as you edited it' : ''}`);
	const rows = lines.flatMap((line) => texted(line, width, indent, paintOf(line, theme), harmless));
	return [
		head,
		...foldedRows(rows, most, (count) => indent + theme.dim(clip(`… +${count} rows${hint}`, width - indent.length))),
	];
}

function paintOf(line: string, theme: Theme): Painter {
	return line.startsWith('+') ? theme.added : line.startsWith('-') ? theme.removed : theme.dim;
}

const boxes = { pending: '◻', in_progress: '◼', completed: '✔' } as const;

export function listRows(list: readonly ChecklistItem[], width: number, theme: Theme): readonly string[] {
	return list.map(({ state, text }, index) => {
		const paint = state === 'completed' ? theme.dim : state === 'in_progress' ? theme.bold : (row: string) => row;
		return `${index === 0 ? under : indent}${boxes[state]} ${paint(clip(oneLine(text), width - 7))}`;
	});
}
