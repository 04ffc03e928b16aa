/** A second thread changes nothing but the time that it takes. */
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { MessageChannel, Worker } from 'node:worker_threads';
import { afterAll, describe, expect, it } from 'vitest';
import { corpusFiles } from '../../../test/support/corpus.ts';
import { openFile } from '../../log/file-source.ts';
import { diskFolders } from '../../store/folders.ts';
import { type Access, type CollectOptions, collectCosts, type SessionFile } from './collect.ts';
import { loadPrices } from './prices.ts';
import { costReport } from './report.ts';
import { type AheadWork, ScanAhead, type Scanned } from './scan-ahead.ts';

const prices = loadPrices();
const folder = mkdtempSync(join(tmpdir(), 'reprise-ahead-'));
afterAll(() => rmSync(folder, { recursive: true }));

const corpus: readonly SessionFile[] = corpusFiles().map(({ path, format }) => ({
	path,
	id: path,
	agent: format,
	format,
}));

function collect(sessions: readonly SessionFile[], options: CollectOptions = {}, pause = 0) {
	const opened: string[] = [];
	const nobody = new Int32Array(new SharedArrayBuffer(4));
	const access: Access = {
		folders: diskFolders,
		isPlain: () => true,
		open(path) {
			opened.push(path);
			Atomics.wait(nobody, 0, 0, pause);
			return openFile(path);
		},
	};
	const collected = collectCosts(sessions, access, options);
	return { opened, files: collected.files, report: costReport(collected, prices, { by: 'session' }) };
}

/** A session of its own in each of many files, with a folder that only its first line tells. */
function manyFiles(count: number, line: (file: number) => string): readonly SessionFile[] {
	return Array.from({ length: count }, (_, file) => {
		const path = join(folder, `many/${file}.jsonl`);
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, `{"cwd":"/projects/${file}","type":"user"}\n${line(file)}\n`);
		return { path, id: String(file), agent: 'claude-code', format: 'claude-code' };
	});
}

const reply = (id: number) =>
	JSON.stringify({
		type: 'assistant',
		timestamp: '2026-01-02T03:04:05.000Z',
		message: { id: `msg_${id}`, model: 'claude-sonnet-4-5', usage: { input_tokens: id, output_tokens: 1 } },
	});

describe('files that another thread scans', () => {
	it('of the whole corpus cost the same, with the same folders', () => {
		const alone = collect(corpus, { helpAfter: Number.POSITIVE_INFINITY });
		const helped = collect(corpus, { helpAfter: 0 });
		expect(helped.report).toEqual(alone.report);
		expect(helped.files).toEqual(alone.files);
		expect(alone.report.totals.responses).toBeGreaterThan(100);
	});

	it('are many where there are many, and none is read twice or left out', () => {
		const sessions = manyFiles(500, reply);
		// Slow enough that the other thread has started before all is read.
		const { opened, report, files } = collect(sessions, { helpAfter: 0 }, 10);
		expect(report.totals).toMatchObject({ responses: 500, inputTokens: (499 * 500) / 2, outputTokens: 500 });
		expect(files.map(({ cwd }) => cwd)).toEqual(sessions.map(({ id }) => `/projects/${id}`));
		expect(new Set(opened).size).toBe(opened.length);
		expect(opened.length).toBeLessThan(500);
	});

	it('that cannot be read or are in doubt are told of as if there were no other thread', () => {
		const twice = `${reply(1).slice(0, -1)},"type":"assistant"}`;
		const sessions = manyFiles(1000, (file) => (file % 3 === 0 ? twice : reply(file)));
		const gone: SessionFile = {
			path: join(folder, 'gone.jsonl'),
			id: 'gone',
			agent: 'claude-code',
			format: 'claude-code',
		};
		const mixed = sessions.flatMap((session, index) => (index % 10 === 0 ? [gone, session] : [session]));
		const alone = collect(mixed, { helpAfter: Number.POSITIVE_INFINITY });
		expect(collect(mixed, { helpAfter: 0 }).report).toEqual(alone.report);
		expect(alone.report.unread).toHaveLength(100);
	});

	it('are those that nobody has claimed, and are told of without being asked for', () => {
		const sessions = manyFiles(20, reply);
		const files = sessions.map(({ path }, index) => (index === 4 ? undefined : { path, plan: 0 }));
		using ahead = new ScanAhead(files, [{ fields: ['type'] }]);
		const mine = [0, 1, 2].filter((index) => ahead.claim(index));
		const told: number[] = [];
		while (told.length + mine.length < 19) for (const { index } of ahead.wait() ?? []) told.push(index);
		expect([...mine, ...told].sort((a, b) => a - b)).toEqual([...sessions.keys()].filter((index) => index !== 4));
		expect(ahead.claim(19)).toBe(false);
		expect(ahead.claim(4)).toBe(true);
	});

	it('are scanned by the program of the built command line too, which nobody would miss', async () => {
		const [session] = manyFiles(1, reply);
		const { port1, port2: port } = new MessageChannel();
		const numbers = (): AheadWork['claims'] => new Int32Array(new SharedArrayBuffer(4));
		const workerData: AheadWork = {
			files: [{ path: session?.path ?? '', plan: 0 }],
			plans: [{ fields: ['type'] }],
			window: 1 << 16,
			claims: numbers(),
			told: numbers(),
			port,
		};
		const program = join(import.meta.dirname, '../../../dist/cli/scan-worker.cjs');
		const worker = new Worker(program, { workerData, transferList: [port], execArgv: [] });
		const [scanned] = (await once(port1, 'message')) as [readonly Scanned[]];
		expect(scanned[0]?.values?.count).toBe(2);
		await worker.terminate();
	});
});
