/** `reprise inspect FILE`: which facts of a session file are printed: agent, format, title, folder, records, blocks, branches, sub-agents, issues. */
import { countOf } from '../../model/index.ts';
import { agentOf } from '../../store/find/session-files.ts';
import { unknownFormat } from '../../store/reader/check.ts';
import { identify } from '../../store/reader/identify.ts';
import { type Inspection, inspectFile } from '../../store/reader/inspect.ts';
import { complain, counts, paint, print, printJson, table } from '../../terminal/print.ts';
import { inColumn } from '../../terminal/prose.ts';
import { terminalWidth } from '../../terminal/width.ts';
import type { Define } from '../commands.ts';
import { findArgument, sessionHelp } from '../session-argument.ts';
import { issueText } from './check.ts';

const nothing = {
	format: null,
	dialect: null,
	sessionId: null,
	cwd: null,
	title: null,
	version: null,
	records: {},
	blocks: {},
	entries: 0,
	branches: 0,
	subagents: [],
};

export const define: Define = (command, outcome) => {
	command
		.argument('<session>', sessionHelp)
		.option('--json', 'print one JSON document')
		.addHelpText(
			'after',
			'\nExamples:\n  reprise inspect samples/claude-code.jsonl\n  reprise inspect samples/clido.jsonl --json',
		)
		.action(async (session: string, options: { readonly json?: boolean }) => {
			const argument = findArgument(session);
			const found = argument.ok ? identify(argument.path) : argument;
			if (!found.ok) {
				outcome.code = 1;
				if (options.json) printJson({ ...nothing, issues: [unknownFormat(found)] });
				complain(found.message);
				return;
			}
			found.source[Symbol.dispose]();
			const inspection = await inspectFile(found.source.path);
			if (options.json) printJson(inspection);
			else print(describe(inspection, agentOf(found.codec.id, found.source.path)));
		});
};

function describe(inspection: Inspection, agent: string): string {
	const rows: string[][] = [
		...(agent === inspection.format ? [] : [['agent', agent]]),
		['format', `${inspection.format} (${inspection.dialect})`],
		['session', inspection.sessionId],
	];
	const add = (name: string, value: string | null): void => void (value !== null && rows.push([name, value]));
	add('title', inspection.title);
	add('folder', inspection.cwd);
	add('version', inspection.version);
	rows.push(['records', counts(inspection.records)], ['blocks', counts(inspection.blocks)]);
	rows.push(['entries', String(inspection.entries)], ['branches', String(inspection.branches)]);
	for (const subagent of inspection.subagents) {
		rows.push([
			'sub-agent',
			`${subagent.id}, ${countOf(subagent.entries, 'entry', 'entries')}${subagent.call ? `, started by ${subagent.call}` : ''}`,
		]);
	}
	const issues = inspection.issues.length === 0 ? [] : ['', issueText(inspection.issues)];
	const names = table(rows.map(([name = '']) => [paint('dim', name), ''])).split('\n');
	const facts = rows.map(([, value = ''], index) => inColumn(names[index] ?? '', value, terminalWidth()));
	return [...facts, ...issues].join('\n');
}
