/** Built-in commands that take the conversation elsewhere: to another session, to an earlier prompt, into a file, to another agent. */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { prompted } from '../../codecs/index.ts';
import { compact, turns } from '../../model/index.ts';
import { InputError } from '../../store/errors.ts';
import { projectAt } from '../../store/find/project.ts';
import { uncompactSession } from '../../store/manage/uncompact.ts';
import { openSession } from '../../store/reader/session-reader.ts';
import type { ClientOptions } from '../options.ts';
import { checkResume } from '../resume-check.ts';
import { resumeText } from '../resume-words.ts';
import { openClientSession } from '../session.ts';
import type { Done, Station } from './builtin.ts';

/** What of the flags is about the session that the client was started with. */
function others({ sessionProfile, sessionFormat }: ClientOptions, cwd: string): ClientOptions {
	return { cwd, ...compact({ sessionProfile, sessionFormat }) };
}

export async function clear(_: string, { options, session }: Station): Promise<Done> {
	const before = session.handle.session.id;
	const next = await openClientSession(others(options, session.cwd), session.cwd);
	const left = session.handle.leaf === null ? '' : ` ${before} stays as it is: /resume ${before} goes on with it.`;
	return { text: `A new session begins: ${next.handle.session.id}.${left}`, session: next };
}

const mostListed = 10;

export async function resume(args: string, { options, session }: Station): Promise<Done> {
	if (args === '') return { text: await sessionList(session.cwd), kept: 'The sessions of the project were listed.' };
	const { sessionFormat: _, ...rest } = others(options, session.cwd);
	const next = await openClientSession({ ...rest, resume: args }, session.cwd);
	const notes = next.notes.map((note) => `note      ${note}`);
	const report = resumeText(await checkResume(next.handle.path, compact({ model: options.model })));
	return { text: [report, ...notes].join('\n'), kept: `Went on with ${next.handle.session.id}.`, session: next };
}

async function sessionList(cwd: string): Promise<string> {
	const { listSessions } = await import('../../catalog/list-sessions.ts');
	const found = listSessions({ project: projectAt(cwd), limit: mostListed });
	if (found.length === 0) return 'There is no session of this project yet.';
	return found
		.map(({ id, agent, updatedAt, title }) => `${id}  ${updatedAt}  ${agent}  ${title ?? ''}`.trimEnd())
		.join('\n');
}

export async function rewind(args: string, at: Station): Promise<Done> {
	const { handle } = at.session;
	if (handle.leaf === null) throw new InputError('usage', 'nothing was said yet');
	if (args === '') return { text: await promptList(handle.path), kept: 'The prompts were listed.' };
	const { leaf, path, id, fork } = await handle.rewind(args);
	if (!fork)
		return { text: `The conversation goes on from ${leaf}. Nothing is removed: what came after it is a branch.` };
	const session = await openClientSession({ ...others(at.options, at.session.cwd), resume: path }, at.session.cwd);
	return {
		text: `Its client cannot go back within the file: the conversation goes on from ${leaf} in ${id}.`,
		session,
	};
}

/** In a copy, because clients cannot undo a compaction in its own file. */
export async function uncompact(args: string, { options, session: { handle, cwd } }: Station): Promise<Done> {
	if (handle.leaf === null) throw new InputError('usage', 'there is nothing to undo: nothing was said yet');
	await handle.sync();
	const { id, path, undone } = await uncompactSession(handle.path, args === '' ? undefined : args);
	const session = await openClientSession({ ...others(options, cwd), resume: path }, cwd);
	const what = undone === 1 ? 'the compaction is' : `${undone} compactions are`;
	return { text: `Undone: ${what} left out, and the whole conversation goes on as ${id}.`, session };
}

async function promptList(path: string): Promise<string> {
	const session = await openSession(path, { subagents: false });
	const prompts = turns(session).flatMap(({ prompt }) => prompt ?? []);
	return prompts
		.map(({ id, content }) => {
			const said = content.map((block) => (block.type === 'text' ? block.text : `(${block.type})`)).join(' ');
			return `${id}  ${prompted(said).text.replaceAll(/\s+/g, ' ').slice(0, 80)}`;
		})
		.join('\n');
}

/** A file that is there already is somebody's: it is not written over. */
export async function exported(args: string, { session }: Station): Promise<Done> {
	const { handle, cwd } = session;
	if (handle.leaf === null) throw new InputError('usage', 'nothing was said yet');
	const { transcriptMarkdown } = await import('../../export/index.ts');
	await handle.sync();
	const text = await transcriptMarkdown(handle.path);
	if (args === '') return { text, kept: 'The session was shown as Markdown.' };
	const path = resolve(cwd, args);
	try {
		writeFileSync(path, text, { flag: 'wx', mode: 0o600 });
	} catch (error) {
		if (!(error instanceof Error && 'code' in error)) throw error;
		throw new InputError('usage', error.code === 'EEXIST' ? `${path} exists already` : error.message);
	}
	return { text: `The session is in ${path}.` };
}

export async function handoff(args: string, { session }: Station): Promise<Done> {
	const { handle, cwd } = session;
	if (args === '') throw new InputError('usage', 'say to whom: claude-code, cline, clido, pi or openclaw');
	if (handle.leaf === null) throw new InputError('usage', 'nothing was said yet');
	await handle.sync();
	const { handOff } = await import('../../move/index.ts');
	const { agent, id, command, losses, notes } = await handOff(handle.path, { to: args, cwd });
	const lossy = losses.length === 0 ? '' : ` ${losses.length} parts are not as they were (reprise convert names them).`;
	return { text: [`The session is ${agent.name}:${id} now.${lossy}`, ...notes, `Go on with: ${command}`].join('\n') };
}
