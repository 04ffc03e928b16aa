/** `reprise ls`: the columns of the list, which of them a narrow terminal loses first, and how titles, folders and times are shown. */
import { Option } from 'commander';
import { clockOf, dayOf } from '../../catalog/cost/calendar.ts';
import { listOrders, listWithNames, type SessionSummary } from '../../catalog/list-sessions.ts';
import { dollarText } from '../../export/count-text.ts';
import { compact, titleFrom } from '../../model/index.ts';
import {
	clip,
	clipPath,
	folderText,
	oneLine,
	paint,
	print,
	printJson,
	printProse,
	shortNames,
} from '../../terminal/print.ts';
import { terminalWidth, textWidth } from '../../terminal/width.ts';
import { count as wholeNumber } from '../choices.ts';
import type { Define } from '../commands.ts';
import { indexing } from '../progress.ts';
import {
	type PeriodOptions,
	periodOptions,
	projectOf,
	queryOf,
	type SessionOptions,
	sessionOptions,
} from '../session-options.ts';

interface Options extends SessionOptions, PeriodOptions {
	readonly sort: (typeof listOrders)[number];
	readonly limit?: number;
	readonly archived?: boolean;
	readonly tag?: string;
	readonly count?: boolean;
	readonly json?: boolean;
}

export const define: Define = (command) => {
	sessionOptions(command);
	periodOptions(command, 'used')
		.addOption(new Option('--sort <by>', 'what comes first').choices(listOrders).default('updated'))
		.option('--limit <n>', 'at most this many', wholeNumber)
		.option('--tag <tag>', 'only sessions with this tag')
		.option('--archived', 'include archived sessions')
		.option('--count', 'count turns and costs of all sessions first; without it only those counted before are shown')
		.option('--json', 'print one JSON document')
		.addHelpText(
			'after',
			'\nExamples:\n  reprise ls\n  reprise ls --all --agent cline --since 7d\n  reprise ls --all --sort cost --limit 10',
		)
		.action((options: Options) => {
			const { sort, limit, tag, archived, count } = options;
			const { sessions, all } = indexing((progress) =>
				listWithNames({ ...queryOf(options), sort, progress, ...compact({ limit, tag, archived, count }) }),
			);
			if (options.json) printJson({ sessions });
			else if (sessions.length === 0) printProse(nothingListed(options));
			else print(describe(sessions, options, shortNames(all)));
		});
};

function nothingListed(options: Options): string {
	const project = projectOf(options);
	const tagged = options.tag === undefined ? '' : ` tagged ${options.tag}`;
	return project === undefined
		? `No sessions${tagged} found.`
		: `No sessions${tagged} of ${project.folder}. --all lists those of every project.`;
}

function describe(rows: readonly SessionSummary[], options: Options, nameOf: ReturnType<typeof shortNames>): string {
	const counted: Column[] = [
		{ head: 'turns', usual: 5, less: 1, right: true, cell: ({ turns }) => (turns === null ? '' : String(turns)) },
		{ head: 'cost', usual: 6, less: 2, right: true, cell: costText },
	];
	const columns: Column[] = [
		{ head: 'updated', usual: 11, cell: (row) => whenText(Date.parse(row.updatedAt)) },
		{ head: 'agent', usual: 11, less: 4, cell: (row) => row.agent },
		{ head: 'id', usual: 8, cell: (row) => oneLine(nameOf(row) ?? row.id) },
		// Two empty columns would look as if something were broken.
		...(rows.some(({ turns }) => turns !== null) ? counted : []),
		...(options.all
			? [
					{
						head: 'project',
						usual: narrowestFolder,
						less: 3,
						cell: (row: SessionSummary) => folderText(row.cwd ?? undefined),
					},
				]
			: []),
		{ head: 'title', usual: narrowestTitle, cell: titleText },
	];
	return layOut(rows, columns);
}

function costText({ turns, costUsd }: SessionSummary): string {
	if (costUsd !== null) return dollarText(costUsd);
	return turns === null ? '' : '–';
}

interface Column {
	readonly head: string;
	readonly right?: boolean;
	/** How wide it mostly is. By this is decided which columns fit a terminal, so that they do not come and go with what is listed. */
	readonly usual: number;
	/** On a narrow terminal the column with the smallest number goes first; one without a number stays. */
	readonly less?: number;
	cell(row: SessionSummary): string;
}

const narrowestTitle = 20;
/** What is left of a title where nothing else can go. */
const narrowestRest = 12;
const narrowestFolder = 14;
const widestFolder = 32;

/** The title takes what is left. Folders are cut before a column is left out. */
function layOut(rows: readonly SessionSummary[], columns: readonly Column[]): string {
	const cells = rows.map((row) => columns.map((column) => column.cell(row)));
	const widths = columns.map(({ head }, index) =>
		cells.reduce((most, line) => Math.max(most, textWidth(line[index] ?? '')), head.length),
	);
	const folder = columns.findIndex(({ head }) => head === 'project');
	const wanted = Math.min(widestFolder, widths[folder] ?? 0);
	if (folder !== -1) widths[folder] = Math.min(narrowestFolder, wanted);
	let shown = columns.map((_, index) => index);
	const leftOf = (wide: (index: number) => number | undefined) =>
		terminalWidth() - shown.slice(0, -1).reduce((sum, index) => sum + (wide(index) ?? 0) + 2, 0);
	const left = () => leftOf((index) => widths[index]);
	// By what is listed only where hardly a word of a title would be left.
	while (leftOf((index) => columns[index]?.usual) < narrowestTitle || left() < narrowestRest) {
		const least = Math.min(...shown.map((index) => columns[index]?.less ?? Number.POSITIVE_INFINITY));
		if (!Number.isFinite(least)) break;
		shown = shown.filter((index) => columns[index]?.less !== least);
	}
	// The order tells what is newer.
	if (left() < narrowestRest) shown = shown.slice(1);
	if (shown.includes(folder)) {
		// Half of what the title does not need at the least.
		widths[folder] = Math.min(wanted, (widths[folder] ?? 0) + Math.max(0, Math.floor((left() - narrowestTitle) / 2)));
	}
	const rest = Math.max(narrowestRest / 2, left());
	const line = (texts: readonly string[]) =>
		shown
			.map((index, place) => {
				const text = texts[index] ?? '';
				if (place === shown.length - 1) return clip(text, rest);
				const fitting = index === folder ? clipPath(text, widths[index] ?? 0) : text;
				const gap = ' '.repeat(Math.max(0, (widths[index] ?? 0) - textWidth(fitting)));
				return columns[index]?.right ? gap + fitting : fitting + gap;
			})
			.join('  ')
			.trimEnd();
	return [paint('dim', line(columns.map((column) => column.head))), ...cells.map(line)].join('\n');
}

function titleText({ title, unreadable, archived: away, tags: noted }: SessionSummary): string {
	const archived = away === undefined ? '' : '(archived) ';
	const tags = noted.map((tag) => `#${tag} `).join('');
	// A title may be a whole prompt, and a pipe cuts nothing off.
	const shown = titleFrom(title ?? '') ?? (unreadable ? '(cannot be read)' : '(no title)');
	return archived + tags + oneLine(shown);
}

/** Today the hour says more than the date. */
function whenText(time: number): string {
	const day = dayOf(time);
	return day === dayOf(Date.now()) ? `today ${clockOf(time)}` : day;
}
