/** `reprise tail [SESSION]`: sessions as they happen. */
import { isWithin } from '../catalog/project.ts';
import { LiveTranscript, tellsSomething } from '../export/live.ts';
import type { Part, TellOptions } from '../export/transcript.ts';
import { discoverSessions, type FoundSession, newestFirst } from '../store/discover.ts';
import { namedSession } from '../store/find-session.ts';
import { diskFolders, thisMachine } from '../store/folders.ts';
import { type FollowSessionsOptions, followSessions, type SessionNews } from '../store/follow-sessions.ts';
import { foldersOf } from '../store/glance.ts';
import { ownLog } from '../store/own-data.ts';
import { codecNamed } from '../store/session-files.ts';
import { complain, currentProject, parseNumber, terminalWidth } from './catalog-access.ts';
import type { Define } from './commands.ts';
import { createHighlighter } from './highlight.ts';
import { coloursWanted } from './print.ts';
import { sessionHelp } from './session-argument.ts';
import { type Output, TailJson, TailText } from './tail-output.ts';

interface Options extends TellOptions {
	readonly all?: boolean;
	readonly agent?: string;
	readonly last?: number;
	readonly subagents: boolean;
	readonly full?: boolean;
	readonly json?: boolean;
}

export const define: Define = (command, outcome) => {
	command
		.argument('[session]', `${sessionHelp}; without one, all sessions of this project`)
		.option('--all', 'the sessions of all projects')
		.option('--agent <name>', 'only sessions of this agent: claude-code, cline, clido, pi, openclaw')
		.option('-n, --last <entries>', 'begin with so many of the last entries (default: 10 of one session, else 0)', parseNumber)
		.option('--thinking', 'with the model’s thinking')
		.option('--events', 'with hooks, commands, settings, notices and what the client added')
		.option('--no-subagents', 'without sub-agents')
		.option('--full', 'fold nothing')
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
			const output = outputFor(options);
			try {
				const following = followOptions(argument, options);
				if (argument === undefined && !options.json) complain(waitingFor(options));
				for await (const news of followSessions(following, stop.signal)) await tell(news, output);
			} finally {
				process.off('SIGINT', interrupt);
			}
		});
};

function waitingFor({ all }: Options): string {
	const whose = all ? 'every session on this machine' : `the sessions of ${currentProject()} (--all: everywhere)`;
	return `following ${whose}; Ctrl-C ends`;
}

function outputFor(options: Options): Output {
	const live = () => new LiveTranscript(options);
	if (options.json) return new TailJson(live);
	const width = Math.min(terminalWidth(), 120);
	const fold = options.full ? Number.POSITIVE_INFINITY : 12;
	const highlighter = coloursWanted() ? { highlighter: createHighlighter() } : {};
	return new TailText(live, { width, fold, ...highlighter });
}

function followOptions(argument: string | undefined, options: Options): FollowSessionsOptions {
	const last = options.last ?? (argument === undefined ? 0 : 10);
	// Calls that are still open are told when they are answered: so a little more is read than is shown.
	const wanted = { last: Math.max(last, 1), counts: (entry: Part['from']) => tellsSomething(entry, options) };
	const common = { wanted, log: ownLog(thisMachine()), last };
	if (argument !== undefined) return { ...common, ...oneSession(namedSession(argument), options) };
	return { ...common, ...manySessions(options, last) };
}
