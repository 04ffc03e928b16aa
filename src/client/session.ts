/** The session that the client writes: a new one, or one that is there already, whosever it is. */
import { existsSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Conversation } from '../agent/config.ts';
import { type Resumed, resumeConversation } from '../agent/resume.ts';
import { endConversation, newConversation } from '../agent/run.ts';
import { gitBranchOf } from '../host/project.ts';
import { compact } from '../model/index.ts';
import { InputError } from '../store/errors.ts';
import { sessionPath } from '../store/find/find-session.ts';
import { createHandle } from '../store/handle/create.ts';
import { openHandle, type SessionHandle } from '../store/handle/handle.ts';
import { forkSession } from '../store/manage/fork.ts';
import { lookAtFiles } from '../store/reader/stale.ts';
import { endedBefore } from './left-running.ts';
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
}

/** `here` is where the user is: what a session says of folders is its author's word and decides nothing. */
export async function openClientSession(options: ClientOptions, here: string): Promise<ClientSession> {
	const cwd = options.cwd === undefined ? here : folderAt(options.cwd, '--cwd');
	const which = options.resume ?? (options.continue ? 'last' : undefined);
	if (which === undefined) return await begin(options, cwd);
	const fresh = (['sessionId', 'sessionFormat', 'sessionFile'] as const).find((one) => options[one]);
	if (fresh !== undefined) {
		const flag = `--${fresh.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`)}`;
		throw new InputError('usage', `${flag} is for new sessions: an existing one keeps its own file and format`);
	}
	return await goOn(sessionPath(which, { cwd, writes: true }), options, cwd);
}

/** A folder that a flag names. */
export function folderAt(given: string, flag: string): string {
	const path = resolve(given);
	if (existsSync(path) && statSync(path).isDirectory()) return realpathSync(path);
	throw new InputError('usage', `${flag}: ${path} is ${existsSync(path) ? 'not a folder' : 'missing'}`);
}

async function begin(options: ClientOptions, cwd: string): Promise<ClientSession> {
	if (options.forkSession || options.resumeSessionAt !== undefined) {
		const flag = options.forkSession ? '--fork-session' : '--resume-session-at';
		throw new InputError('usage', `${flag} needs a session to go on with: add -c or -r SESSION`);
	}
	const branch = gitBranchOf(cwd);
	const handle = await createHandle({
		format: options.sessionFormat ?? newFormat,
		cwd,
		...compact({ id: options.sessionId, profile: options.sessionProfile }),
		...placeFor(options.sessionFile),
		header: branch === undefined ? {} : { gitBranch: branch },
	});
	return disposable({ handle, conversation: newConversation(), cwd, notes: [] });
}

/** A trailing slash means a folder, which is made and laid out as the home of the format's client. */
function placeFor(given: string | undefined): { readonly path?: string; readonly home?: string } {
	if (given === undefined) return {};
	return /[/\\]$/.test(given) ? { home: resolve(given) } : { path: resolve(given) };
}

async function goOn(found: string, options: ClientOptions, cwd: string): Promise<ClientSession> {
	const at = options.resumeSessionAt;
	const profile = options.sessionProfile === undefined ? {} : { profile: options.sessionProfile };
	const path = options.forkSession ? (await forkSession(found, at, profile)).path : found;
	let handle = await openHandle(path, profile);
	if (at !== undefined && !options.forkSession) {
		const rewound = await handle.rewind(at);
		if (rewound.path !== path) {
			await handle[Symbol.asyncDispose]();
			handle = await openHandle(rewound.path, profile);
		}
	}
	const resumed = withNotedMode(resumeConversation(handle.path), handle);
	takeDeferred(resumed.conversation, handle);
	resumed.conversation.notices.push(...endedBefore(handle));
	handle.describe({ cwd });
	const { stale, fresh } = lookAtFiles(handle.path);
	for (const { path: file, ...seen } of fresh) resumed.conversation.seen.set(file, seen);
	// No content has this sum: tools tell the model that the file is another one by now, and not that it was never read.
	for (const { path: file, change } of stale)
		if (change === 'edited') resumed.conversation.seen.set(file, { sha256: '', mtimeMs: 0 });
	const notes = stale.map(({ path: file, change }) => `${file} was ${change} since the session last saw it`);
	const moved = elsewhere(resumed.settings.cwd ?? resumed.header.cwd, cwd, options);
	if (moved !== undefined) notes.unshift(moved);
	if (resumed.note !== undefined) notes.unshift(resumed.note);
	return disposable({ handle, conversation: resumed.conversation, cwd, resumed, found, notes });
}

/** The mode that our own notes say, where the file cannot. A file that knows plan mode, as Cline's, is believed about that. */
function withNotedMode(resumed: Resumed, { notes }: SessionHandle): Resumed {
	const noted = notes.flatMap(({ noted: one }) => (one.what === 'mode' ? [one.mode] : [])).at(-1);
	const { permissionMode: written } = resumed.settings;
	if (noted === undefined || (written !== undefined && [written, noted].includes('plan'))) return resumed;
	const permissionMode = { permissionMode: noted };
	resumed.conversation.settings = { ...resumed.conversation.settings, ...permissionMode };
	return { ...resumed, settings: { ...resumed.settings, ...permissionMode } };
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

function realPath(path: string): string {
	return existsSync(path) ? realpathSync(path) : path;
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
		},
	};
}

/** Where Claude Code keeps what belongs to its user. */
export function claudeHome(): string {
	return process.env.CLAUDE_CONFIG_DIR || join(homedir(), '.claude');
}
