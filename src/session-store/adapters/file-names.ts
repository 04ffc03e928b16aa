/** Where the files adapter keeps a transcript: the layout of a client's projects folder, with names that any disk takes. */
import { join } from 'node:path';
import { sha256Of } from '../../log/sha256.ts';
import type { SessionKey } from '../contract.ts';

export const ending = '.jsonl';

/** `PROJECT/SESSION.jsonl`, and `PROJECT/SESSION/SUBPATH.jsonl` for what belongs to a session. */
export function fileOf({ projectKey, sessionId, subpath }: SessionKey): string {
	const session = join(encoded(projectKey), encoded(sessionId));
	return subpath === undefined ? session + ending : join(session, ...subpath.split('/').map(encoded)) + ending;
}

/** The folder with everything that belongs to a session beside its main transcript. */
export function folderOf({ projectKey, sessionId }: Pick<SessionKey, 'projectKey' | 'sessionId'>): string {
	return join(encoded(projectKey), encoded(sessionId));
}

/** No common disk takes a longer name for a transcript. */
const longest = 255 - ending.length;
/** Begins the name of what is called by a sum, because its own name is too long. No encoded name begins so. */
const summed = '%-';

/** The names in a key that are too long, each with the path, without an ending, of what has it. Projects are not listed. */
export function longNames({ projectKey, sessionId, subpath }: SessionKey): readonly { path: string; name: string }[] {
	let path = encoded(projectKey);
	return [sessionId, ...(subpath?.split('/') ?? [])].flatMap((name) => {
		path = join(path, encoded(name));
		return encoded(name).startsWith(summed) ? [{ path, name }] : [];
	});
}

export function encoded(name: string): string {
	// A dot could make a name end like a transcript, be hidden, or lead upwards.
	const safe = name.replace(/[^A-Za-z0-9_-]/gu, (sign) =>
		Array.from(Buffer.from(sign), (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
	);
	if (safe.length > longest) return summed + sha256Of(Buffer.from(name));
	return safe === '' ? '%' : safe;
}

/** The name that was encoded; undefined for a file that is not ours, and for a name that was too long. */
export function decoded(name: string): string | undefined {
	if (name === '%') return '';
	if (!/^(?:[A-Za-z0-9_-]|%[0-9A-F]{2})+$/.test(name)) return undefined;
	try {
		return decodeURIComponent(name);
	} catch (error) {
		if (error instanceof URIError) return undefined;
		throw error;
	}
}
