/** From a session file to files of another format: planned as a whole, written all or none, never over anything. */
import { existsSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { type Codec, codecOf, decodeBytes, type Machine } from '../codecs/index.ts';
import { openFile } from '../log/file-source.ts';
import { createFiles, LogError } from '../log/index.ts';
import { type FormatId, type Loss, type Profile, reusedPieces, type Session } from '../model/index.ts';
import { copySession } from '../store/copy.ts';
import { Cuts } from '../store/cuts.ts';
import { databasePath } from '../store/database.ts';
import { InputError } from '../store/errors.ts';
import { diskFolders, thisMachine } from '../store/folders.ts';
import { identify } from '../store/identify.ts';
import { openSession, stemOf } from '../store/open.ts';
import { NotPossible } from '../store/open-cut.ts';
import { homeIn, placeOf } from '../store/place.ts';
import { sessionId } from '../store/session-files.ts';
import { idFor } from './convert.ts';
import { type Ancestry, ancestryOf, comeHome, mayComeHome } from './home.ts';
import { keepLineage, type NewLineage } from './lineage.ts';
import { hashWhole } from './marks.ts';
import { fits, isReadOnly } from './profiles.ts';
import { type Reference, referenceIn, referenceTo, withoutReference } from './reference.ts';
import { withSidecar } from './sidecar.ts';
import {
	openForConversion,
	openWritten,
	streamForConversion,
	type Watched,
	type WrittenSession,
	withoutEntries,
	writeConverted,
} from './stream.ts';
import type { SourceFile } from './stream-pack.ts';
import { type WindowSizes, windowsOf } from './windows.ts';
import { WrittenLines } from './written.ts';

export interface ConvertFileOptions extends Watched {
	readonly to: FormatId;
	/** The new main file; with a trailing slash, a folder laid out as the home of the format's client. */
	readonly out: string;
	/** Default: as it is in its own format, else `client`. */
	readonly profile?: Profile;
	readonly mapTools?: boolean;
	/** The project's folder, where it shall be another than the session says. */
	readonly cwd?: string;
	/** Look for where the session came from, and keep where it went. Default true. */
	readonly lineage?: boolean;
	readonly machine?: Machine;
	/** From which size on a session is converted while it goes by, and in which windows; for tests. */
	readonly passing?: { readonly from: number; readonly sizes?: WindowSizes };
}

export interface ConvertedFile {
	/** The id of the new session. */
	readonly id: string;
	/** Every file that was written, the main one first. */
	readonly out: readonly string[];
	readonly losses: readonly Loss[];
	/** `copied`: its own format. `returned`: the bytes it had before, and what was said since. */
	readonly how: 'copied' | 'converted' | 'returned';
}

export async function convertFile(path: string, options: ConvertFileOptions): Promise<ConvertedFile> {
	const codec = codecOf(options.to);
	if (!codec) throw new InputError('unknown-format', `${options.to} is not a format that Reprise writes`);
	const from = codecAt(path);
	if (!options.profile && !options.cwd && from === codec) {
		return {
			id: sessionId(codec, path),
			out: await copySession(path, options.out, codec.id),
			losses: [],
			how: 'copied',
		};
	}
	const piecewise = from.cuts ? await convertPiecewise(path, codec, options) : undefined;
	return piecewise ?? (await convertWhole(path, codec, options));
}

/** Undefined where the session has to be held, because it may have come from somewhere. */
async function convertPiecewise(
	path: string,
	codec: Codec,
	options: ConvertFileOptions,
): Promise<ConvertedFile | undefined> {
	const machine = options.machine ?? thisMachine();
	const passed = await convertPassing(machine, path, codec, options);
	if (passed) return passed;
	const made = await writePiecewise(machine, path, codec, options);
	if (!made?.source) return made?.written;
	const { source, written } = made;
	const main = written.out[0] ?? '';
	const lost = await rememberWritten(machine, source, path, main, options);
	return { ...written, losses: [...written.losses, ...lost] };
}

/** Smaller files are read as they are: each would need memory of its own for cutting its texts. */
const leastCut = 1 << 22;

/** Keeps the way back from the file `main`, which is read again. */
async function rememberWritten(
	machine: Machine,
	source: Session,
	path: string,
	main: string,
	options: ConvertFileOptions,
): Promise<readonly Loss[]> {
	// As it is found later: a file beside it may tell its title, and without an id it goes by its name.
	using cut = isLarge(main, leastCut) ? openWritten(main) : undefined;
	return await remember(machine, source, path, {
		written: cut?.session ?? withSidecar(await openSession(main, { subagents: false }), main, []),
		target: { path: main, profile: options.profile ?? 'client', mapTools: options.mapTools === true },
		watched: options,
		...(cut ? { hashOf: hashWhole(cut.cuts.whole) } : {}),
	});
}

/** The same where its lines have been told. */
async function rememberTold(
	machine: Machine,
	source: Session,
	path: string,
	lines: WrittenLines,
	main: string,
	options: ConvertFileOptions,
): Promise<readonly Loss[]> {
	return await remember(machine, source, path, {
		written: lines.session(main, source.source),
		recognised: lines.recognised(),
		target: { path: main, profile: options.profile ?? 'client', mapTools: options.mapTools === true },
		watched: options,
	});
}

/** Smaller sessions take little memory when they are held as a whole. */
const leastPassing = 1 << 24;

/** While it goes by, a window after the other. Undefined where something in it looks back too far, or it is none of many parts. */
async function convertPassing(
	machine: Machine,
	path: string,
	codec: Codec,
	options: ConvertFileOptions,
): Promise<ConvertedFile | undefined> {
	const { from = leastPassing, sizes } = options.passing ?? {};
	if (codec.capabilities.container !== 'lines' || !isLarge(path, from)) return undefined;
	using stream = streamForConversion(path, codec);
	if (!stream) return undefined;
	try {
		const more = windowsOf(stream, codec.id, sizes);
		const entries = more.next().value ?? [];
		const session = { ...stream.session(), entries };
		const keeps = options.lineage !== false;
		if (session.format === codec.id || session.header.agent !== undefined) return undefined;
		if (keeps && mayComeHome(machine, session)) return undefined;
		const target = targetOf(session, codec, options, keeps);
		const lines = keeps ? new WrittenLines(codec, stream.cuts) : undefined;
		const going = lines ? { ...target, more: lines.between(more), tell: lines.tell } : { ...target, more };
		const made: WrittenSession = await writeConverted({ session, cuts: stream.cuts }, codec, going, options);
		const source = withoutEntries(session);
		const lost = lines ? await rememberTold(machine, source, path, lines, target.path, options) : [];
		return { id: made.id, out: made.out, losses: [...made.losses, ...lost], how: 'converted' };
	} catch (error) {
		if (error instanceof NotPossible) return undefined;
		throw error;
	}
}

function isLarge(path: string, from: number): boolean {
	return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) >= from;
}

/** What the new main file is to be. */
function targetOf(session: Session, codec: Codec, options: ConvertFileOptions, keeps: boolean) {
	const { profile = 'client', mapTools, cwd } = options;
	const main = mainPath(session, codec, options);
	return {
		profile,
		path: main,
		name: (beside: string, id: string) => namedAs(beside, id, stemOf(main)),
		...(keeps ? { reference: referenceTo(session) } : {}),
		...(mapTools ? { mapTools: true } : {}),
		...(cwd === undefined ? {} : { cwd }),
	};
}

/** A function of its own: the shape of the session is let go before the way back is kept. */
async function writePiecewise(
	machine: Machine,
	path: string,
	codec: Codec,
	options: ConvertFileOptions,
): Promise<{ readonly written: ConvertedFile; readonly source?: Session } | undefined> {
	using opened = openForConversion(path, codec);
	if (!opened) return undefined;
	const foreign = opened.session.format !== codec.id;
	const keeps = foreign && options.lineage !== false;
	if (!foreign && options.profile && fits(opened.session, options.profile) && !options.cwd) return undefined;
	if (keeps && mayComeHome(machine, opened.session)) return undefined;
	const session = foreign ? withoutReference(opened.session) : opened.session;
	const target = targetOf(session, codec, options, keeps);
	const made: WrittenSession = await writeConverted({ session, cuts: opened.cuts }, codec, target, options);
	const losses = [...ordinary({ is: 'unknown' }, codec, referenceIn(opened.session)), ...made.losses];
	const written = { id: made.id, out: made.out, losses, how: 'converted' } as const;
	return keeps ? { written, source: withoutEntries(session) } : { written };
}

async function convertWhole(path: string, codec: Codec, options: ConvertFileOptions): Promise<ConvertedFile> {
	const opened = await openSession(path);
	if (opened.format === codec.id && options.profile && fits(opened, options.profile) && !options.cwd) {
		return { id: opened.id, out: await copySession(path, options.out, codec.id), losses: [], how: 'copied' };
	}
	const cuts: Loss[] = [];
	const whole = opened.format === codec.id ? opened : withSidecar(opened, path, cuts);
	const session = opened.format === codec.id ? opened : withoutReference(whole);
	const machine = options.machine ?? thisMachine();
	const known: Ancestry =
		options.lineage === false || session.format === codec.id
			? { is: 'unknown' }
			: ancestryOf(machine, whole, path, codec);
	if (known.is === 'known' && (!options.profile || fits(known.lineage.source, options.profile))) {
		return await writeHome(machine, session, known, options);
	}
	const keeps = options.lineage !== false && session.format !== codec.id;
	using texts = new Cuts();
	const target = targetOf(session, codec, options, keeps);
	// A document is known when it is whole, and sub-agents' lines are elsewhere: those are read again.
	const isTold = keeps && codec.capabilities.container === 'lines' && !hasAgents(session);
	const lines = isTold ? new WrittenLines(codec, texts) : undefined;
	const going = lines ? { ...target, tell: lines.tell } : target;
	const made = await writeConverted({ session, cuts: texts }, codec, going, options);
	const losses = [...ordinary(known, codec, referenceIn(opened)), ...cuts, ...made.losses];
	if (!keeps) return { id: made.id, out: made.out, losses, how: 'converted' };
	const lost = lines
		? await rememberTold(machine, session, path, lines, target.path, options)
		: await rememberWritten(machine, session, path, target.path, options);
	return { id: made.id, out: made.out, losses: [...losses, ...lost], how: 'converted' };
}

function hasAgents({ subagents, entries }: Session): boolean {
	return subagents.length > 0 || entries.some((entry) => entry.agent !== undefined);
}

/** Why this is not the way back, where one could expect it. */
function ordinary(known: Ancestry, codec: Codec, reference: Reference | undefined): readonly Loss[] {
	const how = 'approximated';
	if (known.is === 'changed') {
		const note = `it came from a ${codec.name} session, but its history was changed since: this is an ordinary conversion`;
		return [{ entry: '', path: 'lineage', how, note }];
	}
	if (reference?.format !== codec.id) return [];
	const note = `it came from the ${codec.name} session ${reference.id}, of which nothing is stored: this is an ordinary conversion`;
	return [{ entry: '', path: 'lineage', how, note }];
}

function codecAt(path: string): Codec {
	const found = identify(path);
	if (!found.ok) throw new InputError(found.rule, found.message);
	found.source[Symbol.dispose]();
	return found.codec;
}

async function writeHome(
	machine: Machine,
	session: Session,
	known: Extract<Ancestry, { is: 'known' }>,
	options: ConvertFileOptions,
): Promise<ConvertedFile> {
	const home = comeHome(machine, session, known);
	const main = mainPath({ ...decodeBytes(home.codec, home.before, home.id) }, home.codec, options);
	const out = await writeNew(main, home.bytes, named(home.beside, stemOf(known.lineage.source.path), stemOf(main)));
	return { id: home.id, out, losses: home.losses, how: 'returned' };
}

/** Where the main file goes. */
function mainPath(session: Session, codec: Codec, options: ConvertFileOptions): string {
	if (!/[/\\]$/.test(options.out)) return resolve(options.out);
	return placeIn(homeIn(options.out), session, codec, options);
}

export function placeIn(
	machine: Machine,
	session: Session,
	codec: Codec,
	options: { readonly profile?: Profile; readonly cwd?: string },
): string {
	const { cwd, created } = session.header;
	const { profile } = options;
	return placeOf(machine, codec, { id: idFor(session, codec), cwd: options.cwd ?? cwd, created, profile });
}

export type Beside = readonly { readonly path: string; readonly bytes: Uint8Array }[];

/** Clients find what belongs to a session by the name of its file. */
export function named(beside: Beside, from: string, to: string): Beside {
	if (from === to) return beside;
	return beside.map((file) => ({ path: namedAs(file.path, from, to), bytes: file.bytes }));
}

function namedAs(path: string, from: string, to: string): string {
	const [head = '', ...rest] = path.split('/');
	const other = head === from || head.startsWith(`${from}.`) ? to + head.slice(from.length) : head;
	return [other, ...rest].join('/');
}

/** Makes all files or none. */
export async function writeNew(main: string, bytes: Uint8Array, beside: Beside): Promise<readonly string[]> {
	const files = [
		{ to: main, pieces: bytes },
		...beside.map((file) => ({ to: join(dirname(main), file.path), pieces: file.bytes })),
	];
	for (const file of files) {
		if (existsSync(file.to)) throw new InputError('exists', `${file.to} exists already: nothing was written`);
	}
	await createFiles(files);
	return files.map((file) => file.to);
}

/** Keeps the source. The session is written by then, so a full disk only costs the way back, and that is said. */
export async function remember(
	machine: Machine,
	source: Session,
	path: string,
	made: Pick<NewLineage, 'written' | 'target' | 'hashOf' | 'recognised' | 'watched'>,
): Promise<readonly Loss[]> {
	if (isReadOnly(source)) return [];
	const files = sourceFiles(source, path);
	try {
		await keepLineage(machine, { source, path: databasePath(path).session ? path : resolve(path), files, ...made });
		return [];
	} catch (error) {
		if (!(error instanceof LogError) && !(error instanceof Error && 'syscall' in error)) throw error;
		const note = `the way back could not be stored: ${error.message}`;
		return [{ entry: '', path: 'lineage', how: 'dropped', note }];
	}
}

/** The main file and what lies beside it, without copies of the project's files and lists of many sessions. */
function sourceFiles(session: Session, path: string): readonly SourceFile[] {
	const main = { path: basename(path), pieces: () => reusedPieces(session.source) };
	if (databasePath(path).session !== undefined) return [main];
	const codec = codecOf(session.format);
	const folder = dirname(resolve(path));
	const beside = (codec?.locate.sideFiles(resolve(path), diskFolders) ?? []).flatMap((file) => {
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
