/** Which session the client writes: a new one, or one that is there already, whosever it is; which flags exclude each other, and the notes on a moved folder or changed files. */
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Conversation } from '../agent/config.ts';
import { type Resumed, resumeConversation } from '../agent/recording/resume.ts';
import { promptsSayModes } from '../agent/recording/settle.ts';
import { interruptedNotice } from '../agent/replies/unfinished.ts';
import { endConversation, newConversation } from '../agent/run.ts';
import { codecOf } from '../codecs/index.ts';
import { gitBranchOf } from '../host/project/git-branch.ts';
import { compact } from '../model/index.ts';
import { restoredIn } from '../store/checkpoints/restored.ts';
import { InputError } from '../store/errors.ts';
import { sessionPath } from '../store/find/find-session.ts';
import { realPath } from '../store/find/project.ts';
import { createHandle } from '../store/handle/create.ts';
import { openHandle, type SessionHandle } from '../store/handle/handle.ts';
import { forkSession } from '../store/manage/fork.ts';
import { lookAtFiles } from '../store/reader/stale.ts';
import { workFolder } from './folder-at.ts';
import { endedBefore } from './left-running.ts';
import { alongWith } from './moved-along.ts';
import { type ClientOptions, newFormat } from './options.ts';

export interface ClientSession extends AsyncDisposable {
	readonly handle: SessionHandle;
	readonly conversation: Conversation;
	/** The folder that tools work in. */
	readonly cwd: string;
	readonly resumed?: Resumed;
	/** The file of the session that is gone on with; of a fork, the one that was copied. */
	readonly found?: string;
	/** What the user should know before the first request. */
	readonly notes: readonly string[];
	/** The folder that it is written in, where it is not kept. */
	readonly passing?: string;
}

/** `here` is where the user is: what a session says of folders is its author's word and decides nothing. */
export async function openClientSession(options: ClientOptions, here: string): Promise<ClientSession> {
	const cwd = workFolder(options, here);
	const which = options.resume ?? (options.continue ? 'last' : undefined);
	if (which === undefined) return await inPassing(options, (passing) => begin(options, cwd, passing));
	if (which === '') {
		const why = 'only on a terminal, and without -p, one is chosen from a list';
		throw new InputError(
			'usage',
			`-r needs a session: a file, an id, a title, or last (reprise ls lists them); ${why}`,
		);
	}
	const fresh = (['sessionId', 'sessionFormat', 'sessionFile'] as const).find((one) => options[one]);
	if (fresh !== undefined) {
		const flag = `--${fresh.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`)}`;
		throw new InputError('usage', `${flag} is for new sessions: an existing one keeps its own file and format`);
	}
	const found = sessionPath(which, { cwd, writes: true });
	return await inPassing(options, (passing) => goOn(found, options, cwd, passing));
}

async function begin(options: ClientOptions, cwd: string, passing: string | undefined): Promise<ClientSession> {
	if (options.forkSession || options.resumeSessionAt !== undefined) {
		const flag = options.forkSession ? '--fork-session' : '--resume-session-at';
		throw new InputError('usage', `${flag} needs a session to go on with: add -c or -r SESSION`);
	}
	const branch = gitBranchOf(cwd);
	const handle = await createHandle({
		format: options.sessionFormat ?? newFormat,
		cwd,
		...compact({ id: options.sessionId, profile: options.sessionProfile }),
		...(passing === undefined ? placeFor(options.sessionFile) : { home: passing }),
		header: branch === undefined ? {} : { gitBranch: branch },
	});
	return disposable({ handle, conversation: newConversation(), cwd, notes: [], ...compact({ passing }) });
}

/** Opens a session, in a folder of its own where nobody keeps it: that is gone again where there is no session after all. */
async function inPassing(
	{ sessionPersistence }: ClientOptions,
	open: (passing: string | undefined) => Promise<ClientSession>,
): Promise<ClientSession> {
	if (sessionPersistence !== false) return await open(undefined);
	const passing = mkdtempSync(join(realpathSync(tmpdir()), 'reprise-passing-'));
	try {
		return await open(passing);
	} catch (error) {
		rmSync(passing, { recursive: true, force: true });
		throw error;
	}
}

/** A trailing slash means a folder, which is made and laid out as the home of the format's client. */
function placeFor(given: string | undefined): { readonly path?: string; readonly home?: string } {
	if (given === undefined) return {};
	return /[/\\]$/.test(given) ? { home: resolve(given) } : { path: resolve(given) };
}

async function goOn(
	found: string,
	options: ClientOptions,
	cwd: string,
	passing: string | undefined,
): Promise<ClientSession> {
	const at = options.resumeSessionAt;
	const profile = options.sessionProfile === undefined ? {} : { profile: options.sessionProfile };
	const copied = options.forkSession || passing !== undefined;
	const place = passing === undefined ? {} : { to: join(passing, basename(found)) };
	const path = copied ? (await forkSession(found, at, { ...profile, ...place })).path : found;
	let handle = await openHandle(path, profile);
	if (at !== undefined && !copied) {
		const rewound = await handle.rewind(at);
		if (rewound.path !== path) {
			await handle[Symbol.asyncDispose]();
			handle = await openHandle(rewound.path, profile);
		}
	}
	handle.describe({ cwd });
	const { resumed, stale } = readConversation(handle);
	resumed.conversation.notices.push(...endedBefore(handle));
	const isRestored = restoredIn(handle.machine, handle.session);
	const recorded = resumed.settings.cwd ?? resumed.header.cwd;
	const movedAlong = alongWith(recorded, cwd);
	const changed = stale.filter((file) => !isRestored(file.path) && !movedAlong(file));
	const notes = changed.map(({ path: file, change }) => `${file} was ${change} since the session last saw it`);
	const moved = elsewhere(recorded, cwd, options);
	if (moved !== undefined) notes.unshift(moved);
	if (resumed.note !== undefined) notes.unshift(resumed.note);
	const { conversation } = resumed;
	return disposable({ handle, conversation, cwd, resumed, found, notes, ...compact({ passing }) });
}

/** The conversation as the session's file and our own notes say it now, and the files that are others than it has seen. */
export function readConversation(handle: SessionHandle): {
	readonly resumed: Resumed;
	readonly stale: ReturnType<typeof lookAtFiles>['stale'];
} {
	const resumed = withNotedMode(resumeConversation(handle.path), handle);
	takeDeferred(resumed.conversation, handle);
	resumed.conversation.notices.push(...interruptedBefore(handle));
	const { stale, fresh } = lookAtFiles(handle.path);
	for (const { path: file, ...seen } of fresh) resumed.conversation.seen.set(file, seen);
	// No content has this sum: tools tell the model that the file is another one by now, and not that it was never read.
	for (const { path: file, change } of stale)
		if (change === 'edited') resumed.conversation.seen.set(file, { sha256: '', mtimeMs: 0 });
	return { resumed, stale };
}

/**
 * The mode that our own notes say, where the file cannot, or where nothing was said since. A file that knows plan mode, as Cline's, is
 * believed about that.
 */
function withNotedMode(resumed: Resumed, { notes, leaf, session }: SessionHandle): Resumed {
	const last = notes
		.flatMap(({ noted: one, after }) => (one.what === 'mode' ? [{ noted: one.mode, after }] : []))
		.at(-1);
	if (last === undefined) return resumed;
	const { noted, after } = last;
	const { permissionMode: written } = resumed.settings;
	const live = codecOf(session.format)?.live;
	const isBelieved = (written !== undefined && [written, noted].includes('plan')) || (live && promptsSayModes(live));
	if (isBelieved && after !== leaf) return resumed;
	const permissionMode = { permissionMode: noted };
	resumed.conversation.settings = { ...resumed.conversation.settings, ...permissionMode };
	return { ...resumed, settings: { ...resumed.settings, ...permissionMode } };
}

/** Nothing was said since the user has interrupted it. Where the half reply is not sent, as pi does not, there is nothing to explain. */
function interruptedBefore({ notes, leaf, session: { format } }: SessionHandle): readonly string[] {
	const isLast = notes.some(({ noted, after }) => noted.what === 'interrupted' && after === leaf);
	return isLast && codecOf(format)?.live.abortedCalls !== 'keep' ? [interruptedNotice] : [];
}

/** Of the calls without an answer, the one that our own notes say was put off, as it was then: any other may have run in part. */
function takeDeferred(conversation: Conversation, handle: SessionHandle): void {
	const { unanswered } = conversation;
	if (unanswered.length === 0) return;
	const notes = handle.notes.flatMap(({ noted }) => (noted.what === 'deferred' ? [noted] : []));
	const at = unanswered.findIndex(({ id, name, arguments: given }) =>
		notes.some(({ call, tool, input }) => call === id && tool === name && isDeepStrictEqual(input, given)),
	);
	if (at !== -1) [conversation.deferred] = unanswered.splice(at, 1);
}

/** What is said where the session was in another folder than the one that it goes on in. */
function elsewhere(recorded: string | undefined, cwd: string, options: ClientOptions): string | undefined {
	if (recorded === undefined || realPath(recorded) === realPath(cwd)) return undefined;
	const was = `the session was in ${recorded}`;
	if (!existsSync(recorded)) return `${was}, which is not here any more: it goes on in ${cwd}`;
	return `${was}: it goes on in ${cwd}${options.cwd === undefined ? `; --cwd ${recorded} goes on there` : ''}`;
}

function disposable(session: Omit<ClientSession, typeof Symbol.asyncDispose>): ClientSession {
	let left = false;
	return {
		...session,
		async [Symbol.asyncDispose]() {
			if (left) return;
			left = true;
			await endConversation(session.conversation);
			await session.handle[Symbol.asyncDispose]();
			if (session.passing !== undefined) rmSync(session.passing, { recursive: true, force: true });
		},
	};
}

/** Where Claude Code keeps what belongs to its user. */
export function claudeHome(): string {
	return process.env.CLAUDE_CONFIG_DIR || join(homedir(), '.claude');
}
