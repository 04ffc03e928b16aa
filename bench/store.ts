/** Handles: what it costs to open a large session for going on with it, and to append. */
import { closeSync, copyFileSync, fsyncSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { filesLog, type LogWriter } from '../src/log/index.ts';
import type { Draft } from '../src/store/draft.ts';
import { openHandle, type SessionHandle } from '../src/store/handle.ts';
import type { Benchmark, Group, Variant } from './lib/bench.ts';
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

const lines = 20_000;
const durableLines = 2_048;
const text =
	'The tests pass now. The parser returned a list with one zero for an empty text; it returns an empty list.';
const draft: Draft = { kind: 'message', role: 'user', content: [{ type: 'text', text: text.repeat(4) }] };

/** The lines of a generated session, over and over. */
function linesOf(sample: string): (n: number) => Uint8Array {
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

function bareWrites(count: number, sync: boolean): Variant {
	return {
		name: sync ? 'write and fsync per line' : 'bare write per line',
		run: ({ files: [sample = ''] }) =>
			inScratch((folder) => {
				const line = linesOf(sample);
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

/** Appends `count` lines, each awaited before the next unless they are to be gathered. */
function logWrites(name: string, count: number, gathered: number, durable: boolean, goal: Variant['goal']): Variant {
	return {
		name,
		...(goal ? { goal } : {}),
		run: ({ files: [sample = ''] }) =>
			inScratch(async (folder) => {
				const line = linesOf(sample);
				let n = 0;
				const log = filesLog({ locks: join(folder, 'locks') });
				await using writer: LogWriter = await log.writer(join(folder, 'log.jsonl'));
				await repeat(count, gathered, () => {
					n += 1;
					return writer.append(line(n - 1), { durable });
				});
			}),
	};
}

function handleWrites(
	name: string,
	count: number,
	gathered: number,
	durable: boolean,
	goal?: Variant['goal'],
): Variant {
	return {
		name,
		...(goal ? { goal } : {}),
		run: ({ files: [sample = ''] }) =>
			inScratch(async (folder) => {
				const path = join(folder, 'session.jsonl');
				copyFileSync(sample, path);
				const machine = { platform: 'linux', home: folder, env: { REPRISE_HOME: folder } } as const;
				await using handle: SessionHandle = await openHandle(path, { machine, durable });
				await repeat(count, gathered, () => handle.append(draft));
			}),
	};
}

const small = { format: 'claude-code', mb: 0.1, seed: 3 } as const;

export const benchmark: Benchmark = {
	title: 'Going on with sessions',
	about:
		'Opening a session to go on with it: the leaf, the path and the session’s facts, no content parsed. The bound reads and ' +
		`parses every line. Appending: ${lines.toLocaleString('en')} lines of a generated session, and ${durableLines.toLocaleString('en')} durable ones, on disk.`,
	groups: [
		open('Claude Code, 200 MB', { format: 'claude-code', mb: 200, compaction: false }, 0.35),
		open('Claude Code, 200 MB, compacted', { format: 'claude-code', mb: 200 }, 0.1),
		open('pi, 200 MB', { format: 'openclaw', mb: 200, compaction: false, seed: 2 }, 0.35),
		open('pi, 200 MB, compacted', { format: 'openclaw', mb: 200, seed: 2 }, 0.1),
		{
			title: 'Appending lines',
			data: small,
			variants: [
				bareWrites(lines, false),
				logWrites('append under the lock', lines, 1, false, { ratio: 4 }),
				logWrites('append under the lock, 16 together', lines, 16, false, { ratio: 4 }),
				handleWrites('handle: draft to line, read back', lines, 1, false),
			],
		},
		{
			title: 'Appending durable lines',
			data: small,
			variants: [
				bareWrites(durableLines, true),
				logWrites('group commit, 256 wait together', durableLines, 256, true, { wallRatio: 0.05 }),
				handleWrites('handle, 256 wait together', durableLines, 256, true),
			],
		},
	],
};
