/** `reprise stats`: how sessions, turns, tokens, tools and active time are printed. How long a pause still counts as active time: src/catalog/index/file-index.ts. */
import { Option } from 'commander';
import { dayOf } from '../../catalog/cost/calendar.ts';
import type { StatsRow } from '../../catalog/index/stats.ts';
import { sessionStats } from '../../catalog/session-stats.ts';
import { countedText, countText, dollarText } from '../../export/count-text.ts';
import { clipPath, folderText, oneLine, paint, print, printJson, printProse } from '../../terminal/print.ts';
import { inColumn } from '../../terminal/prose.ts';
import { terminalWidth } from '../../terminal/width.ts';
import type { Define } from '../commands.ts';
import { indexing } from '../progress.ts';
import { projectOf, queryOf, type SessionOptions, sessionOptions } from '../session-options.ts';

interface Options extends SessionOptions {
	readonly by: 'project' | 'agent';
	readonly json?: boolean;
}

export const define: Define = (command) => {
	sessionOptions(command)
		.addOption(new Option('--by <what>', 'one block per …').choices(['project', 'agent']).default('project'))
		.option('--json', 'print one JSON document')
		.addHelpText('after', '\nExamples:\n  reprise stats\n  reprise stats --all --by agent')
		.action((options: Options) => {
			const project = projectOf(options);
			const rows = indexing((progress) => sessionStats({ ...queryOf(options), by: options.by, progress }));
			if (options.json) printJson({ rows: rows.map(documentOf) });
			else if (rows.length > 0) print(rows.map(describe).join('\n\n'));
			else
				printProse(
					project === undefined
						? 'No sessions found.'
						: `No sessions of ${project.folder}. --all counts those of every project.`,
				);
		});
};

function documentOf({ first, last, ...row }: StatsRow): object {
	const iso = (time: number | null) => (time === null ? null : new Date(time).toISOString());
	return { ...row, first: iso(first), last: iso(last) };
}

function describe(row: StatsRow): string {
	const subagents = row.subagents > 0 ? [countedText(row.subagents, 'sub-agent')] : [];
	const tools = Object.entries(row.tools).map(([name, calls]) => `${oneLine(name)}${glued}${countText(calls)}`);
	const cost = row.costUsd === null ? '–' : dollarText(row.costUsd);
	const { inputTokens: input, outputTokens: output, cacheWriteTokens: written, cacheReadTokens: read } = row;
	const lines = [
		[
			'sessions',
			[
				countText(row.sessions),
				...subagents,
				countedText(row.turns, 'turn'),
				countedText(row.responses, 'response'),
			].join(', '),
		],
		[
			'tokens',
			input + output + written + read === 0
				? 'not recorded'
				: `${countText(input)} in, ${countText(output)} out, ${countText(written)} written to and ${countText(read)} read from caches`,
		],
		['cost', row.unpricedTokens > 0 ? `${cost}, ${countText(row.unpricedTokens)} tokens without a known price` : cost],
		['time', timeSpent(row)],
		['tools', tools.length === 0 ? 'none' : tools.join(', ')],
	];
	// Wrapped, not cut: these are all numbers that somebody has asked for.
	const body = lines
		.map(([name = '', text = '']) => {
			const gap = ' '.repeat(10 - name.length);
			return inColumn(`  ${paint('dim', name)}${gap}`, text, terminalWidth()).replaceAll(glued, ' ');
		})
		.join('\n');
	return `${paint('bold', clipPath(folderText(row.key), terminalWidth()))}\n${body}`;
}

/** A tool and its count stay on one line. */
const glued = '\u00a0';

/** How long somebody was at it, and when. */
function timeSpent({ first, last, activeMs }: StatsRow): string {
	if (first === null || last === null) return 'not recorded';
	const [from, to] = [first, last].map(dayOf);
	return `${hours(activeMs)} active, ${from === to ? `on ${from}` : `${from} to ${to}`}`;
}

function hours(ms: number): string {
	const minutes = Math.round(ms / 60_000);
	if (minutes === 0) return 'under a minute';
	return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
