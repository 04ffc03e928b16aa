/** What the SDK reads of a session's file for a list: how many bytes at its beginning and end, and the note beside it that it is archived. */
import { basename, dirname, extname, join } from 'node:path';
import { openFile } from '../../log/file-source.ts';
import { readIfThere } from '../../log/regular-file.ts';
import { compact, isObject, parsedJson } from '../../model/index.ts';
import type { SessionStoreEntry, SessionSummaryEntry } from '../contract.ts';
import { foldSessionSummary } from '../fold-summary.ts';

/** So much is read at each end: a list must not take as long as all sessions are. */
const window = 1 << 16;

export interface Ends {
	/** The first time that is named anywhere in the file. */
	readonly created?: number;
	readonly first: readonly SessionStoreEntry[];
	/** Empty where the first ones are all. */
	readonly last: readonly SessionStoreEntry[];
}

/** Undefined for a file that is not written in such lines: none of them has a `uuid` beside a message. */
export function entriesAtEnds(path: string): Ends | undefined {
	if (extname(path) !== '.jsonl') return undefined;
	using source = openFile(path);
	const { size } = source;
	const head = text(source.read(0, Math.min(window, size)));
	const isWhole = size <= window;
	const first = entriesIn(isWhole ? head : head.slice(0, head.lastIndexOf('\n') + 1));
	const from = Math.max(window, size - window);
	const tail = isWhole ? '' : text(source.read(from, size - from));
	// The window may begin in the middle of a line.
	const last = entriesIn(tail.slice(tail.indexOf('\n') + 1));
	const isOwn = [...first, ...last].some(({ uuid, message }) => typeof uuid === 'string' && isObject(message));
	const created = Date.parse(/"timestamp":"([^"]*)"/.exec(head)?.[1] ?? '');
	return isOwn ? { first, last, ...(Number.isNaN(created) ? {} : { created }) } : undefined;
}

export function foldedEnds({ first, last, created }: Ends, sessionId: string, mtime: number): SessionSummaryEntry {
	const key = { projectKey: '-', sessionId };
	const begun = foldSessionSummary(undefined, key, first, { mtime });
	// Among the last lines no prompt is the first.
	const { firstPromptLocked } = begun.data;
	const locked = { ...begun, data: { ...begun.data, firstPromptLocked: true } };
	const { data: all } = foldSessionSummary(last.length === 0 ? begun : locked, key, last, { mtime });
	const isLocked = last.length === 0 ? all.firstPromptLocked : firstPromptLocked;
	const data = { ...all, firstPromptLocked: isLocked, ...compact({ createdAt: created }) };
	return { sessionId, mtime, data };
}

/** It was begun by `-p` or an SDK: its first line that says how it was begun says so. */
export function isProgrammatic({ first }: Ends): boolean {
	const begun = first.find((entry) => typeof entry.entrypoint === 'string');
	return String(begun?.entrypoint).startsWith('sdk');
}

/** What the SDK's `archiveSession` has noted in the session's own folder. */
export function archivedBeside(path: string): boolean | undefined {
	const note = readIfThere(join(dirname(path), basename(path, extname(path)), 'archived.json'));
	const value = note && parsedJson(note.toString('utf8'));
	return isObject(value) && typeof value.archived === 'boolean' ? value.archived : undefined;
}

function text(bytes: Uint8Array): string {
	return Buffer.from(bytes).toString('utf8');
}

/** The JSON objects among lines. */
export function entriesIn(lines: string): readonly SessionStoreEntry[] {
	return lines.split('\n').flatMap((line) => {
		const value = line === '' ? undefined : parsedJson(line);
		return isObject(value) ? [value as unknown as SessionStoreEntry] : [];
	});
}
