/** Queues what is new in a transcript: how much at a time, when a file counts as changed or as rewritten, and the id of a line that has no uuid. */
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { isObject, parsedJson, type Source } from '../../model/index.ts';
import { type ScannedLine, scanLines } from '../../scan/index.ts';
import { databasePath } from '../../store/reader/database.ts';
import { openSource } from '../../store/reader/open-source.ts';
import type { StoredLine } from '../contract.ts';
import { documentText, lineText } from '../document-entries.ts';
import { contentId, lineFrom } from '../exact-store.ts';
import type { DatedTranscript, Transcript } from '../transcripts.ts';
import type { MirrorQueue } from './queue.ts';

/** So much of a file is queued at once. */
const partBytes = 1 << 20;
const tailBytes = 4096;

/** How much of a transcript is new, by its size alone; 0 where it is as it was. */
export function newBytes({ path }: Transcript, queue: MirrorQueue): number {
	const stamp = stampOf(path);
	const cursor = queue.cursor(path);
	if (stamp === undefined || cursor?.stamp === stamp.text) return 0;
	return Math.max(1, stamp.size - (cursor?.end ?? 0));
}

/** Queues the next part. Gives the number of entries and whether more is to come; undefined where nothing is new. */
export function queueNew(
	transcript: DatedTranscript,
	queue: MirrorQueue,
): { readonly entries: number; readonly more: boolean } | undefined {
	const stamp = stampOf(transcript.path);
	const cursor = queue.cursor(transcript.path);
	if (stamp === undefined || cursor?.stamp === stamp.text) return undefined;
	const opened = openSource(transcript.path);
	// It was removed since, or is empty still.
	if (!opened.ok) return undefined;
	using source = opened.source;
	if (transcript.kind === 'lines') return queueLines(transcript, queue, source, stamp.text);
	const bytes = source.read(0, source.size);
	const add = (lines: readonly StoredLine[]): number =>
		queue.add(
			transcript.path,
			transcript.key,
			{ from: cursor, to: { end: source.size, tail: '', stamp: stamp.text }, written: transcript.written },
			() => lines,
			bytes,
		);
	const before = queue.document(transcript.path);
	const text = transcript.kind === 'metadata' ? metadataText(bytes) : documentText(before ?? new Uint8Array(0), bytes);
	if (text === undefined) return { entries: add([]), more: false };
	// A state that is sent again, because nobody knows what has become of it, is recognised by what came before it, too.
	const print = (part: Uint8Array): string => createHash('sha256').update(part).digest('base64url').slice(0, 22);
	const id = `#${transcript.kind}.${print(before ?? new Uint8Array(0))}.${print(bytes)}.${stamp.text}`;
	return { entries: add([{ text, id }]), more: false };
}

/** The note about a sub-agent as the entry that the SDK makes of it. */
function metadataText(bytes: Uint8Array): string | undefined {
	const value = parsedJson(Buffer.from(bytes).toString('utf8'));
	return isObject(value) ? JSON.stringify({ type: 'agent_metadata', ...value }) : undefined;
}

function queueLines(transcript: DatedTranscript, queue: MirrorQueue, source: Source, stamp: string) {
	const { path, key } = transcript;
	const cursor = queue.cursor(path);
	const isSame = cursor !== undefined && cursor.end <= source.size && tailOf(source, cursor.end) === cursor.tail;
	const from = isSame ? cursor.end : 0;
	const to = partEnd(source, from);
	const found: Buffer[] = [];
	let end = from;
	const visit = (line: ScannedLine): void => {
		const bytes = line.window.subarray(line.from, line.to);
		// The client is still writing it. A whole object is an entry even without its newline.
		if (!line.ended && lineFrom(bytes.toString('utf8')) === undefined) return;
		if (bytes.some((byte) => byte > 32)) found.push(Buffer.from(bytes));
		end = line.ended ? line.end : line.at + bytes.length;
	};
	scanLines(source, visit, { from, to });
	const more = to < source.size;
	const lines = (): readonly StoredLine[] => {
		if (!isSame) queue.restart(path);
		return found.map((bytes) => numbered(lineText(bytes), path, queue));
	};
	const at = { end, tail: tailOf(source, end), stamp: more ? '' : stamp };
	return { entries: queue.add(path, key, { from: cursor, to: at, written: transcript.written }, lines), more };
}

/** Where a part ends: behind a line, however long that is. */
function partEnd(source: Source, from: number): number {
	const newline = 10;
	for (let at = from + partBytes; at < source.size; at += partBytes) {
		const place = source.read(at, partBytes).indexOf(newline);
		if (place !== -1) return at + place + 1;
	}
	return source.size;
}

/** A line with its id: the uuid, or what it says and how often that was said before in its transcript. */
function numbered(text: string, path: string, queue: MirrorQueue): StoredLine {
	const line = lineFrom(text) ?? { text };
	if (line.id !== undefined) return line;
	return { text, id: contentId(text, queue.times(path, contentId(text, 0))) };
}

function tailOf(source: Source, end: number): string {
	const from = Math.max(0, end - tailBytes);
	return createHash('sha256')
		.update(source.read(from, end - from))
		.digest('base64url')
		.slice(0, 22);
}

/** Size and time of a file; of a database, of all its files. */
function stampOf(path: string): { readonly text: string; readonly size: number } | undefined {
	const { file, session } = databasePath(path);
	const stat = statSync(file, { throwIfNoEntry: false });
	if (!stat?.isFile() || stat.size === 0) return undefined;
	const log = session === undefined ? undefined : statSync(`${file}-wal`, { throwIfNoEntry: false });
	const text = [stat.size, stat.mtimeMs, stat.ino, log?.size, log?.mtimeMs].join(' ');
	return { text, size: session === undefined ? stat.size : 0 };
}
