/** `reprise cost`: what sessions cost, counted once per response, with the proof on request. */
import { Option } from 'commander';
import { collectCosts } from '../catalog/cost/collect.ts';
import { pricesFor } from '../catalog/cost/prices.ts';
import {
	type CostReport,
	type CostRow,
	type CountedRecord,
	costReport,
	type ExcludedRecord,
	type Grouping,
	groupings,
	type Reason,
	type Totals,
	type Where,
} from '../catalog/cost/report.ts';
import { countText, dollarText } from '../export/count-text.ts';
import type { Define } from './commands.ts';
import { access, allSessions, reportUnread, terminalWidth } from './machine.ts';
import { clip, clipPath, folderText, oneLine, paint, print, printJson, shortNames, table, timeText } from './print.ts';
import { progressLine } from './progress.ts';
import {
	type PeriodOptions,
	periodOptions,
	projectOf,
	type SessionOptions,
	sessionOptions,
} from './session-options.ts';
import { indent, paintLines, wrap } from './terminal-text.ts';
import { textWidth } from './width.ts';

interface Options extends SessionOptions, PeriodOptions {
	readonly by: Grouping;
	readonly explain?: boolean;
	readonly json?: boolean;
}

export const define: Define = (command) => {
	command.addOption(new Option('--by <what>', 'one row per …').choices(groupings).default('day'));
	sessionOptions(command);
	periodOptions(command, 'spent')
		.option('--explain', 'also list every record that was counted or left out, and why')
		.option('--json', 'print one JSON document')
		.addHelpText(
			'after',
			'\nA response counts once, however many lines, forks and copies repeat it, for the session that wrote it first.\n' +
				'Days are those of your time zone. Tokens of a model without a known price are told apart, never as $0.\n\n' +
				'Examples:\n  reprise cost --all\n  reprise cost --by session --since 7d\n  reprise cost --all --by model --json',
		)
		.action((options: Options) => {
			const report = makeReport(options);
			reportUnread(report.unread);
			if (options.json) printJson(report);
			else print(describe(report, options));
		});
};

function makeReport(options: Options): CostReport {
	const { by, since, until, agent } = options;
	const project = projectOf(options);
	const explain = options.explain ?? false;
	const progress = progressLine('reading');
	const collected = collectCosts(allSessions(), access, { explain, progress });
	progress.end();
	return costReport(collected, pricesFor(collected.ledger), {
		by,
		explain,
		...(project === undefined ? {} : { project: project.has }),
		...(since === undefined ? {} : { since: since.from }),
		...(until === undefined ? {} : { until: until.to }),
		...(agent === undefined ? {} : { agent }),
	});
}

function describe(report: CostReport, options: Options): string {
	if (report.totals.responses === 0 && report.rows.length === 0) {
		const project = projectOf(options);
		return project === undefined
			? 'No responses found.'
			: `No responses found in ${project.folder}. --all looks everywhere.`;
	}
	const parts = [rowsText(report, options.by), notes(report.totals)];
	if (options.explain) parts.push(explanation(report));
	return parts.filter((part) => part !== '').join('\n\n');
}

const smallestBar = 6;
const largestBar = 40;
const widestFolder = 32;

interface CostColumn {
	readonly head: string;
	cell(row: Totals): string;
	/** On a narrow terminal what a row is about comes first. */
	readonly spare?: boolean;
}

/** Where no tokens were recorded, none is not how many there were. */
const counted = (row: Totals, count: number): string => (isUncounted(row) ? '–' : short(count));

function isUncounted(row: Totals): boolean {
	const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = row;
	return row.responses > 0 && inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens === 0;
}

const allColumns: readonly CostColumn[] = [
	{ head: 'cost', cell: costText },
	{ head: 'responses', cell: (row) => countText(row.responses), spare: true },
	{ head: 'input', cell: (row) => counted(row, row.inputTokens) },
	{ head: 'output', cell: (row) => counted(row, row.outputTokens) },
	{ head: 'cache write', cell: (row) => counted(row, row.cacheWriteTokens) },
	{ head: 'cache read', cell: (row) => counted(row, row.cacheReadTokens) },
];

function rowsText({ rows, totals }: CostReport, by: Grouping): string {
	const names = namesOf(rows, by);
	const widest = names.reduce((most, name) => Math.max(most, textWidth(name)), Math.max(by.length, 'total'.length));
	const widthOf = ({ head, cell }: CostColumn) =>
		[...rows, totals].reduce((most, row) => Math.max(most, textWidth(cell(row))), head.length);
	const takenBy = (columns: readonly CostColumn[]) => columns.reduce((sum, column) => sum + widthOf(column) + 2, 0);
	const fits = widest + takenBy(allColumns) <= terminalWidth();
	const columns = fits ? allColumns : allColumns.filter(({ spare }) => !spare);
	const widths = columns.map(widthOf);
	const others = takenBy(columns);
	const first = Math.min(widest, Math.max(12, terminalWidth() - others));
	const bar = Math.min(largestBar, terminalWidth() - others - first - 2);
	const most = rows.reduce((sum, row) => Math.max(sum, row.costUsd ?? 0), 0);
	const line = (name: string, cells: readonly string[]) => {
		const shown = by === 'project' ? clipPath(name, first) : clip(name, first);
		const gap = ' '.repeat(Math.max(0, first - textWidth(shown)));
		return [shown + gap, ...cells.map((cell, column) => cell.padStart(widths[column] ?? 0))].join('  ');
	};
	const rowLine = (row: CostRow, index: number) => {
		const text = line(
			names[index] ?? '',
			columns.map(({ cell }) => cell(row)),
		);
		const isDrawn = bar >= smallestBar && most > 0 && row.costUsd;
		return isDrawn ? `${text}  ${paint('cyan', barOf((row.costUsd ?? 0) / most, bar))}`.trimEnd() : text;
	};
	return [
		paint(
			'dim',
			line(
				by,
				columns.map(({ head }) => head),
			),
		),
		...rows.map(rowLine),
		paint(
			'bold',
			line(
				'total',
				columns.map(({ cell }) => cell(totals)),
			),
		),
	].join('\n');
}

/** What each row is about. A session is named as `show` takes it, with its folder, for an id says nothing to anybody. */
function namesOf(rows: readonly CostRow[], by: Grouping): readonly string[] {
	if (by === 'project') return rows.map((row) => folderText(row.key));
	if (by !== 'session') return rows.map((row) => oneLine(row.key));
	const sessions = rows.map((row) => ({ id: row.key, agent: row.agent ?? '' }));
	const short = shortNames(sessions);
	const ids = sessions.map((session) => short(session) ?? session.id);
	const widest = Math.max(...ids.map((id) => id.length));
	return rows.map((row, index) =>
		`${(ids[index] ?? '').padEnd(widest)}  ${clipPath(folderText(row.cwd), widestFolder)}`.trimEnd(),
	);
}

const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

function barOf(share: number, width: number): string {
	const steps = Math.round(share * width * 8);
	return '█'.repeat(steps >> 3) + (eighths[steps & 7] ?? '');
}

function costText({ costUsd, unpricedTokens }: Totals): string {
	if (costUsd === null) return 'unpriced';
	const text = dollarText(costUsd);
	return unpricedTokens > 0 ? `${text}+` : text;
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

function notes(totals: Totals): string {
	if (totals.unpricedTokens === 0) return '';
	const text = `${countText(totals.unpricedTokens)} tokens are of models without a known price and in none of the dollars.`;
	return paintLines('yellow', wrap(text, terminalWidth()));
}

const reasons: { readonly [R in Reason]: string } = {
	split: 'another record of the same response',
	'subagent-copy': 'another file of the same session has it',
	copy: 'a copy: another session wrote it first',
	synthetic: 'written by the client, not by a model',
	error: 'a request that failed',
};

/** File by file, so that the long path stands there once: what was counted with a plus, what was left out with a minus. */
function explanation({ counted = [], excluded = [] }: CostReport): string {
	const kinds = new Map<Reason, number>();
	for (const { reason } of excluded) kinds.set(reason, (kinds.get(reason) ?? 0) + 1);
	const summary = [...kinds].map(([reason, count]) => [countText(count).padStart(9), reasons[reason]]);
	const started = counted.filter((record) => record.output === 'started').length;
	const lines = [
		paint('bold', `counted: ${countText(counted.length)}`),
		...(started > 0 ? [startedNote(started)] : []),
		paint('bold', `left out: ${countText(excluded.length)}`),
		...(summary.length > 0 ? [table(summary)] : []),
	];
	const files = new Map<string, (CountedRecord | ExcludedRecord)[]>();
	for (const record of [...counted, ...excluded]) {
		const known = files.get(record.path);
		if (known) known.push(record);
		else files.set(record.path, [record]);
	}
	for (const path of [...files.keys()].sort()) {
		const records = (files.get(path) ?? []).sort((a, b) => a.line - b.line);
		const widest = String(records.at(-1)?.line ?? 0).length;
		// Of a document the records are its messages.
		const kind = path.endsWith('.json') ? 'message' : 'line';
		const room = terminalWidth() - kind.length - widest - 7;
		lines.push('', paint('bold', folderText(path)));
		for (const record of records) {
			const head = `  ${kind} ${String(record.line).padStart(widest)}  `;
			const text =
				'reason' in record
					? paintLines('dim', indent(wrap(excludedText(record), room), '- ', '  '))
					: indent(wrap(countedText(record, room), room), '+ ', '  ');
			lines.push(indent(text, head, ' '.repeat(head.length)));
		}
	}
	return lines.join('\n');
}

/** Tokens that do not fit into the room are told on a line of their own. */
function countedText(record: CountedRecord, room: number): string {
	const { inputTokens: input, outputTokens: output, cacheWriteTokens: written, cacheReadTokens: read } = record;
	const tokens = input + output + written + read;
	const dollars = record.costUsd === null ? 'unpriced' : `$${record.costUsd.toFixed(6)}`;
	const price = { recorded: `${dollars} as recorded`, table: dollars, none: tokens > 0 ? dollars : 'nothing recorded' };
	const more = record.output === 'started' ? ' or more' : '';
	const cached = written + read > 0 ? `, cache ${written} written, ${read} read` : '';
	const parts = [
		price[record.price],
		...(record.responses === 0 ? ['beside replies'] : []),
		...(record.model === null ? [] : [oneLine(record.model)]),
		...(tokens === 0 ? [] : [`${input} in, ${output}${more} out${cached}`]),
	];
	const text = [whenText(record), ...parts].join('  ');
	if (textWidth(text) <= room || tokens === 0) return text;
	return `${[whenText(record), ...parts.slice(0, -1)].join('  ')}\n${parts.at(-1)}`;
}

function excludedText(record: ExcludedRecord): string {
	const of = record.of === undefined ? '' : ` (${clip(oneLine(record.of), 40)})`;
	return `${whenText(record)}  ${reasons[record.reason]}${of}`;
}

/** In the user's time zone, as the days of the rows are. */
function whenText({ time }: Where): string {
	return time === null ? 'no time' : timeText(Date.parse(time), true);
}

function startedNote(count: number): string {
	const text =
		`${countText(count)} of them with the output that was counted when the reply began, marked "or more": Claude Code ` +
		'up to 2.1.29 does not write the final count. Their real output and cost are higher.';
	return paintLines('yellow', wrap(text, terminalWidth()));
}
