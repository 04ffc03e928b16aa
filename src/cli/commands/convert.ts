/** `reprise convert IN --to FORMAT -o OUT`: flags and report of the same session in another format, and that a pipe keeps no way back. The work is done in src/move. */
import { Option } from 'commander';
import { groupedLosses, report } from '../../client/loss-words.ts';
import type { FormatId, Profile } from '../../model/index.ts';
import { convertFile } from '../../move/index.ts';
import { InputError } from '../../store/errors.ts';
import { sessionPath } from '../../store/find/find-session.ts';
import { complain, printJson, printProse } from '../../terminal/print.ts';
import { formatNamed, formatNames } from '../choices.ts';
import type { Define } from '../commands.ts';
import { refuseMissingFolder } from '../missing-folder.ts';
import { watched } from '../progress.ts';
import { sessionHelp } from '../session-argument.ts';
import { PipeFolder, pipe } from './convert-pipes.ts';

interface Options {
	readonly to: FormatId;
	readonly out: string;
	readonly profile?: Profile;
	readonly mapTools?: boolean;
	readonly lineage: boolean;
	readonly parents?: boolean;
	readonly json?: boolean;
}

export const define: Define = (command, outcome) => {
	command
		.argument('<session>', `${sessionHelp}; - reads it from stdin`)
		.addOption(
			new Option('--to <format>', 'the format to write')
				.choices(formatNames)
				.argParser(formatNamed)
				.makeOptionMandatory(),
		)
		.requiredOption(
			'-o, --out <path>',
			'the new main file; OUT/ with a slash: a folder laid out as a client’s home; - writes to stdout',
		)
		.option('--parents', 'make the folders around it, where they are missing')
		.addOption(
			new Option(
				'--profile <profile>',
				'client: what the real client resumes (default); published: what the format’s document describes',
			).choices(['client', 'published']),
		)
		.option('--map-tools', 'rename tool calls to the target agent’s own tools, where they match exactly')
		.option(
			'--no-lineage',
			'do not use or keep the record of where sessions came from (`reprise return --list` shows it)',
		)
		.option('--json', 'print one JSON document')
		.addHelpText(
			'after',
			'\nExamples:\n  reprise convert samples/openclaw.jsonl --to claude-code -o session.jsonl\n  reprise convert samples/clido.jsonl --to cline -o home/',
		)
		.action(async (session: string, options: Options) => {
			const toStdout = options.out === pipe;
			if (toStdout && options.json) throw new InputError('usage', '--json and -o - both want stdout: name a file');
			if (!toStdout && !options.parents) refuseMissingFolder(options.out);
			using pipes = new PipeFolder();
			const path = session === pipe ? await pipes.input() : sessionPath(session);
			const { to, profile, mapTools } = options;
			const flags = { ...(profile ? { profile } : {}), ...(mapTools ? { mapTools } : {}) };
			const out = toStdout ? pipes.output : options.out;
			// What came through a pipe has no place to come home to, and what goes through one cannot be found again.
			const lineage = options.lineage && !toStdout && session !== pipe;
			const made = await watched(outcome, (how) => convertFile(path, { to, out, lineage, ...how, ...flags }));
			if (!made) return;
			if (toStdout) {
				await pipes.print(made.out, to);
				for (const line of groupedLosses(made.losses)) complain(line);
			} else if (options.json) printJson({ out: made.out, losses: made.losses, id: made.id, how: made.how });
			else printProse([...made.out, ...report(made.losses, made.wayBack)].join('\n'));
		});
};
