/** `renameSession`, `tagSession`, `deleteSession` and `forkSession` as the SDK has them, over files and stores. */
import { randomUUID } from 'node:crypto';
import { dirname, extname, join } from 'node:path';
import { createFiles } from '../../log/index.ts';
import { readRegular } from '../../log/regular-file.ts';
import { compact, type EntryId } from '../../model/index.ts';
import { InputError } from '../../store/errors.ts';
import { thisMachine } from '../../store/find/folders.ts';
import { openHandle } from '../../store/handle/handle.ts';
import { annotate } from '../../store/manage/annotations.ts';
import { forkSession as forkFile } from '../../store/manage/fork.ts';
import { renameSession as renameFile } from '../../store/manage/rename.ts';
import { deleteSession as deleteFile } from '../../store/manage/trash.ts';
import type { SessionStoreEntry } from '../contract.ts';
import { noteOf } from '../document-entries.ts';
import { getSessionInfo } from './info.ts';
import { areForeign, linesIn, type PlaceOptions, storeKey, wantedSession } from './place.ts';
import { entriesIn } from './sdk-files.ts';
import { areNative, forkedEntries } from './sdk-fork.ts';

/** Gives a session another title, as its own client keeps titles. */
export async function renameSession(sessionId: string, title: string, options: PlaceOptions = {}): Promise<void> {
	const customTitle = title.trim();
	if (customTitle === '') throw new InputError('empty-title', 'a title must have at least one character');
	if (options.sessionStore) return await addEntry(sessionId, options, { type: 'custom-title', customTitle });
	await renameFile(wantedSession(sessionId, options.dir).path, customTitle, thisMachine());
}

/** Gives a session a tag, or takes it away (null). It stands with our own data in place of all tags there, and in the session's file where the format has a place for it. */
export async function tagSession(sessionId: string, tag: string | null, options: PlaceOptions = {}): Promise<void> {
	const wanted = tag === null ? '' : tag.trim();
	if (tag !== null && wanted === '') throw new InputError('empty-tag', 'a tag must have at least one character');
	if (options.sessionStore) return await addEntry(sessionId, options, { type: 'tag', tag: wanted });
	const session = wantedSession(sessionId, options.dir);
	await annotate(thisMachine(), [session], (marks) => ({ ...marks, tags: wanted === '' ? [] : [wanted] }));
	await using handle = await openHandle(session.path, { machine: thisMachine(), durable: true });
	await handle.append({ kind: 'setting', set: { tag: wanted === '' ? null : wanted } });
}

/** Moves a session with all its files to the trash; in a store it is deleted, if the store can. */
export async function deleteSession(sessionId: string, options: PlaceOptions = {}): Promise<void> {
	const { dir, sessionStore } = options;
	if (sessionStore) return await sessionStore.delete?.(storeKey(sessionId, dir));
	await deleteFile(wantedSession(sessionId, dir).path, thisMachine());
}

export interface ForkSessionOptions extends PlaceOptions {
	/** The last message that is copied. Default: all of the conversation. */
	readonly upToMessageId?: string;
	/** Default: the old title with “(fork)”. */
	readonly title?: string;
}

/** A new session that begins as a copy of another. */
export async function forkSession(
	sessionId: string,
	options: ForkSessionOptions = {},
): Promise<{ readonly sessionId: string }> {
	const { dir, sessionStore, upToMessageId, title } = options;
	const old = await getSessionInfo(sessionId, options);
	const name = title?.trim() || `${old?.customTitle ?? old?.firstPrompt ?? old?.summary ?? 'Forked session'} (fork)`;
	if (sessionStore) return await forkStored(sessionId, options, name);
	const { path, id: oldId } = wantedSession(sessionId, dir);
	const entries = nativeEntries(path);
	if (entries) {
		const { id, made } = forkedEntries(entries, { sessionId: oldId, title: name, ...compact({ upToMessageId }) });
		const text = made.map((entry) => `${JSON.stringify(entry)}\n`).join('');
		await createFiles([{ to: join(dirname(path), `${id}.jsonl`), pieces: [Buffer.from(text)] }]);
		return { sessionId: id };
	}
	const made = await forkFile(path, upToMessageId as EntryId | undefined);
	await renameFile(made.path, name, thisMachine());
	return { sessionId: made.id };
}

/** The lines of a file, where they are those of the SDK. */
function nativeEntries(path: string): readonly SessionStoreEntry[] | undefined {
	if (extname(path) !== '.jsonl') return undefined;
	const entries = entriesIn(readRegular(path).toString('utf8'));
	return areNative(entries) ? entries : undefined;
}

/** In the session's own format where that is the SDK's; else it is the store's, and no part of the transcript. */
async function addEntry(
	sessionId: string,
	{ dir, sessionStore }: PlaceOptions,
	entry: SessionStoreEntry,
): Promise<void> {
	const key = storeKey(sessionId, dir);
	const lines = sessionStore && (await linesIn(sessionStore, key));
	if (!lines) throw new InputError('missing', `Session ${sessionId} not found`);
	const made = { ...entry, sessionId, uuid: randomUUID(), timestamp: new Date().toISOString() };
	await sessionStore.append(key, [areForeign(lines) ? noteOf(made) : made]);
}

async function forkStored(
	sessionId: string,
	{ dir, sessionStore, upToMessageId }: ForkSessionOptions,
	title: string,
): Promise<{ readonly sessionId: string }> {
	const entries = (await sessionStore?.load(storeKey(sessionId, dir))) ?? [];
	if (entries.length > 0 && !areNative(entries)) {
		const why = 'its lines are not those of the SDK, so that nothing in it could name what it was copied from';
		throw new InputError('session-format', `Session ${sessionId} cannot be forked in a store: ${why}. Fork its file`);
	}
	const { id, made } = forkedEntries(entries, { sessionId, title, ...compact({ upToMessageId }) });
	await sessionStore?.append(storeKey(id, dir), [...made]);
	return { sessionId: id };
}
