/** Deleting destroys nothing, and restoring replaces nothing. */
import {
	chmodSync,
	existsSync,
	lstatSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	statSync,
	symlinkSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { asOrdinaryUser } from '../../../test/support/ordinary-user.ts';
import { notPrivate, treeOf } from '../../../test/support/scratch.ts';
import { scratchPerTest } from '../../../test/support/scratch-per-test.ts';
import { sessionWithSubagent } from '../../../test/support/subagents.ts';
import { discoverSessions, type FoundSession } from '../find/discover.ts';
import { subagentFiles } from '../handle/subagents.ts';
import { ownLog } from '../own-data/own-data.ts';
import { outputsFolder } from '../own-data/session-folders.ts';
import { deleteSession, findTrashed, listTrash, restoreTrashed } from './trash.ts';

const scratch = scratchPerTest();
const load = (scenario: string): FoundSession => scratch.session(scenario);

const scenarios = [
	'claude-code/2.1.29/interactive-edit',
	'claude-code/2.1.325/subagents',
	'claude-code/2.1.29/tools-tasks',
	'cline/3.0.65/subagent',
	'cline/3.0.65/compaction',
	'clido/1.0.15/written-by-clido',
	'openclaw/pi-0.87.1/text',
	'openclaw/2026.7.1/text',
];

describe('delete and restore', () => {
	it.each(scenarios)('%s: everything of the session goes, and everything comes back', async (scenario) => {
		const session = load(scenario);
		const before = treeOf(scratch.home);
		const { trashed, left } = await deleteSession(session.path, scratch.machine);
		expect(left).toEqual([]);
		expect(trashed.session).toMatchObject({ id: session.id, format: session.format });
		expect([...discoverSessions(scratch.machine, undefined, { subagents: true })].map((one) => one.path)).not.toContain(
			session.path,
		);
		// The files that stay belong to other sessions, or to all.
		const rest = Object.keys(treeOf(scratch.home)).filter((path) => path.includes(session.id));
		expect(rest).toEqual([]);
		expect(Object.keys(treeOf(scratch.own)).filter((path) => /\.(jsonl|messages\.json)$/.test(path))).toEqual([]);
		await restoreTrashed(findTrashed(session.id, scratch.machine), scratch.machine);
		expect(treeOf(scratch.home)).toEqual(before);
		expect(listTrash(scratch.machine)).toEqual([]);
	});

	it.each(['claude-code', 'clido', 'cline', 'openclaw'] as const)(
		'%s: nothing that its sub-agents said is left, and it comes back',
		async (format) => {
			const made = await sessionWithSubagent(format, scratch.folder('project'), scratch.machine);
			const output = join(outputsFolder(scratch.machine, made.path), 'call.txt');
			mkdirSync(dirname(output), { recursive: true });
			writeFileSync(output, made.task);
			const holding = (): readonly string[] =>
				Object.entries({ ...treeOf(scratch.home), ...treeOf(scratch.own) })
					.filter(([path, text]) => !path.startsWith('trash/') && text.includes(made.task))
					.map(([path]) => path);
			const before = holding();
			expect(before.length).toBeGreaterThan(1);
			const { trashed } = await deleteSession(made.path, scratch.machine);
			expect(holding()).toEqual([]);
			await restoreTrashed(trashed, scratch.machine);
			expect(holding()).toEqual(before);
			expect(subagentFiles(made).map(({ id }) => id)).toEqual([made.agent]);
		},
	);

	it('what is in the trash is private', async () => {
		const session = load('claude-code/2.1.325/subagents');
		await deleteSession(session.path, scratch.machine);
		expect(notPrivate(scratch.own).filter((path) => !/file-\d+$/.test(path))).toEqual([]);
	});

	it('a file that appeared meanwhile is not replaced, and nothing is half restored', async () => {
		const session = load('claude-code/2.1.325/subagents');
		const { trashed } = await deleteSession(session.path, scratch.machine);
		const last = trashed.files.at(-1)?.from ?? '';
		mkdirSync(dirname(last), { recursive: true });
		writeFileSync(last, 'mine');
		await expect(restoreTrashed(trashed, scratch.machine)).rejects.toThrow('exists already');
		expect(readFileSync(last, 'utf8')).toBe('mine');
		expect(existsSync(session.path)).toBe(false);
		expect(listTrash(scratch.machine)).toHaveLength(1);
		rmSync(last);
		await restoreTrashed(trashed, scratch.machine);
		expect(existsSync(session.path)).toBe(true);
	});

	it('a restored session is young enough to live through the client’s clean-up', async () => {
		const session = load('claude-code/2.1.29/interactive-edit');
		utimesSync(session.path, 1000, 1000);
		const { trashed } = await deleteSession(session.path, scratch.machine);
		await restoreTrashed(trashed, scratch.machine);
		expect(Date.now() - statSync(session.path).mtimeMs).toBeLessThan(60_000);
	});

	it('a young one keeps its date', async () => {
		const session = load('claude-code/2.1.29/interactive-edit');
		const yesterday = Math.round(Date.now() / 1000) - 86_400;
		utimesSync(session.path, yesterday, yesterday);
		const { trashed } = await deleteSession(session.path, scratch.machine);
		await restoreTrashed(trashed, scratch.machine);
		expect(statSync(session.path).mtimeMs).toBe(yesterday * 1000);
	});
});

/** A folder on another file system, where this machine has one. */
const far = ((): string | undefined => {
	const there = statSync('/dev/shm', { throwIfNoEntry: false });
	return there && there.dev !== statSync(tmpdir()).dev ? '/dev/shm' : undefined;
})();

test.skipIf(far === undefined)('a trash on another disk gets copies, and they come back whole', async () => {
	const session = load('claude-code/2.1.325/subagents');
	const before = treeOf(scratch.home);
	const own = mkdtempSync(join(far ?? '', 'reprise-trash-'));
	try {
		const machine = { ...scratch.machine, env: { ...scratch.machine.env, REPRISE_HOME: own } };
		const { trashed } = await deleteSession(session.path, machine);
		expect(existsSync(session.path)).toBe(false);
		expect(notPrivate(own)).toEqual([]);
		await restoreTrashed(trashed, machine);
		expect(treeOf(scratch.home)).toEqual(before);
	} finally {
		rmSync(own, { recursive: true, force: true });
	}
});

describe('what cannot be deleted', () => {
	it('a session that somebody is writing to through us', async () => {
		const session = load('clido/1.0.15/written-by-clido');
		await using _writer = await ownLog(scratch.machine).writer(session.path);
		await expect(deleteSession(session.path, scratch.machine)).rejects.toThrow('is being written by');
		expect(existsSync(session.path)).toBe(true);
	});

	it('a row of a database, and a link', async () => {
		const stored = load('openclaw/2026.9.6/text');
		await expect(deleteSession(stored.path, scratch.machine)).rejects.toThrow('does not delete there');
		scratch.load('clido/1.0.15/written-by-clido');
		const [real] = [...discoverSessions(scratch.machine, undefined, { format: 'clido' })];
		const link = join(scratch.root, 'link.jsonl');
		symlinkSync(real?.path ?? '', link);
		await expect(deleteSession(link, scratch.machine)).rejects.toThrow('not a regular file');
		expect(existsSync(real?.path ?? '')).toBe(true);
		expect(listTrash(scratch.machine)).toEqual([]);
	});

	it('a folder that may not be changed: then nothing has moved', async () => {
		const session = load('clido/1.0.15/written-by-clido');
		await asOrdinaryUser(scratch.root, async () => {
			chmodSync(dirname(session.path), 0o500);
			await expect(deleteSession(session.path, scratch.machine)).rejects.toThrow();
			chmodSync(dirname(session.path), 0o700);
		});
		expect(existsSync(session.path)).toBe(true);
	});
});

describe('planted links', () => {
	it('lead no deletion out of the session: what lies behind them stays', async () => {
		const session = load('claude-code/2.1.29/interactive-edit');
		const outside = scratch.folder('outside/subagents');
		const precious = join(outside, 'agent-abcdef0.jsonl');
		writeFileSync(precious, 'precious');
		const folder = join(dirname(session.path), session.id);
		rmSync(folder, { recursive: true, force: true });
		symlinkSync(join(scratch.root, 'outside'), folder);
		const { left } = await deleteSession(session.path, scratch.machine);
		expect(left).toContain(join(dirname(session.path), session.id, 'subagents/agent-abcdef0.jsonl'));
		expect(readFileSync(precious, 'utf8')).toBe('precious');
		expect(lstatSync(join(dirname(session.path), session.id)).isSymbolicLink()).toBe(true);
	});

	it('lead no restored file elsewhere', async () => {
		const session = load('claude-code/2.1.325/subagents');
		const { trashed } = await deleteSession(session.path, scratch.machine);
		const outside = scratch.folder('outside');
		const project = dirname(session.path);
		mkdirSync(project, { recursive: true });
		symlinkSync(outside, join(project, session.id));
		await expect(restoreTrashed(trashed, scratch.machine)).rejects.toThrow('symbolic link');
		expect(treeOf(outside)).toEqual({});
		expect(existsSync(session.path)).toBe(false);
	});
});

test('an entry is found by its own id, the session’s, or a beginning; several are listed', async () => {
	const session = load('clido/1.0.15/written-by-clido');
	const bytes = readFileSync(session.path);
	const { trashed } = await deleteSession(session.path, scratch.machine);
	expect(findTrashed(trashed.id, scratch.machine).id).toBe(trashed.id);
	expect(findTrashed(session.id.slice(0, 6), scratch.machine).id).toBe(trashed.id);
	mkdirSync(dirname(session.path), { recursive: true });
	writeFileSync(session.path, bytes);
	await deleteSession(session.path, scratch.machine);
	expect(() => findTrashed(session.id, scratch.machine)).toThrow('means 2 things');
	expect(() => findTrashed('zzz', scratch.machine)).toThrow('nothing in the trash');
});
