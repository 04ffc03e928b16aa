/** Of several processes that create a database at once, none is refused. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { loadSqlite } from './load-sqlite.ts';
import { isBusy, useWal } from './wal.ts';

let folder = '';
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'reprise-wal-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const rounds = 100;

/** Opens a new database in each round, at the same moment as the other process. */
const opener = `
	import { DatabaseSync } from 'node:sqlite';
	import { parentPort, workerData } from 'node:worker_threads';
	import { useWal } from ${JSON.stringify(new URL('./wal.ts', import.meta.url).href)};
	const { folder, met, rounds } = workerData;
	let failed = 0;
	for (let round = 0; round < rounds; round += 1) {
		Atomics.add(met, 0, 1);
		while (Atomics.load(met, 0) < 2 * (round + 1));
		const database = new DatabaseSync(folder + '/' + round, { timeout: 5000 });
		try {
			useWal(database, 5000);
		} catch {
			failed += 1;
		}
		database.close();
	}
	parentPort.postMessage(failed);
`;

function open(met: Int32Array): Promise<number> {
	const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(opener)}`), {
		workerData: { folder, met, rounds },
	});
	return new Promise((resolve, reject) => {
		worker.once('message', resolve);
		worker.once('error', reject);
	});
}

it('two that make one at the same moment both get it', async () => {
	const met = new Int32Array(new SharedArrayBuffer(4));
	expect(await Promise.all([open(met), open(met)])).toEqual([0, 0]);
});

it('whoever does not let go of it is waited for no longer than was said', () => {
	const { DatabaseSync: Database } = loadSqlite();
	const path = join(folder, 'held');
	const held = new Database(path);
	held.exec('CREATE TABLE one (a); BEGIN EXCLUSIVE');
	const other = new Database(path, { timeout: 0 });
	const began = Date.now();
	let error: unknown;
	try {
		useWal(other, 50);
	} catch (thrown) {
		error = thrown;
	}
	expect(isBusy(error)).toBe(true);
	expect(Date.now() - began).toBeGreaterThanOrEqual(50);
	other.close();
	held.close();
});
