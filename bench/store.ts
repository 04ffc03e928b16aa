/** Handles: what it costs to open a large session for going on with it, and to append. */
import { randomUUID } from 'node:crypto';
import { closeSync, copyFileSync, fsyncSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { filesLog, type LogWriter } from '../src/log/index.ts';
import type { Draft } from '../src/store/handle/draft.ts';
import { openHandle, type SessionHandle } from '../src/store/handle/handle.ts';
import type { Benchmark, Goal, Group, Variant } from './lib/bench.ts';
import { parseBound } from './lib/bounds.ts';
import { benchFolder, type DatasetOptions } from './lib/dataset.ts';

function opened(ratio: number): Variant {
	return {
		name: 'open a handle with its leaf',
		goal: { ratio, rssMb: 120 },
		async run({ files }) {
			for (const path of files) {
				await using handle = await openHandle(path);
				if (handle.leaf === null) throw new Error(`no leaf in ${path}`);
			}
			return undefined;
		},
	};
}

const open = (title: string, data: DatasetOptions, ratio: number): Group => ({
	title,
	data,
	variants: [parseBound, opened(ratio)],
});

type LineSize = 'session' | 'short';

const lines = 20_000;
/** More of them: compiling our code takes as long as the first ten thousand bare writes of so little. */
const shortLines = 60_000;
/** As many, for the same reason: an fsync takes no longer here than compiling what brings a hundred lines together. */
const durableLines = 16_384;
const text =
	'The tests pass now. The parser returned a list with one zero for an empty text; it returns an empty list.';
const draft: Draft = { kind: 'message', role: 'user', content: [{ type: 'text', text: text.repeat(4) }] };

/** The lines of a generated session, over and over; or short ones, where the cost of an append is that of its calls. */
function linesOf(sample: string, size: LineSize): (n: number) => Uint8Array {
	if (size === 'short') {
		const line = Buffer.from(`${JSON.stringify({ type: 'user', uuid: randomUUID(), text: text.repeat(6) })}\n`);
		return () => line;
	}
	const bytes = readFileSync(sample);
	const all: Uint8Array[] = [];
	for (let at = 0; at < bytes.length; ) {
		const end = bytes.indexOf(10, at) + 1 || bytes.length;
		all.push(bytes.subarray(at, end));
		at = end;
	}
	return (n) => all[n % all.length] ?? bytes;
}

async function inScratch(run: (folder: string) => Promise<void> | void): Promise<undefined> {
	const folder = mkdtempSync(join(benchFolder(), 'store-'));
	try {
		await run(folder);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
	return undefined;
}

function bareWrites(count: number, size: LineSize, sync: boolean): Variant {
	return {
		name: sync ? 'write and fsync per line' : 'bare write per line',
		run: ({ files: [sample = ''] }) =>
			inScratch((folder) => {
				const line = linesOf(sample, size);
				const file = openSync(join(folder, 'log.jsonl'), 'a', 0o600);
				for (let n = 0; n < count; n += 1) {
					writeSync(file, line(n));
					if (sync) fsyncSync(file);
				}
				closeSync(file);
			}),
	};
}

async function repeat(count: number, together: number, write: () => Promise<unknown>): Promise<void> {
	if (together === 1) for (let n = 0; n < count; n += 1) await write();
	else for (let n = 0; n < count; n += together) await Promise.all(Array.from({ length: together }, write));
}

interface Appends {
	readonly count: number;
	/** So many are made at once; with 1 each is awaited before the next. */
	readonly together: number;
	readonly size?: LineSize;
	readonly durable?: boolean;
	readonly goal?: Goal;
}

function logWrites(name: string, { count, together, size = 'session', durable = false, goal }: Appends): Variant {
	return {
		name,
		...(goal ? { goal } : {}),
		run: ({ files: [sample = ''] }) =>
			inScratch(async (folder) => {
				const line = linesOf(sample, size);
				let n = 0;
				const log = filesLog({ locks: join(folder, 'locks') });
				await using writer: LogWriter = await log.writer(join(folder, 'log.jsonl'));
				await repeat(count, together, () => {
					n += 1;
					return writer.append(line(n - 1), { durable });
				});
			}),
	};
}

function handleWrites(name: string, { count, together, durable = false, goal }: Appends): Variant {
	return {
		name,
		...(goal ? { goal } : {}),
		run: ({ files: [sample = ''] }) =>
			inScratch(async (folder) => {
				const path = join(folder, 'session.jsonl');
				copyFileSync(sample, path);
				const machine = { platform: 'linux', home: folder, env: { REPRISE_HOME: folder } } as const;
				await using handle: SessionHandle = await openHandle(path, { machine, durable });
				await repeat(count, together, () => handle.append(draft));
			}),
	};
}

const small = { format: 'claude-code', mb: 0.1, seed: 3 } as const;

export const benchmark: Benchmark = {
	title: 'Going on with sessions',
	about:
		'Opening a session to go on with it: the leaf, the path and the session’s facts, no content parsed. The bound reads and ' +
		`parses every line. Appending: ${lines.toLocaleString('en')} lines of a generated session, ${shortLines.toLocaleString('en')} short ones, and ${durableLines.toLocaleString('en')} durable ones, on disk.`,
	groups: [
		open('Claude Code, 200 MB', { format: 'claude-code', mb: 200, compaction: false }, 0.5),
		open('Claude Code, 200 MB, compacted', { format: 'claude-code', mb: 200 }, 0.1),
		open('pi, 200 MB', { format: 'openclaw', mb: 200, compaction: false, seed: 2 }, 0.5),
		open('pi, 200 MB, compacted', { format: 'openclaw', mb: 200, seed: 2 }, 0.1),
		{
			title: 'Appending lines of a session, 4 KB each',
			data: small,
			variants: [
				bareWrites(lines, 'session', false),
				logWrites('append under the lock', { count: lines, together: 1, goal: { ratio: 4 } }),
				logWrites('append under the lock, 16 together', { count: lines, together: 16, goal: { ratio: 4 } }),
				handleWrites('handle: draft to line, read back', { count: lines, together: 1 }),
			],
		},
		{
			title: 'Appending short lines, 0.7 KB each',
			data: small,
			variants: [
				bareWrites(shortLines, 'short', false),
				logWrites('append under the lock', { count: shortLines, together: 1, size: 'short', goal: { ratio: 4 } }),
				logWrites('append under the lock, 16 together', {
					count: shortLines,
					together: 16,
					size: 'short',
					goal: { ratio: 4 },
				}),
			],
		},
		{
			title: 'Appending durable lines',
			data: small,
			variants: [
				bareWrites(durableLines, 'session', true),
				logWrites('group commit, 256 wait together', {
					count: durableLines,
					together: 256,
					durable: true,
					goal: { wallRatio: 0.05 },
				}),
				handleWrites('handle, 256 wait together', { count: durableLines, together: 256, durable: true }),
			],
		},
	],
};
