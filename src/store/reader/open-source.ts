/** Opens the bytes behind a path, a file or `DB#SESSION`; and the words for a path that is missing, empty, a folder, or not allowed to be read. */
import { statSync } from 'node:fs';
import { type FileSource, openFile } from '../../log/file-source.ts';
import { memorySource } from '../../model/index.ts';
import { databasePath, databaseSessions, databaseTranscript } from './database.ts';

/** Why a path is no session, in words for its user. */
export interface NotASession {
	readonly ok: false;
	readonly rule: 'missing' | 'unreadable' | 'not-a-file' | 'empty' | 'unknown-format';
	readonly message: string;
}

/** Bytes and the name they go by: a file, or a session inside a database. */
export type NamedSource = Omit<FileSource, 'stat'>;

export type Opened = { readonly ok: true; readonly source: NamedSource } | NotASession;

/** Opens a file, or `DB#SESSION` for a session inside a database. */
export function openSource(path: string): Opened {
	const { file, session } = databasePath(path);
	try {
		const stat = statSync(file);
		if (stat.isDirectory()) return notASession('not-a-file', `${path} is a folder: name the session file in it`);
		if (!stat.isFile()) return notASession('not-a-file', `${path} is not a regular file`);
		if (stat.size === 0) return notASession('empty', `${path} is empty: there is no session in it`);
		const source = openFile(file);
		if (!isDatabase(source)) {
			if (session === undefined) return { ok: true, source };
			source[Symbol.dispose]();
			return notASession('missing', `${path} does not exist`);
		}
		source[Symbol.dispose]();
		return openStored(file, session, stat.mtimeMs);
	} catch (error) {
		if (!(error instanceof Error && 'code' in error)) throw error;
		if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return notASession('missing', `${path} does not exist`);
		if (error.code === 'EACCES' || error.code === 'EPERM')
			return notASession('unreadable', `you are not allowed to read ${path}`);
		if (error.code === 'ELOOP') return notASession('unreadable', `${path} is a link that leads to itself`);
		throw error;
	}
}

/** Opens a session inside a database; without a name it must be the only one. */
function openStored(file: string, session: string | undefined, mtimeMs: number): Opened {
	const stored = databaseSessions(file);
	if (!stored) return notASession('unknown-format', `${file} is an SQLite database, but not one that holds sessions`);
	const ids = stored.map((one) => one.id);
	const id = session ?? (ids.length === 1 ? ids[0] : undefined);
	if (id === undefined) {
		const choice =
			ids.length === 0 ? 'it holds none yet' : `name one of them: ${ids.map((one) => `${file}#${one}`).join(', ')}`;
		return notASession('unknown-format', `${file} is OpenClaw's store of sessions; ${choice}`);
	}
	if (!ids.includes(id)) return notASession('missing', `${file} has no session ${id}`);
	const bytes = memorySource(databaseTranscript(file, id));
	return { ok: true, source: { ...bytes, path: `${file}#${id}`, mtimeMs, [Symbol.dispose]: () => undefined } };
}

function isDatabase(source: FileSource): boolean {
	return Buffer.from(source.read(0, 15)).toString('latin1') === 'SQLite format 3';
}

export function notASession(rule: NotASession['rule'], message: string): NotASession {
	return { ok: false, rule, message };
}
