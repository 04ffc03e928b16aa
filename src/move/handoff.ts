/** Hands a session to another agent: under which id, in which folder and place, when that is refused, and the command that a person types to go on. */
import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { codecOf, type Machine } from '../codecs/index.ts';
import { openFile } from '../log/file-source.ts';
import { compact, type Loss, type Session } from '../model/index.ts';
import { InputError } from '../store/errors.ts';
import { thisMachine } from '../store/find/folders.ts';
import { sessionId } from '../store/find/session-files.ts';
import { sessionWord } from '../store/find/session-names.ts';
import { addToIndex } from '../store/manage/session-index.ts';
import { openHeader, openSession } from '../store/reader/session-reader.ts';
import { type Agent, agents } from './agents.ts';
import { copyId } from './convert.ts';
import { type ConvertedFile, convertFile, rememberCopy } from './files.ts';
import { LossList } from './losses.ts';
import { mapTools } from './map-tools.ts';
import { isReadOnly } from './profiles.ts';
import type { Watched } from './stream.ts';
import { loadSums } from './sum.ts';
import { placeIn } from './write.ts';

export interface HandoffOptions extends Watched {
	readonly to: string;
	/** The project's folder, to replace the one that the session names. */
	readonly cwd?: string;
	readonly mapTools?: boolean;
	readonly machine?: Machine;
}

export interface HandedOff {
	readonly agent: Agent;
	readonly id: string;
	/** Every file that was written, the main one first. */
	readonly out: readonly string[];
	readonly cwd: string;
	readonly losses: readonly Loss[];
	/** Whether `return` brings back what was lost; undefined where nothing was converted. */
	readonly wayBack?: boolean;
	/** The command that a person types to go on. */
	readonly command: string;
	readonly notes: readonly string[];
}

/** Writes all that the agent needs to list and resume the session. No existing file is touched. */
export async function handOff(path: string, options: HandoffOptions): Promise<HandedOff> {
	const agent = agentNamed(options.to);
	const codec = codecOf(agent.format);
	if (!codec) throw new Error(`no codec for ${agent.format}`);
	const machine = options.machine ?? thisMachine();
	const session = await openHeader(path);
	const cwd = folderFor(session.header.cwd, options.cwd, agent);
	const place = { cwd, ...(agent.ownFolder ? { profile: 'published' as const } : {}) };
	const same = session.format === codec.id && cwd === session.header.cwd && !isReadOnly(session);
	const left = same ? await leftOut(agent, path) : [];
	const moved = !same || left.some(({ how }) => how === 'approximated');
	// A byte-for-byte copy keeps the id that its bytes state; one that cannot name a file goes by the name of its file.
	const under = (id?: string) => placeIn(machine, session, codec, { ...place, ...compact({ id }) });
	const isFree = moved || resolve(path) === under() || !(await hasOther(under(), session));
	const id = moved || !isFree ? copyId(session, agent.name) : undefined;
	const main = under(id);
	const named = () => id ?? sessionId(codec, main);
	if (existsSync(main)) {
		const command = agent.resume({ id: named(), cwd, path: main });
		if (resolve(path) === main) {
			throw new InputError('already-there', `${agent.name} has this session already. Go on with: ${command}`);
		}
		throw new InputError('exists', `${main} exists already: nothing was written. Go on with: ${command}`);
	}
	const made = await convertFile(path, {
		to: codec.id,
		out: main,
		machine,
		...compact({ signal: options.signal, progress: options.progress, mapTools: options.mapTools }),
		...(id === undefined ? {} : { cwd, id }),
	});
	const lost = made.how === 'copied' ? [...left, ...(await rememberCopy(machine, path, main))] : [];
	const notes = [
		addToIndex(codec, main, machine),
		homeNote(made, sessionWord({ id: session.id, path: resolve(path) }), agent),
	];
	const command = agent.resume({ id: named(), cwd, path: main });
	return {
		agent,
		id: named(),
		out: made.out,
		cwd,
		losses: [...made.losses, ...lost],
		...compact({ wayBack: made.wayBack }),
		command,
		notes: notes.filter((note) => note !== undefined),
	};
}

/** The calls that the agent would not tell the model of: those that it makes under other names, and those that are lost to it. */
async function leftOut({ name, format, knows }: Agent, path: string): Promise<readonly Loss[]> {
	const losses = new LossList();
	if (knows === undefined) return losses;
	const { entries } = await openSession(path, { subagents: false });
	mapTools(entries, format, format, losses, { all: false, agent: { name, knows } });
	return losses.told();
}

/** True when another state of the session is there: then a copy needs an id of its own, as any copy of another format has. */
async function hasOther(main: string, { source }: Session): Promise<boolean> {
	if (!existsSync(main)) return false;
	using there = openFile(main);
	const sums = await loadSums();
	return !sums.stillBegins(there, sums.of(source));
}

function homeNote({ home }: ConvertedFile, word: string, { name }: Agent): string | undefined {
	if (home === undefined) return undefined;
	return `this is a copy; \`reprise return ${word}\` brings what is new home into ${name}:${home}, which keeps its own bytes`;
}

function agentNamed(name: string): Agent {
	const agent = agents.find((one) => one.name === name);
	if (agent) return agent;
	const known = agents.map((one) => one.name).join(', ');
	throw new InputError('unknown-agent', `${name} is not an agent that Reprise hands sessions to (${known})`);
}

/** The folder for the new session. Agents start in it, and pi refuses a session whose folder is gone. */
function folderFor(own: string | undefined, wanted: string | undefined, agent: Agent): string {
	const cwd = wanted === undefined ? own : resolve(wanted);
	if (cwd === undefined) {
		if (agent.anyFolder) return resolve('.');
		throw new InputError('no-folder', 'the session does not say which folder it belongs to: name it with --cwd');
	}
	if (agent.anyFolder || statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) return cwd;
	throw new InputError('missing-folder', `the folder ${cwd} does not exist: name the project’s folder with --cwd`);
}

/** The folder of the oracles, from the variable `ORACLES`. */
export function oraclesFolder(env: Machine['env']): string | undefined {
	const folder = env.ORACLES;
	return folder !== undefined && folder !== '' && existsSync(join(folder, 'claude-code-resume')) ? folder : undefined;
}
