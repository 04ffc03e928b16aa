/** Where pi and OpenClaw keep their sessions: environment variables, folders per project, file names of time and id, folders of sub-agents. */
import type { PlatformPath } from 'node:path';
import type { Folders, Location, Machine, PlacesPart, SideFile } from '../../codec.ts';
import { fileName, folderName } from '../../shared/places/file-name.ts';
import { filesIn, pathsFor, pathsOf } from '../../shared/places/paths.ts';
import { plainFiles } from '../../shared/places/side-files.ts';
import { folderNamedAfter } from '../../shared/places/side-folder.ts';
import { parseRecord } from '../../shared/read/parse.ts';
import { database } from './database.ts';

/** A folder from the environment. Both clients expand a leading `~`; an empty variable counts as unset. */
function fromEnv(machine: Machine, name: string): string | undefined {
	const value = machine.env[name]?.trim();
	if (!value) return undefined;
	if (value === '~') return machine.home;
	if (/^~[/\\]/.test(value)) return pathsFor(machine).join(machine.home, value.slice(2));
	return value;
}

function piAgent(machine: Machine): string {
	return fromEnv(machine, 'PI_CODING_AGENT_DIR') ?? pathsFor(machine).join(machine.home, '.pi', 'agent');
}

function piSessions(machine: Machine): string {
	return pathsFor(machine).join(piAgent(machine), 'sessions');
}

/** The one folder for all projects: from the variable, else from pi's own settings. */
function piCustom(machine: Machine, folders: Folders | undefined): string | undefined {
	const custom = fromEnv(machine, 'PI_CODING_AGENT_SESSION_DIR');
	if (custom !== undefined || !folders) return custom;
	const settings = folders.head(pathsFor(machine).join(piAgent(machine), 'settings.json'), 1 << 20);
	const { sessionDir } = parseRecord(settings, true).value ?? {};
	return typeof sessionDir === 'string' ? fromEnv({ ...machine, env: { sessionDir } }, 'sessionDir') : undefined;
}

function openClawHome(machine: Machine): string {
	const home = fromEnv(machine, 'OPENCLAW_HOME');
	return home === undefined || home === 'undefined' || home === 'null' ? machine.home : home;
}

function openClawAgents(machine: Machine): string {
	const home = openClawHome(machine);
	const path = pathsFor(machine);
	return path.join(fromEnv({ ...machine, home }, 'OPENCLAW_STATE_DIR') ?? path.join(home, '.openclaw'), 'agents');
}

/** OpenClaw's folders: the one in use, those of other profiles (`.openclaw-NAME`), and the one of its former name. */
function allOpenClawAgents(machine: Machine, folders: Folders): readonly string[] {
	const used = openClawAgents(machine);
	if (fromEnv(machine, 'OPENCLAW_STATE_DIR') !== undefined) return [used];
	const home = openClawHome(machine);
	const others = folders
		.list(home)
		.filter((item) => item.folder && (item.name.startsWith('.openclaw-') || item.name === '.clawdbot'))
		.map((item) => pathsFor(machine).join(home, item.name, 'agents'));
	return [used, ...others];
}

/** `<time>_<id>.jsonl`; under any other name the header has the id. */
const piName = /^\d{4}-\d{2}-\d{2}T[\d-]+Z_(.+)\.jsonl$/;
/** Leaves out traces, and what OpenClaw set aside (`.corrupt-…`, `.bak-…`). */
const openClawName = /^([^.]+?)(-topic-[^.]*)?\.jsonl$/;

function* piFolder(folder: string, path: PlatformPath, folders: Folders, subagents: boolean): Iterable<Location> {
	for (const name of filesIn(folder, folders)) {
		if (!name.endsWith('.jsonl')) continue;
		const file = path.join(folder, name);
		const id = piName.exec(name)?.[1] ?? headerId(file, folders);
		if (id === undefined) continue;
		yield { path: file, id, agent: 'pi' };
		if (subagents) yield* ofSession(file, { id, agent: 'pi' }, folders);
	}
}

/** The sub-agents of a session as sessions of their own. */
function* ofSession(
	main: string,
	{ id: parent, agent }: { readonly id: string; readonly agent: string },
	folders: Folders,
): Iterable<Location> {
	for (const { path, id = '' } of subagentFiles(main, folders)) yield { path, id, agent, parent };
}

function headerId(file: string, folders: Folders): string | undefined {
	const head = folders.head(file, 65_536);
	const end = head.indexOf(10);
	const { value } = parseRecord(end === -1 ? head : head.subarray(0, end), true);
	return value?.type === 'session' && typeof value.id === 'string' ? value.id : undefined;
}

function* piAll(machine: Machine, folders: Folders, subagents: boolean): Iterable<Location> {
	const path = pathsFor(machine);
	const custom = piCustom(machine, folders);
	if (custom !== undefined) yield* piFolder(custom, path, folders, subagents);
	const root = piSessions(machine);
	if (root === custom) return;
	// Before 0.31 the files were in the root itself.
	yield* piFolder(root, path, folders, subagents);
	for (const item of folders.list(root)) {
		if (item.folder) yield* piFolder(path.join(root, item.name), path, folders, subagents);
	}
}

const databaseName = 'openclaw-agent.sqlite';

function* openClawAll(machine: Machine, folders: Folders, subagents: boolean): Iterable<Location> {
	const path = pathsFor(machine);
	for (const root of allOpenClawAgents(machine, folders)) {
		for (const agent of folders.list(root)) {
			if (!agent.folder) continue;
			yield* openClawAgent(path.join(root, agent.name), path, folders, subagents);
		}
	}
}

/** An agent's sessions: files up to 2026.7, a database since. */
function* openClawAgent(root: string, path: PlatformPath, folders: Folders, subagents: boolean): Iterable<Location> {
	const folder = path.join(root, 'sessions');
	for (const name of filesIn(folder, folders)) {
		const id = openClawName.exec(name)?.[1];
		if (id === undefined) continue;
		const file = path.join(folder, name);
		yield { path: file, id, agent: 'openclaw' };
		if (subagents) yield* ofSession(file, { id, agent: 'openclaw' }, folders);
	}
	if (!folders.stored || !folders.list(path.join(root, 'agent')).some((item) => item.name === databaseName)) return;
	const store = path.join(root, 'agent', databaseName);
	for (const id of folders.stored(store)) yield { path: `${store}#${id}`, id, agent: 'openclaw' };
}

/** pi's folder for a project. The name is lossy, so only the header states the project. */
export function projectFolder(cwd: string): string {
	return `--${cwd
		.replace(/(.)[/\\]+$/, '$1')
		.replace(/^[/\\]/, '')
		.replace(/[/\\:]/g, '-')}--`;
}

/** True for a file in OpenClaw's own folders: `agents/NAME/sessions/`. */
export function isOpenClaws(file: string, path: PlatformPath): boolean {
	const folder = path.dirname(file);
	return path.basename(folder) === 'sessions' && path.basename(path.dirname(path.dirname(folder))) === 'agents';
}

const noTime = '1970-01-01T00:00:00.000Z';

/** The time for a file's name: the session's own, if it is valid. */
function timeName(created = noTime): string {
	const at = /^[\dTZ:.+-]{1,40}$/.test(created) ? Date.parse(created) : Number.NaN;
	return (Number.isNaN(at) ? noTime : new Date(at).toISOString()).replace(/[:.]/g, '-');
}

/** The folder for the sub-agents of a session: neither client lists what lies so deep, and both open it by its path. */
function subagentFolder(main: string, path: PlatformPath): string {
	return path.join(path.dirname(main), folderNamedAfter(path.basename(main), /\.jsonl$/));
}

/** The file of a new sub-agent of the session at `main`. */
export function subagentFile(main: string, agent: string, time: Date | undefined): string {
	const path = pathsOf(main);
	const created = time === undefined ? '' : `${timeName(time.toISOString())}_`;
	return path.join(subagentFolder(main, path), `${created}${fileName(agent)}.jsonl`);
}

/** Only sessions: a folder that is called like the file may be anybody's, with data in lines of its own. */
function subagentFiles(main: string, folders: Folders): readonly SideFile[] {
	const path = pathsOf(main);
	const folder = subagentFolder(main, path);
	return filesIn(folder, folders)
		.filter((name) => name.endsWith('.jsonl') && headerId(path.join(folder, name), folders) !== undefined)
		.map((name) => ({
			path: path.join(folder, name),
			role: 'subagent',
			id: piName.exec(name)?.[1] ?? name.slice(0, -'.jsonl'.length),
		}));
}

export const locate: PlacesPart = {
	ending: '.jsonl',
	variables: ['PI_CODING_AGENT_', 'OPENCLAW_'],
	database,
	roots(machine, folders) {
		const custom = piCustom(machine, folders);
		const claws = folders ? allOpenClawAgents(machine, folders) : [openClawAgents(machine)];
		const roots = [piSessions(machine), ...claws];
		return custom === undefined || roots.includes(custom) ? roots : [custom, ...roots];
	},
	*sessions(machine, folders, { subagents = false } = {}) {
		yield* piAll(machine, folders, subagents);
		yield* openClawAll(machine, folders, subagents);
	},
	idOf(file, folders) {
		const path = pathsOf(file);
		const name = path.basename(file);
		if (isOpenClaws(file, path)) return openClawName.exec(name)?.[1];
		return piName.exec(name)?.[1] ?? (folders && headerId(file, folders));
	},
	agentOf(file) {
		const path = pathsOf(file);
		if (isOpenClaws(file, path)) return 'openclaw';
		return piName.test(path.basename(file)) || /^--.*--$/.test(path.basename(path.dirname(file))) ? 'pi' : undefined;
	},
	sideFiles: plainFiles((file, folders) => {
		const path = pathsOf(file);
		const folder = path.dirname(file);
		const agents = subagentFiles(file, folders);
		if (!isOpenClaws(file, path)) return agents;
		const stem = path.basename(file, '.jsonl');
		const others = filesIn(folder, folders).flatMap((name): readonly SideFile[] => {
			if (name === 'sessions.json') return [{ path: path.join(folder, name), role: 'index' }];
			return name.startsWith(`${stem}.trajectory`) ? [{ path: path.join(folder, name), role: 'trace' }] : [];
		});
		return [...others, ...agents];
	}),
	place(machine, session, folders) {
		const path = pathsFor(machine);
		if (session.profile === 'published') {
			return path.join(openClawAgents(machine), 'main', 'sessions', `${fileName(session.id)}.jsonl`);
		}
		const name = `${timeName(session.created)}_${fileName(session.id)}.jsonl`;
		const custom = piCustom(machine, folders);
		if (custom !== undefined) return path.join(custom, name);
		return path.join(piSessions(machine), folderName(projectFolder(session.cwd)), name);
	},
};
