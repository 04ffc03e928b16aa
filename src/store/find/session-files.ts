/** All files that belong to one session and to no other: what is deleted, moved or kept together. */
import { dirname, resolve } from 'node:path';
import { type Codec, codecOf, type Folders, type SideFile } from '../../codecs/index.ts';
import type { FormatId } from '../../model/index.ts';
import { InputError } from '../errors.ts';
import { databasePath } from '../reader/database.ts';
import { codecAt } from '../reader/session-reader.ts';
import { stemOf } from '../reader/whole.ts';
import { commonFolder, diskFolders, isReal } from './folders.ts';

export interface SessionFile {
	readonly path: string;
	/** `main`, the role of a side file, or `other` for anything else that the client keeps there. */
	readonly role: string;
}

export interface SessionFiles {
	readonly codec: Codec;
	readonly main: string;
	/** Regular files only, the main file first. */
	readonly files: readonly SessionFile[];
	/** Links and the like in the session's folder: nobody knows what lies behind them, so they stay where they are. */
	readonly odd: readonly string[];
}

/** The files of the session at `path`. Throws an InputError when there is none, or when it is not ours to move. */
export function sessionFiles(path: string, doing: string): SessionFiles {
	if (databasePath(path).session !== undefined) {
		throw new InputError('in-a-database', `${path} is a row in its client’s database: Reprise does not ${doing} there`);
	}
	return filesOf(codecAt(path), path);
}

/** The files of a session whose format is known; nothing is opened. */
export function filesOf(codec: Codec, main: string): SessionFiles {
	const side = codec.places.sideFiles(main, withLinks).filter((file) => file.role !== 'index'); // shared by all
	const known = new Map<string, string>([[main, 'main'], ...side.map((file) => [file.path, file.role] as const)]);
	for (const path of codec.places.manage?.belongings?.(main, diskFolders) ?? [])
		if (!known.has(path)) known.set(path, 'other');
	const files: SessionFile[] = [];
	const odd: string[] = [];
	for (const [path, role] of known) {
		if (isReal(main, path)) files.push({ path, role });
		else if (path === main) throw new InputError('link', `${main} is not a regular file: name the file itself`);
		else odd.push(path);
	}
	return { codec, main, files, odd };
}

/** Folders that also list links, for callers that ask what lies there and open none of it. */
const withLinks: Folders = { ...diskFolders, isPlain: () => true };

/** Links in place of side files. They are not read: a link could lead to anything that the user may read. */
export function linkedFiles(codec: Codec, main: string): readonly SideFile[] {
	return codec.places.sideFiles(main, withLinks).filter((file) => !isReal(main, file.path));
}

/** The id that discovery gives the session: the one its client would look it up by. */
export function sessionId(codec: Codec, main: string): string {
	return codec.places.idOf?.(main, diskFolders) ?? stemOf(main);
}

/** The agent to which discovery assigns the session; a file that lies elsewhere goes by the name of its format. */
export function agentOf(format: FormatId, main: string): string {
	return codecOf(format)?.places.agentOf?.(resolve(main)) ?? format;
}

export function codecNamed(format: string): Codec {
	const codec = codecOf(format);
	if (!codec) throw new InputError('unknown-format', `${format} is not a format of this version of Reprise`);
	return codec;
}

/** The folder that must exist to put a file back: for the main file the one above its project's, which may be gone. */
export function topFolder(main: string, file: string): string {
	return file === main ? dirname(dirname(main)) : commonFolder(main, file);
}
