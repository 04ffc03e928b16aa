/** This machine, as the loop and its tools see it. */
import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { appendFile, mkdir, readdir, readlink, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FileFacts, Host } from '../agent/contracts.ts';
import { codeOf, isMissing } from '../log/errors.ts';
import { readRegular } from '../log/regular-file.ts';
import { type FileBytes, makeFolder, readDecided, replaceDecided, replaceIn } from './decided-file.ts';
import { fetchPage } from './fetch-page.ts';
import { fileView } from './file-view.ts';
import { pdfText } from './pdf-text.ts';
import { searchFiles } from './ripgrep.ts';
import { runCommand } from './run-command.ts';

/** This machine: its files, its shell, its clock. */
export function nodeHost(): Host {
	return {
		files: {
			stat: factsOf,
			modified,
			read: async (path, real) => (real === undefined ? readRegular(path) : readDecided(path, real)),
			write: async (path, bytes, real) =>
				real === undefined ? await replaceFile(path, bytes) : await replaceDecided(path, real, bytes),
			real: realPath,
			list: listFolder,
			linkTarget,
			append,
		},
		names: fileView,
		home: homedir(),
		run: runCommand,
		search: searchFiles,
		fetchPage,
		pdfText,
		now: () => Date.now(),
		randomHex: (digits) =>
			randomBytes(Math.ceil(digits / 2))
				.toString('hex')
				.slice(0, digits),
		sleep,
	};
}

async function factsOf(path: string): Promise<FileFacts | undefined> {
	try {
		const facts = await stat(path, { bigint: true });
		const { size, mtimeNs, mtimeMs } = facts;
		return {
			size: Number(size),
			folder: facts.isDirectory(),
			regular: facts.isFile(),
			mtimeMs: Number(mtimeMs),
			mtimeNs: String(mtimeNs),
		};
	} catch (error) {
		if (isMissing(error)) return undefined;
		throw error;
	}
}

/** A promise for each costs ten times as much as asking; after some, others have their turn. */
async function modified(paths: readonly string[]): Promise<readonly number[]> {
	const times: number[] = [];
	for (const [index, path] of paths.entries()) {
		times.push(modifiedAt(path));
		if (index % 2000 === 1999) await nextTurn();
	}
	return times;
}

function modifiedAt(path: string): number {
	try {
		return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
	} catch {
		// In a folder that was closed to us meanwhile: as good as gone.
		return 0;
	}
}

/** Through a link to the file behind it. */
async function replaceFile(path: string, bytes: FileBytes): Promise<void> {
	const target = await realPath(path);
	await makeFolder(target);
	await replaceIn(dirname(target), basename(target), bytes);
}

/** Links are followed as far as the path exists; what does not exist yet keeps its name. */
async function realPath(path: string): Promise<string> {
	try {
		return await realpath(path);
	} catch (error) {
		if (!isMissing(error)) throw error;
		const parent = dirname(path);
		return parent === path ? path : join(await realPath(parent), basename(path));
	}
}

async function linkTarget(path: string): Promise<string | undefined> {
	try {
		return await readlink(path);
	} catch (error) {
		if (isMissing(error) || codeOf(error) === 'EINVAL') return undefined;
		throw error;
	}
}

async function append(path: string, text: string): Promise<void> {
	await mkdir(dirname(path), { recursive: true, mode: 0o700 });
	await appendFile(path, text, { mode: 0o600 });
}

async function listFolder(folder: string): Promise<readonly string[]> {
	try {
		return await readdir(folder);
	} catch (error) {
		if (isMissing(error)) return [];
		throw error;
	}
}

/** Ends early, without complaint, when the signal comes. */
function sleep(ms: number, signal: AbortSignal): Promise<void> {
	return new Promise((resolve) => {
		if (signal.aborted) {
			resolve();
			return;
		}
		const done = (): void => {
			clearTimeout(timer);
			signal.removeEventListener('abort', done);
			resolve();
		};
		const timer = setTimeout(done, ms);
		signal.addEventListener('abort', done);
	});
}
