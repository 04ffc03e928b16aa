/** Recorders under the names that Claude Code's own data models use: transcript, file history, context collapse. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { backupFolder, backupName } from '../codecs/claude-code/index.ts';
import { codeOf } from '../log/errors.ts';
import { createFiles } from '../log/index.ts';
import type { EntryId, FileSnapshot, JsonObject } from '../model/index.ts';
import type { Draft } from './draft.ts';
import { InputError } from './errors.ts';
import type { Appended, SessionHandle } from './handle.ts';

/** Appends to the transcript and resolves when it is durable. */
export async function recordTranscript(handle: SessionHandle, ...drafts: readonly Draft[]): Promise<Appended> {
	const done = await handle.append(...drafts);
	await handle.sync();
	return done;
}

export interface FileHistorySnapshot {
	/** The message whose changes the snapshot can undo. */
	readonly message: EntryId;
	/** Each file as it is before the change, by its path relative to the session's folder; `null`: there is none. */
	readonly files: { readonly [path: string]: string | null };
	/** It replaces an earlier snapshot of the same message. */
	readonly update?: boolean;
}

/** Keeps copies of files where the client keeps them, and records which they are. */
export async function recordFileHistorySnapshot(
	handle: SessionHandle,
	{ message, files, update = false }: FileHistorySnapshot,
): Promise<Appended> {
	onlyClaudeCode(handle, 'file history');
	const { id, header } = handle.session;
	const folder = join(dirname(resolve(handle.path)), backupFolder(id));
	const kept: FileSnapshot[] = [];
	for (const [path, text] of Object.entries(files)) {
		if (text === null) kept.push({ path, state: { is: 'absent' } });
		else kept.push({ path, state: { is: 'backup', ...(await keepCopy(folder, header.cwd, path, text)) } });
	}
	return await recordTranscript(handle, { kind: 'checkpoint', of: message, update, files: kept });
}

/** The version of the copy that holds this text: the last one, or one more. */
async function keepCopy(folder: string, cwd: string | undefined, path: string, text: string) {
	const stem = backupName(cwd, path, 0).replace(/0$/, '');
	const versions = namesIn(folder)
		.filter((name) => name.startsWith(stem))
		.map((name) => Number(name.slice(stem.length)))
		.filter((version) => version > 0);
	const last = Math.max(0, ...versions);
	const bytes = Buffer.from(text, 'utf8');
	const same = last > 0 && readFileSync(join(folder, `${stem}${last}`)).equals(bytes);
	const version = same ? last : last + 1;
	const name = `${stem}${version}`;
	if (!same) await createFiles([{ to: join(folder, name), pieces: bytes }]);
	return { name, version };
}

function namesIn(folder: string): readonly string[] {
	try {
		return readdirSync(folder);
	} catch (error) {
		if (codeOf(error) === 'ENOENT') return [];
		throw error;
	}
}

/** A step of context collapse: what was replaced by what. The fields are the caller's own. */
export function recordContextCollapseSnapshot(handle: SessionHandle, data: JsonObject): Promise<Appended> {
	onlyClaudeCode(handle, 'context collapse');
	const type = 'context-collapse-snapshot';
	const line = { type, sessionId: handle.session.id, ...data };
	return recordTranscript(handle, { kind: 'event', event: { type: 'collapse', of: type, data: line } });
}

function onlyClaudeCode(handle: SessionHandle, what: string): void {
	const { format } = handle.session;
	if (format === 'claude-code') return;
	throw new InputError('other-format', `${handle.path} is a ${format} session: only Claude Code's record ${what}`);
}
