/** `reprise cost`: what sessions cost, counted once per response, with the proof on request. */
import { Option } from 'commander';
import stringWidth from 'string-width';
import { collectCosts } from '../catalog/cost/collect.ts';
import { pricesFor } from '../catalog/cost/prices.ts';
import {
	type CostReport,
	type CostRow,
	costReport,
	type ExcludedRecord,
	type Grouping,
	groupings,
	type Reason,
	type Totals,
} from '../catalog/cost/report.ts';
import { access, allSessions, reportUnread, terminalWidth } from './catalog-access.ts';
import type { Define } from './commands.ts';
import { clip, paint, print, printJson, table } from './print.ts';
import { progressLine } from './progress.ts';
import {
	type PeriodOptions,
	periodOptions,
	projectOf,
	type SessionOptions,
	sessionOptions,
} from './session-options.ts';

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
		.action(async (options: Options) => {
			const report = await makeReport(options);
			reportUnread(report.unread);
			if (options.json) printJson(report);
			else print(describe(report, options));
		});
};

async function makeReport(options: Options): Promise<CostReport> {
	const { by, since, until, agent } = options;
	const project = projectOf(options);
	const explain = options.explain ?? false;
	const progress = progressLine('reading');
	const collected = collectCosts(allSessions(), access, { explain, progress });
	progress.end();
	return costReport(collected, await pricesFor(collected.ledger), {
		by,
		explain,
		...(project === undefined ? {} : { project }),
		...(since === undefined ? {} : { since: since.from }),
		...(until === undefined ? {} : { until: until.to }),
		...(agent === undefined ? {} : { agent }),
	});
}

function describe(report: CostReport, options: Options): string {
	if (report.totals.responses === 0 && report.rows.length === 0) {
		const project = projectOf(options);
		return project === undefined ? 'No responses found.' : `No responses found in ${project}. --all looks everywhere.`;
	}
	const parts = [rowsText(report, options.by), notes(report.totals)];
	if (options.explain) parts.push(explanation(report));
	return parts.filter((part) => part !== '').join('\n\n');
}

const smallestBar = 6;
const largestBar = 40;

function rowsText({ rows, totals }: CostReport, by: Grouping): string {
	const numbers = (row: Totals) => [
		costText(row),
		row.responses.toLocaleString('en'),
		short(row.inputTokens),
		short(row.outputTokens),
		short(row.cacheWriteTokens),
		short(row.cacheReadTokens),
	];
	const head = [by, 'cost', 'responses', 'input', 'output', 'cache write', 'cache read'];
	const body = rows.map((row) => [row.key, ...numbers(row)]);
	const foot = ['total', ...numbers(totals)];
	const widths = head.map((_, column) =>
		Math.max(...[head, ...body, foot].map((cells) => stringWidth(cells[column] ?? ''))),
	);
	const others = widths.slice(1).reduce((sum, width) => sum + width + 2, 0);
	const wanted = widths[0] ?? 0;
	const first = Math.min(wanted, Math.max(12, terminalWidth() - others));
	const bar = Math.min(largestBar, terminalWidth() - others - first - 2);
	const most = Math.max(...rows.map((row) => row.costUsd ?? 0));
	const line = (cells: readonly string[], row?: CostRow): string => {
		const aligned = cells.map((cell, column) =>
			column === 0 ? firstCell(cell, first, by) : cell.padStart(widths[column] ?? 0),
		);
		const drawn =
			row && bar >= smallestBar && most > 0 ? `  ${paint('cyan', barOf((row.costUsd ?? 0) / most, bar))}` : '';
		return `${aligned.join('  ')}${drawn}`.trimEnd();
	};
	return [
		paint('dim', line(head)),
		...rows.map((row, index) => line(body[index] ?? [], row)),
		paint('bold', line(foot)),
	].join('\n');
}

/** The end of a folder says more than its beginning; the beginning of an id is enough to name a session. */
function firstCell(text: string, width: number, by: Grouping): string {
	let shown = text;
	if (by === 'project') for (let cut = 1; stringWidth(shown) > width; cut += 1) shown = `…${text.slice(cut)}`;
	else shown = clip(text, width);
	return shown + ' '.repeat(Math.max(0, width - stringWidth(shown)));
}

const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

function barOf(share: number, width: number): string {
	const steps = Math.round(share * width * 8);
	return '█'.repeat(steps >> 3) + (eighths[steps & 7] ?? '');
}

function costText({ costUsd, unpricedTokens }: Totals): string {
	if (costUsd === null) return 'unpriced';
	const text = `$${costUsd.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
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
	return paint(
		'yellow',
		`${totals.unpricedTokens.toLocaleString('en')} tokens are of models without a known price and in none of the dollars.`,
	);
}

const reasons: { readonly [R in Reason]: string } = {
	split: 'another record of the same response',
	'subagent-copy': 'another file of the same session has it',
	copy: 'a copy: another session wrote it first',
	synthetic: 'written by the client, not by a model',
	error: 'a request that failed',
};

function explanation({ counted = [], excluded = [] }: CostReport): string {
	const kinds = new Map<Reason, number>();
	for (const { reason } of excluded) kinds.set(reason, (kinds.get(reason) ?? 0) + 1);
	const summary = [...kinds].map(([reason, count]) => [count.toLocaleString('en').padStart(9), reasons[reason]]);
	const started = counted.filter((record) => record.output === 'started').length;
	const lines = [
		paint('bold', `counted: ${counted.length.toLocaleString('en')}`),
		...(started > 0 ? [startedNote(started)] : []),
		...counted.map((record) => {
			const dollars = record.costUsd === null ? 'unpriced' : `$${record.costUsd.toFixed(6)}`;
			const amount = `${dollars} (${record.price})  ${record.model ?? 'no model'}`;
			const started = record.output === 'started' ? ' or more' : '';
			const flow = `${record.inputTokens} in, ${record.outputTokens}${started} out, ${record.cacheWriteTokens} written, ${record.cacheReadTokens} read`;
			return `+ ${record.time ?? 'no time'}  ${amount}  ${flow}  ${record.path}:${record.line}`;
		}),
		'',
		paint('bold', `left out: ${excluded.length.toLocaleString('en')}`),
		...(summary.length > 0 ? [table(summary)] : []),
		...excluded.map(excludedLine),
	];
	return lines.join('\n');
}

function startedNote(count: number): string {
	return paint(
		'yellow',
		`${count.toLocaleString('en')} of them with the output that was counted when the reply began, marked "or more": Claude Code ` +
			'up to 2.1.29 does not write the final count. Their real output and cost are higher.',
	);
}

function excludedLine(record: ExcludedRecord): string {
	const of = record.of === undefined ? '' : ` (${clip(record.of, 40)})`;
	return `- ${record.time ?? 'no time'}  ${reasons[record.reason]}${of}  ${record.path}:${record.line}`;
}
