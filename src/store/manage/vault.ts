/** Keeps sessions in the vault and puts them back: when a file is hard-linked and when copied, when it is kept again, and when its older copy stays as well. */
import { lstatSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Codec, Folders, Machine } from '../../codecs/index.ts';
import { diskCalls } from '../../log/calls.ts';
import { createFiles } from '../../log/index.ts';
import { InputError, isForUser } from '../errors.ts';
import { discoverSessions, type FoundSession } from '../find/discover.ts';
import { diskFolders } from '../find/folders.ts';
import { codecNamed, filesOf, type SessionFile, topFolder } from '../find/session-files.ts';
import { databasePath, databaseTranscript } from '../reader/database.ts';
import { glance } from '../reader/glance.ts';
import { putFiles } from './move-files.ts';
import { keepFromCleanUp } from './trash.ts';
import {
	entryFolder,
	type KeptFile,
	keepsAll,
	keyFor,
	listEntries,
	type OlderFile,
	readEntry,
	type VaultEntry,
	vaultFolder,
	writeEntry,
} from './vault-entry.ts';

export interface Synced {
	readonly entry: VaultEntry;
	/** How many files were copied or copied again. */
	readonly changed: number;
	/** True when the client no longer has the session. */
	readonly gone: boolean;
}

/** Keeps the session as it is now. When nothing has changed this costs one look at each file. */
export async function keepSession(session: FoundSession, machine: Machine): Promise<Synced> {
	const key = keyFor(machine, session);
	const old = readEntry(machine, key);
	const database = databasePath(session.path);
	const codec = codecNamed(session.format);
	const keeping: Keeping = {
		machine,
		key,
		codec,
		files: [...(old?.files ?? [])],
		older: [...(old?.older ?? [])],
		dropped: [],
		changed: 0,
	};
	if (database.session !== undefined) await keepStored(keeping, session.path, database.file, database.session);
	else for (const file of filesOf(codec, session.path).files) await keepFile(keeping, file);
	const same = keeping.changed === 0 && old?.path === session.path;
	const entry = old && same ? old : entryOf(session, keeping);
	if (entry !== old) await writeEntry(machine, entry);
	for (const path of keeping.dropped) diskCalls.unlink(path);
	return { entry, changed: keeping.changed, gone: false };
}

interface Keeping {
	readonly machine: Machine;
	readonly key: string;
	readonly codec: Codec;
	readonly files: KeptFile[];
	readonly older: OlderFile[];
	/** Copies that can go once the entry that replaces them is written. */
	readonly dropped: string[];
	changed: number;
}

function entryOf(session: FoundSession, { key, files, older }: Keeping): VaultEntry {
	const { title, cwd } = glance(session) ?? {};
	const { id, agent, format, path } = session;
	return {
		key,
		session: { id, agent, format, ...(title === undefined ? {} : { title }), ...(cwd === undefined ? {} : { cwd }) },
		path,
		synced: new Date().toISOString(),
		files,
		older,
	};
}

async function keepFile(keeping: Keeping, file: SessionFile): Promise<void> {
	const stat = diskCalls.lstat(file.path);
	if (!stat?.isFile()) return; // the client has just removed it; what was kept stays
	const stamp = { size: stat.size, mtimeMs: stat.mtimeMs, inode: `${stat.dev}:${stat.ino}` };
	const at = keeping.files.findIndex((kept) => sameFile(kept, file));
	const kept = keeping.files[at];
	if (kept && kept.inode === stamp.inode && kept.size === stamp.size && kept.mtimeMs === stamp.mtimeMs) {
		if (kept.from !== file.path) replaceAt(keeping, at, { ...kept, from: file.path });
		return;
	}
	if (kept?.how === 'link' && kept.inode === stamp.inode && stamp.size >= kept.size) {
		replaceAt(keeping, at, { ...kept, ...stamp, from: file.path });
		return;
	}
	// Only a file that is just appended to may be a hard link. Any other is copied, or the kept one would change.
	const link = keeping.codec.places.manage?.writes === 'append' && (file.role === 'main' || file.role === 'subagent');
	const name = freshName(keeping);
	const folder = entryFolder(keeping.machine, keeping.key);
	const move = { from: file.path, to: join(folder, name), within: vaultFolder(keeping.machine) };
	const [copied] = await putFiles([{ ...move, link }]);
	const next: KeptFile = { name, from: file.path, role: file.role, how: copied ? 'copy' : 'link', ...stamp, ...copied };
	if (kept) retire(keeping, kept, stamp.size);
	replaceAt(keeping, kept ? at : keeping.files.length, next);
}

/** True for the kept state of this file. In a session that was moved, files are known by their names. */
function sameFile(kept: KeptFile, file: SessionFile): boolean {
	if (kept.from === file.path) return true;
	return kept.role === file.role && (kept.role === 'main' || stepsFromEnd(kept.from) === stepsFromEnd(file.path));
}

function stepsFromEnd(path: string): string {
	return path.split(/[/\\]/).slice(-3).join('/');
}

function replaceAt(keeping: Keeping, at: number, file: KeptFile): void {
	keeping.files[at] = file;
	keeping.changed += 1;
}

function freshName({ files, older }: Keeping): string {
	const numbers = [...files, ...older].map((file) => Number(/^file-(\d+)$/.exec(file.name)?.[1] ?? -1));
	return `file-${Math.max(-1, ...numbers) + 1}`;
}

/** Drops the older copy, unless the new state is shorter or may be another file: then both stay. */
function retire(keeping: Keeping, kept: KeptFile, size: number): void {
	if (size < kept.size || kept.how === 'link') keeping.older.push({ ...kept, until: new Date().toISOString() });
	else keeping.dropped.push(join(entryFolder(keeping.machine, keeping.key), kept.name));
}

/** Keeps a session of OpenClaw's database, as the lines that it would have in a file. */
async function keepStored(keeping: Keeping, path: string, file: string, session: string): Promise<void> {
	const stat = statSync(file);
	const log = statSync(`${file}-wal`, { throwIfNoEntry: false });
	const mtimeMs = Math.max(stat.mtimeMs, log?.mtimeMs ?? 0);
	const kept = keeping.files[0];
	if (kept?.mtimeMs === mtimeMs) return;
	const bytes = databaseTranscript(file, session);
	const name = freshName(keeping);
	const to = join(entryFolder(keeping.machine, keeping.key), name);
	await createFiles([{ to, pieces: bytes, within: vaultFolder(keeping.machine) }]);
	const next: KeptFile = { name, from: path, role: 'main', how: 'copy', size: bytes.length, mtimeMs, inode: '' };
	if (kept) retire(keeping, kept, bytes.length);
	replaceAt(keeping, 0, next);
}

export interface SyncOptions {
	readonly folders?: Folders;
	/** Called for a session that could not be kept; the others are kept. */
	failed?(session: FoundSession, reason: string): void;
}

/** Keeps again what is in the vault, and every new session where that was asked for. */
export async function syncVault(machine: Machine, options: SyncOptions = {}): Promise<readonly Synced[]> {
	const all = keepsAll(machine);
	const entries = new Map(listEntries(machine).map((entry) => [entry.key, entry]));
	const results: Synced[] = [];
	for (const session of discoverSessions(machine, options.folders ?? diskFolders)) {
		const key = keyFor(machine, session);
		if (!all && !entries.has(key)) continue;
		entries.delete(key);
		try {
			results.push(await keepSession(session, machine));
		} catch (error) {
			if (!isForUser(error)) throw error;
			options.failed?.(session, error.message);
		}
	}
	for (const entry of entries.values()) results.push({ entry, changed: 0, gone: true });
	return results;
}

/** Puts a session back where its client finds it. A file that exists is never touched. */
export async function restoreFromVault(entry: VaultEntry, machine: Machine): Promise<readonly string[]> {
	const folder = entryFolder(machine, entry.key);
	const main = entry.files.find((file) => file.role === 'main');
	if (!main) throw new InputError('missing', `the vault has no main file of ${entry.session.id}`);
	if (databasePath(entry.path).session !== undefined) {
		const copy = join(folder, main.name);
		throw new InputError(
			'in-a-database',
			`${entry.path} is a row in its client’s database, where Reprise does not write. Its lines are in ${copy}`,
		);
	}
	if (lstatSync(main.from, { throwIfNoEntry: false })) {
		throw new InputError('exists', `${main.from} exists already: there is nothing to restore`);
	}
	const absent = entry.files.filter((file) => !lstatSync(file.from, { throwIfNoEntry: false }));
	// The main file comes last: a client that looks meanwhile finds the whole session or none.
	const order = [...absent.filter((file) => file !== main), main];
	await putFiles(
		order.map((file) => ({
			from: join(folder, file.name),
			to: file.from,
			within: topFolder(main.from, file.from),
			link: file.how === 'link',
		})),
	);
	const restored = order.map((file) => file.from);
	keepFromCleanUp(entry.session.format, restored);
	return restored;
}
