/** `reprise vault add|sync|list|restore`: flags and report for copies that no client's clean-up takes away. What is linked and what is copied: src/store/manage/vault.ts. */
import { countOf } from '../../model/index.ts';

import { InputError } from '../../store/errors.ts';
import { discoverSessions, type FoundSession } from '../../store/find/discover.ts';
import { namedSession } from '../../store/find/find-session.ts';
import { thisMachine } from '../../store/find/folders.ts';
import { sessionWord } from '../../store/find/session-names.ts';
import { keepSession, restoreFromVault, type Synced, syncVault } from '../../store/manage/vault.ts';
import { findEntry, listEntries, setKeepsAll } from '../../store/manage/vault-entry.ts';
import { complain, paint, print, printJson, printProse, table } from '../../terminal/print.ts';
import type { Define } from '../commands.ts';
import { sessionHelp } from '../session-argument.ts';

interface Json {
	readonly json?: boolean;
}

export const define: Define = (command, outcome) => {
	const jsonOption = ['--json', 'print one JSON document'] as const;
	command.addHelpText(
		'after',
		'\nWhat a client only appends to is kept by a hard link, everything else by a copy. Run vault sync now and then;\n' +
			'it only looks at what has changed.\n\nExamples:\n  reprise vault add samples/clido.jsonl\n  reprise vault list',
	);
	command
		.command('add')
		.description('keep sessions from now on')
		.argument('[sessions...]', sessionHelp)
		.option('--all', 'every session of every agent, including future ones')
		.option(...jsonOption)
		.action(async (given: readonly string[], options: Json & { readonly all?: boolean }) => {
			if (given.length === 0 && !options.all) throw new InputError('usage', 'name a session, or add --all');
			if (options.all) await setKeepsAll(thisMachine(), true);
			const sessions = options.all ? [...discoverSessions()] : given.map((argument) => namedSession(argument));
			report(await keepEach(sessions, outcome), options);
		});
	command
		.command('sync')
		.description('keep what has changed since')
		.option(...jsonOption)
		.action(async (options: Json) => {
			const failed = (session: FoundSession, reason: string): void => notKept(session, reason, outcome);
			report(await syncVault(thisMachine(), { failed }), options);
		});
	command
		.command('list')
		.description('what the vault holds')
		.option(...jsonOption)
		.action((options: Json) => {
			const entries = listEntries(thisMachine());
			if (options.json) printJson({ sessions: entries });
			else if (entries.length === 0) printProse('the vault is empty; reprise vault add --all keeps every session');
			else {
				const rows = entries.map(({ session, synced }) => [
					session.id,
					session.agent,
					synced.slice(0, 16),
					session.title ?? '',
				]);
				print(table([['session', 'agent', 'kept', 'title'].map((name) => paint('dim', name)), ...rows]));
			}
		});
	command
		.command('restore')
		.description('put a session back where its client finds it')
		.argument('<id>', 'a session in the vault: its id or a unique beginning of it, or its title')
		.option(...jsonOption)
		.action(async (id: string, options: Json) => {
			const machine = thisMachine();
			const entry = findEntry(machine, id);
			const restored = await restoreFromVault(entry, machine);
			if (options.json) printJson({ session: entry.session, restored });
			else printProse(restored.join('\n'));
		});
};

type Outcome = Parameters<Define>[1];

async function keepEach(sessions: readonly FoundSession[], outcome: Outcome): Promise<readonly Synced[]> {
	const done: Synced[] = [];
	for (const session of sessions) {
		try {
			done.push(await keepSession(session, thisMachine()));
		} catch (error) {
			if (!(error instanceof Error) || sessions.length === 1) throw error;
			notKept(session, error.message, outcome);
		}
	}
	return done;
}

function notKept(session: FoundSession, reason: string, outcome: Outcome): void {
	outcome.code = 1;
	complain(`${session.path}: ${reason}`);
}

function report(results: readonly Synced[], options: Json): void {
	const rows = results.map(({ entry, changed, gone }) => ({ id: entry.session.id, path: entry.path, changed, gone }));
	if (options.json) {
		printJson({ sessions: rows });
		return;
	}
	const changed = rows.filter((row) => row.changed > 0).length;
	const gone = results.filter((one) => one.gone).map(({ entry }) => entry);
	printProse(`${countOf(rows.length, 'session')} in the vault, ${changed} updated`);
	for (const { session, key } of gone) {
		const word = sessionWord({ id: session.id, path: key });
		printProse(`${session.id} is gone from its client; reprise vault restore ${word} puts it back`);
	}
}
