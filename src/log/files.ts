/** The file backend of logs: keys are paths; how changes are noticed, how often a file is polled, and what a list passes over. */
import { watch as watchFolder } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { isStaged } from './atomic.ts';
import { diskCalls, type FileCalls } from './calls.ts';
import { isMissing, LogError, telling } from './errors.ts';
import { FileMedium, statOf } from './file-medium.ts';
import { openFile } from './file-source.ts';
import type { Log, LogSource, LogStat } from './log.ts';
import { placeOf } from './paths.ts';
import { readSource } from './pieces.ts';
import { watchLog } from './watch.ts';
import { QueuedWriter } from './writer.ts';
import { acquireLease } from './writer-lock.ts';

export interface FilesOptions {
	/** The folder for lock files: our own, never one where a client looks for its sessions. */
	readonly locks: string;
	/** This process's name for others that have to wait for it. Default: the name of the running script. */
	readonly command?: string;
	/** The longest time until a change is noticed where the system does not report it. Default 1000. */
	readonly pollMs?: number;
	/** The file system calls; replaced in tests. */
	readonly calls?: FileCalls;
}

/** Logs that are files, each under its path. */
export function filesLog(options: FilesOptions): Log {
	const calls = options.calls ?? diskCalls;
	const stat = async (key: string): Promise<LogStat | undefined> => {
		const found = telling(key, 'look at', () => orAbsent(() => calls.stat(key)));
		return found?.isFile() ? statOf(key, found) : undefined;
	};
	const source = async (key: string): Promise<LogSource> => sourceOf(calls, key);
	return {
		stat,
		source,
		async *read(key, reading) {
			yield* readSource(await source(key), reading);
		},
		async *list(prefix) {
			yield* walk(calls, prefix);
		},
		watch: (key, from, signal) =>
			watchLog(
				{ look: () => stat(key), listen: (ring) => listen(key, ring), pollMs: options.pollMs ?? 1000 },
				from,
				signal,
			),
		async writer(key, writing = {}) {
			const place = placeOf(calls, key, writing.within);
			const { locks: folder, command } = options;
			const lease = await acquireLease({ folder, name: place.path, key, command });
			const medium = new FileMedium(calls, place, lease);
			try {
				return new QueuedWriter(key, medium, writing.lines ?? true);
			} catch (error) {
				medium.close();
				throw error;
			}
		},
		close: () => Promise.resolve(),
	};
}

/** Undefined for a path that leads through a file, or nowhere. */
function orAbsent<T>(look: () => T): T | undefined {
	try {
		return look();
	} catch (error) {
		if (isMissing(error)) return undefined;
		throw error;
	}
}

function sourceOf(calls: FileCalls, key: string): LogSource {
	return telling(key, 'read', () => {
		const found = calls.stat(key);
		// A pipe or a device would block or never end.
		if (found && !found.isFile())
			throw new LogError('not-a-file', key, `cannot read ${key}: it is not a regular file.`);
		const file = openFile(key);
		const read = (at: number, length: number): Uint8Array => telling(key, 'read', () => file.read(at, length));
		return { size: file.size, stat: statOf(key, file.stat), read, [Symbol.dispose]: () => file[Symbol.dispose]() };
	});
}

/** The files below a prefix. Links are not followed: a cycle would never end. */
function* walk(calls: FileCalls, prefix: string): Generator<LogStat> {
	const start = resolve(prefix);
	const isFolder = orAbsent(() => calls.stat(start))?.isDirectory() === true;
	const folders = isFolder ? [start] : [dirname(start)];
	const beginning = isFolder ? '' : start;
	for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
		const at = folder;
		for (const item of telling(at, 'list', () => orAbsent(() => calls.list(at))) ?? []) {
			const path = at.endsWith(sep) ? at + item.name : join(at, item.name);
			if (!path.startsWith(beginning) && !beginning.startsWith(path + sep)) continue;
			if (item.isDirectory()) folders.push(path);
			const stat = item.isFile() && !isStaged(item.name) ? calls.lstat(path) : undefined;
			if (stat) yield statOf(path, stat);
		}
	}
}

/** Watches the folder and not the file, because a replaced file is another file. If that fails, polling remains. */
function listen(key: string, ring: () => void): Disposable {
	const name = basename(key);
	try {
		const watcher = watchFolder(dirname(resolve(key)), (_event, changed) => {
			if (changed === null || changed === name) ring();
		});
		watcher.on('error', () => watcher.close());
		return { [Symbol.dispose]: () => watcher.close() };
	} catch {
		return { [Symbol.dispose]: ring }; // no such folder yet, or no watches left
	}
}
