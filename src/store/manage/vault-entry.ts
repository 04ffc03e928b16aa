/** The record of a session in the vault: its key, what is noted of each kept file, which entry a name means, and the setting that keeps every session. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Machine } from '../../codecs/index.ts';
import { type FormatId, isObject, type JsonObject } from '../../model/index.ts';
import { InputError } from '../errors.ts';
import { dataFolder } from '../own-data/data-folder.ts';
import { changeOwn, readOwn } from '../own-data/own-data.ts';

export interface KeptFile {
	/** The copy's name in the entry's folder. */
	readonly name: string;
	/** The path where the client has the file. */
	readonly from: string;
	readonly role: string;
	readonly how: 'link' | 'copy';
	/** Size, time and inode of the file when it was kept: while they are the same, nothing has to be copied. */
	readonly size: number;
	readonly mtimeMs: number;
	readonly inode: string;
}

/** An older state of a file, kept because something made the file shorter or put another in its place. */
export interface OlderFile extends KeptFile {
	readonly until: string;
}

export interface VaultEntry {
	readonly key: string;
	readonly session: {
		readonly id: string;
		readonly agent: string;
		readonly format: FormatId;
		readonly title?: string;
		readonly cwd?: string;
	};
	/** The session's main file, or `DB#SESSION`. */
	readonly path: string;
	readonly synced: string;
	readonly files: readonly KeptFile[];
	readonly older: readonly OlderFile[];
}

const note = 'kept.json';

export function vaultFolder(machine: Machine): string {
	return join(dataFolder(machine), 'vault');
}

export function entryFolder(machine: Machine, key: string): string {
	return join(vaultFolder(machine), key);
}

/** A vault entry's key: the id, so that a moved session stays one; with the path where two places share an id. */
export function keyFor(
	machine: Machine,
	session: { readonly format: FormatId; readonly id: string; readonly path: string },
): string {
	const key = hash(session.format, session.id);
	const there = readEntry(machine, key);
	if (!there || there.path === session.path || !existsSync(there.path)) return key;
	return hash(session.format, session.id, session.path);
}

function hash(...parts: readonly string[]): string {
	return createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 24);
}

export function readEntry(machine: Machine, key: string): VaultEntry | undefined {
	const value = readOwn(join(entryFolder(machine, key), note));
	return value && isEntry(value) ? (value as unknown as VaultEntry) : undefined;
}

function isEntry(value: JsonObject): boolean {
	return isObject(value.session) && Array.isArray(value.files) && Array.isArray(value.older);
}

export async function writeEntry(machine: Machine, entry: VaultEntry): Promise<void> {
	const value = { version: 1, ...entry } as unknown as JsonObject;
	await changeOwn(machine, join(entryFolder(machine, entry.key), note), (old) => ({ ...old, ...value }));
}

export function listEntries(machine: Machine): readonly VaultEntry[] {
	const folder = vaultFolder(machine);
	if (!existsSync(folder)) return [];
	return readdirSync(folder, { withFileTypes: true })
		.filter((item) => item.isDirectory())
		.flatMap((item) => readEntry(machine, item.name) ?? []);
}

/** The entry that `wanted` means: a session's id or the beginning of one, or its title. */
export function findEntry(machine: Machine, wanted: string): VaultEntry {
	const all = listEntries(machine);
	const by = (test: (entry: VaultEntry) => boolean): readonly VaultEntry[] => all.filter(test);
	const ways = [
		by(({ session, key }) => session.id === wanted || key === wanted),
		by(({ session }) => wanted !== '' && session.id.startsWith(wanted)),
		by(({ session }) => session.title === wanted),
	];
	const [first, ...rest] = ways.find((found) => found.length > 0) ?? [];
	if (!first) throw new InputError('missing', `the vault holds no session with the id or title "${wanted}"`);
	if (rest.length === 0) return first;
	const lines = [first, ...rest].map(
		(entry) => `  ${entry.key}  ${entry.session.agent}  ${entry.session.id}  ${entry.path}`,
	);
	throw new InputError('ambiguous', [`"${wanted}" means ${lines.length} sessions in the vault:`, ...lines].join('\n'));
}

const settings = 'settings.json';

/** True when every session is to be kept, future ones included. */
export function keepsAll(machine: Machine): boolean {
	return readOwn(join(vaultFolder(machine), settings))?.all === true;
}

export async function setKeepsAll(machine: Machine, all: boolean): Promise<void> {
	await changeOwn(machine, join(vaultFolder(machine), settings), (old) => ({ ...old, version: 1, all }));
}
