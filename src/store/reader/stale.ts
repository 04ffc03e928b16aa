/** Finds files that changed since the session last saw them, by content alone: up to which size a file is read for that, and how many bytes of all together. */
import { createHash } from 'node:crypto';
import { posix, win32 } from 'node:path';
import { codecOf, type SeenFile } from '../../codecs/index.ts';
import { codeOf, isMissing } from '../../log/errors.ts';
import { openFile } from '../../log/file-source.ts';
import { type Entry, type EntryId, fileText, reusedPieces, type Session, type Source } from '../../model/index.ts';
import { passingSession } from './passing.ts';
import { openReader } from './session-reader.ts';

export interface StaleFile {
	readonly path: string;
	readonly change: 'edited' | 'deleted' | 'unreadable';
	/** The entry that last showed the file. */
	readonly entry: EntryId;
	/** When the session last saw the file, and when the file was changed, as ISO times where known. */
	readonly seen?: string;
	readonly changed?: string;
}

/** A file that is as the session last saw it. */
export interface FreshFile {
	readonly path: string;
	readonly sha256: string;
	readonly mtimeMs: number;
}

interface LookedAt {
	readonly stale: readonly StaleFile[];
	readonly fresh: readonly FreshFile[];
}

/** The files that have changed since the session last saw them. */
export function staleFiles(session: Session): readonly StaleFile[] {
	return filesSeenIn(session).stale;
}

/** The files that a session saw. */
export function filesSeenIn(session: Session): LookedAt {
	const { seenFiles } = codecOf(session.format)?.read ?? {};
	return compared(seenFiles?.(session) ?? [], session.header.cwd);
}

/** The files that the session at `path` saw. A file of lines is read in passing: all that it says need not fit into memory. */
export function lookAtFiles(path: string): LookedAt {
	using reader = openReader(path);
	const { codec, source, sideFiles } = reader;
	if (codec.capabilities.container !== 'lines') return filesSeenIn(reader.whole({ subagents: false }));
	const { parts, session } = passingSession(codec, source, sideFiles);
	const seen = codec.read.seenFiles?.({ entries: flat(parts) }) ?? [];
	return compared(seen, session().header.cwd);
}

function* flat(parts: Iterable<readonly Entry[]>): Generator<Entry> {
	for (const part of parts) yield* part;
}

/** Compares files with the disk, by content alone: a touched file counts as unchanged. */
function compared(files: readonly SeenFile[], cwd: string | undefined): LookedAt {
	const stale: StaleFile[] = [];
	const fresh: FreshFile[] = [];
	const room = { left: budget };
	for (const file of files) {
		const path = absolute(file.path, cwd);
		if (path === undefined) continue;
		const now = lookAt(path, file, room);
		if ('sha256' in now) fresh.push({ path, ...now });
		else {
			const seen = file.mtimeNs === undefined ? file.time : isoOf(file.mtimeNs);
			stale.push({ path, ...now, entry: file.entry, ...(seen === undefined ? {} : { seen }) });
		}
	}
	return { stale, fresh };
}

/** Undefined where nobody knows which file it is: some sub-agents' files do not say in which folder they worked. */
function absolute(path: string, cwd = ''): string | undefined {
	const { isAbsolute, join } = /^([a-zA-Z]:|\\\\)/.test(cwd || path) ? win32 : posix;
	if (isAbsolute(path)) return path;
	return cwd === '' ? undefined : join(cwd, path);
}

/** Larger files are not read for the comparison: a session may name any file. */
const largest = 1 << 26;
/** The most bytes that are read of all files together. */
const budget = 1 << 28;

type Look = Pick<StaleFile, 'change' | 'changed'> | Omit<FreshFile, 'path'>;

function lookAt(path: string, { is }: SeenFile, room: { left: number }): Look {
	try {
		using source = openFile(path);
		const edited = { change: 'edited', changed: new Date(source.mtimeMs).toISOString() } as const;
		// Line ends and UTF-16 may make a file up to four times as long as the text that was shown of it.
		if ('text' in is && source.size > 4 * Buffer.byteLength(is.text) + 4) return edited;
		if (source.size > Math.min(largest, room.left)) return { change: 'unreadable' };
		room.left -= source.size;
		const sha256 = hashOf(source);
		const same = 'sha256' in is ? sha256 === is.sha256 : plain(textOf(source)) === plain(is.text);
		return same ? { sha256, mtimeMs: source.mtimeMs } : edited;
	} catch (error) {
		if (codeOf(error) === undefined) throw error;
		return { change: isMissing(error) ? 'deleted' : 'unreadable' };
	}
}

function hashOf(source: Source): string {
	const hash = createHash('sha256');
	for (const piece of reusedPieces(source)) hash.update(piece);
	return hash.digest('hex');
}

function textOf(source: Source): string {
	return fileText(source.read(0, source.size)).text;
}

/** The text with plain line ends: tools do not always tell how lines end, or whether the last one does. */
function plain(text: string): string {
	return text.replaceAll('\r\n', '\n').replace(/\n$/, '');
}

function isoOf(nanoseconds: string): string | undefined {
	const time = new Date(Number(BigInt(nanoseconds) / 1_000_000n));
	return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
