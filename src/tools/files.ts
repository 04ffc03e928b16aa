/** What the tools that read and write files share: paths, contents, and knowing that a file is still what the model saw. */
import { createHash } from 'node:crypto';
import { isAbsolute, resolve } from 'node:path';
import type { ToolContext, ToolOutput } from '../agent/contracts.ts';
import type { FileState, Json } from '../model/index.ts';

export function absolutePath(path: string, cwd: string): string {
	return isAbsolute(path) ? resolve(path) : resolve(cwd, path);
}

export interface FileContent {
	readonly bytes: Uint8Array;
	readonly sha256: string;
	readonly state: FileState;
}

/** Undefined: there is no such file. */
export async function readContent(path: string, { host }: ToolContext): Promise<FileContent | undefined> {
	const facts = await host.files.stat(path);
	if (!facts) return undefined;
	const bytes = await host.files.read(path);
	const sha256 = sha256Of(bytes);
	return { bytes, sha256, state: { path, sha256, mtimeNs: facts.mtimeNs } };
}

export function sha256Of(bytes: Uint8Array): string {
	return createHash('sha256').update(bytes).digest('hex');
}

/** From now on the model knows the file as it is. */
export async function remember(path: string, sha256: string, context: ToolContext): Promise<FileState> {
	const facts = await context.host.files.stat(path);
	context.seen.set(path, { sha256, mtimeMs: facts?.mtimeMs ?? 0 });
	return { path, sha256, ...(facts ? { mtimeNs: facts.mtimeNs } : {}) };
}

/** Why a file may not be overwritten: the model has not seen it as it is now. */
export function unseen(path: string, now: FileContent, { seen }: ToolContext): string | undefined {
	const known = seen.get(path);
	if (!known) return `${path} has not been read yet. Read it first, then write to it.`;
	if (known.sha256 === now.sha256) return undefined;
	return `${path} has been changed since it was read, by the user or by another program. Read it again first.`;
}

export async function writeContent(
	path: string,
	text: string,
	before: Uint8Array | null,
	context: ToolContext,
): Promise<FileState> {
	await context.changing(path, before);
	const bytes = Buffer.from(text, 'utf8');
	await context.host.files.write(path, bytes);
	return await remember(path, sha256Of(bytes), context);
}

export function said(text: string, details: Json): ToolOutput {
	return { content: [{ type: 'text', text }], details };
}

export function problem(text: string): ToolOutput {
	return { content: [{ type: 'text', text }], isError: true, details: `Error: ${text}` };
}

export function isFolder(path: string): ToolOutput {
	return problem(`${path} is a folder, not a file. List it with a shell command.`);
}
