/** `reprise convert IN --to FORMAT -o OUT`: the same session in a format. */
import { Option } from 'commander';
import { codecs } from '../codecs/index.ts';
import { copySession } from '../store/copy.ts';
import type { Define } from './commands.ts';
import { print, printJson } from './print.ts';

export const define: Define = (command) => {
	command
		.argument('<file>', 'a session file of any known agent')
		.addOption(
			new Option('--to <format>', 'the format to write').choices(codecs.map((codec) => codec.id)).makeOptionMandatory(),
		)
		.requiredOption(
			'-o, --out <path>',
			'the new main file; with a trailing slash, a folder laid out as a client’s home',
		)
		.option('--json', 'print one JSON document')
		.addHelpText('after', '\nExample:\n  reprise convert samples/openclaw.jsonl --to openclaw -o copy.jsonl')
		.action(async (file: string, options: { readonly to: string; readonly out: string; readonly json?: boolean }) => {
			const out = await copySession(file, options.out, options.to);
			if (options.json) printJson({ out, losses: [] });
			else print(`${out.join('\n')}\nnothing was lost`);
		});
};
