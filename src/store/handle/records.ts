/** Recorders under the names that Claude Code's own data models use: transcript, file history, context collapse. */
import { codecOf } from '../../codecs/index.ts';
import type { Entry, EntryId, FileSnapshot, JsonObject } from '../../model/index.ts';
import { InputError } from '../errors.ts';
import { openReader } from '../reader/session-reader.ts';
import type { Draft } from './draft.ts';
import type { Appended, SessionHandle } from './handle.ts';
import type { KeptState } from './kept-files.ts';

/** Appends to the transcript and resolves when it is durable. */
export async function recordTranscript(handle: SessionHandle, ...drafts: readonly Draft[]): Promise<Appended> {
	const done = await handle.append(...drafts);
	await handle.sync();
	return done;
}

export interface FileHistorySnapshot {
	/** The message whose changes the snapshot can undo. */
	readonly message: EntryId;
	/** Each file's content before the change, by its path in the session's folder; `null`: there was no file. */
	readonly files: { readonly [path: string]: string | null };
	/** True when it replaces an earlier snapshot of the same message. */
	readonly update?: boolean;
}

/** Keeps copies of files where the client keeps them, and records which they are. */
export async function recordFileHistorySnapshot(
	handle: SessionHandle,
	{ message, files, update = false }: FileHistorySnapshot,
): Promise<Appended> {
	if (!codecOf(handle.session.format)?.capabilities.checkpoints) throw notRecorded(handle, 'file history');
	const kept: FileSnapshot[] = [];
	const last = lastStates(handle);
	for (const [path, text] of Object.entries(files)) {
		const bytes = text === null ? null : Buffer.from(text, 'utf8');
		kept.push({ path, state: await handle.keepFile(path, bytes, last.get(path)) });
	}
	return await recordTranscript(handle, { kind: 'checkpoint', of: message, update, files: kept });
}

/** The state of each file in the session's last checkpoint of it. */
function lastStates(handle: SessionHandle): ReadonlyMap<string, KeptState> {
	const last = new Map<string, KeptState>();
	using reader = openReader(handle.path);
	const entry = (entry: Entry): void => {
		if (entry.kind === 'checkpoint') for (const { path, state } of entry.files) last.set(path, state);
	};
	reader.take({ entry, record: () => undefined, header: () => undefined });
	return last;
}

/** A step of context collapse: what was replaced by what. The fields are the caller's own. */
export async function recordContextCollapseSnapshot(handle: SessionHandle, data: JsonObject): Promise<Appended> {
	const { format, id } = handle.session;
	const event = codecOf(format)?.live.collapse?.(id, 'snapshot', data);
	if (!event) throw notRecorded(handle, 'context collapse');
	return recordTranscript(handle, { kind: 'event', event });
}

function notRecorded({ path, session }: SessionHandle, what: string): InputError {
	const name = codecOf(session.format)?.name ?? session.format;
	return new InputError('other-format', `${path} is a session of ${name}: that client records no ${what}`);
}
