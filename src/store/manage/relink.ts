/** Lets sessions follow a project that was moved or renamed, so that their clients list them in its new folder. */
import { realpathSync, statSync, unlinkSync, utimesSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import type { Machine, Relinked } from '../../codecs/index.ts';
import { createFiles } from '../../log/index.ts';
import { readRegular } from '../../log/regular-file.ts';
import { InputError, isForUser } from '../errors.ts';
import { discoverSessions, type FoundSession } from '../find/discover.ts';
import { commonFolder } from '../find/folders.ts';
import { isInside } from '../find/project.ts';
import { codecNamed, filesOf, type SessionFiles } from '../find/session-files.ts';
import { dataFolder } from '../own-data/data-folder.ts';
import { ownLog } from '../own-data/own-data.ts';
import { agentsFolder } from '../own-data/session-folders.ts';
import { databasePath } from '../reader/database.ts';
import { foldersOf } from '../reader/glance.ts';
import { type Annotations, annotate, readAnnotations } from './annotations.ts';
import { type Move, moveFiles, removeEmptyFolders } from './move-files.ts';
import { replaceFile } from './rename.ts';
import { moveToTrash, ownAgents } from './trash.ts';

export interface RelinkStep {
	readonly session: FoundSession;
	/** The folder the session belonged to, and the one it belongs to now. */
	readonly folder: { readonly from: string; readonly to: string };
	/** `move`: the files go to another folder. `edit`: the file that states the folder changes. `stay`: neither. */
	readonly action: 'move' | 'edit' | 'move-and-edit' | 'stay';
	readonly from: string;
	readonly to: string;
	readonly note?: string;
}

/** What `relink` would do. Reads the beginning and end of every session and changes nothing. */
export function planRelink(oldFolder: string, newFolder: string, machine: Machine): readonly RelinkStep[] {
	const from = realOrGone(oldFolder);
	const to = realOrGone(newFolder);
	if (from === to) throw new InputError('same-folder', `${oldFolder} and ${newFolder} are the same folder`);
	if (!statSync(to, { throwIfNoEntry: false })?.isDirectory()) {
		throw new InputError('missing', `${newFolder} is not a folder: name the one the project is in now`);
	}
	const annotationsOf = readAnnotations(machine);
	const steps: RelinkStep[] = [];
	for (const session of discoverSessions(machine)) {
		if (databasePath(session.path).session !== undefined) continue; // not ours to write, and not sorted by folder
		const own = ownFolder(session, annotationsOf(session), from, machine);
		if (own === undefined) continue;
		const moved = join(to, relative(from, realOrGone(own)));
		steps.push(stepFor(session, own, moved, machine));
	}
	return steps;
}

/** The folder in the old project that the session belongs to; of several, the one that its file lies in. */
function ownFolder(session: FoundSession, marks: Annotations, project: string, machine: Machine): string | undefined {
	const named = marks.folder === undefined ? foldersOf(session) : [marks.folder];
	const inside = named.filter((folder) => isInside(project, realOrGone(folder)));
	return inside.find((folder) => target(session, folder, machine).path === session.path) ?? inside[0];
}

function target(session: FoundSession, folder: string, machine: Machine, moved = new Map<string, string>()): Relinked {
	const manage = codecNamed(session.format).places.manage;
	return manage?.relink(session.path, folder, machine, moved) ?? { path: session.path };
}

function stepFor(session: FoundSession, from: string, to: string, machine: Machine): RelinkStep {
	const { path, edit, note } = target(session, to, machine);
	const moves = path !== session.path;
	const action = moves ? (edit ? 'move-and-edit' : 'move') : edit ? 'edit' : 'stay';
	return {
		session,
		folder: { from, to },
		action,
		from: session.path,
		to: path,
		...(note === undefined ? {} : { note }),
	};
}

export interface RelinkResult {
	readonly steps: readonly RelinkStep[];
	/** The steps that failed, and why; the others were done. */
	readonly failed: readonly { readonly step: RelinkStep; readonly reason: string }[];
}

/** Relinks session by session: one that fails does not stop the others, stays where it was, and is named in the result. */
export async function relink(steps: readonly RelinkStep[], machine: Machine): Promise<RelinkResult> {
	const moved = new Map(steps.map((step) => [step.from, step.to]));
	const done: RelinkStep[] = [];
	const failed: { step: RelinkStep; reason: string }[] = [];
	for (const step of steps) {
		try {
			await relinkOne(step, machine, moved);
			done.push(step);
		} catch (error) {
			if (!isForUser(error)) throw error;
			failed.push({ step, reason: error.message });
		}
	}
	return { steps: done, failed };
}

async function relinkOne(step: RelinkStep, machine: Machine, moved: ReadonlyMap<string, string>): Promise<void> {
	const { session, folder, action } = step;
	if (action === 'stay') return;
	const files = filesOf(codecNamed(session.format), step.from);
	const { edit } = target(session, folder.to, machine, new Map(moved));
	if (action === 'move') {
		await moveSession(files, step, machine);
		// Where the lines still name the old folder, an annotation records the new one.
		await annotate(machine, [session], (marks) => ({ ...marks, folder: folder.to }));
		return;
	}
	const file = files.files.find((one) => one.role === edit?.role);
	if (!edit || !file)
		throw new InputError('no-manifest', `${step.from} has no ${edit?.role ?? 'file'} that states its folder`);
	const refolder = (bytes: Uint8Array): Uint8Array | undefined => edit.apply(bytes, folder.to);
	if (action === 'edit') await replaceFile(files, file, refolder, 'relink', machine);
	else await rewriteElsewhere(files, step, refolder, machine);
}

interface MovingFile extends Move {
	readonly role: string;
}

/** Where each file of a session goes: those in its folder, and those of its sub-agents that our own data holds. */
function movesOf(session: SessionFiles, step: RelinkStep, machine: Machine): readonly MovingFile[] {
	const old = dirname(step.from);
	const within = dirname(dirname(step.to));
	// Files that the client finds by the session's id elsewhere in its home stay where they are.
	const beside = session.files.filter((file) => commonFolder(step.from, file.path) === old);
	const agents = agentsFolder(machine, step.to);
	return [
		...beside.map(({ path, role }) => ({ from: path, to: join(dirname(step.to), relative(old, path)), within, role })),
		...ownAgents(step.from, machine).map(({ path, role }) => {
			return { from: path, to: join(agents, basename(path)), within: dataFolder(machine), role };
		}),
	];
}

async function moveSession(session: SessionFiles, step: RelinkStep, machine: Machine): Promise<void> {
	await using _lease = await ownLog(machine).writer(step.from);
	const moves = movesOf(session, step, machine);
	await moveFiles(moves);
	removeEmptyFolders(
		moves.map((move) => move.from),
		dirname(dirname(step.from)),
	);
}

/** Writes edited copies to their new places before the originals go to the trash. */
async function rewriteElsewhere(
	session: SessionFiles,
	step: RelinkStep,
	edit: (bytes: Uint8Array) => Uint8Array | undefined,
	machine: Machine,
): Promise<void> {
	await using _lease = await ownLog(machine).writer(step.from);
	const moves = movesOf(session, step, machine);
	const before = moves.map(({ from }) => statSync(from));
	await createFiles(copiesOf(moves, edit));
	try {
		for (const [index, { from, to }] of moves.entries()) {
			const [was, now] = [before[index], statSync(from)];
			if (now.size !== was?.size || now.mtimeMs !== was.mtimeMs)
				throw new InputError('busy', `${from} was written to meanwhile: end its client and try again`);
			utimesSync(to, was.atime, was.mtime); // clients sort by this time
		}
		const originals = moves.map(({ from, role }) => ({ path: from, role }));
		await moveToTrash(session, originals, 'relink', machine);
	} catch (error) {
		for (const { to } of moves) unlinkSync(to);
		throw error;
	}
}

/** The files as they are written, one by one. A sub-agent's file states the folder as the main file does. */
function* copiesOf(
	moves: readonly MovingFile[],
	edit: (bytes: Uint8Array) => Uint8Array | undefined,
): Iterable<{ readonly to: string; readonly pieces: Uint8Array; readonly within: string }> {
	for (const { from, to, within, role } of moves) {
		const bytes = readRegular(from);
		const edited = role === 'main' || role === 'subagent' ? edit(bytes) : bytes;
		if (!edited && role === 'main')
			throw new InputError('unreadable', `${from} does not begin as its client writes it: nothing was changed`);
		yield { to, pieces: edited ?? bytes, within };
	}
}

/** The real path. For a folder that is gone, the links in the part of its path that still exists are resolved. */
function realOrGone(path: string): string {
	const full = resolve(path);
	try {
		return realpathSync.native(full);
	} catch (error) {
		if (!(error instanceof Error && 'code' in error && 'syscall' in error)) throw error;
		return dirname(full) === full ? full : join(realOrGone(dirname(full)), basename(full));
	}
}
