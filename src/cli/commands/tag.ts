/** `reprise tag SESSION [TAG...]`: adds, removes and shows the user's own tags, which are kept in our own data. */
import { namedSession } from '../../store/find/find-session.ts';
import { thisMachine } from '../../store/find/folders.ts';
import { annotate, readAnnotations } from '../../store/manage/annotations.ts';
import { printJson, printProse } from '../../terminal/print.ts';
import type { Define } from '../commands.ts';
import { nameOf, sessionHelp } from '../session-argument.ts';

interface Options {
	readonly remove?: boolean;
	readonly json?: boolean;
}

export const define: Define = (command) => {
	command
		.argument('<session>', sessionHelp)
		.argument('[tags...]', 'the tags to add; without any, the session’s tags are shown')
		.option('--remove', 'remove these tags instead')
		.option('--json', 'print one JSON document')
		.addHelpText(
			'after',
			'\nTags are kept by Reprise; the session itself is not touched.\n\nExample:\n  reprise tag samples/clido.jsonl parser later',
		)
		.action(async (argument: string, given: readonly string[], options: Options) => {
			const machine = thisMachine();
			const session = namedSession(argument, { writes: true });
			const wanted = given.map((tag) => tag.trim()).filter((tag) => tag !== '');
			const change = (tags: readonly string[]): readonly string[] =>
				options.remove ? tags.filter((tag) => !wanted.includes(tag)) : [...new Set([...tags, ...wanted])];
			const [marks = readAnnotations(machine)(session)] =
				wanted.length === 0 ? [] : await annotate(machine, [session], (old) => ({ ...old, tags: change(old.tags) }));
			const { id, path } = session;
			if (options.json) printJson({ session: path, id, tags: marks.tags });
			else printProse(`${nameOf(session)}${marks.tags.length === 0 ? ' has no tags' : `: ${marks.tags.join(', ')}`}`);
		});
};
