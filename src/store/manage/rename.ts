/** Another title for a session, in the way its own client keeps titles. */
import { randomBytes } from 'node:crypto';
import { type Codec, type Machine, profileOf } from '../../codecs/index.ts';
import { readRegular } from '../../log/regular-file.ts';
import type { SettingEntry } from '../../model/index.ts';
import { InputError } from '../errors.ts';
import { type SessionFiles, sessionFiles } from '../find/session-files.ts';
import { ownLog } from '../own-data/own-data.ts';
import { openSession } from '../reader/session-reader.ts';
import { keepOriginals } from './trash.ts';

export interface Renamed {
	readonly title: string;
	/** The file that says so now. */
	readonly file: string;
	/** `append`: a line was added. `replace`: the file was replaced; the original is in the trash. */
	readonly how: 'append' | 'replace';
	readonly trash?: string;
	readonly note?: string;
}

export async function renameSession(path: string, wanted: string, machine: Machine): Promise<Renamed> {
	const title = wanted.replace(/\s+/g, ' ').trim();
	if (title === '') throw new InputError('empty-title', 'a title must have at least one character');
	const session = sessionFiles(path, 'rename');
	if (session.codec.places.manage?.retitle) return replaceTitle(session, title, machine);
	return appendTitle(session.codec, path, title, machine);
}

async function appendTitle(codec: Codec, path: string, title: string, machine: Machine): Promise<Renamed> {
	await using writer = await ownLog(machine).writer(path);
	const session = await openSession(path, { subagents: false });
	const entry: SettingEntry = {
		kind: 'setting',
		id: codec.write.newEntryId(randomBytes(16)),
		time: new Date().toISOString(),
		records: [],
		set: { title },
	};
	const { id, header } = session;
	const { bytes, losses } = codec.write.encode({
		profile: profileOf(codec, session),
		id,
		header,
		entries: [entry],
		after: session,
	});
	if (bytes.length === 0) {
		const why = losses.find((loss) => loss.how === 'dropped' && (loss.path === '' || loss.path.endsWith('title')));
		throw new InputError('no-title', `${path} cannot hold a title${why ? `: ${why.note}` : ''}`);
	}
	// The log ends a torn line itself.
	const lines = bytes[0] === newline ? bytes.subarray(1) : bytes;
	await writer.append(lines, { expect: session.source.size, durable: true });
	return { title, file: path, how: 'append' };
}

const newline = 10;

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
	const note = codec.places.manage?.index;
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
