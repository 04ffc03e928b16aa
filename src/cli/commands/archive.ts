/** `reprise archive SESSION...`: marks sessions as archived in our own data, or brings them back; their files are not touched. */
import { InputError } from '../../store/errors.ts';
import type { FoundSession } from '../../store/find/discover.ts';
import { namedSession } from '../../store/find/find-session.ts';
import { thisMachine } from '../../store/find/folders.ts';
import { annotate, readAnnotations } from '../../store/manage/annotations.ts';
import { printJson, printProse } from '../../terminal/print.ts';
import type { Define } from '../commands.ts';
import { nameOf, sessionHelp } from '../session-argument.ts';

interface Options {
	readonly undo?: boolean;
	readonly json?: boolean;
}

export const define: Define = (command) => {
	command
		.argument('<sessions...>', sessionHelp)
		.option('--undo', 'bring it back; last is then the one of this project that was archived last')
		.option('--json', 'print one JSON document')
		.addHelpText(
			'after',
			'\nThe flag is kept by Reprise; the session stays where it is and its client still lists it.\n\n' +
				'Example:\n  reprise archive samples/clido.jsonl',
		)
		.action(async (given: readonly string[], options: Options) => {
			const archivedOnly = options.undo === true;
			const sessions = given.map((argument) => namedSession(argument, { writes: true, archived: archivedOnly }));
			if (archivedOnly) refuseOthers(sessions);
			const now = new Date().toISOString();
			const marks = await annotate(thisMachine(), sessions, ({ archived, ...rest }) =>
				options.undo ? rest : { ...rest, archived: archived ?? now },
			);
			const archived = marks.map((one) => one.archived ?? null);
			if (options.json) {
				printJson({
					sessions: sessions.map(({ path, id }, index) => ({ session: path, id, archived: archived[index] ?? null })),
				});
			} else {
				for (const [index, session] of sessions.entries())
					printProse(`${nameOf(session)} is ${archived[index] === null ? 'back' : 'archived'}`);
			}
		});
};

/** Nothing is brought back that was not away. */
function refuseOthers(sessions: readonly FoundSession[]): void {
	const annotationsOf = readAnnotations(thisMachine());
	const other = sessions.find((session) => annotationsOf(session).archived === undefined);
	if (other) throw new InputError('not-archived', `${nameOf(other)} is not archived: there is nothing to undo`);
}
