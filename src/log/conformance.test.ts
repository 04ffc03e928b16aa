/** The three backends pass the kit, and agree with a plain byte array over random histories. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ConformanceBench, filesLog, LogConflict, logConformance, memoryLog, sqliteLog } from './index.ts';

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

const step = fc.oneof(
	fc.record({
		act: fc.constant('append' as const),
		bytes: fc.uint8Array({ maxLength: 40 }),
		off: fc.constantFrom(0, 0, 0, 1, -1),
	}),
	fc.record({
		act: fc.constant('replace' as const),
		bytes: fc.uint8Array({ maxLength: 40 }),
		off: fc.constantFrom(0, 0, 1),
	}),
	fc.record({ act: fc.constant('reopen' as const), bytes: fc.constant(new Uint8Array(0)), off: fc.constant(0) }),
);

for (const [name, open] of Object.entries(benches)) {
	describe(`${name} log`, () => {
		for (const check of logConformance(open)) it(check.name, check.run);

		it('any history of appends and replacements gives the bytes that a plain array gives', async () => {
			const bench = await open();
			let run = 0;
			const law = fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
				const key = `${bench.prefix}run${++run}`;
				let model = Buffer.alloc(0);
				let made = false;
				let writer = await bench.log.writer(key);
				for (const { act, bytes, off } of steps) {
					const expect_ = model.length + off;
					if (act === 'reopen') {
						await writer.release();
						writer = await bench.other.writer(key);
					} else if (off !== 0) {
						await expect(writer[act](bytes, { expect: expect_ })).rejects.toBeInstanceOf(LogConflict);
					} else if (act === 'append') {
						const torn = model.length > 0 && model.at(-1) !== 10 && bytes.length > 0;
						const done = await writer.append(bytes, { expect: expect_ });
						model = Buffer.concat([model, torn ? Buffer.from('\n') : Buffer.alloc(0), bytes]);
						expect([done.newline, done.end]).toEqual([torn, model.length]);
						made ||= bytes.length > 0;
					} else {
						await writer.replace(bytes, { expect: expect_ });
						model = Buffer.from(bytes);
						made = true;
					}
					expect(writer.length).toBe(model.length);
				}
				await writer.release();
				expect((await bench.log.stat(key))?.length).toBe(made ? model.length : undefined);
				if (!made) return;
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
