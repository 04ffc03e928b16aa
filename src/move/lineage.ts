/** Where converted sessions came from: their sources, kept beside what the target formats cannot hold. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { deriveFrom, deriveHex } from '../codecs/derive.ts';
import { codecOf, type Machine } from '../codecs/index.ts';
import { createFiles, LogConflict } from '../log/index.ts';
import { type FormatId, isObject, type JsonObject, type Profile, type Session } from '../model/index.ts';
import { dataFolder } from '../store/data-folder.ts';
import { diskFolders } from '../store/folders.ts';
import { stemOf } from '../store/open.ts';
import { createOwn } from '../store/own-data.ts';
import { digestOf } from './convert.ts';
import { conversationOf, type HashOf } from './marks.ts';
import { paced, type Watched } from './stream.ts';
import { type Packed, packedPieces, plainFrom, type SourceFile, type StoredFile } from './stream-pack.ts';
import type { Recognised } from './written.ts';

export interface Lineage {
	/** Names the record among ours. */
	readonly key: string;
	readonly made: string;
	readonly source: {
		readonly format: FormatId;
		readonly dialect: string;
		readonly id: string;
		readonly path: string;
		readonly title: string;
		/** SHA-256 of the main file. */
		readonly sha256: string;
		readonly files: readonly StoredFile[];
	};
	readonly target: {
		readonly format: FormatId;
		readonly id: string;
		readonly profile: Profile;
		readonly path: string;
		readonly title: string;
		/** Calls were translated to the target's own tools. */
		readonly mapTools: boolean;
	};
	/** What was written, block by block. */
	readonly marks: readonly string[];
	/** Entries after the last of them, which nobody said. */
	readonly tail: readonly string[];
	/** How many entries there were, and the sub-agents with threads; absent in records of older versions. */
	readonly entries?: number;
	readonly agents?: readonly string[];
	/** Lengths of the compressed pieces. */
	readonly pieces: readonly number[];
}

export interface NewLineage {
	/** The session that was converted, and its files; the main one first. */
	readonly source: Session;
	readonly path: string;
	readonly files: readonly SourceFile[];
	/** The session as it was written. */
	readonly written: Session;
	/** What its blocks are recognised by, where it does not hold what they say. */
	readonly hashOf?: HashOf;
	/** The same where it does not hold its entries. */
	readonly recognised?: Recognised;
	readonly watched?: Watched;
	readonly target: Omit<Lineage['target'], 'format' | 'id' | 'title'>;
}

function folderOf(machine: Machine): string {
	return join(dataFolder(machine), 'lineage');
}

/** Keeps the source of a conversion. The same source and target again only changes where the target is. */
export async function keepLineage(machine: Machine, made: NewLineage, now = new Date()): Promise<Lineage> {
	const { source, written, target } = made;
	const sha256 = Buffer.from(digestOf(source)).toString('hex');
	const { marks, tail, entries } = made.recognised ?? recognise(written, made.hashOf);
	const key = [
		deriveHex(16, written.format, written.id),
		deriveFrom(16, [sha256, target.profile, String(target.mapTools), ...marks]),
	].join('-');
	const base = join(folderOf(machine), written.format, key);
	const stored = await storeOnce(base, made, dataFolder(machine));
	const lineage: Lineage = {
		key,
		made: now.toISOString(),
		source: {
			format: source.format,
			dialect: source.dialect,
			id: source.id,
			path: made.path,
			title: source.header.title ?? '',
			sha256,
			files: stored.files,
		},
		target: { ...target, format: written.format, id: written.id, title: written.header.title ?? '' },
		marks,
		tail,
		entries,
		agents: [...agentsIn(written, target.path)],
		pieces: stored.pieces,
	};
	await createOwn(machine, `${base}.json`, lineage as unknown as JsonObject);
	return lineage;
}

function recognise(written: Session, hashOf?: HashOf): Recognised {
	const conversation = conversationOf(written, hashOf);
	const last = conversation.marks.at(-1)?.entry ?? -1;
	return {
		marks: conversation.marks.map((mark) => mark.hash),
		tail: conversation.entries.slice(last + 1).map((entry) => entry.id),
		entries: written.entries.length,
	};
}

/** The sub-agents that the session in the file at `path` has threads of. */
function agentsIn(session: Session, path: string): ReadonlySet<string> {
	const beside = codecOf(session.format)?.locate.sideFiles(path, diskFolders) ?? [];
	const files = beside.filter((file) => file.role === 'subagent').map((file) => file.id ?? stemOf(file.path));
	return new Set([...files, ...session.entries.flatMap(({ agent }) => (agent === undefined ? [] : [agent]))]);
}

/** Stores the bytes of the source, unless they are there. */
async function storeOnce(
	base: string,
	{ files, source, watched = {} }: NewLineage,
	within: string,
): Promise<{ readonly files: readonly StoredFile[]; readonly pieces: readonly number[] }> {
	const to = `${base}.zst`;
	const known = readLineage(`${base}.json`);
	if (known) return { files: known.source.files, pieces: known.pieces };
	if (existsSync(to)) rmSync(to, { force: true }); // of somebody who was stopped before the record was written
	const packed: Packed = { files: [], pieces: [] };
	const { size } = source.source;
	const pieces = paced(packedPieces(files, size, packed), size / 3, 'keeping the way back', watched);
	try {
		await createFiles([{ to, pieces, within, aside: size >= plainFrom }]);
	} catch (error) {
		if (!(error instanceof LogConflict)) throw error; // somebody else has just stored the same bytes
	}
	return packed;
}

/** The stored files of a source, in order, each as a whole. */
export function storedFiles(machine: Machine, lineage: Lineage): readonly { path: string; bytes: Uint8Array }[] {
	const packedBytes = readFileSync(join(folderOf(machine), lineage.target.format, `${lineage.key}.zst`));
	const parts: Uint8Array[] = [];
	let at = 0;
	for (const length of lineage.pieces) {
		parts.push(zstdDecompressSync(packedBytes.subarray(at, at + length)));
		at += length;
	}
	const all = Buffer.concat(parts);
	let from = 0;
	return lineage.source.files.map((file) => {
		const bytes = all.subarray(from, from + file.length);
		from += file.length;
		return { path: file.path, bytes };
	});
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

/** A record that is damaged, or whose bytes are gone, is none. */
function readLineage(path: string): Lineage | undefined {
	if (!existsSync(path.replace(/json$/, 'zst'))) return undefined;
	try {
		const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
		if (!isObject(value) || !Array.isArray(value.marks) || !isObject(value.source) || !isObject(value.target))
			return undefined;
		return { ...(value as unknown as Lineage), key: basename(path, '.json') };
	} catch (error) {
		if (error instanceof SyntaxError) return undefined;
		throw error;
	}
}

/** Deletes a record and the bytes that belong to it. */
export function forgetLineage(
	machine: Machine,
	lineage: Pick<Lineage, 'key'> & { target: { format: FormatId } },
): void {
	const base = resolve(folderOf(machine), lineage.target.format, lineage.key);
	for (const end of ['.json', '.zst']) rmSync(base + end, { force: true });
}
