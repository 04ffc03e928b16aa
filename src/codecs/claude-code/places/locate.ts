/** Where Claude Code keeps its sessions: how a project's folder is named (dashes, 200 characters, then a hash), and which side files belong to a session. */
import type { PlatformPath } from 'node:path';
import { compact, isObject } from '../../../model/index.ts';
import type { Folders, Location, Machine, PlacesPart, SideFile } from '../../codec.ts';
import { fileName, folderName } from '../../shared/places/file-name.ts';
import { filesIn, pathsFor, pathsOf } from '../../shared/places/paths.ts';
import { plainFiles } from '../../shared/places/side-files.ts';
import { parseRecord } from '../../shared/read/parse.ts';
import { backupFolder, sessionFolder } from './backups.ts';

const slugLimit = 200;

/** A project's folder name: a dash for everything but letters and digits, and a hash where it gets long. */
export function projectSlug(cwd: string): string {
	const slug = cwd.replace(/[^a-zA-Z0-9]/g, '-');
	if (slug.length <= slugLimit) return slug;
	let hash = 0;
	for (let i = 0; i < cwd.length; i += 1) hash = (Math.imul(hash, 31) + cwd.charCodeAt(i)) | 0;
	return `${slug.slice(0, slugLimit)}-${Math.abs(hash).toString(36)}`;
}

/** The folder name by the document: only separators become dashes, and the leading one stays. */
export function publishedSlug(cwd: string): string {
	return cwd.replace(/[/\\]/g, '-');
}

export const locate: PlacesPart = {
	ending: '.jsonl',
	variables: ['CLAUDE_CONFIG_DIR'],
	roots: (machine) => [projects(machine)],
	sessions,
	sideFiles: plainFiles(sideFiles),
	sideFolder: (main, role) => (role === 'backup' ? backupFolder(main) : outputFolder(main)),
	place(machine, { id, cwd, profile }) {
		const slug = profile === 'published' ? publishedSlug(cwd) : projectSlug(cwd);
		return pathsFor(machine).join(projects(machine), folderName(slug), `${fileName(id)}.jsonl`);
	},
};

function projects(machine: Machine): string {
	const path = pathsFor(machine);
	// An empty variable counts as unset, as it does for the client.
	return path.join(machine.env.CLAUDE_CONFIG_DIR || path.join(machine.home, '.claude'), 'projects');
}

const agentFile = /^agent-(.+)\.jsonl$/;
const agentMeta = /^agent-(.+)\.meta\.json$/;

function* sessions(
	machine: Machine,
	folders: Folders,
	options: { readonly subagents?: boolean | undefined } = {},
): Iterable<Location> {
	const path = pathsFor(machine);
	const root = projects(machine);
	for (const project of folders.list(root)) {
		if (!project.folder) continue;
		const folder = path.join(root, project.name);
		const items = folders.list(folder);
		for (const { name, folder: isFolder } of items) {
			if (isFolder || !name.endsWith('.jsonl') || agentFile.test(name)) continue;
			yield { path: folder + path.sep + name, id: name.slice(0, -'.jsonl'.length) };
		}
		if (options.subagents) yield* subagents(path, folder, items, folders);
	}
}

/** The files of sub-agents. They outlive their session when the client cleans up, so they are found without it too. */
function* subagents(
	path: PlatformPath,
	folder: string,
	items: ReturnType<Folders['list']>,
	folders: Folders,
): Iterable<Location> {
	for (const { name, folder: isFolder } of items) {
		if (isFolder) {
			for (const file of agentsIn(path, path.join(folder, name, 'subagents'), folders)) {
				if (file.role === 'subagent') yield { path: file.path, id: file.id ?? '', parent: name };
			}
			continue;
		}
		const id = agentFile.exec(name)?.[1];
		if (id === undefined) continue;
		const file = path.join(folder, name);
		yield { path: file, id, ...compact({ parent: sessionOf(folders.head(file, headLength)) }) };
	}
}

function sideFiles(main: string, folders: Folders): readonly SideFile[] {
	const path = pathsOf(main);
	const own = sessionFolder(main);
	return [
		...agentsIn(path, path.join(own, 'subagents'), folders),
		...agentsBeside(path, main, folders),
		...filesOf('output', outputFolder(main), folders),
		...filesOf('backup', backupFolder(main), folders),
	];
}

function outputFolder(main: string): string {
	return pathsOf(main).join(sessionFolder(main), 'tool-results');
}

function agentsIn(path: PlatformPath, folder: string, folders: Folders): readonly SideFile[] {
	const found: SideFile[] = [];
	for (const name of filesIn(folder, folders)) {
		const agent = agentFile.exec(name)?.[1];
		if (agent !== undefined) found.push({ path: path.join(folder, name), role: 'subagent', id: agent });
		const meta = agentMeta.exec(name)?.[1];
		if (meta !== undefined) found.push({ path: path.join(folder, name), role: 'subagent-meta', id: meta });
	}
	return found;
}

/**
 * Sub-agents in the published style: those of all sessions lie side by side, and their lines name the session. A session is
 * called like its file, and one that somebody gave another file name only by what it says itself.
 */
function agentsBeside(path: PlatformPath, main: string, folders: Folders): readonly SideFile[] {
	const all = agentsIn(path, path.dirname(main), folders).filter(({ role }) => role === 'subagent');
	// A sub-agent's own file names the same session as those beside it.
	if (all.length === 0 || agentFile.test(path.basename(main))) return [];
	const names = [path.basename(main).replace(/\.jsonl$/, ''), sessionOf(folders.head(main, headLength))];
	return all.filter(({ path: file }) => {
		const session = sessionOf(folders.head(file, headLength));
		return session !== undefined && names.includes(session);
	});
}

const headLength = 64 * 1024;
const sessionField = /"sessionId"\s*:\s*"([^"\\]{1,200})"/;

/** The session id of the first line that has one. A line longer than the head is searched as text. */
function sessionOf(head: Uint8Array): string | undefined {
	let start = 0;
	while (start < head.length) {
		const end = head.indexOf(10, start);
		if (end === -1) break;
		const { value } = parseRecord(head.subarray(start, end + 1), start === 0);
		if (isObject(value) && typeof value.sessionId === 'string') return value.sessionId;
		start = end + 1;
	}
	return sessionField.exec(Buffer.from(head.subarray(start)).toString('latin1'))?.[1];
}

function filesOf(role: SideFile['role'], folder: string, folders: Folders): readonly SideFile[] {
	return filesIn(folder, folders).map((name) => ({ path: pathsOf(folder).join(folder, name), role }));
}
