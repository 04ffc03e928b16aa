/** Gives a session another title, in the way its own client keeps titles. */
import type { Machine } from '../../codecs/index.ts';
import { readRegular } from '../../log/regular-file.ts';
import { InputError } from '../errors.ts';
import { type SessionFiles, sessionFiles } from '../find/session-files.ts';
import { openHandle, type SessionHandle } from '../handle/handle.ts';
import { ownLog } from '../own-data/own-data.ts';
import { keepOriginals } from './trash.ts';

export interface Renamed {
	readonly title: string;
	/** The file that states the title now. */
	readonly file: string;
	/** `append`: a line was added. `replace`: the file was replaced; the original is in the trash. */
	readonly how: 'append' | 'replace';
	readonly trash?: string;
	readonly note?: string;
}

/** A title is a name in lists. Longer ones are refused before anything is written, because a list could not show them whole. */
const longestTitle = 1000;

/** `own`: the handle through which this process writes the session, where it does: nobody else may write then. */
export async function renameSession(
	path: string,
	wanted: string,
	machine: Machine,
	own?: SessionHandle,
): Promise<Renamed> {
	const title = wanted.replace(/\s+/g, ' ').trim();
	if (title === '') throw new InputError('empty-title', 'a title must have at least one character');
	if (title.length > longestTitle) {
		const why = `a title may have at most ${longestTitle} characters, and this one has ${title.length}`;
		throw new InputError('long-title', `${why}: nothing was changed`);
	}
	const session = sessionFiles(path, 'rename');
	if (session.codec.places.manage?.retitle) return replaceTitle(session, title, machine);
	if (own) return await appendTitle(own, title);
	await using handle = await openHandle(path, { machine });
	return await appendTitle(handle, title);
}

async function appendTitle(handle: SessionHandle, title: string): Promise<Renamed> {
	const { path } = handle;
	const { entries, losses } = await handle.append({ kind: 'setting', set: { title } });
	await handle.sync();
	if (entries.length > 0) return { title, file: path, how: 'append' };
	const why = losses.find((loss) => loss.how === 'dropped' && (loss.path === '' || loss.path.endsWith('title')));
	throw new InputError('no-title', `${path} cannot hold a title${why ? `: ${why.note}` : ''}`);
}

async function replaceTitle(session: SessionFiles, title: string, machine: Machine): Promise<Renamed> {
	const { codec, main } = session;
	const edit = codec.places.manage?.retitle;
	const file = session.files.find((one) => one.role === edit?.role);
	if (!edit || !file) {
		throw new InputError(
			'no-title',
			`${main} has no ${edit?.role ?? 'file'} beside it, where ${codec.name} keeps the title`,
		);
	}
	const { trash } = await replaceFile(session, file, (bytes) => edit.apply(bytes, title), 'rename', machine);
	const note = codec.places.manage?.index?.(main);
	return { title, file: file.path, how: 'replace', trash, ...(note === undefined ? {} : { note }) };
}

/** Replaces one file of a session; the original goes to the trash first. */
export async function replaceFile(
	session: SessionFiles,
	file: SessionFiles['files'][number],
	edit: (bytes: Uint8Array) => Uint8Array | undefined,
	why: 'rename' | 'relink',
	machine: Machine,
): Promise<{ readonly trash: string }> {
	const log = ownLog(machine);
	await using writer = await log.writer(file.path, { lines: false });
	const stat = await log.stat(file.path);
	const bytes = readRegular(file.path);
	const next = edit(bytes);
	if (!next)
		throw new InputError('unreadable', `${file.path} is not what ${session.codec.name} writes: nothing was changed`);
	const kept = await keepOriginals(session, [file], why, machine);
	await writer.replace(next, { expect: bytes.length, ...(stat ? { version: stat.version } : {}) });
	return { trash: kept.id };
}
