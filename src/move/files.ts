/** `convertFile`: whether a session file is copied, converted or comes home, which files are kept for the way back, and the losses where there is none. */
import { existsSync } from 'node:fs';
import { basename, dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { type Codec, codecOf, decodeBytes, type Machine, profileOf } from '../codecs/index.ts';
import { type FileSource, openFile } from '../log/file-source.ts';
import { createFiles } from '../log/index.ts';
import { type FormatName, type Loss, reusedPieces, type Session } from '../model/index.ts';
import { InputError } from '../store/errors.ts';
import { diskFolders, thisMachine } from '../store/find/folders.ts';
import { besidePath } from '../store/find/place.ts';
import { agentOf, codecNamed, linkedFiles, sessionId } from '../store/find/session-files.ts';
import { writerNamed } from '../store/format-named.ts';
import { copySession } from '../store/manage/copy.ts';
import { addCarried } from '../store/own-data/carried-notes.ts';
import { orLoss } from '../store/own-data/own-data.ts';
import { databasePath } from '../store/reader/database.ts';
import { codecAt, openHeader, openSession } from '../store/reader/session-reader.ts';
import { withSidecar } from '../store/reader/sidecar.ts';
import { readHead } from '../store/reader/tail.ts';
import { fallbackId, stemOf } from '../store/reader/whole.ts';
import { noteConverted } from './carried.ts';
import { saidIn } from './conversation-print.ts';
import { type Ancestry, ancestryOf, comeHome, type Known, mayComeHome } from './home.ts';
import { keepLineage, type NewLineage, type Recognised } from './lineage.ts';
import { fits, isReadOnly } from './profiles.ts';
import type { Reference } from './reference.ts';
import type { SourceFile } from './stream-pack.ts';
import { loadSums } from './sum.ts';
import {
	leastPassing,
	mainPath,
	namedAs,
	openWhole,
	type WriteOptions,
	type WrittenFile,
	writePassing,
	writeWhole,
} from './write.ts';

export interface ConvertFileOptions extends Omit<WriteOptions, 'reference'> {
	readonly to: FormatName;
	/** Look for the session's source, and keep this one as the source of the new session. Default true. */
	readonly lineage?: boolean;
	readonly machine?: Machine;
}

export interface ConvertedFile {
	/** The id of the new session. */
	readonly id: string;
	/** Every file that was written, the main one first. */
	readonly out: readonly string[];
	readonly losses: readonly Loss[];
	/** `copied`: to its own format. `returned`: to its former bytes, with what was said since. */
	readonly how: 'copied' | 'converted' | 'returned';
	/** The source's id, when the session could have come home and a copy with an id of its own was wanted instead. */
	readonly home?: string;
	/** Whether the way back is kept, by which `return` restores what was lost; only of a conversion. */
	readonly wayBack?: boolean;
}

/** Writes the session at `path` in another format, and tells what that format cannot hold. */
export async function convertFile(path: string, options: ConvertFileOptions): Promise<ConvertedFile> {
	const codec = writerNamed(options.to);
	const from = codecAt(path);
	const done = await convertFrom(from, path, codec, { ...options, to: codec.id });
	return { ...done, losses: [...linkLosses(from, path), ...done.losses] };
}

/** A loss for each link beside the session: links are not followed, since what they lead to is not the session's. */
function linkLosses(from: Codec, path: string): readonly Loss[] {
	return linkedFiles(from, path).map((file) => {
		return {
			entry: '',
			path: file.path,
			how: 'dropped',
			note: 'it is a link or not a regular file, and is not followed',
		};
	});
}

async function convertFrom(
	from: Codec,
	path: string,
	codec: Codec,
	options: ConvertFileOptions,
): Promise<ConvertedFile> {
	// A session in a database has no file of its own to copy.
	const copies = from === codec && !isReadOnly(await openHeader(path));
	if (copies && !options.profile && !options.cwd) return await copied(path, sessionId(codec, path), options);
	const machine = options.machine ?? thisMachine();
	// Under an id of its own a session is another one, in its own format too.
	const keeps = options.lineage !== false && (from !== codec || options.id !== undefined);
	const writing = { ...options, reference: keeps };
	const comesHome = (session: Session): boolean => keeps && mayComeHome(machine, session);
	const written = await writePassing(path, codec, writing, comesHome);
	if (written) return await converted(machine, path, codec, written, { is: 'unknown' }, options);
	return await convertWhole(machine, path, codec, writing);
}

async function copied(path: string, id: string, options: ConvertFileOptions): Promise<ConvertedFile> {
	return { id, out: await copySession(path, options.out, options.to), losses: [], how: 'copied' };
}

async function convertWhole(
	machine: Machine,
	path: string,
	codec: Codec,
	options: ConvertFileOptions & WriteOptions,
): Promise<ConvertedFile> {
	const whole = await openWhole(path, codec);
	const { opened } = whole;
	const asItIs = opened.format === codec.id && !isReadOnly(opened) && !options.cwd;
	if (asItIs && options.profile && fits(opened, options.profile)) return await copied(path, opened.id, options);
	const known: Ancestry = options.reference ? await ancestryOf(machine, opened, path, codec) : { is: 'unknown' };
	// The former bytes state the former id. Under another name there would be two sessions with one id.
	const { id, profile } = options;
	if (known.is === 'known' && id === undefined && (!profile || fits(known.lineage.source, profile)))
		return await writeHome(machine, opened, known, options);
	const made = await converted(machine, path, codec, await writeWhole(whole, codec, options), known, options);
	return known.is === 'known' && !known.through ? { ...made, home: known.lineage.source.id } : made;
}

/** The result of a conversion, after the way back has been kept. */
async function converted(
	machine: Machine,
	path: string,
	codec: Codec,
	written: WrittenFile,
	known: Ancestry,
	options: ConvertFileOptions,
): Promise<ConvertedFile> {
	const { id, out, source } = written;
	const losses = [...ordinary(known, codec, written.cameFrom), ...written.losses];
	let wayBack = false;
	if (options.lineage !== false) {
		if (source.format !== codec.id || source.id !== id) {
			const lost = await keepWayBack();
			losses.push(...lost);
			wayBack = lost.length === 0;
		}
		const from = { format: source.format, path, source: source.source };
		const to = { format: codec.id, path: out[0] ?? '' };
		losses.push(...(await orLoss('what came from the source', () => noteConverted(machine, from, to))));
	}
	return { id, out, losses, how: 'converted', wayBack };

	async function keepWayBack(): Promise<readonly Loss[]> {
		const main = out[0] ?? '';
		const { profile = 'client', mapTools = false, cwd } = options;
		const found = await asFound(codec, main, written, options);
		return await remember(machine, source, path, {
			target: { format: codec.id, id: found.id, profile, path: main, mapTools, ...(cwd ? { cwd } : {}) },
			recognised: found.recognised,
			watched: options,
		});
	}
}

/** The id under which the new session will be found, and what it is recognised by: clients rewrite documents whole. */
async function asFound(
	codec: Codec,
	main: string,
	{ id: made, beginning, source: { source: from } }: WrittenFile,
	{ passing }: ConvertFileOptions,
): Promise<{ readonly id: string; readonly recognised: Recognised }> {
	if (codec.capabilities.container === 'document') {
		// A larger session is not read again for its conversation print; it can be converted once more when needed.
		if (from.size >= (passing?.from ?? leastPassing)) return { id: made, recognised: { said: 'again' } };
		const session = withSidecar(await openSession(main, { subagents: false }), main, []);
		return { id: session.id, recognised: { said: saidIn(session) } };
	}
	using source = openFile(main);
	return { id: idIn(codec, source), recognised: beginning ? { written: beginning } : { said: 'again' } };
}

function idIn(codec: Codec, source: FileSource): string {
	return readHead(codec, source, ({ id }) => id !== undefined).header.id ?? fallbackId(codec, source);
}

/** Keeps the way back of a session that was copied to the place of another agent of its format, under the id that its bytes state. */
export async function rememberCopy(machine: Machine, path: string, main: string): Promise<readonly Loss[]> {
	const source = await openHeader(path);
	const codec = codecNamed(source.format);
	using copy = openFile(main);
	const { id: format } = codec;
	const name = { format, id: sessionId(codec, main) };
	const part = { of: name, from: 0, to: copy.size, length: copy.size, hops: 1, forked: Date.now() };
	const parts = [{ ...part, agent: agentOf(format, main) }];
	const unnoted = await orLoss('what came from the source', () => addCarried(machine, { ...name, parts }));
	const lost = await remember(machine, source, path, {
		target: { format, id: idIn(codec, copy), profile: profileOf(codec, source), path: main, mapTools: false },
		recognised: { written: (await loadSums()).of(copy) },
	});
	return [...lost, ...unnoted];
}

/** Losses that say why this is not the way back, where a user could expect it. */
function ordinary(known: Ancestry, codec: Codec, reference: Reference | undefined): readonly Loss[] {
	const how = 'approximated';
	if (known.is === 'changed') {
		const note = `it came from a ${codec.name} session, but its history was changed since: this is an ordinary conversion`;
		return [{ entry: '', path: 'lineage', how, note }];
	}
	if (known.is === 'known' || reference?.format !== codec.id) return [];
	const note = `it came from the ${codec.name} session ${reference.id}, of which nothing is stored: this is an ordinary conversion`;
	return [{ entry: '', path: 'lineage', how, note }];
}

async function writeHome(
	machine: Machine,
	session: Session,
	known: Known,
	options: ConvertFileOptions,
): Promise<ConvertedFile> {
	const home = await comeHome(machine, session, known);
	const main = mainPath({ ...decodeBytes(home.codec, home.before, home.id) }, home.codec, options);
	const out = await writeNew(home.codec, main, home.bytes, named(home.beside, stemOf(known.lineage.source.path), main));
	return { id: home.id, out, losses: home.losses, how: 'returned' };
}

export type Beside = readonly { readonly path: string; readonly bytes: Uint8Array }[];

/** A side file with the name of the new main file, by which clients find it. */
export function named(beside: Beside, from: string, main: string): Beside {
	return beside.map((file) => ({ path: namedAs(file.path, from, main), bytes: file.bytes }));
}

/** Makes all files or none. */
export async function writeNew(
	codec: Codec,
	main: string,
	bytes: Uint8Array,
	beside: Beside,
): Promise<readonly string[]> {
	const files = [
		{ to: main, pieces: bytes },
		...beside.map((file) => ({ to: besidePath(codec, main, file.path), pieces: file.bytes })),
	];
	for (const file of files) {
		if (existsSync(file.to)) throw new InputError('exists', `${file.to} exists already: nothing was written`);
	}
	await createFiles(files);
	return files.map((file) => file.to);
}

/** Keeps the source. The session is written by then: a full disk costs only the way back, which becomes a loss. */
export async function remember(
	machine: Machine,
	source: Session,
	path: string,
	made: Pick<NewLineage, 'target' | 'recognised' | 'watched'>,
): Promise<readonly Loss[]> {
	if (isReadOnly(source)) {
		const note = `none is kept: Reprise does not write ${codecOf(source.format)?.name}’s sessions of this kind (${source.dialect})`;
		return [{ entry: '', path: 'lineage', how: 'dropped', note }];
	}
	const files = sourceFiles(source, path);
	const from = databasePath(path).session ? path : resolve(path);
	return await orLoss('the way back', () => keepLineage(machine, { source, path: from, files, ...made }));
}

/** The files to keep: the main and side files, without copies of the project's files and lists of many sessions. */
function sourceFiles(session: Session, path: string): readonly SourceFile[] {
	const main = { path: basename(path), pieces: () => reusedPieces(session.source) };
	if (databasePath(path).session !== undefined) return [main];
	const codec = codecOf(session.format);
	const folder = dirname(resolve(path));
	const beside = (codec?.places.sideFiles(resolve(path), diskFolders) ?? []).flatMap((file) => {
		const inner = relative(folder, file.path);
		if (file.role === 'index' || file.role === 'backup' || isAbsolute(inner) || inner.startsWith('..')) return [];
		return [{ path: inner.split(sep).join('/'), pieces: () => piecesOfFile(file.path) }];
	});
	return [main, ...beside];
}

function* piecesOfFile(path: string): Generator<Uint8Array> {
	using source = openFile(path);
	yield* reusedPieces(source);
}
