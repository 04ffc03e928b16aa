/** Built-in commands that take the conversation elsewhere: /clear, /resume, /uncompact, /fork, /rename, /export, /handoff, /return; what they say, and when they refuse. */
import { writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, resolve } from 'node:path';
import { atHome } from '../../agent/permissions/path-names.ts';
import { prompted } from '../../codecs/index.ts';
import { asLogError, codeOf } from '../../log/errors.ts';
import { compact, countOf, entryText } from '../../model/index.ts';
import { InputError } from '../../store/errors.ts';
import { sessionPath } from '../../store/find/find-session.ts';
import { projectAt } from '../../store/find/project.ts';
import { agentOf } from '../../store/find/session-files.ts';
import type { SessionHandle } from '../../store/handle/session-handle.ts';
import { forkSession } from '../../store/manage/fork.ts';
import { renameSession } from '../../store/manage/rename.ts';
import { backIn } from '../../store/manage/rewind.ts';
import { uncompactSession } from '../../store/manage/uncompact.ts';
import { report } from '../loss-words.ts';
import type { ClientOptions } from '../options.ts';
import { checkResume } from '../resume-check.ts';
import { resumeText } from '../resume-words.ts';
import { type ClientSession, openClientSession } from '../session.ts';
import type { Done, Station } from './builtin-command.ts';

/** Another session that is there already, by the flags that the client was started with as far as they hold for any session. */
export async function openAnother(resume: string, options: ClientOptions, cwd: string): Promise<ClientSession> {
	const { sessionProfile, sessionPersistence } = options;
	return await openClientSession({ cwd, resume, ...compact({ sessionProfile, sessionPersistence }) }, cwd);
}

/** A session comes to be with its first prompt: without one the next start would go on with the old session. */
export async function clear(_: string, { options, session, stays }: Station): Promise<Done> {
	if (!stays) {
		const instead = 'reprise -p "…" without -c begins a new session';
		throw new InputError('usage', `no prompt follows, so that nothing would begin anew: ${instead}`);
	}
	const before = session.handle.session.id;
	const { sessionProfile, sessionFormat, sessionPersistence } = options;
	const kept = { cwd: session.cwd, ...compact({ sessionProfile, sessionFormat, sessionPersistence }) };
	const next = await openClientSession(kept, session.cwd);
	next.conversation.source = 'clear';
	const left = session.handle.leaf === null ? '' : ` /resume ${before} goes on with the one before.`;
	return { text: `A new session begins.${left}`, session: next };
}

const mostListed = 10;

export async function resume(args: string, { options, session }: Station): Promise<Done> {
	if (args === '') return { text: await sessionList(session.cwd), kept: 'The sessions of the project were listed.' };
	const checked = /^--check(?:\s+(?<which>.+))?$/.exec(args);
	if (checked) return await check(checked.groups?.which, { options, session });
	const next = await openAnother(atHome(args, homedir()), options, session.cwd);
	const report = resumeText(await checkResume(next.handle.path, { ...options, cwd: next.cwd }));
	const notes = next.notes.filter((note) => !report.includes(note)).map((note) => `note      ${note}`);
	return { text: [report, ...notes].join('\n'), kept: `Went on with ${next.handle.session.id}.`, session: next };
}

/** What going on would mean, with this session or another; nobody goes anywhere. */
async function check(which: string | undefined, at: Pick<Station, 'options' | 'session'>): Promise<Done> {
	const { handle, cwd } = at.session;
	if (which === undefined && handle.leaf === null) throw new InputError('usage', 'nothing was said yet');
	await handle.sync();
	const path = which === undefined ? handle.path : sessionPath(atHome(which, homedir()), { cwd });
	const text = resumeText(await checkResume(path, { ...at.options, cwd }));
	return { text, kept: 'It was checked what going on would mean.' };
}

async function sessionList(cwd: string): Promise<string> {
	const { listSessions } = await import('../../catalog/list-sessions.ts');
	const found = listSessions({ project: projectAt(cwd), limit: mostListed });
	if (found.length === 0) return 'There is no session of this project yet.';
	return found
		.map(({ id, agent, updatedAt, title }) => `${id}  ${updatedAt}  ${agent}  ${title ?? ''}`.trimEnd())
		.join('\n');
}

/** In a copy, because clients cannot undo a compaction in its own file. */
export async function uncompact(args: string, { options, session: { handle, cwd } }: Station): Promise<Done> {
	if (handle.leaf === null) throw new InputError('usage', 'there is nothing to undo: nothing was said yet');
	await handle.sync();
	const { id, path, undone } = await uncompactSession(handle.path, args === '' ? undefined : args);
	const session = await openAnother(path, options, cwd);
	const what = undone === 1 ? 'the compaction is' : `${undone} compactions are`;
	return { text: `Undone: ${what} left out, and the whole conversation goes on as ${id}.`, session };
}

/** From here, or from the entry; a prompt is taken back, to be said anew in the copy. */
export async function fork(args: string, { options, session: { handle, cwd } }: Station): Promise<Done> {
	if (handle.leaf === null) throw new InputError('usage', 'there is nothing to copy: nothing was said yet');
	await handle.sync();
	const back = args === '' ? undefined : await backIn(handle.path, args);
	const made = await forkSession(handle.path, back?.at, { profile: handle.profile });
	const { id } = handle.session;
	const lines = [
		'The conversation goes on in a copy.',
		...(back?.prompt ? ['Taken back, to be edited and sent again:', prompted(entryText(back.prompt)).text] : []),
		`What was copied stays as it is: /resume ${id} goes back to it.`,
	];
	const kept = `Copied from ${id}.`;
	return { text: lines.join('\n'), kept, session: await openAnother(made.path, options, cwd) };
}

export async function rename(args: string, { session: { handle } }: Station): Promise<Done> {
	if (args === '') throw new InputError('usage', 'say what the session is to be called');
	if (handle.leaf === null) throw new InputError('usage', 'nothing was said yet');
	const { title, note } = await renameSession(handle.path, args, handle.machine, handle);
	return { text: [`The session is called “${title}” now.`, note].filter((line) => line !== undefined).join('\n') };
}

/** A file that is there already is somebody's: it is not written over. */
export async function exported(args: string, { session }: Station): Promise<Done> {
	const { handle, cwd } = session;
	if (handle.leaf === null) throw new InputError('usage', 'nothing was said yet');
	const { transcriptMarkdown } = await import('../../export/index.ts');
	await handle.sync();
	const text = await transcriptMarkdown(handle.path);
	if (args === '') return { text, kept: 'The session was shown as Markdown.' };
	const path = resolve(cwd, atHome(args, homedir()));
	try {
		writeFileSync(path, text, { flag: 'wx', mode: 0o600 });
	} catch (error) {
		if (!(error instanceof Error && 'code' in error)) throw error;
		throw new InputError('usage', notWritten(path, error));
	}
	return { text: `The session is in ${path}.` };
}

function notWritten(path: string, error: Error): string {
	const code = codeOf(error);
	if (code === 'EEXIST') return `${path} exists already`;
	if (code === 'ENOENT') return `there is no folder ${dirname(path)}: make it first, or name another file`;
	return asLogError(path, 'write', error).message;
}

/** Kinds of losses that are named: nobody reads a longer list where the conversation is to go on. */
const mostLosses = 3;

export async function handoff(args: string, { session }: Station): Promise<Done> {
	const { handle, cwd } = session;
	if (args === '') throw new InputError('usage', 'say to whom: claude-code, cline, clido, pi or openclaw');
	if (handle.leaf === null) throw new InputError('usage', 'nothing was said yet');
	await handle.sync();
	const { handOff } = await import('../../move/index.ts');
	const { agent, id, command, losses, wayBack, notes } = await handOff(handle.path, { to: args, cwd });
	const done = `A copy of the session is where ${agent.name} finds it: ${agent.name}:${id}.`;
	// Last, and alone in its line: it is there to be copied.
	const goOn = ['', 'Go on with:', command];
	return {
		text: [done, ...report(losses, wayBack, mostLosses), ...notes, ...goOn].join('\n'),
		kept: [done, ...goOn].join('\n'),
		goesOn: command,
	};
}

/** Where the session was given to: `pi:ID`, and the file there. */
export async function copiesOf({ path, machine }: SessionHandle): Promise<readonly { name: string; path: string }[]> {
	const { lineages } = await import('../../move/index.ts');
	return lineages(machine)
		.filter(({ source }) => source.path === path)
		.map(({ target }) => ({ name: `${agentOf(target.format, target.path)}:${target.id}`, path: target.path }));
}

/** Of a session that was given away: what its copy was told since. Of a copy: what it was told goes to where it came from. */
export async function returned(args: string, { options, session }: Station): Promise<Done> {
	const { handle, cwd } = session;
	if (handle.leaf === null) throw new InputError('usage', 'nothing was said yet');
	const copies = await copiesOf(handle);
	if (args === '' && copies.length > 1) {
		const names = copies.map(({ name }) => `/return ${name}`);
		throw new InputError('usage', ['the session has several copies. Say which one comes back:', ...names].join('\n'));
	}
	await handle.sync();
	// Another writer writes what comes back, so this one lets go of the file.
	await handle.rest();
	const from = args === '' ? (copies[0]?.path ?? handle.path) : sessionPath(atHome(args, homedir()), { cwd });
	const { out, path, messages, losses, command } = await broughtBack(from, copies);
	if (out.length === 0) return { text: 'Nothing new was said there.' };
	const done = `${countOf(messages, 'message')} came back into ${path}.`;
	const lost = report(losses, undefined, mostLosses);
	if (path === handle.path) {
		return { text: [done, ...lost].join('\n'), kept: done, session: await openAnother(path, options, cwd) };
	}
	return { text: [done, ...lost, '', 'Go on with:', command].join('\n'), kept: done };
}

/** A command of the conversation has no `-o`: it names what can be done here. */
async function broughtBack(from: string, copies: readonly { name: string; path: string }[]) {
	const { returnSession } = await import('../../move/index.ts');
	try {
		return await returnSession(from);
	} catch (error) {
		const copy = copies.find(({ path }) => path === from);
		if (!(error instanceof InputError) || error.rule !== 'went-on' || !copy) throw error;
		const both = 'this session and its copy have both gone on since, and one file holds only one of the two';
		const inFile = `reprise return ${copy.name} -o FILE writes it as a session of this format`;
		throw new InputError(error.rule, `${both}. /resume ${copy.name} goes on with the copy; in a shell, ${inFile}`);
	}
}
