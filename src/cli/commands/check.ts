/** `reprise check FILE`: how issues are printed, after how many of a rule the rest is only counted, the summary of --all, and the exit code. The rules are the codecs'. */
import { InvalidArgumentError, Option } from 'commander';
import { countedText, countText } from '../../export/count-text.ts';
import type { Issue, Profile } from '../../model/index.ts';
import { InputError } from '../../store/errors.ts';
import type { FoundSession } from '../../store/find/discover.ts';
import { type CheckResult, checkFile, unknownFormat } from '../../store/reader/check.ts';
import { complain, folderText, paint, print, printJson, printProse, table } from '../../terminal/print.ts';
import { inColumn } from '../../terminal/prose.ts';
import { terminalWidth } from '../../terminal/width.ts';
import type { Define } from '../commands.ts';
import { here } from '../many-sessions.ts';
import { progressLine } from '../progress.ts';
import { findArgument, sessionHelp } from '../session-argument.ts';
import { tellLast } from '../which-session.ts';

interface Options {
	readonly json?: boolean;
	readonly all?: boolean;
	readonly profile: Profile | 'any';
}

export const define: Define = (command, outcome) => {
	command
		.argument('[session]', sessionHelp)
		.option('--all', 'every session of every agent on this machine; ends with one line that sums up')
		.option('--json', 'print one JSON document')
		.addOption(
			new Option(
				'--profile <profile>',
				'client: the client that will open it; published: the format’s document; any: both',
			)
				.default('client')
				.argParser(profileOf),
		)
		.addHelpText(
			'after',
			'\nExit code 1 when an error is present. docs/rules.md lists every rule.\n\nExamples:\n  reprise check samples/cline.messages.json\n  reprise check samples/clido.jsonl --profile published --json',
		)
		.action((session: string | undefined, options: Options) => {
			if ((session === undefined) !== (options.all === true)) {
				throw new InputError(
					'usage',
					session === undefined ? 'name a session, or add --all' : '--all checks every session: do not name one',
				);
			}
			outcome.code = (session === undefined ? checkAll(options) : checkOne(session, options)) ? 0 : 1;
		});
};

function profileOf(value: string): Profile | 'any' {
	if (value === 'published' || value === 'client' || value === 'any') return value;
	throw new InvalidArgumentError('Use client, published or any.');
}

function checkOne(session: string, options: Options): boolean {
	const found = findArgument(session);
	if (found.ok && !options.json) tellLast(session, found.path);
	const result = found.ok
		? checkFile(found.path, options.profile)
		: { format: null, dialect: null, ok: false, issues: [unknownFormat(found)] };
	if (options.json) printJson(result);
	if (result.format === null) for (const issue of result.issues) complain(issue.message);
	else if (!options.json) {
		if (result.issues.length > 0) print(issueText(result.issues));
		printProse(`${session}: ${verdict(result.issues)}`);
	}
	return result.ok;
}

type Checked = CheckResult & Pick<FoundSession, 'path' | 'id' | 'agent'>;

function checkAll(options: Options): boolean {
	const sessions = [...here.all()];
	const progress = progressLine('checking');
	const results = sessions.map(({ path, id, agent }, index): Checked => {
		progress(index, sessions.length);
		return { path, id, agent, ...checkFile(path, options.profile) };
	});
	progress.end();
	const ok = results.every((result) => result.ok);
	if (options.json) {
		printJson({ ok, sessions: results });
		return ok;
	}
	for (const { path, issues } of results.filter(hasProblems)) {
		printProse(`${paint('bold', folderText(path))}: ${verdict(issues)}`);
		print(issueText(issues, '  '));
	}
	printProse(summary(results, sessions.filter(({ parent }) => parent !== undefined).length));
	return ok;
}

function hasProblems({ issues }: CheckResult): boolean {
	return issues.some(({ severity }) => severity !== 'info');
}

/** `subagents`: how many of them are sub-agents of others, which lists of sessions leave out. */
function summary(results: readonly Checked[], subagents: number): string {
	const errors = results.filter(({ ok }) => !ok).length;
	const warnings = results.filter((result) => result.ok && hasProblems(result)).length;
	const own = results.length - subagents;
	const sessions = countedText(own, 'session');
	const count = subagents === 0 ? sessions : `${sessions} and ${countedText(subagents, 'sub-agent')}`;
	if (errors + warnings === 0) return `${count} checked: ${paint('green', 'no problems')}`;
	return `${count} checked: ${countText(errors)} with errors, ${countText(warnings)} with warnings only`;
}

const colour = { error: 'red', warning: 'yellow', info: 'cyan' } as const;

/** What is said about a rule before the rest is only counted. */
const mostRepeated = 2;

/** One line per issue, aligned: where, how bad, what, which rule. From the third on, what repeats is counted. */
export function issueText(issues: readonly Issue[], before = ''): string {
	const groups = Map.groupBy(issues, ({ rule }) => rule);
	const seen = new Map<string, number>();
	const rows = issues.flatMap((issue) => {
		const nth = (seen.get(issue.rule) ?? 0) + 1;
		seen.set(issue.rule, nth);
		if (nth > mostRepeated) return [];
		const rest = nth === mostRepeated ? (groups.get(issue.rule)?.slice(mostRepeated) ?? []) : [];
		return rest.length === 0 ? [rowOf(issue)] : [rowOf(issue), restRow(rest, issue)];
	});
	const names = table(rows.map(([where, severity]) => [`${before}${where}`, severity, ''])).split('\n');
	return rows.map(([, , text], index) => inColumn(names[index] ?? '', text, terminalWidth())).join('\n');
}

type Row = readonly [where: string, severity: string, text: string];

function rowOf(issue: Issue): Row {
	const more = issue.more ? ` (and ${countText(issue.more)} more)` : '';
	return [
		placeOf(issue),
		paint(colour[issue.severity], issue.severity),
		`${issue.path ? `${issue.path}: ` : ''}${issue.message}${more} ${paint('dim', `[${issue.rule}]`)}`,
	];
}

function restRow(rest: readonly Issue[], { rule, severity }: Issue): Row {
	const count = rest.reduce((sum, issue) => sum + 1 + (issue.more ?? 0), 0);
	const last = rest.at(-1);
	// Where the very last one is, is known only if all of them were kept.
	const where = last && last.line > 0 && !last.more ? `, the last in ${placeOf(last)}` : '';
	return [
		'…',
		paint(colour[severity], severity),
		`${countText(count)} more of these${where} ${paint('dim', `[${rule}]`)}`,
	];
}

function placeOf({ line }: Issue): string {
	return line === 0 ? 'file' : `line ${line}`;
}

function verdict(issues: readonly Issue[]): string {
	const number = (severity: Issue['severity']): number =>
		issues.reduce((sum, issue) => sum + (issue.severity === severity ? 1 + (issue.more ?? 0) : 0), 0);
	const errors = number('error');
	const warnings = number('warning');
	if (errors === 0 && warnings === 0) return paint('green', 'no problems');
	const told = (count: number, word: string): string => `${countText(count)} ${count === 1 ? word : `${word}s`}`;
	return `${told(errors, 'error')}, ${told(warnings, 'warning')}`;
}
