/** Logs in memory: for tests, for previews, for sessions that must not touch the disk. */
import { hostname } from 'node:os';
import { type Holder, LogConflict, LogError, LogHeld } from './errors.ts';
import type { Log, LogSource, LogStat } from './log.ts';
import { readSource } from './pieces.ts';
import { watchLog } from './watch.ts';
import { type Medium, QueuedWriter } from './writer.ts';

/** Bytes below `length` never change, so a reader may keep a view of them. */
interface Stored {
	readonly id: number;
	bytes: Uint8Array;
	length: number;
	version: number;
	mtimeMs: number;
}

/** Makes logs in memory, for tests and for what need not be kept. */
export function memoryLog(options: { readonly command?: string } = {}): Log {
	const logs = new Map<string, Stored>();
	const leases = new Map<string, Holder>();
	const bells = new Map<string, Set<() => void>>();
	let ids = 0;
	const put: Put = (key, bytes) => {
		ids += 1;
		const stored = { id: ids, bytes, length: bytes.length, version: 0, mtimeMs: Date.now() };
		logs.set(key, stored);
		return stored;
	};
	const ring = (key: string): void => {
		for (const bell of bells.get(key) ?? []) bell();
	};
	const stat = async (key: string): Promise<LogStat | undefined> => statOf(key, logs.get(key));
	const source = async (key: string): Promise<LogSource> => sourceOf(key, logs.get(key));
	return {
		stat,
		source,
		async *read(key, reading) {
			yield* readSource(await source(key), reading);
		},
		async *list(prefix) {
			for (const [key, stored] of [...logs]) {
				const found = key.startsWith(prefix) ? statOf(key, stored) : undefined;
				if (found) yield found;
			}
		},
		watch: (key, from, signal) =>
			watchLog({ look: () => stat(key), listen: (bell) => listen(bells, key, bell), pollMs: 60_000 }, from, signal),
		async writer(key, writing = {}) {
			const holder = leases.get(key);
			if (holder) throw new LogHeld(key, holder);
			const command = options.command ?? 'this process';
			leases.set(key, { pid: process.pid, host: hostname(), command, since: new Date().toISOString() });
			const medium = mediumOf(logs, put, key, ring, () => leases.delete(key));
			return new QueuedWriter(key, medium, writing.lines ?? true);
		},
		close: () => Promise.resolve(),
	};
}

function listen(bells: Map<string, Set<() => void>>, key: string, bell: () => void): Disposable {
	const here = bells.get(key) ?? new Set();
	bells.set(key, here.add(bell));
	return { [Symbol.dispose]: () => here.delete(bell) };
}

function statOf(key: string, stored: Stored | undefined): LogStat | undefined {
	if (!stored) return undefined;
	const { length, mtimeMs, id, version } = stored;
	return { key, length, mtimeMs, id: `${id}`, version: `${id}:${version}` };
}

function sourceOf(key: string, stored: Stored | undefined): LogSource {
	const stat = statOf(key, stored);
	if (!stored || !stat) throw new LogError('missing', key, `cannot read ${key}: there is no such log.`);
	const bytes = stored.bytes.subarray(0, stored.length);
	const read = (at: number, length: number): Uint8Array => bytes.subarray(at, at + length);
	return { stat, size: bytes.length, read, [Symbol.dispose]: () => undefined };
}

type Put = (key: string, bytes: Uint8Array) => Stored;

function mediumOf(
	logs: ReadonlyMap<string, Stored>,
	put: Put,
	key: string,
	ring: (key: string) => void,
	release: () => void,
): Medium {
	return {
		look: () => ({ length: logs.get(key)?.length ?? 0, replaced: false }),
		peek(at, length) {
			const stored = logs.get(key);
			return stored ? stored.bytes.subarray(at, Math.min(at + length, stored.length)) : new Uint8Array(0);
		},
		write(bytes, expect) {
			const stored = logs.get(key) ?? put(key, new Uint8Array(0));
			const end = expect + bytes.length;
			if (end > stored.bytes.length) {
				const grown = new Uint8Array(Math.max(end, 2 * stored.bytes.length));
				grown.set(stored.bytes.subarray(0, stored.length));
				stored.bytes = grown;
			}
			stored.bytes.set(bytes, expect);
			stored.length = end;
			stored.version += 1;
			stored.mtimeMs = Date.now();
			ring(key);
			return expect;
		},
		sync: () => Promise.resolve(),
		async replace(pieces, expect, version) {
			const now = statOf(key, logs.get(key));
			if (version !== undefined && version !== now?.version) throw new LogConflict(key, expect, now?.length ?? 0, true);
			const all = pieces instanceof Uint8Array ? [pieces] : [...pieces];
			const stored = put(key, new Uint8Array(Buffer.concat(all)));
			ring(key);
			return statOf(key, stored) as LogStat;
		},
		close: release,
	};
}
