/** `reprise mirror` as a user runs it: every format, nothing twice, nothing lost when it is killed or the store goes away. */
import { type ChildProcess, spawn } from 'node:child_process';
import {
	appendFileSync,
	cpSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import {
	type ExactStore,
	filesStore,
	listSessions,
	openStore,
	postgresStore,
	type SessionStore,
	sqliteStore,
	transcriptBytes,
} from '../src/session-store/index.ts';
import { asked, startPostgres, whyNoPostgres } from './support/postgres-server.ts';

const root = join(import.meta.dirname, '..');
const scratch = mkdtempSync(join(tmpdir(), 'reprise-mirror-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const bin = join(root, 'bin/reprise.js');
const project = '-home-dev-shed';

interface Place {
	readonly home: string;
	readonly env: NodeJS.ProcessEnv;
	/** A session of Claude Code, which is where that keeps it. */
	readonly session: string;
}

let places = 0;
function place(): Place {
	places += 1;
	const home = join(scratch, `home-${places}`);
	mkdirSync(join(home, '.claude/projects', project), { recursive: true });
	const env = { PATH: process.env.PATH, HOME: home, REPRISE_HOME: join(home, 'own'), NODE_DISABLE_COMPILE_CACHE: '1' };
	return { home, env, session: join(home, '.claude/projects', project, `${id}.jsonl`) };
}

const id = '11111111-1111-4111-8111-111111111111';
const key = { projectKey: project, sessionId: id };

function line(n: number): string {
	const parent = n === 0 ? 'null' : `"u-${n - 1}"`;
	const rest = `"sessionId":"${id}","cwd":"/home/dev/shed","version":"2.1.29","timestamp":"2026-03-02T09:00:00.000Z"`;
	// Every fourth has no uuid and says the same each time, as modes do.
	if (n % 4 === 3) return `{"type":"mode","mode":"normal","sessionId":"${id}"}`;
	return `{"parentUuid":${parent},"isSidechain":false,"type":"user","message":{"role":"user","content":"word ${n}"},"n":${n}.0,"uuid":"u-${n}",${rest}}`;
}
const lines = (from: number, to: number): string =>
	Array.from({ length: to - from }, (_, index) => `${line(from + index)}\n`).join('');

interface Ran {
	readonly code: number | null;
	readonly out: string;
	readonly err: string;
}

function start(
	args: readonly string[],
	{ env }: Place,
): { readonly child: ChildProcess; readonly ended: Promise<Ran>; heard(): string } {
	const child = spawn(process.execPath, [bin, 'mirror', ...args], { env, cwd: root });
	let [out, err] = ['', ''];
	child.stdout.on('data', (text) => {
		out += text;
	});
	child.stderr.on('data', (text) => {
		err += text;
	});
	return {
		child,
		ended: new Promise((end) => child.once('close', (code) => end({ code, out, err }))),
		heard: () => err,
	};
}
const mirror = (args: readonly string[], where: Place): Promise<Ran> => start(args, where).ended;

async function until(what: string, holds: () => Promise<boolean> | boolean): Promise<void> {
	for (const end = Date.now() + 60_000; !(await holds()); await pause(50))
		if (Date.now() > end) throw new Error(`not in time: ${what}`);
}

const count = async (store: SessionStore): Promise<number> => (await store.load(key))?.length ?? 0;

it.each(['claude-code.jsonl', 'clido.jsonl', 'openclaw.jsonl', 'cline.messages.json'])(
	'what a store has of %s is that file, byte for byte',
	async (name) => {
		const here = place();
		const file = join(here.home, name);
		for (const one of [name, ...(name.startsWith('cline') ? ['cline.json'] : [])])
			cpSync(join(root, 'samples', one), join(here.home, one));
		const to = join(here.home, 'copy');
		expect(await mirror([file, '--to', to], here)).toMatchObject({ code: 0, err: '' });
		const stored = async (): Promise<Buffer> => {
			await using store = filesStore(to);
			const agent = name.split('.')[0] ?? '';
			const listed = await store.listSessions('-home-dev-notes');
			const sessionId = listed.find((one) => one.sessionId.includes(agent))?.sessionId ?? '';
			return Buffer.from(transcriptBytes((await store.loadLines({ projectKey: '-home-dev-notes', sessionId })) ?? []));
		};
		expect((await stored()).equals(readFileSync(file))).toBe(true);
		if (!name.endsWith('.messages.json')) return;
		const changed = readFileSync(file, 'utf8').replace('"role"', '"note": "é", "role"');
		writeFileSync(file, changed);
		await mirror([file, '--to', to], here);
		expect((await stored()).toString('utf8')).toBe(changed);
	},
	60_000,
);

it('a second run stores what is new and nothing twice, also what has no uuid, or was rewritten', async () => {
	const here = place();
	const to = `sqlite:${join(here.home, 'copy.db')}`;
	const told = async (): Promise<object> =>
		JSON.parse((await mirror(['--all', '--to', to, '--json'], here)).out) as object;
	writeFileSync(here.session, `${lines(0, 10)}{"torn`);
	expect(await told()).toMatchObject({ sessions: 1, entries: 10, queued: 0 });
	expect(await told()).toMatchObject({ sessions: 0, entries: 0 });
	writeFileSync(here.session, lines(0, 14));
	await told();
	// A client that takes a line back rewrites its file; the store keeps the line.
	writeFileSync(here.session, lines(0, 2) + lines(3, 16));
	await told();
	rmSync(join(here.home, 'own'), { recursive: true });
	await told();
	await using store = sqliteStore(join(here.home, 'copy.db'));
	expect(await store.loadLines(key)).toEqual(lines(0, 16).trimEnd().split('\n'));
}, 120_000);

it('a store that was lost, emptied or cut short is filled again, and told so', async () => {
	const here = place();
	const [to, folder] = [`sqlite:${join(here.home, 'copy.db')}`, join(here.home, 'copy')];
	writeFileSync(here.session, lines(0, 6));
	const stored = async (store: ExactStore): Promise<readonly string[] | null> => {
		await using _ = store;
		return await store.loadLines(key);
	};
	const inFile = (n: number): readonly string[] => lines(0, n).trimEnd().split('\n');
	const lost = /^reprise: .* has lost entries of 1 session; all is sent again from the beginning\n$/;
	for (const one of [to, folder])
		expect(await mirror(['--all', '--to', one], here)).toMatchObject({ code: 0, err: '' });
	for (const one of ['copy.db', 'copy.db-wal', 'copy.db-shm', 'copy'])
		rmSync(join(here.home, one), { recursive: true, force: true });
	appendFileSync(here.session, lines(6, 8));
	for (const one of [to, folder]) expect((await mirror(['--all', '--to', one], here)).err).toMatch(lost);
	expect(await stored(sqliteStore(join(here.home, 'copy.db')))).toEqual(inFile(8));
	expect(await stored(filesStore(folder))).toEqual(inFile(8));
	// An old copy is put back: the beginning is there, the end is not.
	const file = join(folder, project, `${id}.jsonl`);
	writeFileSync(file, lines(0, 5));
	const database = new DatabaseSync(join(here.home, 'copy.db'));
	database.exec('DELETE FROM entries WHERE place > 5');
	database.close();
	for (const one of [to, folder]) expect((await mirror(['--all', '--to', one], here)).err).toMatch(lost);
	expect(await stored(sqliteStore(join(here.home, 'copy.db')))).toEqual(inFile(8));
	expect(await stored(filesStore(folder))).toEqual(inFile(8));
	for (const one of [to, folder])
		expect(await mirror(['--all', '--to', one], here)).toMatchObject({
			out: expect.stringMatching(/^nothing was new/),
			err: '',
		});
}, 120_000);

it('a store lists sessions in the order and with the times that their files have', async () => {
	const here = place();
	const folder = join(here.home, '.claude/projects', project);
	const files = [id, id.replace('1', '2'), id.replace('1', '3')].map((one) => `${one}.jsonl`);
	for (const [n, name] of files.entries()) {
		writeFileSync(join(folder, name), lines(0, 3).replaceAll(id, name.slice(0, -6)));
		utimesSync(join(folder, name), 1_700_000_000 + n, 1_700_000_000 + n);
	}
	const wanted = [2, 1, 0].map((n) => [files[n]?.slice(0, -6), 1_700_000_000_000 + 1000 * n]);
	for (const to of [`sqlite:${join(here.home, 'times.db')}`, join(here.home, 'times')]) {
		expect(await mirror(['--all', '--to', to], here)).toMatchObject({ code: 0, err: '' });
		await using store = openStore(to).store;
		const listed = await listSessions({ dir: '/home/dev/shed', sessionStore: store });
		expect(listed.map(({ sessionId, lastModified }) => [sessionId, lastModified])).toEqual(wanted);
	}
}, 60_000);

it('a folder that is removed under a mirror that follows is filled again before anything else is sent', async () => {
	const here = place();
	const folder = join(here.home, 'copy');
	writeFileSync(here.session, lines(0, 6));
	const { child, ended } = start(['--all', '--follow', '--json', '--to', folder], here);
	try {
		let heard = '';
		child.stdout?.on('data', (text) => {
			heard += text;
		});
		await until('the first entries', () => heard.includes('caught-up'));
		rmSync(folder, { recursive: true });
		appendFileSync(here.session, lines(6, 8));
		await using store = filesStore(folder);
		await until('all entries', async () => (await count(store)) === 8);
		expect(await store.loadLines(key)).toEqual(lines(0, 8).trimEnd().split('\n'));
		expect(heard).toContain('{"event":"lost","sessions":1}');
	} finally {
		child.kill('SIGINT');
		await ended;
	}
}, 60_000);

it('a mirror that is killed again and again loses nothing and doubles nothing', async () => {
	const here = place();
	const to = join(here.home, 'copy');
	let written = 0;
	writeFileSync(here.session, '');
	for (let life = 0; life < 5; life += 1) {
		const { child, ended } = start(['--all', '--follow', '--json', '--to', to], here);
		const heard = new Promise((end) => child.stdout?.once('data', end));
		for (let n = 0; n < 10; n += 1) {
			appendFileSync(here.session, lines(written, written + 25));
			written += 25;
		}
		await Promise.race([heard, pause(15_000)]);
		appendFileSync(here.session, lines(written, written + 25));
		written += 25;
		await pause(Math.random() * 400);
		child.kill('SIGKILL');
		await ended;
	}
	expect(await mirror(['--all', '--to', to], here)).toMatchObject({ code: 0 });
	await using store = filesStore(to);
	expect(await store.loadLines(key)).toEqual(lines(0, written).trimEnd().split('\n'));
}, 180_000);

it('a destination that cannot be used is one line without the password, and exit 3 or 1', async () => {
	const here = place();
	writeFileSync(here.session, lines(0, 2));
	const cases: readonly (readonly [to: string, code: number, says: RegExp])[] = [
		['postgres://me:geheim@127.0.0.1:1/db', 3, /postgres:\/\/127\.0\.0\.1:1\/db cannot be used: nothing answers there/],
		['postgres://me:geh%eim@host/db', 1, /the URL cannot be read/],
		['postgres:geheim', 1, /the URL cannot be read: a PostgreSQL database is postgres:\/\//],
		['postgresql://me@host:geheim/db', 1, /the URL cannot be read/],
		['mysql://me:geheim@host/db', 1, /there is no store for mysql/],
		[here.session, 1, /is a file: name a folder/],
		[`sqlite:${here.session}`, 1, /is a file, but no SQLite database/],
		// Where the system refuses a folder as if its parent were missing.
		['/proc/x', 1, /\/proc\/x cannot be made/],
		['sqlite:/proc/x.db', 1, /\/proc\/x.db cannot be opened as a database/],
	];
	for (const [to, code, says] of cases) {
		const ran = await mirror(['--all', '--to', to], here);
		expect(ran.err).toMatch(says);
		expect(ran.err.trim().split('\n')).toHaveLength(1);
		expect(ran.err + ran.out).not.toMatch(/geheim|geh%eim/);
		expect(ran.code).toBe(code);
	}
}, 60_000);

it('a store that does not answer at the start ends the command at once and reads nothing; who follows waits for it', async () => {
	const here = place();
	writeFileSync(here.session, lines(0, 2));
	const to = 'postgres://me@127.0.0.1:1/db';
	const began = Date.now();
	const ran = await mirror(['--all', '--to', to], here);
	expect(ran).toEqual({
		...{ code: 3, out: '' },
		err: 'reprise: postgres://127.0.0.1:1/db cannot be used: nothing answers there (connection refused)\n',
	});
	expect(Date.now() - began).toBeLessThan(20_000);
	const follower = start(['--all', '--follow', '--to', to], here);
	await until('that it waits', () => /is away/.test(follower.heard()));
	follower.child.kill('SIGINT');
	// Nothing says that the store cannot be used, because it is waited for.
	expect((await follower.ended).err.split('\n').slice(0, 2)).toEqual([
		'reprise: mirroring to postgres://127.0.0.1:1/db; Ctrl-C ends',
		'reprise: postgres://127.0.0.1:1/db is away: nothing answers there (connection refused); what is new waits in a queue',
	]);
	const { child, ended } = start(['--all', '--follow', '--json', '--to', to], here);
	let heard = '';
	child.stdout?.on('data', (text) => {
		heard += text;
	});
	await until('that it waits with what it has read', () => heard.includes('"queued":2'));
	child.kill('SIGINT');
	expect((await ended).code).toBe(130);
	const page = readFileSync(join(root, 'docs/mirror.md'), 'utf8').replaceAll(/\s+/g, ' ');
	const help = (await mirror(['--help'], here)).out.replaceAll(/\s+/g, ' ');
	expect(page).toContain('a store that does not answer at the start ends the command at once: one line and exit 3');
	expect(help).toContain('A store that does not answer at the start ends the command at once, with exit 3');
}, 60_000);

it.skipIf(whyNoPostgres !== undefined)(
	`what is written while PostgreSQL is away is stored when it is back, though its file is gone ${whyNoPostgres ?? ''}`,
	async () => {
		const server = await startPostgres();
		const here = place();
		writeFileSync(here.session, lines(0, 4));
		const { child, ended } = start(['--all', '--follow', '--json', '--to', server.url], here);
		try {
			await using store = postgresStore(server.url);
			await until('the first lines', async () => (await count(store)) === 4);
			await server.kill();
			appendFileSync(here.session, lines(4, 9));
			let heard = '';
			child.stdout?.on('data', (text) => {
				heard += text;
			});
			await until('that it waits', () => /"event":"waiting".*"queued":5/.test(heard));
			// The client cleans up, the mirror is killed: the queue is all that is left.
			rmSync(here.session);
			child.kill('SIGKILL');
			await ended;
			await server.start();
			expect(await mirror(['--all', '--to', server.url, '--json'], here)).toMatchObject({ code: 0 });
			expect(await store.loadLines(key)).toEqual(lines(0, 9).trimEnd().split('\n'));

			await asked(server.url, "CREATE ROLE guest LOGIN PASSWORD 'geheim'");
			await asked(server.url, 'REVOKE CREATE ON DATABASE postgres FROM public');
			const guest = server.url.replace('tester@', 'guest:geheim@');
			const ran = await mirror(['--all', '--to', guest], here);
			expect(ran.err).toMatch(/^reprise: postgres:.* cannot be used: permission denied for schema reprise\n$/);
			expect([ran.code, ran.err.includes('geheim')]).toEqual([3, false]);
		} finally {
			child.kill('SIGKILL');
			await server.stop();
		}
	},
	120_000,
);
