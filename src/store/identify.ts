/** What a path is: a session of some format, or the reason why not. */
import { statSync } from 'node:fs';
import { type Codec, codecs, detect } from '../codecs/index.ts';
import { type FileSource, openFile } from '../log/file-source.ts';
import { memorySource } from '../model/index.ts';
import { databasePath, databaseSessions, databaseTranscript } from './database.ts';

/** Why a path is no session, in words for its user. */
export interface NotASession {
	readonly ok: false;
	readonly rule: 'missing' | 'unreadable' | 'not-a-file' | 'empty' | 'unknown-format';
	readonly message: string;
}

export interface Identified {
	readonly ok: true;
	readonly codec: Codec;
	readonly dialect: string;
	/** Open; the caller disposes of it. */
	readonly source: NamedSource;
}

/** Bytes and the name they go by: a file, or a session inside a database. */
export type NamedSource = Omit<FileSource, 'stat'>;

/** `path` is a file, or `DB#SESSION` for a session inside a database. */
export function identify(path: string): Identified | NotASession {
	const opened = open(path);
	if (!opened.ok) return opened;
	const { source } = opened;
	const found = detectSource(source);
	if (found) return { ok: true, ...found, source };
	const message = unknownMessage(path, source);
	source[Symbol.dispose]();
	return no('unknown-format', message);
}

const firstProbe = 1 << 16;
const largestProbe = 1 << 26;

function detectSource(source: NamedSource): { codec: Codec; dialect: string } | undefined {
	for (let length = firstProbe; length <= largestProbe; length *= 8) {
		const head = source.read(0, length);
		const complete = length >= source.size;
		const found = detect(codecs, { head, complete });
		if (found !== 'more' || complete) return found === 'more' ? undefined : found;
	}
	return undefined;
}

type Opened = { readonly ok: true; readonly source: NamedSource } | NotASession;

function open(path: string): Opened {
	const { file, session } = databasePath(path);
	try {
		const stat = statSync(file);
		if (stat.isDirectory()) return no('not-a-file', `${path} is a folder: name the session file in it`);
		if (!stat.isFile()) return no('not-a-file', `${path} is not a regular file`);
		if (stat.size === 0) return no('empty', `${path} is empty: there is no session in it`);
		const source = openFile(file);
		if (!isDatabase(source)) {
			if (session === undefined) return { ok: true, source };
			source[Symbol.dispose]();
			return no('missing', `${path} does not exist`);
		}
		source[Symbol.dispose]();
		return openStored(file, session, stat.mtimeMs);
	} catch (error) {
		if (!(error instanceof Error && 'code' in error)) throw error;
		if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return no('missing', `${path} does not exist`);
		if (error.code === 'EACCES' || error.code === 'EPERM') return no('unreadable', `${path} may not be read by you`);
		if (error.code === 'ELOOP') return no('unreadable', `${path} is a link that leads to itself`);
		throw error;
	}
}

/** A session inside a database; without a name it must be the only one. */
function openStored(file: string, session: string | undefined, mtimeMs: number): Opened {
	const stored = databaseSessions(file);
	if (!stored) return no('unknown-format', `${file} is an SQLite database, but not one that holds sessions`);
	const ids = stored.map((one) => one.id);
	const id = session ?? (ids.length === 1 ? ids[0] : undefined);
	if (id === undefined) {
		const choice =
			ids.length === 0 ? 'it holds none yet' : `name one of them: ${ids.map((one) => `${file}#${one}`).join(', ')}`;
		return no('unknown-format', `${file} is OpenClaw's store of sessions; ${choice}`);
	}
	if (!ids.includes(id)) return no('missing', `${file} has no session ${id}`);
	const bytes = memorySource(databaseTranscript(file, id));
	return { ok: true, source: { ...bytes, path: `${file}#${id}`, mtimeMs, [Symbol.dispose]: () => undefined } };
}

function isDatabase(source: FileSource): boolean {
	return Buffer.from(source.read(0, 15)).toString('latin1') === 'SQLite format 3';
}

function no(rule: NotASession['rule'], message: string): NotASession {
	return { ok: false, rule, message };
}

function unknownMessage(path: string, source: NamedSource): string {
	const known = codecs.map((codec) => codec.name).join(', ');
	return `${path} is ${kindOf(source)}, not a session of a known agent (${known})`;
}

function kindOf(source: { read(at: number, length: number): Uint8Array }): string {
	const head = source.read(0, 4096);
	if (head.includes(0)) return 'a binary file';
	const text = Buffer.from(head).toString('utf8').trimStart();
	return text.startsWith('{') || text.startsWith('[') ? 'JSON of another kind' : 'a text file';
}
