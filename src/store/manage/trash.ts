/** The trash of deleted sessions and of originals of changed files: its names, how an entry is found and restored, and how a restored file is kept from its client's clean-up. */
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, rmdirSync, statSync, unlinkSync, utimesSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import type { Machine } from '../../codecs/index.ts';
import { codeOf } from '../../log/errors.ts';
import { createFiles } from '../../log/index.ts';
import { isObject, type JsonObject } from '../../model/index.ts';
import { InputError } from '../errors.ts';
import { codecNamed, type SessionFiles, sessionFiles, sessionId, topFolder } from '../find/session-files.ts';
import { ownNoteOf, subagentFiles } from '../handle/subagents.ts';
import { dataFolder } from '../own-data/data-folder.ts';
import { ownLog, readOneOf } from '../own-data/own-data.ts';
import { runNotesFile } from '../own-data/run-notes.ts';
import { agentsFolder, filesInFolder, outputsFolder } from '../own-data/session-folders.ts';
import { glance } from '../reader/glance.ts';
import { type Move, moveFiles, putFiles, removeEmptyFolders } from './move-files.ts';

export type TrashReason = 'delete' | 'rename' | 'relink';

export interface Trashed {
	readonly id: string;
	readonly why: TrashReason;
	readonly time: string;
	readonly session: { readonly id: string; readonly format: string; readonly title?: string; readonly cwd?: string };
	/** The main file first. */
	readonly files: readonly { readonly name: string; readonly from: string; readonly role: string }[];
}

export interface Deleted {
	readonly trashed: Trashed;
	/** Links and the like that stay where they were. */
	readonly left: readonly string[];
	/** What the client's own index will still say about the session. */
	readonly note?: string;
}

const manifest = 'trash.json';

function trashFolder(machine: Machine): string {
	return join(dataFolder(machine), 'trash');
}

/** Moves a session with everything that is its own into the trash. */
export async function deleteSession(path: string, machine: Machine): Promise<Deleted> {
	const session = sessionFiles(path, 'delete');
	// Fails while another process writes to the session through us, which has to finish first.
	await using _lease = await ownLog(machine).writer(path);
	const trashed = await moveToTrash(session, [...session.files, ...ownFilesOf(session, machine)], 'delete', machine);
	const note = session.codec.places.manage?.index?.(path);
	return { trashed, left: session.odd, ...(note === undefined ? {} : { note }) };
}

/**
 * What our own data holds of a session goes with it, because it repeats what was said and done in it: sub-agents that
 * its client has no place for, long outputs, and notes of hooks and permissions; of its sub-agents as well.
 */
function ownFilesOf({ codec, main }: SessionFiles, machine: Machine): SessionFiles['files'] {
	const agents = subagentFiles({ path: main, format: codec.id, machine });
	const notes = [{ path: main, id: sessionId(codec, main) }, ...agents].flatMap(({ path, id }) => [
		...filesInFolder(outputsFolder(machine, path)).map((output) => ({ path: output, role: 'output' })),
		{ path: runNotesFile(machine, { format: codec.id, id }), role: 'notes' },
	]);
	return [...ownAgents(main, machine), ...notes.filter(({ path }) => existsSync(path))];
}

/** The files of sub-agents that are kept with our own data. */
export function ownAgents(main: string, machine: Machine): SessionFiles['files'] {
	return filesInFolder(agentsFolder(machine, main)).map((path) => ({
		path,
		role: ownNoteOf(path) === undefined ? 'subagent-meta' : 'subagent',
	}));
}

/** Moves files of a session into the trash; whoever calls holds the session's lease. */
export async function moveToTrash(
	session: SessionFiles,
	files: SessionFiles['files'],
	why: TrashReason,
	machine: Machine,
): Promise<Trashed> {
	const trashed = await makeEntry(session, files, why, machine, moveFiles);
	// The main file's folder becomes empty only after the side files are gone.
	for (const { path } of [...files].reverse()) removeEmptyFolders([path], topOf(session.main, path, machine));
	return trashed;
}

/** The folder that stays, and below which no link may lead a restored file elsewhere. */
function topOf(main: string, file: string, machine: Machine): string {
	const own = resolve(dataFolder(machine));
	return resolve(file).startsWith(own + sep) ? own : topFolder(main, file);
}

/** Keeps a copy of files that are about to be changed. */
export async function keepOriginals(
	session: SessionFiles,
	files: SessionFiles['files'],
	why: TrashReason,
	machine: Machine,
): Promise<Trashed> {
	// These are copies: a hard link would change with the original.
	return await makeEntry(session, files, why, machine, (moves) =>
		putFiles(moves.map((move) => ({ ...move, link: false }))),
	);
}

function moveInto(machine: Machine, id: string, file: Trashed['files'][number]): Move {
	const folder = trashFolder(machine);
	return { from: file.from, to: join(folder, id, file.name), within: folder };
}

/** Where the files cannot come, their note does not stay either. */
async function makeEntry(
	session: SessionFiles,
	files: SessionFiles['files'],
	why: TrashReason,
	machine: Machine,
	put: (moves: readonly Move[]) => Promise<unknown>,
): Promise<Trashed> {
	const trashed = await describe(session, files, why, machine);
	try {
		await put(trashed.files.map((file) => moveInto(machine, trashed.id, file)));
	} catch (error) {
		forget(machine, trashed);
		throw error;
	}
	return trashed;
}

/** Writes the note before the files come: a file whose origin nobody knows would be as good as lost. */
async function describe(
	session: SessionFiles,
	files: SessionFiles['files'],
	why: TrashReason,
	machine: Machine,
): Promise<Trashed> {
	const format = session.codec.id;
	const seen = glance({ path: session.main, format });
	const id = sessionId(session.codec, session.main);
	const time = new Date().toISOString();
	const { title, cwd } = seen ?? {};
	const trashed: Trashed = {
		id: `${time.slice(0, 19).replace(/[-:]/g, '')}-${randomBytes(3).toString('hex')}`,
		why,
		time,
		session: { id, format, ...(title === undefined ? {} : { title }), ...(cwd === undefined ? {} : { cwd }) },
		files: files.map((file, index) => ({ name: `file-${index}`, from: file.path, role: file.role })),
	};
	const folder = trashFolder(machine);
	const to = join(folder, trashed.id, manifest);
	const pieces = Buffer.from(`${JSON.stringify({ version: 1, ...trashed }, null, '\t')}\n`);
	await createFiles([{ to, pieces, within: dataFolder(machine) }]);
	return trashed;
}

/** Everything in the trash, the latest first. A damaged entry is told, and left out. */
export function listTrash(machine: Machine, damaged?: (message: string) => void): readonly Trashed[] {
	const folder = trashFolder(machine);
	let names: readonly string[];
	try {
		names = readdirSync(folder);
	} catch (error) {
		if (codeOf(error) === 'ENOENT') return [];
		throw error;
	}
	return names
		.flatMap((name) => trashedFrom(readOneOf(join(folder, name, manifest), damaged)) ?? [])
		.sort((a, b) => (a.time < b.time ? 1 : -1));
}

function trashedFrom(value: JsonObject | undefined): Trashed | undefined {
	if (!value || !isObject(value.session) || !Array.isArray(value.files)) return undefined;
	if (![value.id, value.time, value.session.id].every((text) => typeof text === 'string')) return undefined;
	return value as unknown as Trashed;
}

/** The one entry that `wanted` means: by its own id or the session's, or by the beginning of either. */
export function findTrashed(wanted: string, machine: Machine, damaged?: (message: string) => void): Trashed {
	const all = listTrash(machine, damaged);
	const exact = all.filter((one) => one.id === wanted || one.session.id === wanted);
	const found =
		exact.length > 0 ? exact : all.filter((one) => [one.id, one.session.id].some((id) => id.startsWith(wanted)));
	const [first, second] = found;
	if (!first || wanted === '') throw new InputError('missing', `there is nothing in the trash with the id "${wanted}"`);
	if (!second) return first;
	const lines = found.map((one) => `  ${one.id}  ${one.why}  ${one.session.title ?? one.session.id}`);
	throw new InputError('ambiguous', [`"${wanted}" means ${found.length} things in the trash:`, ...lines].join('\n'));
}

/** Puts everything back where it was, unless anything is there now. */
export async function restoreTrashed(trashed: Trashed, machine: Machine): Promise<readonly string[]> {
	const main = trashed.files[0]?.from ?? '';
	const folder = join(trashFolder(machine), trashed.id);
	const moves = trashed.files
		.map((file) => ({ from: join(folder, file.name), to: file.from, within: topOf(main, file.from, machine) }))
		// A process that was killed while it deleted may have left some files where they were.
		.filter((move) => statSync(move.from, { throwIfNoEntry: false }) !== undefined);
	await moveFiles(moves);
	forget(machine, trashed);
	const restored = moves.map((move) => move.to);
	keepFromCleanUp(trashed.session.format, restored);
	return restored;
}

/** Ends an entry. While a file of it is there, its note stays, which alone says where the file belongs. */
function forget(machine: Machine, trashed: Trashed): void {
	const folder = join(trashFolder(machine), trashed.id);
	if (trashed.files.some(({ name }) => existsSync(join(folder, name)))) return;
	unlinkSync(join(folder, manifest));
	try {
		rmdirSync(folder);
	} catch (error) {
		if (codeOf(error) !== 'ENOTEMPTY') throw error;
	}
}

const dayMs = 86_400_000;
const marginDays = 7;

/**
 * Marks restored files as touched today. Clients delete each file that was not touched for a month, so what a user has
 * just brought back would be lost at the client's next start.
 */
export function keepFromCleanUp(format: string, paths: readonly string[]): void {
	const days = codecNamed(format).places.manage?.keepsDays;
	if (days === undefined) return;
	const now = new Date();
	for (const path of paths) {
		const stat = statSync(path, { throwIfNoEntry: false });
		if (stat && now.getTime() - stat.mtimeMs > (days - marginDays) * dayMs) utimesSync(path, now, now);
	}
}
