/** What people do with sessions, from the command line: documents, exit codes, and where things end up. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Scratch, scratchMachine } from './support/scratch.ts';

const bin = join(import.meta.dirname, '../bin/reprise.js');
let scratch: Scratch;
beforeEach(() => {
	scratch = scratchMachine();
});
afterEach(() => scratch[Symbol.dispose]());

interface Run {
	readonly code: number | null;
	readonly out: string;
	readonly err: string;
	/** The document that `--json` prints. */
	json(): { readonly [key: string]: unknown };
}

function reprise(...args: readonly string[]): Run {
	const env = { PATH: process.env.PATH, HOME: scratch.home, NO_COLOR: '1', ...scratch.machine.env };
	const run = spawnSync(process.execPath, [bin, ...args], { cwd: scratch.root, encoding: 'utf8', env });
	return {
		code: run.status,
		out: run.stdout,
		err: run.stderr,
		json: () => JSON.parse(run.stdout) as { [key: string]: unknown },
	};
}

const id = '5f838ed3-f03d-414e-b0d4-dddabf6b9743';
const load = (): string => {
	scratch.load('claude-code/2.1.325/subagents');
	return join(scratch.home, '.claude/projects/-tmp-proj-demo-app', `${id}.jsonl`);
};

describe('a session is named by id, beginning or title', () => {
	it.each([
		['inspect', 'sessionId'],
		['check', 'format'],
	])('%s takes them all', (command, field) => {
		load();
		for (const name of [id, id.slice(0, 5), 'MAIN-PROMPT delegate work']) {
			const run = reprise(command, name, '--json');
			expect(run.json(), name).toHaveProperty(field);
			expect(run.json()[field], name).not.toBeNull();
		}
	});

	it('context takes them too', () => {
		scratch.load('clido/1.0.15/01-doc-example');
		const whole = reprise('context', 'a1b2c3d4', '--json').json();
		expect(whole.messages).not.toEqual([]);
		expect(reprise('context', 'a1b2', '--json').json()).toEqual(whole);
		expect(reprise('context', 'nonsense').err).toContain('no session has the id or the title');
		expect(reprise('context', 'a1b2', '--client', 'banana').err).toContain('a version, such as');
	});

	it('several are listed on stderr, exit 1, and the document is there still', () => {
		scratch.load('claude-code/2.1.29/resume-fork');
		for (const command of ['inspect', 'check']) {
			const run = reprise(command, 'q one', '--json');
			expect(run.code).toBe(1);
			expect(run.json()).toMatchObject({ format: null, issues: [{ rule: 'unknown-format' }] });
			expect(run.err).toContain('is the title of 2 sessions');
			expect(run.err.trim().split('\n')).toHaveLength(3);
		}
	});
});

describe('rename, tag, archive', () => {
	it('say what they did', () => {
		const path = load();
		expect(reprise('rename', id.slice(0, 8), 'Fresh title', '--json').json()).toEqual({
			session: path,
			title: 'Fresh title',
			file: path,
			how: 'append',
		});
		expect(reprise('inspect', 'fresh title', '--json').json()).toMatchObject({ title: 'Fresh title' });
		expect(reprise('tag', id, 'a', 'b', '--json').json()).toEqual({ session: path, id, tags: ['a', 'b'] });
		expect(reprise('tag', path, 'a', '--remove').out).toBe(`${id}: b\n`);
		expect(reprise('archive', id, '--json').json()).toMatchObject({ sessions: [{ id, archived: expect.any(String) }] });
		expect(reprise('archive', id, '--undo', '--json').json()).toMatchObject({ sessions: [{ id, archived: null }] });
		expect(reprise('tag', id).out).toBe(`${id}: b\n`);
	});

	it('an empty title is the input’s fault', () => {
		load();
		expect(reprise('rename', id, ' ').code).toBe(1);
	});
});

describe('delete and restore', () => {
	it('nobody to ask and no --yes: exit 2, and nothing is deleted', () => {
		const path = load();
		const run = reprise('delete', id);
		expect(run).toMatchObject({ code: 2, out: '' });
		expect(run.err).toContain('--yes');
		expect(existsSync(path)).toBe(true);
		expect(readdirSync(scratch.own)).toEqual(['compiled']);
	});

	it('there and back', () => {
		const path = load();
		const bytes = readFileSync(path);
		const deleted = reprise('delete', id, '--yes', '--json').json() as { trash: string; files: string[] };
		expect(deleted.files).toHaveLength(7);
		expect(existsSync(dirname(path))).toBe(false);
		expect(reprise('restore', '--json').json()).toMatchObject({ trash: [{ id: deleted.trash, why: 'delete' }] });
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, 'mine');
		const refused = reprise('restore', id);
		expect(refused.code).toBe(1);
		expect(refused.err).toContain(`${path} exists already`);
		rmSync(path);
		expect(reprise('restore', id, '--json').json()).toMatchObject({ restored: deleted.files });
		expect(readFileSync(path).equals(bytes)).toBe(true);
		expect(reprise('restore').out).toBe('the trash is empty\n');
		expect(reprise('restore', 'zzz').code).toBe(1);
	});

	it('a damaged entry of the trash is named, and hides no other', () => {
		load();
		const deleted = reprise('delete', id, '--yes', '--json').json() as { trash: string };
		const damaged = join(scratch.own, 'trash', 'damaged', 'trash.json');
		mkdirSync(dirname(damaged));
		writeFileSync(damaged, '{"torn');
		const listed = reprise('restore', '--json');
		expect(listed.json()).toMatchObject({ trash: [{ id: deleted.trash }] });
		expect(listed.err).toContain(`${damaged} is damaged`);
		expect(reprise('restore', id)).toMatchObject({ code: 0 });
	});
});

describe('relink', () => {
	it('--dry-run says what would be done and does nothing', () => {
		const path = load();
		const to = scratch.folder('moved');
		const dry = reprise('relink', '/tmp/proj/demo-app', to, '--dry-run', '--json').json();
		expect(dry).toMatchObject({ dryRun: true, steps: [{ id, action: 'move', from: path }], failed: [] });
		expect(existsSync(path)).toBe(true);
		const done = reprise('relink', '/tmp/proj/demo-app', to, '--json').json();
		expect(done).toMatchObject({ dryRun: false, steps: dry.steps });
		expect(existsSync((done.steps as { to: string }[])[0]?.to ?? '')).toBe(true);
		expect(existsSync(path)).toBe(false);
		expect(reprise('relink', '/tmp/proj/demo-app', to)).toMatchObject({
			...{ code: 1, out: expect.stringContaining('no session belongs to') },
		});
		expect(reprise('relink', '/tmp/proj/demo-app', join(to, 'never')).code).toBe(1);
	});
});

describe('vault', () => {
	it('keeps, lists, and gives back what a client has deleted', () => {
		const path = load();
		const bytes = readFileSync(path);
		expect(reprise('vault', 'add').code).toBe(2);
		expect(reprise('vault', 'add', '--all', '--json').json()).toMatchObject({ sessions: [{ id, changed: 7 }] });
		expect(reprise('vault', 'list', '--json').json()).toMatchObject({ sessions: [{ session: { id } }] });
		rmSync(dirname(path), { recursive: true });
		expect(reprise('vault', 'sync', '--json').json()).toMatchObject({ sessions: [{ id, gone: true }] });
		expect(reprise('vault', 'restore', id.slice(0, 4)).code).toBe(0);
		expect(readFileSync(path).equals(bytes)).toBe(true);
		expect(reprise('vault', 'restore', id).code).toBe(1);
	});
});
