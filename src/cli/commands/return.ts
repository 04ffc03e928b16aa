/** `reprise return SESSION`: brings a session home that was handed off; --list shows the stored ways back, --forget deletes them. */
import { Option } from 'commander';
import { report } from '../../client/loss-words.ts';
import { countText } from '../../export/count-text.ts';
import { countOf } from '../../model/index.ts';
import { forgetLineage, type Lineage, lineages, returnSession } from '../../move/index.ts';
import { InputError } from '../../store/errors.ts';
import { sessionPath } from '../../store/find/find-session.ts';
import { thisMachine } from '../../store/find/folders.ts';
import { agentOf } from '../../store/find/session-files.ts';
import { foldersOf } from '../../store/reader/glance.ts';
import { paint, print, printJson, printProse, table } from '../../terminal/print.ts';
import type { Define } from '../commands.ts';
import { currentProject } from '../many-sessions.ts';
import { sessionHelp } from '../session-argument.ts';

interface Options {
	readonly out?: string;
	readonly list?: boolean;
	readonly all?: boolean;
	readonly forget?: string;
	readonly json?: boolean;
}

export const define: Define = (command) => {
	command
		.argument('[session]', sessionHelp)
		.option('-o, --out <path>', 'a new file, instead of the one that the session came from')
		.option('--list', 'list the sessions of this project that can come home, and where they came from')
		.option('--all', 'with --list: those of all projects')
		.addOption(
			new Option(
				'--forget <id>',
				'delete the stored way back of a session, by its id; all deletes every one',
			).conflicts('list'),
		)
		.option('--json', 'print one JSON document')
		.addHelpText('after', '\nExamples:\n  reprise return last\n  reprise return --list\n  reprise return --forget all')
		.action(async (session: string | undefined, options: Options) => {
			if (options.list) return list(options);
			if (options.forget !== undefined) return forget(options.forget, options);
			if (session === undefined) {
				throw new InputError('missing', 'name the session to bring home, or ask for --list');
			}
			const out = options.out === undefined ? {} : { out: options.out };
			const made = await returnSession(sessionPath(session, { writes: true }), out);
			if (options.json) {
				const { out, losses, id, format, messages, command } = made;
				printJson({ out, losses, id, format, messages, command });
			} else {
				printProse([...summary(made), ...report(made.losses), ''].join('\n'));
				// Whole, however long: it is there to be copied.
				print(made.command);
			}
		});
};

function summary(made: { readonly out: readonly string[]; readonly path: string; readonly messages: number }) {
	if (made.out.length === 0) return [`nothing new was said: ${made.path} is as it was`];
	const count = countOf(made.messages, 'new message');
	return [...made.out, count];
}

function list(options: Options): void {
	const all = lineages(thisMachine());
	const project = options.all ? undefined : currentProject();
	const found = project === undefined ? all : all.filter((one) => folders(one).some((folder) => project.has(folder)));
	if (options.json) {
		const stored = found.map(({ made, source, target }) => {
			const { files, ...from } = source;
			return { made, source: { ...from, bytes: bytesOf(files) }, target };
		});
		printJson({ stored });
	} else if (all.length === 0) printProse('nothing is stored');
	else if (found.length === 0) printProse(`nothing is stored of ${project?.folder}; --all lists all projects`);
	else {
		const [head = '', ...rows] = table([header, ...found.map(row)]).split('\n');
		print([paint('dim', head), ...rows].join('\n'));
	}
}

/** The folders whose project a conversion is of: where the new session works, or else where the old one did. */
function folders({ source, target }: Lineage): readonly string[] {
	if (target.cwd !== undefined) return [target.cwd];
	const now = foldersOf(target);
	return now.length > 0 ? now : foldersOf(source);
}

const header = ['made', 'session', 'came from', 'kept', 'file that it came from'];

function bytesOf(files: Lineage['source']['files']): number {
	return files.reduce((sum, file) => sum + file.length, 0);
}

function row({ made, source, target }: Lineage): readonly string[] {
	return [
		made.slice(0, 16).replace('T', ' '),
		`${agentOf(target.format, target.path)}:${target.id}`,
		`${agentOf(source.format, source.path)}:${source.id}`,
		`${countText(bytesOf(source.files))} bytes`,
		source.path,
	];
}

function forget(id: string, options: Options): void {
	const machine = thisMachine();
	const found = lineages(machine).filter((one) => id === 'all' || one.target.id === id || one.source.id === id);
	if (found.length === 0 && id !== 'all') {
		throw new InputError(
			'missing',
			`nothing is stored about a session ${id}; \`reprise return --list\` shows what is stored`,
		);
	}
	for (const one of found) forgetLineage(machine, one);
	if (options.json)
		printJson({ forgotten: found.map(({ source, target }) => ({ source: source.id, target: target.id })) });
	else printProse(`forgot ${countOf(found.length, 'conversion')}`);
}
