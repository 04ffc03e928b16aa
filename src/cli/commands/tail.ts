/** `reprise tail [SESSION]`: which sessions are followed as they happen, and how many of the last entries are shown first. */
import { InvalidArgumentError } from 'commander';
import { LiveTranscript, tellsSomething } from '../../export/live.ts';
import type { TellOptions } from '../../export/transcript.ts';
import { type FoundSession, newestFirst } from '../../store/find/discover.ts';
import { namedSession } from '../../store/find/find-session.ts';
import { diskFolders, thisMachine } from '../../store/find/folders.ts';
import { codecNamed } from '../../store/find/session-files.ts';
import { type FollowSessionsOptions, followSessions } from '../../store/follow/follow-sessions.ts';
import { ownLog } from '../../store/own-data/own-data.ts';
import { foldersOf, glance } from '../../store/reader/glance.ts';
import { createHighlighter } from '../../terminal/highlight.ts';
import { coloursWanted, complain } from '../../terminal/print.ts';
import { terminalWidth, widestText } from '../../terminal/width.ts';
import type { Define } from '../commands.ts';
import { here } from '../many-sessions.ts';
import { sessionHelp } from '../session-argument.ts';
import { projectOf, type SessionOptions, sessionOptions } from '../session-options.ts';
import { type Output, TailJson, TailText, type Teller } from './tail-output.ts';

interface Options extends TellOptions, SessionOptions {
	readonly last?: number;
	readonly subagents: boolean;
	readonly full?: boolean;
	readonly json?: boolean;
}

export const define: Define = (command, outcome) => {
	command.argument('[session]', `${sessionHelp}; without one, all sessions of this project`);
	sessionOptions(command)
		.option(
			'-n, --last <entries>',
			'begin with this many of the last entries (default: 10 for one session, else 0)',
			parseNumber,
		)
		.option('--thinking', 'with the model’s thinking')
		.option('--events', 'with hooks, commands, settings, notices and what the client added')
		.option('--no-subagents', 'without sub-agents')
		.option('--full', 'shorten nothing')
		.option('--json', 'print one JSON document per line')
		.addHelpText(
			'after',
			'\nRuns until Ctrl-C. New sessions, sub-agents, and files that are cut or replaced are followed, too.\n' +
				'With --json each line is a document with an `event`: `session` (what follows is about this one), `part`\n' +
				'(a piece of the transcript as `show --json` has it; `open` marks a call without an answer so far, which\n' +
				'comes again with it; `recent` what was there before), `reset` (the file was cut or replaced), `removed`.\n\n' +
				'Examples:\n  reprise tail last\n  reprise tail --all --json',
		)
		.action(async (argument: string | undefined, options: Options) => {
			const stop = new AbortController();
			const interrupt = (): void => {
				outcome.code = 130;
				stop.abort();
			};
			process.on('SIGINT', interrupt);
			const output = outputFor(argument, options);
			try {
				const following = followOptions(argument, options);
				if (argument === undefined && !options.json) complain(waitingFor(options));
				for await (const news of followSessions(following, stop.signal)) {
					await output.take(news);
					// There is nothing left to wait for when the one that was named cannot be read.
					if (argument === undefined || news.kind !== 'unread' || news.session.parent !== undefined) continue;
					outcome.code = 3;
					stop.abort();
				}
			} finally {
				process.off('SIGINT', interrupt);
			}
		});
};

function parseNumber(text: string): number {
	if (!/^\d+$/.test(text)) throw new InvalidArgumentError('Use a whole number.');
	return Number(text);
}

function waitingFor(options: Options): string {
	const project = projectOf(options);
	const whose =
		project === undefined ? 'every session on this machine' : `the sessions of ${project.folder} (--all: everywhere)`;
	return `following ${whose}; Ctrl-C ends`;
}

/** Entries that are read first even if fewer are shown: a call that is still open among them is told when it is answered. */
const readFirst = 16;

function outputFor(argument: string | undefined, options: Options): Output {
	const teller: Teller = {
		live: () => new LiveTranscript(options),
		counts: (entry) => tellsSomething(entry, options),
		last: lastOf(argument, options),
	};
	if (options.json) return new TailJson(teller);
	const width = Math.min(terminalWidth(), widestText);
	const fold = options.full ? Number.POSITIVE_INFINITY : 12;
	return new TailText(teller, { width, fold, ...(coloursWanted() ? { highlighter: createHighlighter() } : {}) });
}

function lastOf(argument: string | undefined, { last }: Options): number {
	return last ?? (argument === undefined ? 0 : 10);
}

function followOptions(argument: string | undefined, options: Options): FollowSessionsOptions {
	const last = lastOf(argument, options);
	return {
		wanted: { last: Math.max(last, readFirst), counts: (entry) => tellsSomething(entry, options) },
		log: ownLog(thisMachine()),
		...(argument === undefined ? manySessions(options, last > 0) : oneSession(namedSession(argument), options)),
	};
}

type Which = Pick<FollowSessionsOptions, 'find' | 'isWanted' | 'startsWith'>;

/** The session and, as they appear, its sub-agents. */
function oneSession(session: FoundSession, { subagents }: Options): Which {
	const { places } = codecNamed(session.format);
	return {
		*find() {
			yield session;
			if (!subagents) return;
			for (const { path, role, id = '' } of places.sideFiles(session.path, diskFolders)) {
				if (role === 'subagent') yield { ...session, path, id, parent: session.id };
			}
		},
		startsWith: ({ path }) => path === session.path,
	};
}

function manySessions(options: Options, recent: boolean): Which {
	const { agent, subagents } = options;
	const project = projectOf(options);
	const find = () => Iterator.from(here.all({ subagents }));
	const isOfAgent = (session: FoundSession) => agent === undefined || session.agent === agent;
	const isOfProject = (session: FoundSession): boolean => {
		if (project === undefined) return true;
		const folders = foldersOf(session);
		if (folders.length > 0 || session.parent === undefined)
			return project.has(here.annotationsOf(session).folder ?? folders[0]);
		const parent = find().find(({ id, format }) => id === session.parent && format === session.format);
		return parent !== undefined && isOfProject(parent);
	};
	const isWanted = (session: FoundSession) => isOfAgent(session) && isOfProject(session);
	const first = new Set<string>();
	for (const session of recent ? newestFirst(find()) : []) {
		if (!isWanted(session)) continue;
		first.add(session.path);
		// One that cannot be read is told of, and the next one shown in its place.
		if (glance(session) !== undefined) break;
	}
	return { find, isWanted, startsWith: ({ path }) => first.has(path) };
}
