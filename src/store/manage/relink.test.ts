/** Sessions follow their project, and their bytes do not change. */
import {
	chmodSync,
	existsSync,
	mkdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	symlinkSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { asOrdinaryUser } from '../../../test/support/ordinary-user.ts';
import { treeOf } from '../../../test/support/scratch.ts';
import { scratchPerTest } from '../../../test/support/scratch-per-test.ts';
import { sessionWithSubagent } from '../../../test/support/subagents.ts';
import type { Machine, Noted } from '../../codecs/index.ts';
import type { FoundSession } from '../find/discover.ts';
import { subagentFiles } from '../handle/subagents.ts';
import { addRunNote, runNotes } from '../own-data/run-notes.ts';
import { glance } from '../reader/glance.ts';
import { readAnnotations } from './annotations.ts';
import { planRelink, type RelinkResult, relink } from './relink.ts';
import { listTrash } from './trash.ts';

const scratch = scratchPerTest();

function load(scenario: string): FoundSession & { readonly cwd: string } {
	const first = scratch.session(scenario);
	return { ...first, cwd: glance(first)?.cwd ?? '' };
}

const go = (from: string, to: string, machine: Machine = scratch.machine): Promise<RelinkResult> =>
	relink(planRelink(from, to, machine), machine);

const slug = (path: string): string => path.replace(/[^a-zA-Z0-9]/g, '-');

describe('Claude Code', () => {
	it.each(['2.1.29', '2.1.325'])(
		'%s: files and side folder go to the new folder’s name, byte for byte',
		async (version) => {
			const session = load(`claude-code/${version}/subagents`);
			const to = scratch.folder('moved');
			const before = treeOf(dirname(session.path));
			const { steps, failed } = await go(session.cwd, to);
			expect(failed).toEqual([]);
			expect(steps).toMatchObject([{ action: 'move', folder: { from: session.cwd, to } }]);
			const folder = join(scratch.home, '.claude/projects', slug(to));
			const moved = Object.fromEntries(Object.entries(before).filter(([path]) => path !== 'sessions-index.json'));
			expect(treeOf(folder)).toEqual(moved);
			expect(existsSync(session.path)).toBe(false);
			expect(readAnnotations(scratch.machine)(session).folder).toBe(to);
		},
	);

	it('copies of changed files stay where the client looks for them', async () => {
		const session = load('claude-code/2.1.29/interactive-edit');
		const history = treeOf(join(scratch.home, '.claude/file-history'));
		await go(session.cwd, scratch.folder('moved'));
		expect(treeOf(join(scratch.home, '.claude/file-history'))).toEqual(history);
	});

	it('a project that moves twice takes its sessions along twice', async () => {
		const session = load('claude-code/2.1.29/interactive-edit');
		const [one, two] = [scratch.folder('one'), scratch.folder('two')];
		await go(session.cwd, one);
		expect(planRelink(session.cwd, two, scratch.machine)).toEqual([]);
		const { steps } = await go(one, two);
		expect(steps).toMatchObject([{ folder: { from: one, to: two } }]);
		expect(dirname(steps[0]?.to ?? '')).toBe(join(scratch.home, '.claude/projects', slug(two)));
	});

	it('sessions of folders inside the project follow into the same folders; a namesake does not', async () => {
		const old = join(scratch.root, 'old');
		const to = scratch.folder('new/place');
		const make = (id: string, cwd: string): void => {
			const folder = join(scratch.home, '.claude/projects', slug(cwd));
			mkdirSync(folder, { recursive: true });
			writeFileSync(
				join(folder, `${id}.jsonl`),
				`{"type":"user","uuid":"u","parentUuid":null,"sessionId":"${id}","cwd":"${cwd}"}\n`,
			);
		};
		make('top', old);
		make('deep', join(old, 'src/lib'));
		make('other', `${old}-two`);
		// Both folders have one name, in which dots and dashes look alike: the file tells which it belongs to.
		make('alike', join(scratch.root, 'old/src-lib'));
		const { steps } = await go(old, to);
		expect(Object.fromEntries(steps.map((step) => [step.session.id, step.folder.to]))).toEqual({
			top: to,
			deep: join(to, 'src/lib'),
			alike: join(to, 'src-lib'),
		});
		expect(existsSync(join(scratch.home, '.claude/projects', slug(`${old}-two`), 'other.jsonl'))).toBe(true);
	});

	it('a session that is there already stops only itself', async () => {
		const session = load('claude-code/2.1.29/resume-fork');
		const to = scratch.folder('moved');
		const taken = join(scratch.home, '.claude/projects', slug(to), basename(session.path));
		mkdirSync(dirname(taken), { recursive: true });
		writeFileSync(taken, '{"type":"summary","summary":"x","leafUuid":"y"}\n');
		const { steps, failed } = await go(session.cwd, to);
		expect(failed).toMatchObject([{ step: { session: { id: session.id } } }]);
		expect(failed[0]?.reason).toContain('exists already');
		expect(steps).toHaveLength(1);
		expect(existsSync(session.path)).toBe(true);
	});

	it('a planted link does not lead a move elsewhere', async () => {
		const session = load('claude-code/2.1.29/interactive-edit');
		const to = scratch.folder('moved');
		const outside = scratch.folder('outside');
		symlinkSync(outside, join(scratch.home, '.claude/projects', slug(to)));
		const { failed } = await go(session.cwd, to);
		expect(failed[0]?.reason).toContain('symbolic link');
		expect(treeOf(outside)).toEqual({});
		expect(existsSync(session.path)).toBe(true);
	});
});

describe('pi', () => {
	it.each(['pi-0.73.1', 'pi-0.87.1'])(
		'%s: folder and header say the new place, all else stays, the original is kept',
		async (version) => {
			const session = load(`openclaw/${version}/parallel-tools`);
			const to = scratch.folder('moved');
			const before = readFileSync(session.path, 'utf8');
			utimesSync(session.path, 5000, 5000);
			const { steps, failed } = await go(session.cwd, to);
			expect(failed).toEqual([]);
			const moved = join(
				scratch.home,
				'.pi/agent/sessions',
				`--${to.slice(1).replaceAll('/', '-')}--`,
				basename(session.path),
			);
			expect(steps).toMatchObject([{ action: 'move-and-edit', to: moved }]);
			const after = readFileSync(moved, 'utf8');
			expect(after.replace(JSON.stringify(to), JSON.stringify(session.cwd))).toBe(before);
			expect(statSync(moved).mtimeMs).toBe(5_000_000);
			expect(existsSync(session.path)).toBe(false);
			const [kept] = listTrash(scratch.machine);
			expect(kept).toMatchObject({ why: 'relink', files: [{ from: session.path }] });
			expect(readFileSync(join(scratch.own, 'trash', kept?.id ?? '', 'file-0'), 'utf8')).toBe(before);
		},
	);

	it('in one folder for all projects the header alone changes', async () => {
		const session = load('openclaw/pi-0.87.1/text');
		const shared = scratch.folder('shared');
		const path = join(shared, basename(session.path));
		renameSync(session.path, path);
		const machine: Machine = {
			...scratch.machine,
			env: { ...scratch.machine.env, PI_CODING_AGENT_SESSION_DIR: shared },
		};
		const before = readFileSync(path, 'utf8');
		const to = scratch.folder('moved');
		const { steps } = await go(session.cwd, to, machine);
		expect(steps).toMatchObject([{ action: 'edit', to: path }]);
		expect(readFileSync(path, 'utf8').replace(JSON.stringify(to), JSON.stringify(session.cwd))).toBe(before);
	});

	it('a fork that moves with its origin still names it', async () => {
		const session = load('openclaw/pi-0.87.1/text');
		const fork = join(dirname(session.path), '2026-11-16T00-00-00-000Z_forked.jsonl');
		const header = { type: 'session', version: 3, id: 'forked', cwd: session.cwd, parentSession: session.path };
		writeFileSync(fork, `${JSON.stringify(header)}\n`);
		const { steps } = await go(session.cwd, scratch.folder('moved'));
		const place = (id: string): string => steps.find((step) => step.session.id === id)?.to ?? '';
		const moved = JSON.parse(readFileSync(place('forked'), 'utf8')) as { parentSession: string };
		expect(moved.parentSession).toBe(place(session.id));
	});
});

describe('the others', () => {
	it('Clido: the file goes to the project’s folder as it is', async () => {
		const session = load('clido/1.0.15/written-by-clido');
		const before = readFileSync(session.path);
		const to = scratch.folder('moved');
		const { steps } = await go(session.cwd, to);
		const moved = join(scratch.home, '.local/share/clido/sessions', to.replaceAll('/', '_'), basename(session.path));
		expect(steps.map((step) => step.to)).toContain(moved);
		expect(readFileSync(moved).equals(before)).toBe(true);
	});

	it('Cline: the manifest names the new folder, nothing else changes, the original is kept', async () => {
		const session = load('cline/3.0.65/text');
		const manifest = session.path.replace('.messages.json', '.json');
		const before = readFileSync(manifest, 'utf8');
		const to = scratch.folder('moved');
		const { steps } = await go(session.cwd, to);
		expect(steps).toMatchObject([{ action: 'edit' }]);
		expect(steps[0]?.note).toContain('db/sessions.db');
		const after = readFileSync(manifest, 'utf8');
		expect(after.replaceAll(JSON.stringify(to), JSON.stringify(session.cwd))).toBe(before);
		expect(listTrash(scratch.machine)).toMatchObject([{ why: 'relink', files: [{ from: manifest }] }]);
	});

	it('OpenClaw: sessions are not sorted by folder, so they stay', async () => {
		const session = load('openclaw/2026.7.1/text');
		const before = treeOf(scratch.home);
		const { steps } = await go(session.cwd, scratch.folder('moved'));
		expect(steps.every((step) => step.action === 'stay')).toBe(true);
		expect(treeOf(scratch.home)).toEqual(before);
	});
});

describe('sub-agents', () => {
	it.each(['claude-code', 'clido', 'cline', 'openclaw'] as const)('%s: they follow their session', async (format) => {
		const old = scratch.folder('old');
		const made = await sessionWithSubagent(format, old, scratch.machine);
		const { steps, failed } = await go(old, scratch.folder('new'));
		expect(failed).toEqual([]);
		const [agent] = subagentFiles({ ...made, path: steps[0]?.to ?? '' });
		expect(agent?.id).toBe(made.agent);
		expect(readFileSync(agent?.path ?? '', 'utf8')).toContain(made.task);
		if (format === 'clido') expect(agent?.meta).toMatchObject({ toolUseId: 'call-1' });
	});

	it('pi: each states the new folder, and the new place of its session', async () => {
		const old = scratch.folder('old');
		const made = await sessionWithSubagent('openclaw', old, scratch.machine);
		const to = scratch.folder('new');
		const { steps } = await go(old, to);
		const [agent] = subagentFiles({ ...made, path: steps[0]?.to ?? '' });
		const [header = ''] = readFileSync(agent?.path ?? '', 'utf8').split('\n');
		expect(JSON.parse(header)).toMatchObject({ cwd: to, parentSession: steps[0]?.to });
		const [kept] = listTrash(scratch.machine);
		expect(kept?.files.map((file) => file.role)).toEqual(['main', 'subagent']);
	});

	it('what was noted of hooks stays with a session that is written anew elsewhere', async () => {
		const old = scratch.folder('old');
		const made = await sessionWithSubagent('openclaw', old, scratch.machine);
		const noted: Noted = { what: 'mode', mode: 'plan' };
		addRunNote(scratch.machine, made, { after: null, noted });
		await go(old, scratch.folder('new'));
		expect(runNotes(scratch.machine, made)).toHaveLength(1);
	});
});

describe('a file that may not be removed', () => {
	it.each(['claude-code', 'clido', 'openclaw'] as const)(
		'%s: its session stays whole, and the others move',
		async (format) => {
			const old = scratch.folder('old');
			const made = await sessionWithSubagent(format, old, scratch.machine);
			const other = await sessionWithSubagent(format === 'clido' ? 'claude-code' : 'clido', old, scratch.machine);
			const to = scratch.folder('new');
			const before = treeOf(dirname(made.path));
			await asOrdinaryUser(scratch.root, async () => {
				// The main file goes first where it can: it has to come back.
				const closed = subagentFiles(made).map(({ path }) => dirname(path));
				for (const folder of format === 'clido' ? [dirname(made.path)] : closed) chmodSync(folder, 0o500);
				const { steps, failed } = await go(old, to);
				for (const folder of [dirname(made.path), ...closed]) chmodSync(folder, 0o700);
				expect(failed).toMatchObject([{ step: { from: made.path } }]);
				expect(failed[0]?.reason).toContain('permission denied');
				expect(steps).toMatchObject([{ from: other.path }]);
			});
			expect(treeOf(dirname(made.path))).toEqual(before);
			expect(existsSync(failedTarget(old, to, made.path))).toBe(false);
			const marks = readAnnotations(scratch.machine);
			expect([marks(made).folder, marks(other).folder]).toEqual([undefined, to]);
			// Once the file may be removed, the session follows.
			expect((await go(old, to)).failed).toEqual([]);
			expect(subagentFiles(made)).toEqual([]);
		},
	);

	const failedTarget = (from: string, to: string, path: string): string =>
		planRelink(from, to, scratch.machine).find((step) => step.from === path)?.to ?? '';
});

describe('planning', () => {
	it('changes nothing', () => {
		const session = load('claude-code/2.1.325/subagents');
		const before = treeOf(scratch.root);
		expect(planRelink(session.cwd, scratch.folder('moved'), scratch.machine)).toHaveLength(1);
		expect(treeOf(scratch.root)).toEqual(before);
	});

	it('the new folder must be there, and be another', () => {
		expect(() => planRelink('/gone', join(scratch.root, 'never'), scratch.machine)).toThrow('is not a folder');
		expect(() => planRelink(scratch.home, scratch.home, scratch.machine)).toThrow('same folder');
	});

	it('a gone folder is known through the links that led to it', async () => {
		const real = scratch.folder('real');
		const link = join(scratch.root, 'link');
		symlinkSync(real, link);
		const folder = join(scratch.home, '.claude/projects', slug(join(real, 'old')));
		mkdirSync(folder, { recursive: true });
		const cwd = join(real, 'old');
		writeFileSync(
			join(folder, 's.jsonl'),
			`{"type":"user","uuid":"u","parentUuid":null,"sessionId":"s","cwd":"${cwd}"}\n`,
		);
		rmSync(cwd, { recursive: true, force: true });
		expect(planRelink(join(link, 'old'), scratch.folder('moved'), scratch.machine)).toHaveLength(1);
	});
});
