/** `reprise mirror --to STORE [SESSION]`: flags, exit codes, and what is told while a store is away. How long it is waited for: src/session-store/mirror/mirror.ts. */
import { countOf } from '../../model/index.ts';
import { faultText, isRefusal } from '../../session-store/mirror/faults.ts';
import { type MirrorEvent, type Mirrored, mirrorSessions } from '../../session-store/mirror/mirror.ts';
import { type Destination, openStore } from '../../session-store/open-store.ts';
import { InputError } from '../../store/errors.ts';
import type { FoundSession } from '../../store/find/discover.ts';
import { namedSession } from '../../store/find/find-session.ts';
import { foldersOf } from '../../store/reader/glance.ts';
import { complain, printJson, printJsonLine, printProse } from '../../terminal/print.ts';
import type { Define } from '../commands.ts';
import { here } from '../many-sessions.ts';
import { refuseMissingFolder } from '../missing-folder.ts';
import { progressLine } from '../progress.ts';
import { sessionHelp } from '../session-argument.ts';
import { projectOf, type SessionOptions, sessionOptions } from '../session-options.ts';

interface Options extends SessionOptions {
	readonly to: string;
	readonly parents?: boolean;
	readonly follow?: boolean;
	readonly json?: boolean;
}

export const define: Define = (command, outcome) => {
	command.argument('[session]', `${sessionHelp}; without one, all sessions of this project`);
	sessionOptions(command)
		.requiredOption('--to <store>', 'where to: postgres://USER:PASSWORD@HOST/DATABASE, sqlite:FILE, or a folder')
		.option('--parents', 'make the folders around the store, where they are missing')
		.option('--follow', 'go on with what is written from now on, until Ctrl-C')
		.option('--json', 'print one JSON document; with --follow one per line')
		.addHelpText(
			'after',
			'\nNothing is stored twice, and nothing is lost: what a store did not acknowledge waits in a queue with Reprise’s\n' +
				'own data, also when the command is killed or the store goes away, and the next run goes on there.\n' +
				'A store that holds less than it had acknowledged is sent those sessions again, from their beginning.\n' +
				'A store that does not answer at the start ends the command at once, with exit 3; one that goes away later is waited\n' +
				'for, for a minute. With --follow both are waited for.\n' +
				'A password need not be in the URL: PGPASSWORD is read, too.\n\n' +
				'Examples:\n  reprise mirror samples/clido.jsonl --to sessions-copy\n' +
				'  reprise mirror --all --follow --to postgres://me@localhost/sessions',
		)
		.action(async (argument: string | undefined, options: Options) => {
			const place = options.to.replace(/^sqlite:(?:\/\/)?/, '');
			if (!options.parents && place !== '' && !/^[a-z][a-z\d+.-]+:/i.test(place)) refuseMissingFolder(place);
			const to = openStore(options.to);
			const stop = new AbortController();
			const interrupt = (): void => {
				outcome.code = 130;
				stop.abort();
			};
			process.on('SIGINT', interrupt);
			process.on('SIGTERM', interrupt);
			try {
				const { why, isUseless = false } = await answers(to);
				if (why !== undefined && (isUseless || !options.follow)) {
					complain(`${to.shown} cannot be used: ${why}`);
					outcome.code = 3;
				} else {
					const done = await run(to, sessionsOf(argument, options), options, stop.signal, why);
					if (done.failed !== undefined) outcome.code = 3;
					else if (done.unread.length > 0 && outcome.code === 0) outcome.code = 1;
				}
			} finally {
				process.off('SIGINT', interrupt);
				process.off('SIGTERM', interrupt);
				await to.store.close();
			}
		});
};

/**
 * Asks the store for something before anything is read. One that is away now is waited for by those who follow; to anybody else it is
 * most likely a wrong address, about which nobody wants to hear a minute later.
 */
async function answers({ store }: Destination): Promise<{ readonly why?: string; readonly isUseless?: boolean }> {
	try {
		await store.listSessions('-');
		return {};
	} catch (error) {
		if (error instanceof InputError) throw error;
		return { why: faultText(error), isUseless: isRefusal(error) };
	}
}

function sessionsOf(argument: string | undefined, options: Options): () => Iterable<FoundSession> {
	if (argument !== undefined) {
		const session = namedSession(argument);
		return () => [session];
	}
	const { agent } = options;
	const project = projectOf(options);
	const isWanted = (session: FoundSession): boolean => {
		if (agent !== undefined && session.agent !== agent) return false;
		return project === undefined || project.has(here.annotationsOf(session).folder ?? foldersOf(session)[0]);
	};
	return () => Iterator.from(here.all({ subagents: false })).filter(isWanted);
}

async function run(
	to: Destination,
	sessions: () => Iterable<FoundSession>,
	{ follow = false, json = false }: Options,
	signal: AbortSignal,
	away: string | undefined,
): Promise<Mirrored> {
	if (follow && !json) complain(`mirroring to ${to.shown}; Ctrl-C ends`);
	const tell = follow && json ? tellLines : tellPerson(to.shown, follow, away);
	const done = await mirrorSessions({ to, sessions, follow, signal, tell });
	if (follow && json) {
		if (done.queued > 0) printJsonLine({ event: 'ended', queued: done.queued });
		return done;
	}
	if (json) printJson({ to: to.shown, ...done });
	else if (done.failed === undefined && done.queued === 0) printProse(`${doneText(done)} to ${to.shown}`);
	else if (done.failed === undefined) complain(`${doneText(done)} to ${to.shown}${later(done)}`);
	if (done.failed !== undefined) complain(`${to.shown} did not take everything: ${done.failed}${later(done)}`);
	return done;
}

function later({ queued }: Mirrored): string {
	if (queued === 0) return '';
	return `; ${countOf(queued, 'entry waits', 'entries wait')}, and the next run sends ${queued === 1 ? 'it' : 'them'}`;
}

function doneText({ sessions, entries, queued }: Mirrored): string {
	if (entries === 0 && queued > 0) return 'nothing was mirrored';
	if (entries === 0) return 'nothing was new: everything was already mirrored';
	return `${countOf(entries, 'entry', 'entries')} of ${countOf(sessions, 'session')} mirrored`;
}

/** A bar while much is to be read; while the store is away, one line that says so. */
function tellPerson(shown: string, follow: boolean, atStart: string | undefined): (event: MirrorEvent) => void {
	const megabytes = (bytes: number): number => Math.ceil(bytes / 1e6);
	const line = progressLine('mirroring', ' MB');
	let [planned, stored] = [0, 0];
	const tellAway = (why: string): void =>
		complain(
			`${shown} is away: ${why.replace(/\.$/, '')}; what is new waits in a queue${follow ? '' : ' for a minute'}`,
		);
	let away = atStart ?? '';
	let missed = atStart !== undefined;
	if (atStart !== undefined) tellAway(atStart);
	return (event) => {
		if (event.kind === 'planned') [planned, stored] = [event.bytes, 0];
		else if (event.kind === 'stored') {
			stored += event.bytes;
			line(megabytes(Math.min(stored, planned)), megabytes(planned));
		} else line.end();
		if (event.kind === 'waiting' && event.why !== away) {
			away = event.why;
			tellAway(event.why);
		}
		// One that was away at the start, and not when something was sent first, is back by that.
		if (event.kind === 'back' || (event.kind === 'stored' && missed)) {
			[away, missed] = ['', false];
			complain(`${shown} is back`);
		}
		if (event.kind === 'lost')
			complain(
				`${shown} has lost entries of ${countOf(event.sessions, 'session')}; all is sent again from the beginning`,
			);
		if (event.kind === 'unread') complain(`${event.path} is not mirrored: ${event.why}`);
	};
}

function tellLines(event: MirrorEvent): void {
	const { kind, ...rest } = event;
	printJsonLine({ event: kind, ...rest });
}
