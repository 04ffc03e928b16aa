/** `reprise restore [ID]`: lists the trash, or puts something in it back where it was. */
import { codecOf } from '../../codecs/index.ts';
import { thisMachine } from '../../store/find/folders.ts';
import { agentOf } from '../../store/find/session-files.ts';
import { findTrashed, listTrash, restoreTrashed, type Trashed } from '../../store/manage/trash.ts';
import { complain, paint, print, printJson, printProse, table } from '../../terminal/print.ts';
import type { Define } from '../commands.ts';

export const define: Define = (command) => {
	command
		.argument(
			'[id]',
			'the id of something in the trash or of its session, or the beginning of it; without it the trash is listed',
		)
		.option('--json', 'print one JSON document')
		.addHelpText(
			'after',
			'\nAn existing file is never replaced: nothing is restored then, and the message names the file.\n\nExample:\n  reprise restore',
		)
		.action(async (id: string | undefined, options: { readonly json?: boolean }) => {
			const machine = thisMachine();
			if (id === undefined) {
				const trash = listTrash(machine, complain);
				if (options.json) printJson({ trash });
				else if (trash.length === 0) printProse('the trash is empty');
				else {
					const rows = trash.map((one) => [one.id, one.why, agentOfTrashed(one), one.session.title ?? one.session.id]);
					print(table([['id', 'why', 'agent', 'session'].map((name) => paint('dim', name)), ...rows]));
				}
				return;
			}
			const trashed = findTrashed(id, machine, complain);
			const restored = await restoreTrashed(trashed, machine);
			if (options.json) printJson({ id: trashed.id, session: trashed.session, restored });
			else printProse(restored.join('\n'));
		});
};

/** The agent, as the list of sessions names it: two of them share a format. */
function agentOfTrashed({ session, files }: Trashed): string {
	const codec = codecOf(session.format);
	return codec ? agentOf(codec.id, files[0]?.from ?? '') : session.format;
}
