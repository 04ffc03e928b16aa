/** Creates a new session: its id, its time and its place, and when its file is first written, which is with the first append. */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Codec, Machine } from '../../codecs/index.ts';
import type { FormatName, Header } from '../../model/index.ts';
import { InputError } from '../errors.ts';
import { thisMachine } from '../find/folders.ts';
import { homeIn, notAtHome, placeOf } from '../find/place.ts';
import { writerNamed } from '../format-named.ts';
import { type HandleOptions, handleOn, type SessionHandle } from './handle.ts';
import { NewState } from './new-state.ts';

export interface CreateOptions extends HandleOptions {
	readonly format: FormatName;
	/** The project's folder. */
	readonly cwd: string;
	/** The session's id. Default: a new one, as the client makes them. */
	readonly id?: string;
	/** The main file. Default: where the client looks for it; the profile `published` needs a place of its own. */
	readonly path?: string;
	/** In place of `path`: a folder that is laid out like the home of the client. */
	readonly home?: string;
	/** What the header says from the start, as far as the format has a place for it. */
	readonly header?: Omit<Header, 'id' | 'dialect' | 'cwd' | 'created' | 'version'>;
}

/**
 * A handle on a session that does not exist yet. Nothing is written until the first append: that makes the file with the
 * format's header and what its client needs beside it, all or nothing, and never in place of a file that is there.
 */
export async function createHandle(options: CreateOptions): Promise<SessionHandle> {
	const codec = writerNamed(options.format);
	const created = new Date(options.now?.() ?? Date.now());
	const id = options.id ?? codec.write.newId((options.random ?? randomBytes)(16), created, options.profile);
	if (!codec.write.takesId(id)) {
		const example = codec.write.newId(randomBytes(16), created, options.profile);
		throw new InputError('bad-id', `${codec.name} would not find a session called ${id}: use an id like ${example}`);
	}
	const header = { ...options.header, cwd: resolve(options.cwd), created: created.toISOString() };
	const path = mainFile(codec, options, { id, ...header });
	if (existsSync(path)) throw new InputError('exists', `${path} exists already: open it to go on with it`);
	return handleOn(
		path,
		{ held: new NewState(codec, id, header), profile: options.profile ?? 'client' },
		{ ...options, given: header },
	);
}

function mainFile(
	codec: Codec,
	{ path, home, profile, machine }: CreateOptions,
	session: { readonly id: string; readonly cwd: string; readonly created: string },
): string {
	if (path !== undefined) return resolve(path);
	if (home === undefined && profile === 'published') {
		throw new InputError('no-place', `${notAtHome}: name a file or a folder for it (--session-file)`);
	}
	const at: Machine = home === undefined ? (machine ?? thisMachine()) : homeIn(home);
	return placeOf(at, codec, { ...session, profile });
}
