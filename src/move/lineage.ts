/** Stores the sources of converted sessions in our own data (`lineage/`): keys and file names, when one is stored already, and when it counts as damaged. */
import { existsSync, rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { codecOf, type Machine } from '../codecs/index.ts';
import { deriveFrom, deriveHex } from '../codecs/shared/write/derive.ts';
import { createFiles, LogConflict } from '../log/index.ts';
import { readRegular } from '../log/regular-file.ts';
import {
	type FormatId,
	isObject,
	type JsonObject,
	memorySource,
	type Profile,
	parsedJson,
	type Session,
} from '../model/index.ts';
import { InputError } from '../store/errors.ts';
import { diskFolders } from '../store/find/folders.ts';
import { dataFolder } from '../store/own-data/data-folder.ts';
import { createOwn } from '../store/own-data/own-data.ts';
import { stemOf } from '../store/reader/whole.ts';
import type { Said } from './conversation-print.ts';
import { paced, type Watched } from './stream.ts';
import { packedPieces, type SourceFile, type StoredFile, unpacked } from './stream-pack.ts';
import { isSameSum, loadSums, type Sum } from './sum.ts';

/** What a session is recognised by when it comes back. */
export type Recognised =
	/** The sum of the file that was written, where clients only append. */
	| { readonly written: Sum }
	/** The conversation print of what was written. */
	| { readonly said: Said }
	/** The print has to be made by converting the source once more, since making it early takes too long. */
	| { readonly said: 'again' };

export interface Lineage {
	/** The name of the stored record. */
	readonly key: string;
	readonly made: string;
	readonly source: {
		readonly format: FormatId;
		readonly dialect: string;
		readonly id: string;
		readonly path: string;
		readonly title: string;
		/** The sum of the main file. */
		readonly sum: Sum;
		readonly files: readonly StoredFile[];
	};
	readonly target: {
		readonly format: FormatId;
		readonly id: string;
		readonly profile: Profile;
		readonly path: string;
		/** True when calls were translated to the target's own tools. */
		readonly mapTools: boolean;
		/** The project's folder that replaced the source's. */
		readonly cwd?: string;
	};
	readonly recognised: Recognised;
	/** The sub-agents with threads of their own. */
	readonly agents: readonly string[];
	/** Lengths of the compressed pieces; none where the source is stored as it is. */
	readonly pieces: readonly number[];
}

export interface NewLineage extends Pick<Lineage, 'target' | 'recognised'> {
	/** The session that was converted; `files` has its files, the main one first. */
	readonly source: Session;
	readonly path: string;
	readonly files: readonly SourceFile[];
	readonly watched?: Watched;
}

function folderOf(machine: Machine): string {
	return join(dataFolder(machine), 'lineage');
}

/** Keeps the source of a conversion. Repeating it with the same source and target only updates the target's path. */
export async function keepLineage(machine: Machine, made: NewLineage): Promise<Lineage> {
	const { source, target, recognised } = made;
	const sum = (await loadSums()).of(source.source);
	const key = [
		deriveHex(16, target.format, target.id),
		deriveFrom(16, [
			...wordsOf({ written: sum }),
			target.profile,
			String(target.mapTools),
			target.cwd ?? '',
			...wordsOf(recognised),
		]),
	].join('-');
	const base = join(folderOf(machine), target.format, key);
	const stored = await storeOnce(base, made, dataFolder(machine));
	const lineage: Lineage = {
		key,
		made: new Date().toISOString(),
		source: {
			format: source.format,
			dialect: source.dialect,
			id: source.id,
			path: made.path,
			title: source.header.title ?? '',
			sum,
			files: stored.files,
		},
		target,
		recognised,
		agents: agentsBeside(target),
		pieces: stored.pieces,
	};
	await createOwn(machine, `${base}.json`, lineage as unknown as JsonObject);
	return lineage;
}

function wordsOf(recognised: Recognised): readonly string[] {
	if ('said' in recognised) return recognised.said === 'again' ? [] : recognised.said.marks;
	return [String(recognised.written.length), recognised.written.xxh64];
}

/** The sub-agents that have files beside this session's. */
export function agentsBeside({ format, path }: Pick<Lineage['target'], 'format' | 'path'>): readonly string[] {
	const beside = codecOf(format)?.places.sideFiles(path, diskFolders) ?? [];
	return beside.filter((file) => file.role === 'subagent').map((file) => file.id ?? stemOf(file.path));
}

/** Stores the bytes of the source, unless they are stored already. */
async function storeOnce(
	base: string,
	{ files, source, watched = {} }: NewLineage,
	within: string,
): Promise<Pick<Lineage, 'pieces'> & Pick<Lineage['source'], 'files'>> {
	const to = base + sourceEnd;
	const known = readLineage(`${base}.json`);
	if (known) return { files: known.source.files, pieces: known.pieces };
	if (existsSync(to)) rmSync(to, { force: true }); // left by a process that was stopped before it wrote the record
	const packed = { files: [] as StoredFile[], pieces: [] as number[] };
	const { size } = source.source;
	const pieces = packedPieces(files, size, packed);
	try {
		await createFiles([{ to, pieces: paced(pieces, size, 'keeping the way back', watched), within }]);
	} catch (error) {
		if (!(error instanceof LogConflict)) throw error; // another process has just stored the same bytes
	}
	return packed;
}

/** The ending of files that hold a source's bytes. */
const sourceEnd = '.source';

/** The stored files of a source, in order, each whole. Throws an InputError where they are damaged. */
export async function storedFiles(
	machine: Machine,
	{ source, target, pieces, key }: Lineage,
): Promise<readonly { path: string; bytes: Uint8Array }[]> {
	const stored = join(folderOf(machine), target.format, key + sourceEnd);
	const files = unpacked(readRegular(stored), { files: source.files, pieces });
	const main = files?.[0];
	if (files && main && isSameSum((await loadSums()).of(memorySource(main.bytes)), source.sum)) return files;
	throw new InputError(
		'damaged-lineage',
		`${stored}, which keeps ${source.path} as it was, is damaged: nothing was written. \`reprise convert --no-lineage\` works without it`,
	);
}

/** Every record, or those of one target session. */
export function lineages(
	machine: Machine,
	of?: { readonly format: FormatId; readonly id: string },
): readonly Lineage[] {
	const root = folderOf(machine);
	const folders = of
		? [of.format]
		: diskFolders
				.list(root)
				.filter((item) => item.folder)
				.map((item) => item.name);
	const start = of === undefined ? undefined : `${deriveHex(16, of.format, of.id)}-`;
	return folders.flatMap((folder) =>
		diskFolders.list(join(root, folder)).flatMap(({ name }) => {
			if (!name.endsWith('.json') || (start !== undefined && !name.startsWith(start))) return [];
			const found = readLineage(join(root, folder, name));
			return found ? [found] : [];
		}),
	);
}

/** A record; undefined when it is damaged or its bytes are gone. */
function readLineage(path: string): Lineage | undefined {
	if (!existsSync(path.replace(/\.json$/, sourceEnd))) return undefined;
	const value = parsedJson(readRegular(path).toString('utf8'));
	if (!isObject(value) || !isObject(value.source) || !isObject(value.target) || !isObject(value.recognised))
		return undefined;
	if (!isObject(value.source.sum)) return undefined;
	return { ...(value as unknown as Lineage), key: basename(path, '.json') };
}

/** Deletes a record with its bytes. */
export function forgetLineage(
	machine: Machine,
	lineage: Pick<Lineage, 'key'> & { target: { format: FormatId } },
): void {
	const base = resolve(folderOf(machine), lineage.target.format, lineage.key);
	for (const end of ['.json', sourceEnd]) rmSync(base + end, { force: true });
}
