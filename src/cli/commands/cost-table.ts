/** The table of `reprise cost`: which column a narrow terminal loses first, how wide names and bars are, and how an unknown cost is shown. */
import type { CostReport, CostRow, Grouping, Totals } from '../../catalog/cost/report.ts';
import { countText, dollarText } from '../../export/count-text.ts';
import { clip, clipPath, folderText, oneLine, paint, shortNames } from '../../terminal/print.ts';
import { noLimit, terminalWidth, textWidth } from '../../terminal/width.ts';

const smallestBar = 6;
const largestBar = 40;
const narrowestName = 12;
const widestTitle = 40;
/** One longer path would push the numbers of all rows out of sight. */
const widestName = 60;

interface CostColumn {
	readonly head: string;
	/** Where there is no room for all, the column with the smallest number goes first; one without a number stays. */
	readonly less?: number;
	cell(row: Totals): string;
}

/** Stands where a cost or a count is not known, which is not the same as none. */
export const unknown = '–';

/** Where no tokens were recorded, none is not how many there were. */
const counted = (row: Totals, count: number): string => (isUncounted(row) ? unknown : short(count));

function isUncounted(row: Totals): boolean {
	const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = row;
	return row.responses > 0 && inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens === 0;
}

const allColumns: readonly CostColumn[] = [
	{ head: 'cost', cell: costText },
	{ head: 'responses', less: 1, cell: (row) => countText(row.responses) },
	{ head: 'input', less: 4, cell: (row) => counted(row, row.inputTokens) },
	{ head: 'output', less: 5, cell: (row) => counted(row, row.outputTokens) },
	{ head: 'cache write', less: 2, cell: (row) => counted(row, row.cacheWriteTokens) },
	{ head: 'cache read', less: 3, cell: (row) => counted(row, row.cacheReadTokens) },
];

/** A plus: there is more that no price is known for. */
function costText({ costUsd, unpricedTokens }: Totals): string {
	if (costUsd === null) return unknown;
	const text = dollarText(costUsd);
	return unpricedTokens > 0 ? `${text}+` : text;
}

/** Whether the total leaves out a row because nothing is known of its cost. */
export function leavesOut({ rows, totals }: CostReport): boolean {
	return totals.costUsd !== null && rows.some((row) => row.costUsd === null);
}

export function rowsText(report: CostReport, by: Grouping): string {
	const { rows, totals } = report;
	const total = leavesOut(report) ? { ...totals, unpricedTokens: Math.max(1, totals.unpricedTokens) } : totals;
	const names = namesOf(rows, by);
	const layout = layOut([...rows, total], names, by);
	const most = rows.reduce((sum, row) => Math.max(sum, row.costUsd ?? 0), 0);
	const rowLine = (row: CostRow, index: number) => {
		const text = layout.line(names[index] ?? '', (column) => column.cell(row));
		const isDrawn = layout.bar >= smallestBar && most > 0 && row.costUsd;
		return isDrawn ? `${text}  ${paint('cyan', barOf((row.costUsd ?? 0) / most, layout.bar))}`.trimEnd() : text;
	};
	return [
		paint(
			'dim',
			layout.line(by, ({ head }) => head),
		),
		...rows.map(rowLine),
		paint(
			'bold',
			layout.line('total', ({ cell }) => cell(total)),
		),
	].join('\n');
}

interface Layout {
	/** What is left for a bar. */
	readonly bar: number;
	line(name: string, cell: (column: CostColumn) => string): string;
}

function layOut(rows: readonly Totals[], names: readonly string[], by: Grouping): Layout {
	const widest = [...names, by, 'total'].reduce((most, name) => Math.max(most, textWidth(name)), 0);
	const widthOf = ({ head, cell }: CostColumn) =>
		rows.reduce((most, row) => Math.max(most, textWidth(cell(row))), head.length);
	const takenBy = (columns: readonly CostColumn[]) => columns.reduce((sum, column) => sum + widthOf(column) + 2, 0);
	// A name may be cut to make room for numbers, but not to nothing: it is what the row is about.
	const wanted = Math.min(widest, by === 'session' ? 2 * narrowestName + 8 : narrowestName);
	let columns = allColumns;
	while (wanted + takenBy(columns) > terminalWidth()) {
		const least = Math.min(...columns.map(({ less = Number.POSITIVE_INFINITY }) => less));
		if (!Number.isFinite(least)) break;
		columns = columns.filter(({ less }) => less !== least);
	}
	const others = takenBy(columns);
	const first = Math.min(widest, widestName, Math.max(narrowestName, terminalWidth() - others));
	// A longer name stands whole where nothing has to fit, and the numbers of its row behind it.
	const longest = terminalWidth() < noLimit ? first : widest;
	return {
		bar: Math.min(largestBar, terminalWidth() - others - first - 2),
		line(name, cell) {
			const shown = by === 'project' ? clipPath(name, longest) : clip(name, longest);
			const gap = ' '.repeat(Math.max(0, first - textWidth(shown)));
			return [shown + gap, ...columns.map((column) => cell(column).padStart(widthOf(column)))].join('  ');
		},
	};
}

/** What each row is about. A session is named as `show` takes it, with its title, for an id says nothing to anybody. */
function namesOf(rows: readonly CostRow[], by: Grouping): readonly string[] {
	if (by === 'project') return rows.map((row) => folderText(row.key));
	if (by !== 'session') return rows.map((row) => oneLine(row.key));
	const sessions = rows.map((row) => ({ id: row.session ?? row.key, agent: row.agent ?? '' }));
	const shortName = shortNames(sessions);
	const ids = sessions.map((session) => shortName(session) ?? session.id);
	const widest = Math.max(...ids.map((id) => id.length));
	return rows.map((row, index) => {
		const about = row.title === undefined ? folderText(row.cwd) : clip(oneLine(row.title), widestTitle);
		return `${(ids[index] ?? '').padEnd(widest)}  ${about}`.trimEnd();
	});
}

const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

function barOf(share: number, width: number): string {
	const steps = Math.round(share * width * 8);
	return '█'.repeat(steps >> 3) + (eighths[steps & 7] ?? '');
}

const units = [
	[1e9, 'G'],
	[1e6, 'M'],
	[1e3, 'k'],
] as const;

/** `12.3M`. */
function short(count: number): string {
	for (const [size, unit] of units) {
		if (count >= size) return `${(count / size).toFixed(count >= size * 100 ? 0 : 1)}${unit}`;
	}
	return String(count);
}
