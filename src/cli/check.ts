/** `reprise check FILE`: what is wrong with it. */
import { InvalidArgumentError, Option } from 'commander';
import type { Issue, Profile } from '../model/index.ts';
import { checkFile, unknownFormat } from '../store/check.ts';
import type { Define } from './commands.ts';
import { complain, paint, print, printJson, table } from './print.ts';
import { findArgument, sessionHelp } from './session-argument.ts';

export const define: Define = (command, outcome) => {
	command
		.argument('<session>', sessionHelp)
		.option('--json', 'print one JSON document')
		.addOption(
			new Option('--profile <profile>', 'published: the format’s document; client: the real client; any: both')
				.default('any')
				.argParser(profileOf),
		)
		.addHelpText(
			'after',
			'\nExit code 1 when an error is present. docs/rules.md lists every rule.\n\nExamples:\n  reprise check samples/cline.messages.json\n  reprise check samples/clido.jsonl --profile published --json',
		)
		.action((session: string, options: { readonly json?: boolean; readonly profile: Profile | 'any' }) => {
			const found = findArgument(session);
			const result = found.ok
				? checkFile(found.path, options.profile)
				: { format: null, dialect: null, ok: false, issues: [unknownFormat(found)] };
			outcome.code = result.ok ? 0 : 1;
			if (options.json) printJson(result);
			if (result.format === null) {
				for (const issue of result.issues) complain(issue.message);
				return;
			}
			if (options.json) return;
			for (const line of issueLines(result.issues)) print(line);
			print(`${session}: ${verdict(result.issues)}`);
		});
};

function profileOf(value: string): Profile | 'any' {
	if (value === 'published' || value === 'client' || value === 'any') return value;
	throw new InvalidArgumentError('It is published, client or any.');
}

const colour = { error: 'red', warning: 'yellow', info: 'cyan' } as const;

/** One line per issue, aligned: where, how bad, what, which rule. */
export function issueLines(issues: readonly Issue[]): readonly string[] {
	if (issues.length === 0) return [];
	const rows = issues.map((issue) => [
		issue.line === 0 ? 'file' : `line ${issue.line}`,
		paint(colour[issue.severity], issue.severity),
		`${issue.path ? `${issue.path}: ` : ''}${issue.message}${issue.more ? ` (and ${issue.more} more)` : ''} ${paint('dim', `[${issue.rule}]`)}`,
	]);
	return table(rows).split('\n');
}

function verdict(issues: readonly Issue[]): string {
	const number = (severity: Issue['severity']): number =>
		issues.reduce((sum, issue) => sum + (issue.severity === severity ? 1 + (issue.more ?? 0) : 0), 0);
	const errors = number('error');
	const warnings = number('warning');
	if (errors === 0 && warnings === 0) return paint('green', 'no problems');
	return `${errors} ${errors === 1 ? 'error' : 'errors'}, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`;
}
