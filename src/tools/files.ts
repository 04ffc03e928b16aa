/** What the tools that read and write files share: how large a file may be, devices that are not opened, encodings that are not written, and the wording for a file that was not read before. */
import { homedir } from 'node:os';
import { basename, dirname, extname, isAbsolute, resolve } from 'node:path';
import { failed, refused } from '../agent/calls/outputs.ts';
import type { FileFacts, ToolContext, ToolOutput } from '../agent/contracts.ts';
import { atHome } from '../agent/permissions/path-names.ts';
import { sha256Of } from '../log/sha256.ts';
import { changedBytes, type FileState, type FileText, fileBytes, fileText, type TextChange } from '../model/index.ts';

export function absolutePath(path: string, cwd: string): string {
	const given = atHome(path, homedir());
	return isAbsolute(given) ? resolve(given) : resolve(cwd, given);
}

export interface FileContent extends FileText {
	readonly bytes: Uint8Array;
	readonly sha256: string;
	readonly state: FileState;
}

/** A file to work on: its content, nothing where there is none, or why it is not opened. */
export type Opened =
	| { readonly is: 'file'; readonly content: FileContent }
	| { readonly is: 'missing' }
	| { readonly is: 'refused'; readonly why: string };

/** More is not held in memory: whoever needs it has a shell. */
const mostBytes = 64 * 1024 * 1024;

/** Opens nothing but regular files: reading a device or a pipe may never end. */
export async function openContent(path: string, context: ToolContext): Promise<Opened> {
	const { files } = context.host;
	if (isProcessFile(path)) return { is: 'refused', why: noDevice(path) };
	const facts = await files.stat(path);
	if (!facts) return { is: 'missing' };
	const real = await files.real(path);
	const why = whyNotOpened(path, real, facts);
	if (why !== undefined) return { is: 'refused', why };
	return { is: 'file', content: contentOf(path, await files.read(path), facts) };
}

function whyNotOpened(path: string, real: string, facts: FileFacts): string | undefined {
	if (facts.folder) return `${path} is a directory, not a file.`;
	if (!facts.regular || isProcessFile(real)) return noDevice(path);
	if (facts.size > mostBytes)
		return `File content (${sizeOf(facts.size)}) exceeds what this tool opens (${sizeOf(mostBytes)}). Use a shell command to work on parts of it.`;
	return undefined;
}

/** Some are regular files by their looks, but what they say is made when they are read. Only `/dev/shm` holds files. */
function isProcessFile(path: string): boolean {
	return /^\/(?:dev(?!\/shm\/)|proc|sys)(?:\/|$)/.test(path);
}

function noDevice(path: string): string {
	return `Cannot read '${path}': this path names a device or process file that this tool does not read.`;
}

function contentOf(path: string, bytes: Uint8Array, { mtimeNs }: FileFacts): FileContent {
	const sha256 = sha256Of(bytes);
	return { ...fileText(bytes), bytes, sha256, state: { path, sha256, mtimeNs } };
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
	if (!known) return 'File has not been read yet. Read it first before writing to it.';
	return known.sha256 === now.sha256 ? undefined : changedSince;
}

export const changedSince =
	'File has been modified since read, either by the user or by a linter. Read it again before attempting to write it.';

/** The model knows the file, but not as it is: only reading it lets it be written as a whole. */
export function forget(path: string, { seen }: ToolContext): void {
	seen.set(path, { sha256: '', mtimeMs: 0 });
}

const encodings = {
	nul: 'has NUL bytes in its first 8 KB: binary data, UTF-16/UTF-32 without a byte-order mark, or text with embedded NULs',
	'not-utf8': 'is not valid UTF-8: it uses a legacy encoding such as Windows-1252, Shift-JIS or GBK, or it is binary',
} as const;

/** What a model has to know of a file that would be damaged by writing its text back. */
export function foreignNote({ foreign }: FileText): string | undefined {
	if (foreign === undefined) return undefined;
	return `[This file ${encodings[foreign]}. Edit and Write will refuse it: change it with a shell command that keeps its encoding, or ask the user whether to convert it to UTF-8.]`;
}

export function foreignProblem({ foreign }: FileText): string | undefined {
	if (foreign === undefined) return undefined;
	return `File ${encodings[foreign]}. These tools write UTF-8 (or UTF-16LE behind its byte-order mark) and never convert a file's encoding on their own, so nothing was written. If the file is text, make the change with a shell command that reads and writes it in its own encoding (iconv), or ask the user whether to convert it to UTF-8 first. To replace the whole file with new UTF-8 text anyway, delete it first, then Write it.`;
}

const plainUtf8 = { encoding: 'utf8', bom: false, crlf: false } as const;

/** Writes the text as the file's text was written, and knows it from then on. `change`: all that differs from the old text. */
export async function writeContent(
	path: string,
	text: string,
	old: FileContent | undefined,
	context: ToolContext,
	change?: TextChange,
): Promise<FileState> {
	const parts = (old && change && changedBytes(old, change)) ?? [fileBytes(text, old ?? plainUtf8)];
	await context.changing(path, old?.bytes ?? null);
	await context.host.files.write(path, parts);
	return await remember(path, sha256Of(...parts), context);
}

/** What is in a file that will be changed, if there is one, or why it may not be. */
export async function openToChange(
	path: string,
	context: ToolContext,
): Promise<{ readonly old: FileContent | undefined } | { readonly fails: ToolOutput }> {
	const opened = await openContent(path, context);
	if (opened.is === 'refused') return { fails: refused(opened.why) };
	const link = await danglingLink(path, context);
	if (link !== undefined) return { fails: failed(link) };
	return { old: opened.is === 'file' ? opened.content : undefined };
}

/** The same for a file that is written as a whole: it must have been read, and be in an encoding that is written. */
export async function openToReplace(path: string, context: ToolContext): ReturnType<typeof openToChange> {
	const opened = await openToChange(path, context);
	if ('fails' in opened || !opened.old) return opened;
	const why = unseen(path, opened.old, context);
	if (why !== undefined) return { fails: refused(why) };
	const foreign = foreignProblem(opened.old);
	return foreign === undefined ? opened : { fails: failed(foreign) };
}

/** A link that leads to nothing: what it would make is another file than the one that was named. */
async function danglingLink(path: string, { host }: ToolContext): Promise<string | undefined> {
	const target = await host.files.linkTarget(path);
	if (target === undefined || (await host.files.stat(path))) return undefined;
	return `Refusing to write ${path}: it is a symbolic link. Write to the link's target path instead: ${resolve(dirname(path), target)}.`;
}

/** `File does not exist.`, and a file beside it that differs in its ending alone. */
export async function missing(path: string, { host }: ToolContext): Promise<string> {
	const stem = (name: string): string => basename(name, extname(name));
	const beside = await host.files.list(dirname(path));
	const similar = beside.find((name) => name !== basename(path) && stem(name) === stem(path));
	return similar === undefined ? 'File does not exist.' : `File does not exist. Did you mean ${similar}?`;
}

export function sizeOf(bytes: number): string {
	const round = (value: number, unit: string): string => `${value.toFixed(1).replace(/\.0$/, '')}${unit}`;
	if (bytes < 1024) return `${bytes} bytes`;
	return bytes < 1024 * 1024 ? round(bytes / 1024, 'KB') : round(bytes / 1024 / 1024, 'MB');
}

/** What the model would otherwise not know: the file does not hold what it wrote. */
export function byUser({ userModified }: ToolContext): string {
	return userModified ? ' The user modified your proposed changes before accepting them.' : '';
}
