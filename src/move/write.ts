/** Writes one session file in another format: from which size on window by window while it is read, else as a whole; and what the main and side files are called. */
import { statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { type Codec, codecOf, type Machine } from '../codecs/index.ts';
import { fileName } from '../codecs/shared/places/file-name.ts';
import { folderNamedAfter } from '../codecs/shared/places/side-folder.ts';
import { NotPossible } from '../codecs/shared/write/pieces.ts';
import {
	compact,
	type EntryId,
	type JsonObject,
	type Loss,
	lastInGraph,
	type Profile,
	type Session,
} from '../model/index.ts';
import { homeIn, placeOf } from '../store/find/place.ts';
import { leafOf } from '../store/reader/leaf.ts';
import { openReader, openSession } from '../store/reader/session-reader.ts';
import { withSidecar } from '../store/reader/sidecar.ts';
import { stemOf } from '../store/reader/whole.ts';
import { agentAt } from './agents.ts';
import { idFor } from './convert.ts';
import { type Reference, referenceIn, referenceTo, withoutReference } from './reference.ts';
import { type WindowSizes, windowsOf } from './session-windows.ts';
import { type Watched, type WrittenSession, withoutEntries, writeConverted } from './stream.ts';
import { loadSums, type Sums } from './sum.ts';

export interface WriteOptions extends Watched {
	/** The new main file; with a trailing slash, a folder laid out as the home of the format's client. */
	readonly out: string;
	/** The profile to write. Default: the source's where the format stays, else `client`. */
	readonly profile?: Profile;
	readonly mapTools?: boolean;
	/** Where its agent will find the new main file, which decides about calls of tools. Default: where it is written. */
	readonly place?: string;
	/** The project's folder, to replace the one that the session names. */
	readonly cwd?: string;
	/** The new session's id. Default: the source's, where the client would find a session under it. */
	readonly id?: string;
	/** Write a reference to the source, where the format has a place for it. */
	readonly reference: boolean;
	/** The size from which a session is converted while it is read, and in which windows; for tests. */
	readonly passing?: { readonly from: number; readonly sizes?: WindowSizes };
}

export interface WrittenFile extends WrittenSession {
	/** The session that was converted, without its entries. */
	readonly source: Session;
	/** The reference that the source held itself. */
	readonly cameFrom?: Reference;
}

/** True for a session that is not to be written, because it comes home instead. */
export type Unless = (session: Session) => boolean;

/** Smaller sessions take little memory, so they are held as a whole. */
export const leastPassing = 1 << 24;

/**
 * Writes a large session while it is read, window by window. Undefined where that is not possible (a reference reaches
 * back too far, there are sub-agents, or it is a document) and where the session is not to be written.
 */
export async function writePassing(
	path: string,
	codec: Codec,
	options: WriteOptions,
	unless: Unless,
): Promise<WrittenFile | undefined> {
	const { from = leastPassing, sizes } = options.passing ?? {};
	const { size } = statSync(path, { throwIfNoEntry: false }) ?? { size: 0 };
	if (size < from) return undefined;
	const sums = await loadSums();
	const passing = sums.start();
	using reader = openReader(path);
	const stream = reader.passing(options.reference ? (piece) => passing.take(piece) : undefined);
	if (!stream) return undefined;
	try {
		const more = windowsOf({ ...stream, leaf: (last) => leafIn(stream.session(), last) }, codec, sizes);
		const entries = more.next().value ?? [];
		const session = { ...stream.session(), entries, leaf: lastInGraph(entries) };
		if (session.format === codec.id || session.header.agent !== undefined || unless(session)) return undefined;
		const settle = (): void => sums.settle(session.source, passing);
		const target = { ...targetOf(session, codec, options, sums, settle), more };
		const made = await writeConverted(session, codec, target, options);
		settle(); // for formats that have no place for a reference
		return { ...made, source: withoutEntries(session) };
	} catch (error) {
		if (error instanceof NotPossible) return undefined;
		throw error;
	}
}

function leafIn({ format, dialect, source }: Session, last: EntryId | null): EntryId | null {
	const codec = codecOf(format);
	return codec ? leafOf(codec, dialect, source, last) : last;
}

/** A session that is held as a whole. */
export interface WholeSession {
	/** The session as it is read, with the compaction that its client keeps in a side file. */
	readonly opened: Session;
	/** The losses of that. */
	readonly losses: readonly Loss[];
}

export async function openWhole(path: string, codec: Codec): Promise<WholeSession> {
	const session = await openSession(path);
	const losses: Loss[] = [];
	return { opened: session.format === codec.id ? session : withSidecar(session, path, losses), losses };
}

export async function writeWhole(
	{ opened, losses }: WholeSession,
	codec: Codec,
	options: WriteOptions,
): Promise<WrittenFile> {
	const session = opened.format === codec.id ? opened : withoutReference(opened);
	const target = targetOf(session, codec, options, await loadSums());
	const made = await writeConverted(session, codec, target, options);
	return { ...made, losses: [...losses, ...made.losses], source: session, ...cameFrom(opened) };
}

function cameFrom(session: Session): Pick<WrittenFile, 'cameFrom'> {
	const reference = referenceIn(session);
	return reference ? { cameFrom: reference } : {};
}

/** The options for the new main file. */
function targetOf(session: Session, codec: Codec, options: WriteOptions, sums: Sums, settle?: () => void) {
	const { profile = 'client', mapTools, cwd, id } = options;
	const main = mainPath(session, codec, options);
	const reference = (): JsonObject => {
		settle?.();
		return referenceTo(session, sums.of(session.source));
	};
	const agent = agentAt(codec.id, options.place ?? main);
	return {
		profile,
		path: main,
		...(agent?.knows ? { agent: { name: agent.name, knows: agent.knows } } : {}),
		name: (beside: string, id: string) => namedAs(beside, fileName(id), main),
		...(options.reference && session.format !== codec.id ? { reference } : {}),
		...compact({ mapTools, cwd, id }),
	};
}

/** The path of the new main file. */
export function mainPath(
	session: Session,
	codec: Codec,
	options: Pick<WriteOptions, 'out' | 'profile' | 'cwd'>,
): string {
	if (!/[/\\]$/.test(options.out)) return resolve(options.out);
	return placeIn(homeIn(options.out), session, codec, options);
}

export function placeIn(
	machine: Machine,
	session: Session,
	codec: Codec,
	options: { readonly profile?: Profile; readonly cwd?: string; readonly id?: string },
): string {
	const { cwd, created } = session.header;
	const { profile, id = idFor(session, codec) } = options;
	return placeOf(machine, codec, { id, cwd: options.cwd ?? cwd, created, profile });
}

/**
 * The path of a side file: clients find it by the name of the main file, so `from` in it becomes the new name. A path
 * that would become the main file's own keeps its name: a manifest is `x.json` beside `x.messages.json`, and a user may
 * call the session `x.json`.
 */
export function namedAs(path: string, from: string, main: string): string {
	const [head = '', ...rest] = path.split('/');
	if (rest.length > 0 && head === from) return [folderNamedAfter(basename(main)), ...rest].join('/');
	const other = head === from || head.startsWith(`${from}.`) ? stemOf(main) + head.slice(from.length) : head;
	const renamed = [other, ...rest].join('/');
	return renamed === basename(main) ? path : renamed;
}
