/** The form of a file (bytes and mode, a link, nothing, unknown): when two forms are equal, and above which size a file is changed without a copy being kept. */
import { closeSync, fstatSync, lstatSync, readlinkSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from '../../log/errors.ts';
import { openRegular, readInto } from '../../log/regular-file.ts';
import { sha256Of } from '../../log/sha256.ts';
import { isObject, type Json } from '../../model/index.ts';

export type FileForm =
	| { readonly is: 'absent' }
	| { readonly is: 'file'; readonly mode: number; readonly size: number; readonly sha256: string }
	| { readonly is: 'link'; readonly target: string }
	/** Something that is not copied, and so never restored and never replaced unasked: `why` says what. */
	| { readonly is: 'unknown'; readonly why: string };

export interface FormedChange {
	/** Absolute. */
	readonly path: string;
	readonly before: FileForm;
	readonly after: FileForm;
}

export const absent: FileForm = { is: 'absent' };

/** Larger files are changed without a copy: undoing that is not worth filling a disk at every command. */
export const largestCopy = 64 * 1024 * 1024;

export const tooLarge: FileForm = { is: 'unknown', why: 'larger than 64 MB' };

/** Two unknown forms are never the same: nobody can tell. */
export function sameForm(one: FileForm, other: FileForm): boolean {
	if (one.is === 'file' && other.is === 'file') return one.mode === other.mode && sameBytes(one, other);
	if (one.is === 'link' && other.is === 'link') return one.target === other.target;
	return one.is === 'absent' && other.is === 'absent';
}

export function sameBytes(one: FileForm, other: FileForm): boolean {
	return one.is === 'file' && other.is === 'file' && one.sha256 === other.sha256 && one.size === other.size;
}

/** What is at the path now. `keep` gets the bytes of a regular file. A link is looked at, never followed. */
export function formAt(path: string, keep?: (bytes: Uint8Array, sha256: string) => void): FileForm {
	const stat = statOf(path);
	if (!stat) return absent;
	return formOf(path, stat, keep);
}

/** `formAt` for a path that counts only as itself: what is found through a link that stands for one of its folders is another file. */
export function formHere(path: string, keep?: (bytes: Uint8Array, sha256: string) => void): FileForm {
	return linkOnWay(path) === undefined ? formAt(path, keep) : absent;
}

/** The folder on the way to a path that is a link. */
export function linkOnWay(path: string): string | undefined {
	for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder))
		if (statOf(folder)?.isSymbolicLink()) return folder;
	return undefined;
}

/** `formAt` for a file whose stat is at hand. */
export function formOf(path: string, stat: Stats, keep?: (bytes: Uint8Array, sha256: string) => void): FileForm {
	try {
		if (stat.isSymbolicLink()) return { is: 'link', target: readlinkSync(path) };
		if (stat.isDirectory()) return { is: 'unknown', why: 'a folder' };
		if (!stat.isFile()) return { is: 'unknown', why: 'neither a file nor a link' };
		if (stat.size > largestCopy) return tooLarge;
		const read = readWhole(path);
		if (read === undefined) return { is: 'unknown', why: 'being written' };
		const sha256 = sha256Of(read.bytes);
		keep?.(read.bytes, sha256);
		return { is: 'file', mode: read.mode & 0o7777, size: read.bytes.length, sha256 };
	} catch (error) {
		const code = codeOf(error);
		if (code === 'ENOENT' || code === 'ENOTDIR') return absent;
		if (code === undefined) throw error;
		return { is: 'unknown', why: `not readable (${code})` };
	}
}

/** Undefined: nothing is there. */
export function statOf(path: string): Stats | undefined {
	try {
		return lstatSync(path, { throwIfNoEntry: false });
	} catch (error) {
		if (codeOf(error) === undefined) throw error;
		return undefined; // its folder is a file, or closed to us
	}
}

const attempts = 3;

/** The bytes of a file that did not change while they were read. */
function readWhole(path: string): { readonly bytes: Buffer; readonly mode: number } | undefined {
	for (let attempt = 0; attempt < attempts; attempt += 1) {
		const { file } = openRegular(path);
		try {
			const stat = fstatSync(file);
			const room = Buffer.allocUnsafe(stat.size + 1);
			const got = readInto(file, 0, room);
			const after = fstatSync(file);
			if (got === stat.size && after.mtimeMs === stat.mtimeMs && after.size === stat.size)
				return { bytes: room.subarray(0, got), mode: stat.mode };
		} finally {
			closeSync(file);
		}
	}
	return undefined;
}

/** A form as it was written down; anything else counts as unknown, so that it is never restored. */
export function readForm(value: Json | undefined): FileForm {
	if (isObject(value)) {
		const { is, mode, size, sha256, target, why } = value;
		if (is === 'absent') return absent;
		if (is === 'link' && typeof target === 'string') return { is, target };
		if (is === 'unknown') return { is, why: typeof why === 'string' ? why : 'not known' };
		const isFile = is === 'file' && typeof mode === 'number' && typeof size === 'number';
		if (isFile && typeof sha256 === 'string' && /^[0-9a-f]{64}$/.test(sha256)) return { is, mode, size, sha256 };
	}
	return { is: 'unknown', why: 'not what Reprise wrote' };
}
