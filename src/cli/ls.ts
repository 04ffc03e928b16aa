/** `reprise ls`: the sessions of this project, or of all. */
import { Option } from 'commander';
import { clockOf, dayOf } from '../catalog/cost/calendar.ts';
import type { Unread } from '../catalog/cost/collect.ts';
import type { ListedSession } from '../catalog/index/catalog.ts';
import { dollarText } from '../export/count-text.ts';
import type { Annotations } from '../store/manage/annotations.ts';
import { indexAll, openCatalog } from './catalog-access.ts';
import type { Define } from './commands.ts';
import { allSessions, annotationsOf, parseCount, reportUnread } from './machine.ts';
import { clip, clipPath, folderText, oneLine, paint, print, printJson, printProse, shortNames } from './print.ts';
import {
	type PeriodOptions,
	periodOptions,
	projectOf,
	type SessionOptions,
	sessionOptions,
} from './session-options.ts';
import { terminalWidth, textWidth } from './width.ts';

const orders = ['updated', 'created', 'cost', 'turns', 'title'] as const;

interface Options extends SessionOptions, PeriodOptions {
	readonly sort: (typeof orders)[number];
	readonly limit?: number;
	readonly archived?: boolean;
	readonly tag?: string;
	readonly count?: boolean;
	readonly json?: boolean;
}

/** A session with what its user noted about it. */
interface Row extends ListedSession {
	readonly cwd?: string;
	readonly marks: Annotations;
}

export const define: Define = (command) => {
	sessionOptions(command);
	periodOptions(command, 'used')
		.addOption(new Option('--sort <by>', 'what comes first').choices(orders).default('updated'))
		.option('--limit <n>', 'at most this many', parseCount)
		.option('--tag <tag>', 'only sessions with this tag')
		.option('--archived', 'include archived sessions')
		.option('--count', 'count turns and costs of all sessions first; without it only those counted before are shown')
		.option('--json', 'print one JSON document')
		.addHelpText(
			'after',
			'\nExamples:\n  reprise ls\n  reprise ls --all --agent cline --since 7d\n  reprise ls --all --sort cost --limit 10',
		)
		.action((options: Options) => {
			using catalog = openCatalog();
			if (options.count) indexAll(catalog, [...allSessions()]);
			const unread: Unread[] = [];
			const listed = catalog.list(allSessions({ subagents: false }), (one) => unread.push(one));
			const rows = chosen(listed, options);
			if (!options.count) reportUnread(unread);
			if (options.json) printJson({ sessions: rows.map(documentOf) });
			else if (rows.length === 0) printProse(nothingListed(options));
			else print(describe(rows, options, shortNames(listed.map(({ session }) => session))));
		});
};

function chosen(listed: readonly ListedSession[], options: Options): readonly Row[] {
	const { agent, since, until } = options;
	const project = projectOf(options);
	const rows: Row[] = [];
	for (const item of listed) {
		if (agent !== undefined && item.session.agent !== agent) continue;
		if (since !== undefined && item.updated < since.from) continue;
		if (until !== undefined && item.updated >= until.to) continue;
		const marks = annotationsOf(item.session);
		const cwd = marks.folder ?? item.seen.cwd;
		if (project?.has(cwd) === false) continue;
		if (marks.archived !== undefined && !options.archived) continue;
		if (options.tag !== undefined && !marks.tags.includes(options.tag.replace(/^#/, ''))) continue;
		rows.push(cwd === undefined ? { ...item, marks } : { ...item, marks, cwd });
	}
	rows.sort(comparers[options.sort]);
	return options.limit === undefined ? rows : rows.slice(0, options.limit);
}

const byUpdated = (a: Row, b: Row): number => b.updated - a.updated || (a.session.path < b.session.path ? -1 : 1);

const comparers: { readonly [S in Options['sort']]: (a: Row, b: Row) => number } = {
	updated: byUpdated,
	created: (a, b) => (b.seen.created ?? '').localeCompare(a.seen.created ?? '') || byUpdated(a, b),
	cost: (a, b) => (b.costUsd ?? -1) - (a.costUsd ?? -1) || byUpdated(a, b),
	turns: (a, b) => (b.turns ?? -1) - (a.turns ?? -1) || byUpdated(a, b),
	title: (a, b) => (a.seen.title ?? '\uffff').localeCompare(b.seen.title ?? '\uffff') || byUpdated(a, b),
};

function documentOf({ session, seen, cwd, updated, turns, costUsd, marks }: Row): object {
	const { id, agent, format, path } = session;
	return {
		id,
		agent,
		format,
		path,
		cwd: cwd ?? null,
		title: seen.title ?? null,
		gitBranch: seen.gitBranch ?? null,
		tag: marks.tags[0] ?? null,
		tags: marks.tags,
		createdAt: seen.created ?? null,
		updatedAt: new Date(updated).toISOString(),
		turns,
		costUsd,
		...(marks.archived === undefined ? {} : { archived: marks.archived }),
	};
}

function nothingListed(options: Options): string {
	const project = projectOf(options);
	const tagged = options.tag === undefined ? '' : ` tagged ${options.tag}`;
	return project === undefined
		? `No sessions${tagged} found.`
		: `No sessions${tagged} of ${project.folder}. --all lists those of every project.`;
}

function describe(rows: readonly Row[], options: Options, nameOf: ReturnType<typeof shortNames>): string {
	const counted = rows.some((row) => row.turns !== null);
	const columns: Column[] = [
		{ head: 'updated', cell: (row) => whenText(row.updated) },
		{ head: 'agent', less: 4, cell: (row) => row.session.agent },
		{ head: 'id', cell: ({ session }) => nameOf(session) ?? session.id },
		...(counted
			? [
					{ head: 'turns', less: 1, right: true, cell: (row: Row) => (row.turns === null ? '' : String(row.turns)) },
					{ head: 'cost', less: 2, right: true, cell: costText },
				]
			: []),
		...(options.all ? [{ head: 'project', less: 3, cell: (row: Row) => folderText(row.cwd) }] : []),
		{ head: 'title', cell: titleText },
	];
	return layOut(rows, columns);
}

function costText({ turns, costUsd }: Row): string {
	if (costUsd !== null) return dollarText(costUsd);
	return turns === null ? '' : '–';
}

interface Column {
	readonly head: string;
	readonly right?: boolean;
	/** On a narrow terminal the column with the smallest number goes first; one without a number stays. */
	readonly less?: number;
	cell(row: Row): string;
}

const narrowestTitle = 20;
/** What is left of a title where nothing else can go. */
const narrowestRest = 12;
const narrowestFolder = 14;
const widestFolder = 32;

/** The title takes what is left. Folders are cut before a column is left out. */
function layOut(rows: readonly Row[], columns: readonly Column[]): string {
	const cells = rows.map((row) => columns.map((column) => column.cell(row)));
	const widths = columns.map(({ head }, index) =>
		cells.reduce((most, line) => Math.max(most, textWidth(line[index] ?? '')), head.length),
	);
	const folder = columns.findIndex(({ head }) => head === 'project');
	const wanted = Math.min(widestFolder, widths[folder] ?? 0);
	if (folder !== -1) widths[folder] = Math.min(narrowestFolder, wanted);
	let shown = columns.map((_, index) => index);
	const left = () => terminalWidth() - shown.slice(0, -1).reduce((sum, index) => sum + (widths[index] ?? 0) + 2, 0);
	while (left() < narrowestTitle) {
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
	const rest = Math.max(narrowestRest, left());
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

function titleText({ seen, marks }: Row): string {
	const archived = marks.archived === undefined ? '' : '(archived) ';
	const tags = marks.tags.map((tag) => `#${tag} `).join('');
	return archived + tags + oneLine(seen.title ?? '(no title)');
}

/** Today the hour says more than the date. */
function whenText(time: number): string {
	const day = dayOf(time);
	return day === dayOf(Date.now()) ? `today ${clockOf(time)}` : day;
}
