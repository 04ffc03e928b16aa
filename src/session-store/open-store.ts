/** Opens the store that somebody names on a command line: a database's URL, `sqlite:FILE`, or a folder. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { makeFolders } from '../log/make-folders.ts';
import { errorText } from '../model/index.ts';
import { InputError } from '../store/errors.ts';
import { filesStore } from './adapters/files.ts';
import { postgresStore } from './adapters/postgres.ts';
import { postgresAddress } from './adapters/postgres-url.ts';
import { sqliteStore } from './adapters/sqlite.ts';
import type { ExactStore } from './contract.ts';

/** Where sessions go. */
export interface Destination {
	readonly store: ExactStore;
	/** What people are shown: nothing of it is a secret. */
	readonly shown: string;
	/** The same each time for the same place: what was sent there is known by it. */
	readonly name: string;
}

/** Opens the store. A database server is not asked for anything yet. Throws an InputError for what names no store. */
export function openStore(to: string): Destination {
	if (/^sqlite:/.test(to)) return sqliteAt(to.replace(/^sqlite:(?:\/\/)?/, ''));
	if (/^postgres(?:ql)?:/.test(to)) {
		const { shown, name } = postgresAddress(to);
		return { store: postgresStore(to), shown, name };
	}
	const scheme = /^([a-z][a-z0-9+.-]+):\/\//i.exec(to)?.[1];
	if (scheme !== undefined) {
		const known = 'postgres://…, sqlite:FILE, or a folder';
		throw new InputError('destination', `there is no store for ${scheme}: a destination is ${known}`);
	}
	if (to === '') throw new InputError('destination', 'a destination is postgres://…, sqlite:FILE, or a folder');
	const folder = resolve(to);
	if (statSync(folder, { throwIfNoEntry: false })?.isFile())
		throw new InputError('destination', `${to} is a file: name a folder, or a database as sqlite:FILE`);
	try {
		makeFolders(folder);
	} catch (error) {
		// What cannot be made now is not worth waiting for, unlike a server that is away.
		throw new InputError('destination', `${folder} cannot be made: ${errorText(error)}`);
	}
	return { store: filesStore(folder), shown: folder, name: folder };
}

function sqliteAt(file: string): Destination {
	if (file === '') throw new InputError('destination', 'sqlite: needs a file: sqlite:FILE');
	const path = resolve(file);
	try {
		return { store: sqliteStore(path), shown: `sqlite:${path}`, name: `sqlite:${path}` };
	} catch (error) {
		if (!(error instanceof Error && 'code' in error)) throw error;
		throw new InputError('destination', `${path} cannot be opened as a database: ${error.message}`);
	}
}
