/** A PostgreSQL server for tests: its own data in a folder for temporary files, a socket there, and no network. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { nobody } from './ordinary-user.ts';

/** Where Debian and most others put the programs; the newest version first. */
const folders = [
	...globSync('/usr/lib/postgresql/*/bin').sort((a, b) => b.localeCompare(a, 'en', { numeric: true })),
	...(process.env.PATH ?? '').split(':'),
];
const programs = folders.find((folder) => ['postgres', 'initdb'].every((name) => existsSync(join(folder, name))));

/** Why tests with PostgreSQL are passed over; undefined where they run. A run for which it is required fails instead. */
export const whyNoPostgres =
	programs === undefined && process.env.REPRISE_NEEDS_POSTGRES === undefined
		? '(passed over: no PostgreSQL server on this machine)'
		: undefined;

export interface PostgresServer {
	/** A database of a superuser. */
	readonly url: string;
	/** Where its data and its socket are. */
	readonly folder: string;
	/** The URL of another user, or another database. */
	urlOf(user: string, database?: string): string;
	/** Ends it as a power failure would: nobody is told, nothing is written any more. */
	kill(): Promise<void>;
	start(): Promise<void>;
	/** Ends it and removes everything. */
	stop(): Promise<void>;
}

/** Asks a server one thing. */
export async function asked(url: string, text: string): Promise<readonly object[]> {
	const client = new pg.Client({ connectionString: url });
	client.on('error', () => undefined);
	try {
		await client.connect();
		return (await client.query(text)).rows;
	} finally {
		await client.end();
	}
}

/** Starts a server of its own. It refuses to run as root, and then runs as nobody. */
export async function startPostgres(): Promise<PostgresServer> {
	if (programs === undefined) throw new Error('there is no PostgreSQL server on this machine, and tests need one');
	const bin = programs;
	const folder = mkdtempSync(join(tmpdir(), 'reprise-pg-'));
	const data = join(folder, 'data');
	const user = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
	if (process.getuid?.() === 0) chownSync(folder, nobody, nobody);
	mkdirSync(data, { mode: 0o700 });
	if (process.getuid?.() === 0) chownSync(data, nobody, nobody);
	const env = { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', HOME: folder };
	const made = spawnSync(
		join(bin, 'initdb'),
		['-D', data, '-U', 'tester', '-A', 'trust', '-E', 'UTF8', '--no-sync', '--no-instructions'],
		{ ...user, env, cwd: folder, encoding: 'utf8' },
	);
	if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
	const urlOf = (name: string, database = 'postgres'): string =>
		`postgres://${name}@${encodeURIComponent(folder)}/${database}`;
	let running: ChildProcess | undefined;
	const start = async (): Promise<void> => {
		// What a killed server leaves behind would make the next one believe that it still runs.
		rmSync(join(data, 'postmaster.pid'), { force: true });
		const args = ['-D', data, '-k', folder, '-c', 'listen_addresses=', '-c', 'fsync=off', '-c', 'max_connections=60'];
		running = spawn(join(bin, 'postgres'), args, { ...user, env, cwd: folder, stdio: 'ignore' });
		for (let tries = 0; ; tries += 1) {
			try {
				await asked(urlOf('tester'), 'SELECT 1');
				return;
			} catch (error) {
				if (tries > 200) {
					await end('SIGQUIT');
					throw error;
				}
				await pause(50);
			}
		}
	};
	const end = async (signal: NodeJS.Signals): Promise<void> => {
		const process = running;
		running = undefined;
		if (!process || process.exitCode !== null) return;
		const gone = new Promise((done) => process.once('exit', done));
		process.kill(signal);
		await gone;
	};
	await start();
	return {
		url: urlOf('tester'),
		folder,
		urlOf,
		start,
		// Quit is PostgreSQL's immediate shutdown: it recovers from its log at the next start, as after a crash.
		kill: () => end('SIGQUIT'),
		async stop() {
			await end('SIGQUIT');
			rmSync(folder, { recursive: true, force: true });
		},
	};
}
