/** `reprise cost`: flags, notes, and the wording of --explain (why each record was counted or left out). What is counted is decided in src/catalog/cost. */
import { Option } from 'commander';
import {
	type CostReport,
	type CountedRecord,
	type ExcludedRecord,
	type Grouping,
	groupings,
	type Reason,
	type Where,
} from '../../catalog/cost/report.ts';
import { sessionCosts } from '../../catalog/session-costs.ts';
import { countText } from '../../export/count-text.ts';
import { clip, folderText, oneLine, paint, print, printJson, timeText } from '../../terminal/print.ts';
import { inColumn } from '../../terminal/prose.ts';
import { paintLines } from '../../terminal/terminal-text.ts';
import { terminalWidth, textWidth } from '../../terminal/width.ts';
import { indent, wrap } from '../../terminal/wrap.ts';
import type { Define } from '../commands.ts';
import { progressLine } from '../progress.ts';
import {
	type PeriodOptions,
	periodOptions,
	projectOf,
	queryOf,
	type SessionOptions,
	sessionOptions,
} from '../session-options.ts';
import { leavesOut, rowsText, unknown } from './cost-table.ts';

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
				'Days are those of your time zone. A cost that is not known is shown as –, in JSON as null, never as $0; a plus after\n' +
				'a sum means that part of the cost is not known.\n\n' +
				'Examples:\n  reprise cost --all\n  reprise cost --by session --since 7d\n  reprise cost --all --by model --json',
		)
		.action((options: Options) => {
			const report = makeReport(options);
			if (options.json) printJson(report);
			else print(describe(report, options));
		});
};

function makeReport(options: Options): CostReport {
	const progress = progressLine('reading');
	const { by, explain = false } = options;
	const report = sessionCosts({ ...queryOf(options), by, explain, progress });
	progress.end();
	return report;
}

function describe(report: CostReport, options: Options): string {
	if (report.totals.responses === 0 && report.rows.length === 0) {
		const project = projectOf(options);
		return project === undefined
			? 'No responses found.'
			: `No responses found in ${project.folder}. --all looks everywhere.`;
	}
	const parts = [rowsText(report, options.by), notes(report)];
	if (options.explain) parts.push(explanation(report));
	return parts.filter((part) => part !== '').join('\n\n');
}

function notes(report: CostReport): string {
	const { unpricedTokens } = report.totals;
	const lines = [
		...(unpricedTokens > 0
			? [`${countText(unpricedTokens)} tokens belong to models without a known price and are not included.`]
			: []),
		...(leavesOut(report) ? [`${unknown}: the cost is unknown. The total leaves it out.`] : []),
	];
	return lines.map((line) => paintLines('yellow', wrap(line, terminalWidth()))).join('\n');
}

const reasons: { readonly [R in Reason]: string } = {
	split: 'another record of the same response',
	'subagent-copy': 'another file of the same session has it',
	copy: 'a copy: another session wrote it first',
	synthetic: 'written by the client, not by a model',
	error: 'a request that failed',
};

/** A date and a time are that wide: where there is less room beside the number of a line, its text stands below. */
const leastRoom = 19;

/** File by file, so that the long path stands there once: what was counted with a plus, what was left out with a minus. */
function explanation({ counted = [], excluded = [] }: CostReport): string {
	const kinds = new Map<Reason, number>();
	for (const { reason } of excluded) kinds.set(reason, (kinds.get(reason) ?? 0) + 1);
	const summary = [...kinds].map(([reason, count]) =>
		inColumn(`${countText(count).padStart(9)}  `, reasons[reason], terminalWidth()),
	);
	const started = counted.filter((record) => record.output === 'started').length;
	const lines = [
		paint('bold', `counted: ${countText(counted.length)}`),
		...(started > 0 ? [startedNote(started)] : []),
		paint('bold', `left out: ${countText(excluded.length)}`),
		...summary,
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
		const beside = terminalWidth() - kind.length - widest - 7;
		// Where nothing fits beside the number of the line, it stands below.
		const room = beside < leastRoom ? terminalWidth() - 6 : beside;
		lines.push('', paint('bold', folderText(path)));
		for (const record of records) {
			const head = `  ${kind} ${String(record.line).padStart(widest)}  `;
			const text =
				'reason' in record
					? paintLines('dim', indent(wrap(excludedText(record), room), '- ', '  '))
					: indent(wrap(countedText(record, room), room), '+ ', '  ');
			const [first, rest] = room === beside ? [head, ' '.repeat(head.length)] : [`${head.trimEnd()}\n    `, '    '];
			lines.push(indent(text, first, rest));
		}
	}
	return lines.join('\n');
}

/** Tokens that do not fit into the room are told on a line of their own. */
function countedText(record: CountedRecord, room: number): string {
	const { inputTokens: input, outputTokens: output, cacheWriteTokens: written, cacheReadTokens: read } = record;
	const tokens = input + output + written + read;
	const dollars = record.costUsd === null ? 'price unknown' : `$${record.costUsd.toFixed(6)}`;
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
