/** The three backends pass the kit, and agree with a plain byte array over random histories. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
	type ConformanceBench,
	filesLog,
	type Log,
	LogConflict,
	type LogWriter,
	logConformance,
	memoryLog,
	sqliteLog,
} from './index.ts';

const scratch = (): string => mkdtempSync(join(tmpdir(), 'reprise-log-'));

async function filesBench(): Promise<ConformanceBench> {
	const folder = scratch();
	const open = () => filesLog({ locks: join(folder, 'locks'), pollMs: 200 });
	const close = async () => rmSync(folder, { recursive: true });
	return { log: open(), other: open(), prefix: join(folder, 'sessions', '/'), close };
}

async function sqliteBench(): Promise<ConformanceBench> {
	const folder = scratch();
	const open = () => sqliteLog(join(folder, 'deep', 'logs.db'), { pollMs: 20 });
	const [log, other] = [await open(), await open()];
	const close = async () => {
		await log.close();
		await other.close();
		rmSync(folder, { recursive: true });
	};
	return { log, other, prefix: 'project/', close };
}

async function memoryBench(): Promise<ConformanceBench> {
	const log = memoryLog();
	return { log, other: log, prefix: 'project/', close: () => log.close() };
}

const benches = { files: filesBench, memory: memoryBench, sqlite: sqliteBench };

type Step = { readonly act: 'append' | 'replace' | 'reopen'; readonly bytes: Uint8Array; readonly off: number };

const step: fc.Arbitrary<Step> = fc.record({
	act: fc.constantFrom('append', 'append', 'append', 'replace', 'reopen'),
	bytes: fc.oneof(
		fc.uint8Array({ maxLength: 40 }),
		fc.constantFrom('a line\n', 'half', '\n').map((text) => Buffer.from(text)),
	),
	off: fc.constantFrom(0, 0, 0, 0, 1, -1),
});

/** Applies one write to the log and to the array; a wrong expectation changes neither. */
async function write(
	writer: LogWriter,
	{ act, bytes, off }: Step,
	model: Uint8Array | undefined,
): Promise<Uint8Array | undefined> {
	const old = model ?? new Uint8Array(0);
	const options = { expect: old.length + off };
	if (act === 'reopen') return model;
	if (off !== 0) {
		await expect(writer[act](bytes, options)).rejects.toBeInstanceOf(LogConflict);
		return model;
	}
	if (act === 'replace') {
		await writer.replace(bytes, options);
		return bytes;
	}
	const torn = bytes.length > 0 && old.length > 0 && old.at(-1) !== 10;
	const done = await writer.append(bytes, options);
	const next = Buffer.concat([old, Buffer.from(torn ? '\n' : ''), bytes]);
	expect([done.newline, done.at, done.end]).toEqual([torn, next.length - bytes.length, next.length]);
	return model === undefined && bytes.length === 0 ? undefined : next;
}

for (const [name, open] of Object.entries(benches)) {
	describe(`${name} log`, () => {
		for (const check of logConformance(open)) it(check.name, check.run);

		it('any history of appends and replacements gives the bytes that a plain array gives', async () => {
			const bench = await open();
			let run = 0;
			const law = fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
				const key = `${bench.prefix}run${++run}`;
				let model: Uint8Array | undefined;
				let writer = await bench.log.writer(key);
				for (const each of steps) {
					if (each.act === 'reopen') {
						await writer.release();
						writer = await bench.other.writer(key);
					} else model = await write(writer, each, model);
					expect(writer.length).toBe(model?.length ?? 0);
				}
				await writer.release();
				expect((await bench.log.stat(key))?.length).toBe(model?.length);
				if (!model) return;
				using source = await bench.other.source(key);
				expect(Buffer.from(source.read(0, source.size)).equals(model)).toBe(true);
			});
			try {
				await fc.assert(law, { numRuns: 60 });
			} finally {
				await bench.close();
			}
		});
	});
}

describe('the kit', () => {
	/** The checks that a backend fails. */
	async function failed(change: (log: Log) => Partial<Log>, other?: Log): Promise<readonly string[]> {
		const open = async (): Promise<ConformanceBench> => {
			const log = memoryLog();
			const changed = { ...log, ...change(log) };
			return { log: changed, other: other ?? changed, prefix: 'p/', close: () => log.close() };
		};
		const names: string[] = [];
		for (const { name, run } of logConformance(open)) await run().catch(() => names.push(name));
		return names;
	}

	it('finds a backend that ignores what is expected', async () => {
		const names = await failed((log) => ({
			async writer(key, options) {
				const writer = await log.writer(key, options);
				const append: LogWriter['append'] = (bytes) => writer.append(bytes);
				return new Proxy(writer, { get: (target, name) => (name === 'append' ? append : bound(target, name)) });
			},
		}));
		expect(names).toContain('a wrong expectation writes nothing');
		expect(names).toContain('of appends that expect the same length exactly one is written');
	});

	it('finds a backend that reads a byte too far, or forgets one', async () => {
		const names = await failed((log) => ({
			read: (key, options = {}) => log.read(key, { ...options, from: (options.from ?? 0) + 1 }),
		}));
		expect(names).toContain('bytes come back exactly as they were appended');
	});

	it('finds a backend whose leases hold in one place only', async () => {
		const names = await failed(() => ({}), memoryLog());
		expect(names).toContain('a log has one writer, and the other learns who it is');
	});

	it('finds a backend that glues a line to a torn tail', async () => {
		const names = await failed((log) => ({ writer: (key) => log.writer(key, { lines: false }) }));
		expect(names).toEqual(['a torn tail is reported and kept, and the next append starts on its own line']);
	});
});

function bound(target: LogWriter, name: string | symbol): unknown {
	const value: unknown = Reflect.get(target, name, target);
	return typeof value === 'function' ? value.bind(target) : value;
}
