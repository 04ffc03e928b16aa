/** Stores which files a project had before a shell command, in parts that looks share, so that what a killed command changed can still be found. */
import { sha256Of } from '../../log/sha256.ts';
import { parsedJson } from '../../model/index.ts';
import type { Copies } from './copies.ts';
import { type FileForm, readForm } from './forms.ts';

/** A file as a look has found it: its form, or git's name for its bytes. */
export interface LookedFile {
	readonly stat: { readonly mode: number; readonly size: number; readonly ino?: number };
	readonly form?: FileForm;
	readonly oid?: string;
}

/** Files in one part: a look that differs in one file from another shares all parts with it but one. */
const together = 256;

/** The sum under which it is kept. `looks` has one copy of a part, whichever looks it is a part of. */
export function keepLook(files: ReadonlyMap<string, LookedFile>, looks: Copies): string {
	const parts: string[] = new Array(partsFor(files.size)).fill('');
	for (const [path, file] of files) {
		const at = placeOf(path) % parts.length;
		parts[at] += `${path}\0${file.oid === undefined ? JSON.stringify(file.form) : gitText(file)}\0`;
	}
	const keep = (text: string): string => {
		const bytes = Buffer.from(text);
		const sum = sha256Of(bytes);
		looks.keep(bytes, sum);
		return sum;
	};
	return keep(parts.map(keep).join('\n'));
}

function gitText({ oid, stat }: LookedFile): string {
	return `${stat.mode} ${stat.size} ${oid}`;
}

/** Doubles with the project, so that it rarely changes: with it, every part does. */
function partsFor(files: number): number {
	return 2 ** Math.max(0, Math.ceil(Math.log2(files / together)));
}

/** Evenly spread, and the same in every run. */
function placeOf(path: string): number {
	let sum = 7;
	for (let at = 0; at < path.length; at += 1) sum = (sum * 31 + path.charCodeAt(at)) | 0;
	return sum >>> 0;
}

/** The sums of the look's own parts, its list first. */
export function partsOfLook(sum: string, looks: Copies): readonly string[] {
	const list = looks.read(sum)?.toString('utf8');
	return list === undefined ? [] : [sum, ...list.split('\n')];
}

/** Undefined where not all of it is there any more: half of it would call the other half new. */
export function readLook(sum: string, looks: Copies): ReadonlyMap<string, LookedFile> | undefined {
	const [list, ...parts] = partsOfLook(sum, looks);
	if (list === undefined) return undefined;
	const files = new Map<string, LookedFile>();
	for (const part of parts) {
		const words = looks.read(part)?.toString('utf8').split('\0');
		if (!words) return undefined;
		for (let at = 0; at + 1 < words.length; at += 2) files.set(words[at] ?? '', lookedIn(words[at + 1] ?? ''));
	}
	return files;
}

function lookedIn(text: string): LookedFile {
	if (text.startsWith('{')) {
		const form = readForm(parsedJson(text));
		return { form, stat: form.is === 'file' ? form : { mode: 0, size: 0 } };
	}
	const [mode, size, oid = ''] = text.split(' ');
	return { oid, stat: { mode: Number(mode), size: Number(size) } };
}
