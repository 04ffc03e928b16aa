/** Finds the session that a function is asked about: on this machine by its id, or in a store by its key. */
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Codec, codecs, decodeBytes, detect } from '../../codecs/index.ts';
import { codeOf } from '../../log/errors.ts';
import type { Session } from '../../model/index.ts';
import { InputError } from '../../store/errors.ts';
import { discoverSessions, type FoundSession } from '../../store/find/discover.ts';
import { projectAt } from '../../store/find/project.ts';
import { foldersOf } from '../../store/reader/glance.ts';
import type { SessionKey, SessionStore } from '../contract.ts';
import { transcriptBytes } from '../document-entries.ts';
import { projectKeyOf } from '../project-key.ts';

export interface PlaceOptions {
	/** The project's folder. Default: for files every project, for a store the current folder. */
	readonly dir?: string;
	/** Where the session is. Default: the files of this machine's clients. */
	readonly sessionStore?: SessionStore;
}

/** The sessions of a project, or of all. A session of an agent may be named `agent:id`, as a store has it. */
export function localSessions(dir: string | undefined, withWorktrees = true): Iterable<FoundSession> {
	if (dir === undefined) return discoverSessions();
	const folder = realFolder(dir);
	const project = projectAt(folder);
	const isWanted = (one: string | undefined): boolean => (withWorktrees ? project.has(one) : one === folder);
	return Iterator.from(discoverSessions()).filter((session) => isWanted(foldersOf(session)[0]));
}

/** The session with exactly this id; undefined where there is none. */
export function localSession(sessionId: string, dir: string | undefined): FoundSession | undefined {
	for (const session of localSessions(dir))
		if (session.id === sessionId || `${session.agent}:${session.id}` === sessionId) return session;
	return undefined;
}

/** The session, for a function that changes it. */
export function wantedSession(sessionId: string, dir: string | undefined): FoundSession {
	if (sessionId === '') throw new InputError('missing', 'sessionId is empty');
	const found = localSession(sessionId, dir);
	if (!found) throw new InputError('missing', `Session ${sessionId} not found${dir === undefined ? '' : ` in ${dir}`}`);
	return found;
}

export function storeKey(sessionId: string, dir: string | undefined, subpath?: string): SessionKey {
	const key = { projectKey: storeProject(dir), sessionId };
	return subpath === undefined ? key : { ...key, subpath };
}

export function storeProject(dir: string | undefined): string {
	return projectKeyOf(realFolder(dir ?? process.cwd()));
}

function realFolder(dir: string): string {
	try {
		return realpathSync(dir);
	} catch (error) {
		if (codeOf(error) === 'ENOENT') return resolve(dir);
		throw error;
	}
}

/** The exact lines of a transcript, of any store. */
export async function linesIn(store: SessionStore, key: SessionKey): Promise<readonly string[] | null> {
	if ('loadLines' in store && typeof store.loadLines === 'function')
		return (await store.loadLines(key)) as readonly string[] | null;
	return (await store.load(key))?.map((entry) => JSON.stringify(entry)) ?? null;
}

/** The session whose lines these are, whichever agent wrote them. Undefined for lines of no known agent. */
export function sessionFrom(lines: readonly string[], id: string): Session | undefined {
	const bytes = transcriptBytes(lines);
	const codec = codecFor(bytes);
	return codec && decodeBytes(codec, bytes, id);
}

/** Whose lines have the SDK's form. */
export const sdkAgent = 'claude-code';

/** True where another agent has written the lines, in whose words the SDK's would mean nothing. */
export function areForeign(lines: readonly string[]): boolean {
	return (codecFor(transcriptBytes(lines))?.id ?? sdkAgent) !== sdkAgent;
}

function codecFor(bytes: Uint8Array): Codec | undefined {
	const found = detect(codecs, { head: bytes, complete: true });
	return found === 'more' ? undefined : found?.codec;
}
