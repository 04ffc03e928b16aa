/** Where pi and OpenClaw keep their sessions, and where a new one is put. */
import { type PlatformPath, posix, win32 } from 'node:path';
import type { Folders, Locate, Location, Machine, SideFile } from '../codec.ts';
import { parseRecord } from '../parse.ts';

function pathOf(machine: Machine): PlatformPath {
	return machine.platform === 'win32' ? win32 : posix;
}

/** Both clients read `~` at the start of their variables; an empty variable counts as unset. */
function fromEnv(machine: Machine, name: string): string | undefined {
	const value = machine.env[name]?.trim();
	if (!value) return undefined;
	if (value === '~') return machine.home;
	if (/^~[/\\]/.test(value)) return pathOf(machine).join(machine.home, value.slice(2));
	return value;
}

function piSessions(machine: Machine): string {
	const path = pathOf(machine);
	const agent = fromEnv(machine, 'PI_CODING_AGENT_DIR') ?? path.join(machine.home, '.pi', 'agent');
	return path.join(agent, 'sessions');
}

function openClawAgents(machine: Machine): string {
	const path = pathOf(machine);
	const state = fromEnv(machine, 'OPENCLAW_STATE_DIR') ?? path.join(machine.home, '.openclaw');
	return path.join(state, 'agents');
}

/** `<time>_<id>.jsonl`; other names are allowed, then the header knows the id. */
const piName = /^\d{4}-\d{2}-\d{2}T[\d-]+Z_(.+)\.jsonl$/;
/** Not the traces, nor what OpenClaw set aside (`.corrupt-…`, `.bak-…`). */
const openClawName = /^([^.]+?)(-topic-[^.]*)?\.jsonl$/;

function* piFolder(folder: string, path: PlatformPath, folders: Folders): Iterable<Location> {
	for (const item of folders.list(folder)) {
		if (item.folder || !item.name.endsWith('.jsonl')) continue;
		const file = path.join(folder, item.name);
		const id = piName.exec(item.name)?.[1] ?? headerId(file, folders);
		if (id !== undefined) yield { path: file, id };
	}
}

function headerId(file: string, folders: Folders): string | undefined {
	const head = folders.head(file, 65_536);
	const end = head.indexOf(10);
	const { value } = parseRecord(end === -1 ? head : head.subarray(0, end), true);
	return value?.type === 'session' && typeof value.id === 'string' ? value.id : undefined;
}

function* piAll(machine: Machine, folders: Folders): Iterable<Location> {
	const path = pathOf(machine);
	const custom = fromEnv(machine, 'PI_CODING_AGENT_SESSION_DIR');
	if (custom !== undefined) yield* piFolder(custom, path, folders);
	const root = piSessions(machine);
	if (root === custom) return;
	// Before 0.31 the files lay in the root itself.
	yield* piFolder(root, path, folders);
	for (const item of folders.list(root)) {
		if (item.folder) yield* piFolder(path.join(root, item.name), path, folders);
	}
}

function* openClawAll(machine: Machine, folders: Folders): Iterable<Location> {
	const path = pathOf(machine);
	const root = openClawAgents(machine);
	for (const agent of folders.list(root)) {
		if (!agent.folder) continue;
		const folder = path.join(root, agent.name, 'sessions');
		for (const item of folders.list(folder)) {
			const id = item.folder ? undefined : openClawName.exec(item.name)?.[1];
			if (id !== undefined) yield { path: path.join(folder, item.name), id };
		}
	}
}

/** pi's folder of a project: lossy, so only the header says for sure which project it is. */
export function projectFolder(cwd: string): string {
	return `--${cwd
		.replace(/(.)[/\\]+$/, '$1')
		.replace(/^[/\\]/, '')
		.replace(/[/\\:]/g, '-')}--`;
}

/** An id becomes a part of a file name: nothing in it may lead elsewhere. */
function safe(id: string): string {
	return id.replace(/[^A-Za-z0-9._-]/g, '-').replace(/^\.+/, '-') || 'session';
}

const noTime = '1970-01-01T00:00:00.000Z';

export const locate: Locate = {
	roots(machine) {
		const custom = fromEnv(machine, 'PI_CODING_AGENT_SESSION_DIR');
		const roots = [piSessions(machine), openClawAgents(machine)];
		return custom === undefined || roots.includes(custom) ? roots : [custom, ...roots];
	},
	*sessions(machine, folders) {
		yield* piAll(machine, folders);
		yield* openClawAll(machine, folders);
	},
	sideFiles(file, folders) {
		const path = file.includes('\\') && !file.includes('/') ? win32 : posix;
		const folder = path.dirname(file);
		if (path.basename(folder) !== 'sessions' || path.basename(path.dirname(path.dirname(folder))) !== 'agents')
			return [];
		const stem = path.basename(file, '.jsonl');
		const found: SideFile[] = [];
		for (const item of folders.list(folder)) {
			if (item.folder) continue;
			if (item.name === 'sessions.json') found.push({ path: path.join(folder, item.name), role: 'index' });
			else if (item.name.startsWith(`${stem}.trajectory`))
				found.push({ path: path.join(folder, item.name), role: 'trace' });
		}
		return found;
	},
	place(machine, session) {
		const path = pathOf(machine);
		if (session.profile === 'published') {
			return path.join(openClawAgents(machine), 'main', 'sessions', `${safe(session.id)}.jsonl`);
		}
		const name = `${(session.created ?? noTime).replace(/[:.]/g, '-')}_${safe(session.id)}.jsonl`;
		const custom = fromEnv(machine, 'PI_CODING_AGENT_SESSION_DIR');
		if (custom !== undefined) return path.join(custom, name);
		return path.join(piSessions(machine), projectFolder(session.cwd), name);
	},
};
