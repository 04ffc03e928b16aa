/** `reprise relink OLD NEW`: the sessions of a moved project follow it; what is printed of each that moves, is edited, stays or fails. */
import { thisMachine } from '../../store/find/folders.ts';
import { planRelink, type RelinkStep, relink } from '../../store/manage/relink.ts';
import { complain, paint, printJson, printProse } from '../../terminal/print.ts';
import type { Define } from '../commands.ts';

interface Options {
	readonly dryRun?: boolean;
	readonly json?: boolean;
}

export const define: Define = (command, outcome) => {
	command
		.argument('<old>', 'the folder where the project was')
		.argument('<new>', 'the folder where it is now')
		.option('-n, --dry-run', 'only say what would happen')
		.option('--json', 'print one JSON document')
		.addHelpText(
			'after',
			'\nSessions of folders inside the project follow too. docs/sessions.md says what each client shows afterwards.\n\n' +
				'Example:\n  reprise relink /home/dev/notes samples --dry-run',
		)
		.action(async (oldFolder: string, newFolder: string, options: Options) => {
			const machine = thisMachine();
			const planned = planRelink(oldFolder, newFolder, machine);
			const { steps, failed } = options.dryRun ? { steps: planned, failed: [] } : await relink(planned, machine);
			// A mistyped folder must not look like one that was moved.
			if (failed.length > 0 || planned.length === 0) outcome.code = 1;
			for (const { step, reason } of failed) complain(`${step.from}: ${reason}`);
			const failures = failed.map(({ step, reason }) => ({ ...document(step), reason }));
			if (options.json) printJson({ dryRun: options.dryRun === true, steps: steps.map(document), failed: failures });
			else if (planned.length === 0) printProse(`no session belongs to ${oldFolder}`);
			else for (const step of steps) printProse(describe(step, options.dryRun === true));
		});
};

function document({ session, folder, action, from, to, note }: RelinkStep): object {
	const { id, agent, format } = session;
	return { id, agent, format, action, from, to, folder, ...(note === undefined ? {} : { note }) };
}

function describe({ session, action, from, to, note }: RelinkStep, dry: boolean): string {
	const what =
		action === 'stay'
			? `${from}: stays`
			: action === 'edit'
				? `${from}: ${dry ? 'would state' : 'now states'} the new folder`
				: `${from}\n  ${dry ? 'would move' : 'moved'} to ${to}`;
	return [`${paint('dim', session.agent)} ${what}`, ...(note === undefined ? [] : [`  ${note}`])].join('\n');
}
