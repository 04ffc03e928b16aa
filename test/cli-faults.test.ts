/** What goes wrong around `ls`, `show`, `tail`, `search`, `cost` and `stats`: one line each, and the rest of the answer still comes. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
	appendFileSync,
	chmodSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	rmSync,
	symlinkSync,
	truncateSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { canDrop, nobody } from './support/ordinary-user.ts';

// Each of these starts several processes.
vi.setConfig({ testTimeout: 60_000 });
const bin = join(import.meta.dirname, '../bin/reprise.js');
let scratch: string;
let home: string;
let own: string;
let project: string;

beforeEach(() => {
	scratch = mkdtempSync(join(tmpdir(), 'reprise-faults-'));
	home = join(scratch, 'home');
	own = join(scratch, 'own');
	project = join(scratch, 'project');
	mkdirSync(project);
	writeSession('a', 'needle one');
	writeSession('b', 'needle two');
});
afterEach(() => rmSync(scratch, { recursive: true, force: true }));

const catalog = (): string => join(own, 'catalog.sqlite');
const folder = (): string => join(home, '.claude/projects/-p');
const sessionPath = (id: string): string => join(folder(), `${id}.jsonl`);

function lineOf(id: string, content: string): string {
	const base = { sessionId: id, cwd: project, timestamp: '2026-01-01T00:00:00.000Z' };
	const usage = { input_tokens: 0, output_tokens: 1000 };
	const message = {
		role: 'assistant',
		id: `m${id}`,
		model: 'claude-haiku-4-5',
		content: [],
		stop_reason: 'end_turn',
		usage,
	};
	return [
		{ type: 'user', uuid: `u${id}`, parentUuid: null, ...base, message: { role: 'user', content } },
		{ type: 'assistant', uuid: `a${id}`, parentUuid: `u${id}`, ...base, message },
	]
		.map((value) => `${JSON.stringify(value)}\n`)
		.join('');
}

function writeSession(id: string, content: string): void {
	mkdirSync(folder(), { recursive: true });
	writeFileSync(sessionPath(id), lineOf(id, content));
}

interface Run {
	readonly code: number | null;
	readonly out: string;
	/** Lines on stderr. */
	readonly told: readonly string[];
}

function reprise(
	args: readonly string[],
	env: { readonly [name: string]: string } = {},
	shell?: string,
	cwd = project,
	uid?: number,
): Run {
	const command = [process.execPath, bin, ...args];
	const options = {
		cwd,
		...(uid === undefined ? {} : { uid }),
		encoding: 'utf8' as const,
		env: { PATH: process.env.PATH, HOME: home, PWD: project, REPRISE_HOME: own, TZ: 'UTC', NO_COLOR: '1', ...env },
	};
	const run =
		shell === undefined
			? spawnSync(command[0] as string, command.slice(1), options)
			: spawnSync('sh', ['-c', `${shell}; exec "$@"`, 'sh', ...command], options);
	return { code: run.status, out: run.stdout, told: run.stderr.split('\n').filter((line) => line !== '') };
}

/** The same for `tail`, which ends only when it is told to: when it has said all of this. */
async function tail(args: readonly string[], shell = ':', uid?: number, awaited = ['needle']): Promise<Run> {
	const child = spawn('sh', ['-c', `${shell}; exec "$@"`, 'sh', process.execPath, bin, 'tail', ...args], {
		cwd: project,
		...(uid === undefined ? {} : { uid }),
		env: { PATH: process.env.PATH, HOME: home, PWD: project, REPRISE_HOME: own, TZ: 'UTC', NO_COLOR: '1' },
	});
	let out = '';
	let err = '';
	let left: readonly string[] = awaited;
	const look = (): void => {
		if (left.length === 0) return;
		left = left.filter((text) => !`${out}${err}`.includes(text));
		if (left.length === 0) child.kill('SIGINT');
	};
	child.stderr.setEncoding('utf8').on('data', (text: string) => {
		err += text;
		look();
	});
	child.stdout.setEncoding('utf8').on('data', (text: string) => {
		out += text;
		look();
	});
	const [code] = (await once(child, 'exit')) as [number | null];
	return { code, out, told: err.split('\n').filter((line) => line !== '') };
}

const commands: readonly (readonly [name: string, args: readonly string[], answer: string])[] = [
	['ls', ['ls'], 'needle two'],
	['ls --count', ['ls', '--count'], 'needle two'],
	['search', ['search', 'needle'], 'needle two'],
	['cost', ['cost', '--by', 'session'], '$0.01'],
	['stats', ['stats'], '$0.0'],
];

describe('a file that cannot be read', () => {
	it.each(commands)('%s names it in one line, and tells of the others', (_, args, answer) => {
		// A link to itself and a folder: what not even the administrator can read.
		symlinkSync('loop.jsonl', sessionPath('loop'));
		const { code, out, told } = reprise(args);
		expect(code).toBe(0);
		expect(out).toContain(answer);
		expect(told).toHaveLength(1);
		expect(told[0]).toContain(`left out ${sessionPath('loop')}`);
	});
});

describe('show', () => {
	it('finds a session although another file cannot be read, and says of that one what is wrong with it', () => {
		symlinkSync('loop.jsonl', sessionPath('loop'));
		for (const name of ['b', 'needle two']) {
			const { code, out, told } = reprise(['show', name]);
			expect([code, told]).toEqual([0, []]);
			expect(out).toContain('needle two');
		}
		expect(reprise(['show', 'last']).code).toBe(0);
		const { code, out, told } = reprise(['show', 'loop']);
		expect([code, out]).toEqual([1, '']);
		expect(told).toEqual([expect.stringContaining('is a link that leads to itself')]);
	});

	it('needs neither its project nor a catalog', () => {
		rmSync(project, { recursive: true });
		writeFileSync(own, 'a file in the way');
		const { code, out, told } = reprise(['show', 'b'], {}, undefined, scratch);
		expect([code, told]).toEqual([0, []]);
		expect(out).toContain('needle two');
	});
});

describe.runIf(canDrop)('a folder that may not be read', () => {
	it.each(commands)('%s names it in one line, and tells of the others', (_, args, answer) => {
		const hidden = join(home, '.claude/projects/-hidden');
		mkdirSync(hidden);
		writeFileSync(join(hidden, 'h.jsonl'), lineOf('h', 'needle in it'));
		mkdirSync(own);
		for (const folder of [scratch, own]) chmodSync(folder, 0o777);
		reprise(args, {}, undefined, project, nobody);
		chmodSync(hidden, 0);
		// The second time the catalog knows what it can no longer look at.
		const { code, out, told } = reprise(args, {}, undefined, project, nobody);
		expect(code).toBe(0);
		expect(out).toContain(answer);
		expect(told).toEqual([`reprise: left out ${hidden}: EACCES: permission denied`]);
	});

	it('tail follows the others, and begins with the newest that may be read', async () => {
		const folders = ['-hidden', '-secret'].map((name) => join(home, '.claude/projects', name));
		for (const folder of folders) mkdirSync(folder);
		const [hidden = '', secret = ''] = folders;
		writeFileSync(join(secret, 's.jsonl'), lineOf('s', 'not for everybody'));
		utimesSync(join(secret, 's.jsonl'), Date.now() / 1000 + 9, Date.now() / 1000 + 9);
		chmodSync(join(secret, 's.jsonl'), 0);
		chmodSync(hidden, 0);
		chmodSync(scratch, 0o777);
		const { code, out, told } = await tail(['--all', '-n', '1'], ':', nobody, ['needle two', hidden, secret]);
		expect(code).toBe(130);
		expect(out).toContain('needle two');
		expect(told.filter((line) => line.includes(hidden))).toHaveLength(1);
		expect(told.filter((line) => line.includes(secret))).toHaveLength(1);
	});

	it('show names it when the session may be in there', () => {
		const hidden = join(home, '.claude/projects/-hidden');
		mkdirSync(hidden, { mode: 0 });
		chmodSync(scratch, 0o777);
		const { code, out, told } = reprise(['show', 'h'], {}, undefined, project, nobody);
		expect([code, out]).toEqual([1, '']);
		expect(told).toEqual([expect.stringContaining(`it may be in a folder you are not allowed to read: ${hidden}`)]);
		expect(reprise(['show', 'b'], {}, undefined, project, nobody)).toMatchObject({ code: 0, told: [] });
	});
});

describe('a project that is gone', () => {
	it.each(commands)('%s still answers for it', (_, args, answer) => {
		rmSync(project, { recursive: true });
		const run = spawnSync(process.execPath, [bin, ...args, '--all'], {
			cwd: scratch,
			encoding: 'utf8',
			env: { PATH: process.env.PATH, HOME: home, REPRISE_HOME: own, TZ: 'UTC', NO_COLOR: '1' },
		});
		expect([run.status, run.stderr]).toEqual([0, '']);
		expect(run.stdout).toContain(answer);
	});

	it.each(commands)('%s still answers from within it', (_, args, answer) => {
		const { code, out, told } = reprise(args, {}, `rmdir ${project}`);
		expect(code).toBe(0);
		expect(out).toContain(answer);
		expect(told).toEqual([expect.stringContaining(`the folder ${project} is gone`)]);
	});

	it('show and tail find its sessions from within it', async () => {
		for (const name of ['b', 'last']) {
			const { code, out, told } = reprise(['show', name], {}, `rmdir ${project}`);
			expect([code, told]).toEqual([0, []]);
			expect(out).toContain('needle');
			mkdirSync(project);
			const followed = await tail([name], `rmdir ${project}`);
			expect([followed.code, followed.told]).toEqual([130, []]);
			expect(followed.out).toContain('needle');
			mkdirSync(project);
		}
		const { code, out, told } = await tail(['-n', '2'], `rmdir ${project}`);
		expect(code).toBe(130);
		expect(out).toContain('needle');
		expect(told).toEqual([
			expect.stringContaining(`the folder ${project} is gone`),
			expect.stringContaining(`following the sessions of ${project}`),
		]);
	});
});

describe('a catalog that another process writes', () => {
	it('answers from what it has, in one line', () => {
		reprise(['search', 'needle']);
		const other = new DatabaseSync(catalog());
		other.exec('BEGIN IMMEDIATE');
		writeSession('c', 'needle three');
		const { code, out, told } = reprise(['search', 'needle']);
		other.exec('ROLLBACK');
		other.close();
		expect(code).toBe(0);
		expect(out).toContain('needle one');
		expect(out).not.toContain('needle three');
		expect(told).toEqual([expect.stringContaining('another process writes the catalog')]);
		expect(reprise(['search', 'needle']).out).toContain('needle three');
	});

	it('lists all the same', () => {
		reprise(['ls']);
		const other = new DatabaseSync(catalog());
		other.exec('BEGIN IMMEDIATE');
		writeSession('c', 'needle three');
		const { code, out, told } = reprise(['ls']);
		other.exec('ROLLBACK');
		other.close();
		expect(code).toBe(0);
		expect(out).toContain('needle three');
		expect(told).toEqual([expect.stringContaining('another process writes the catalog')]);
	});
});

describe('a catalog that another process has just begun', () => {
	it.each(commands)('%s does without it, in one line', (_, args, answer) => {
		mkdirSync(own);
		const other = new DatabaseSync(catalog());
		other.exec('BEGIN EXCLUSIVE; CREATE TABLE x (a)');
		const { code, out, told } = reprise(args);
		other.close();
		expect(code).toBe(0);
		expect(out).toContain(answer);
		expect(told).toEqual(args[0] === 'cost' ? [] : [expect.stringContaining('database is locked')]);
	});

	it('show and tail do not ask for it', async () => {
		mkdirSync(own);
		const other = new DatabaseSync(catalog());
		other.exec('BEGIN EXCLUSIVE; CREATE TABLE x (a)');
		expect(reprise(['show', 'b'])).toMatchObject({ code: 0, told: [], out: expect.stringContaining('needle two') });
		expect(await tail(['b'])).toMatchObject({ code: 130, told: [], out: expect.stringContaining('needle two') });
		other.close();
	});
});

/** What is written there does not fit. */
const full = '/dev/full';

describe.runIf(existsSync(full))('output that cannot be written', () => {
	it.each([...commands, ['show', ['show', 'b'], ''], ['tail', ['tail', 'b'], '']] as const)(
		'%s says so in one line, and that the disk is at fault',
		(_, args) => {
			const { code, told } = reprise(args, {}, `exec > ${full}`);
			expect(code).toBe(3);
			expect(told).toEqual([expect.stringContaining('the output could not be written (ENOSPC')]);
		},
	);
});

describe('a catalog that is damaged or old', () => {
	const harm: readonly (readonly [string, () => void])[] = [
		['is cut', () => truncateSync(catalog(), 5000)],
		['is another file', () => writeFileSync(catalog(), 'no database, but a long enough text to be one. '.repeat(300))],
		[
			'is of an older version',
			() => {
				const old = new DatabaseSync(catalog());
				old.exec('PRAGMA user_version = 0; ALTER TABLE files DROP COLUMN turns');
				old.close();
			},
		],
	];

	it.each(harm)('that %s is built anew without a word', (_, damage) => {
		for (const [, args, answer] of commands.slice(1, 3)) {
			reprise(['search', 'needle']);
			damage();
			const { code, out, told } = reprise(args);
			expect([code, told]).toEqual([0, []]);
			expect(out).toContain(answer);
		}
	});
});

describe('a data folder that cannot be written', () => {
	it.each(commands)('%s answers without it', (_, args, answer) => {
		writeFileSync(own, 'a file in the way');
		const { code, out, told } = reprise(args);
		expect(code).toBe(0);
		expect(out).toContain(answer);
		expect(told.length).toBe(args[0] === 'cost' ? 0 : 1);
	});
});

/** Only the administrator may mount. */
const canMount = process.getuid?.() === 0 && existsSync('/bin/mount');

describe.runIf(canMount)('a disk that is full', () => {
	beforeEach(() => {
		mkdirSync(own);
		expect(spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', own]).status).toBe(0);
	});
	afterEach(() => {
		spawnSync('umount', [own]);
	});

	function fill(): void {
		try {
			for (;;) appendFileSync(join(own, 'filler'), Buffer.alloc(4096));
		} catch (error) {
			if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
		}
	}

	it.each(commands)('%s answers without a catalog, and says so in one line', (_, args, answer) => {
		fill();
		const { code, out, told } = reprise(args);
		expect(code).toBe(0);
		expect(out).toContain(answer);
		expect(told.length).toBe(args[0] === 'cost' ? 0 : 1);
	});

	it('show and tail answer as ever', async () => {
		fill();
		expect(reprise(['show', 'b'])).toMatchObject({ code: 0, told: [], out: expect.stringContaining('needle two') });
		expect(await tail(['b'])).toMatchObject({ code: 130, told: [], out: expect.stringContaining('needle two') });
	});

	it('what was indexed before is still found, and what is missing is told in one line', () => {
		reprise(['search', 'needle']);
		writeSession('c', `needle three ${Array.from({ length: 40_000 }, (_, index) => `word${index}`).join(' ')}`);
		fill();
		const { code, out, told } = reprise(['search', 'needle']);
		expect(code).toBe(0);
		expect(out).toContain('needle one');
		expect(told).toEqual([expect.stringContaining('the catalog cannot be written (database or disk is full)')]);
	});
});
