/** `reprise convert IN --to FORMAT -o OUT`: the same session in another format, with a report of what it cannot hold. */
import { Option } from 'commander';
import { codecs } from '../codecs/index.ts';
import type { FormatId, Profile } from '../model/index.ts';
import { convertFile } from '../move/index.ts';
import { sessionPath } from '../store/find-session.ts';
import type { Define } from './commands.ts';
import { groupedLosses } from './losses.ts';
import { print, printJson } from './print.ts';
import { watched } from './progress.ts';
import { sessionHelp } from './session-argument.ts';

interface Options {
	readonly to: FormatId;
	readonly out: string;
	readonly profile?: Profile;
	readonly mapTools?: boolean;
	readonly lineage: boolean;
	readonly json?: boolean;
}

export const define: Define = (command, outcome) => {
	command
		.showHelpAfterError(false)
		.argument('<session>', sessionHelp)
		.addOption(
			new Option('--to <format>', 'the format to write').choices(codecs.map((codec) => codec.id)).makeOptionMandatory(),
		)
		.requiredOption(
			'-o, --out <path>',
			'the new main file; with a trailing slash, a folder laid out as a client’s home',
		)
		.addOption(
			new Option(
				'--profile <profile>',
				'client: what the real client resumes (default); published: what the format’s document describes',
			).choices(['client', 'published']),
		)
		.option('--map-tools', 'call tools by the names that the target’s agent has for them, where that is exact')
		.option(
			'--no-lineage',
			'neither use nor keep where sessions came from (`reprise return --list` shows what is kept)',
		)
		.option('--json', 'print one JSON document')
		.addHelpText(
			'after',
			'\nExamples:\n  reprise convert samples/openclaw.jsonl --to claude-code -o session.jsonl\n  reprise convert samples/clido.jsonl --to cline -o home/',
		)
		.action(async (session: string, options: Options) => {
			const { to, out, profile, mapTools, lineage } = options;
			const path = sessionPath(session);
			const made = await watched(outcome, (how) =>
				convertFile(path, {
					to,
					out,
					lineage,
					...how,
					...(profile ? { profile } : {}),
					...(mapTools ? { mapTools } : {}),
				}),
			);
			if (!made) return;
			if (options.json) printJson({ out: made.out, losses: made.losses, id: made.id, how: made.how });
			else print([...made.out, ...report(made.losses)].join('\n'));
		});
};

/** What the target cannot hold, or that there is nothing of the kind. */
export function report(losses: Parameters<typeof groupedLosses>[0]): readonly string[] {
	return losses.length === 0 ? ['nothing was lost'] : groupedLosses(losses);
}
