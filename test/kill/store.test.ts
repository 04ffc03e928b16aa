/** Writers that are killed, connections that are cut, a server that dies: each entry is stored once, in order. */
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../src/session-store/open-store.ts';
import { asked, type PostgresServer, startPostgres, whyNoPostgres } from '../support/postgres-server.ts';
import { lineOf, sessionOf } from './store-lines.ts';

const full = process.env.REPRISE_FUZZ === 'full';
const count = full ? 10_000 : 300;
const writers = ['a', 'b', 'c'];
const program = join(import.meta.dirname, 'store-writer.ts');
const patience = full ? 900_000 : 120_000;

/** How many batches a writer may store before it is killed. */
const life = (): number => 1 + Math.floor(Math.random() * (full ? 80 : 8));

/**
 * Runs a writer to its end, though it is killed again and again, at some moment after a batch of its was stored. Each time it
 * begins somewhat before what is known to be stored.
 */
async function writing(to: string, name: string): Promise<number> {
	let done = 0;
	let kills = 0;
	while (done < count) {
		const from = Math.max(0, done - Math.floor(Math.random() * 50));
		const args = [to, name, `${count}`, `${from}`];
		const child = fork(program, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
		let left = life();
		child.on('message', (n) => {
			done = Math.max(done, Number(n));
			left -= 1;
			if (left === 0) setTimeout(() => child.kill('SIGKILL'), Math.random() * 30);
		});
		const code = await new Promise<number | null>((end) => child.once('exit', (ended) => end(ended)));
		if (code === null) kills += 1;
		else expect(code).toBe(0);
	}
	return kills;
}

async function expectAll(to: string): Promise<void> {
	await using store = openStore(to).store;
	for (const session of ['shared', 'alone']) {
		const lines = (await store.loadLines({ projectKey: 'kill', sessionId: session })) ?? [];
		for (const name of writers.filter((one) => sessionOf(one).sessionId === session)) {
			const own = lines.filter((line) => line.includes(`"writer":"${name}"`));
			expect(own.length, `${name} in ${session}`).toBe(count);
			expect(
				own.findIndex((line, n) => line !== lineOf(name, n)),
				`the first of ${name} out of order`,
			).toBe(-1);
		}
	}
}

describe('writers that are killed', () => {
	it.each(['files', 'sqlite'])(
		'in a store of %s every entry is there once, in order',
		async (kind) => {
			const folder = mkdtempSync(join(tmpdir(), 'reprise-store-'));
			const to = kind === 'files' ? join(folder, 'store') : `sqlite:${join(folder, 'store.db')}`;
			try {
				const kills = await Promise.all(writers.map((name) => writing(to, name)));
				expect(kills.reduce((a, b) => a + b)).toBeGreaterThan(0);
				await expectAll(to);
			} finally {
				rmSync(folder, { recursive: true });
			}
		},
		patience,
	);

	it.skipIf(whyNoPostgres !== undefined)(
		`in PostgreSQL, whose connections are cut and which dies itself, every entry is there once, in order ${whyNoPostgres ?? ''}`,
		async () => {
			const server = await startPostgres();
			const stop = new AbortController();
			const harm = harming(server, stop.signal);
			try {
				await Promise.all(writers.map((name) => writing(server.url, name)));
				stop.abort();
				const { cuts, deaths } = await harm;
				expect(cuts).toBeGreaterThan(0);
				expect(deaths).toBeGreaterThan(0);
				await expectAll(server.url);
			} finally {
				stop.abort();
				await harm;
				await server.stop();
			}
		},
		patience,
	);
});

/** Cuts connections at random, and ends the server now and then, until the signal; then it runs. */
async function harming(server: PostgresServer, signal: AbortSignal): Promise<{ cuts: number; deaths: number }> {
	let [cuts, deaths] = [0, 0];
	while (!signal.aborted) {
		await pause(20 + Math.random() * 100);
		if (deaths === 0 || Math.random() < 0.03) {
			await server.kill();
			deaths += 1;
			await pause(Math.random() * 500);
			await server.start();
		}
		const all = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'reprise'`;
		cuts += (await asked(server.url, all)).length;
	}
	return { cuts, deaths };
}
