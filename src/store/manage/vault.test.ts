/** What is in the vault outlives its client’s clean-up. */
import {
	appendFileSync,
	cpSync,
	existsSync,
	lstatSync,
	mkdirSync,
	readFileSync,
	rmSync,
	statSync,
	symlinkSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { notPrivate, treeOf } from '../../../test/support/scratch.ts';
import { scratchPerTest } from '../../../test/support/scratch-per-test.ts';
import { discoverSessions, type FoundSession } from '../find/discover.ts';
import { glance } from '../reader/glance.ts';
import { planRelink, relink } from './relink.ts';
import { keepSession, restoreFromVault, syncVault } from './vault.ts';
import { entryFolder, findEntry, listEntries, setKeepsAll } from './vault-entry.ts';

const scratch = scratchPerTest();
const load = (scenario: string): FoundSession => scratch.session(scenario);

const scenarios = [
	'claude-code/2.1.29/interactive-edit',
	'claude-code/2.1.325/subagents',
	'cline/3.0.65/subagent',
	'clido/1.0.15/written-by-clido',
	'openclaw/pi-0.87.1/text',
	'openclaw/2026.7.1/text',
];

describe('keeping', () => {
	it.each(scenarios)('%s: what the client deletes comes back as it was, where it was', async (scenario) => {
		const session = load(scenario);
		const before = treeOf(scratch.home);
		const { entry } = await keepSession(session, scratch.machine);
		const lost = entry.files.map((file) => file.from);
		for (const path of lost) rmSync(path);
		rmSync(dirname(session.path), { recursive: true });
		expect(await syncVault(scratch.machine)).toMatchObject([{ gone: true, changed: 0 }]);
		await restoreFromVault(findEntry(scratch.machine, session.id), scratch.machine);
		const after = treeOf(scratch.home);
		for (const [path, bytes] of Object.entries(before)) if (path in after) expect(after[path], path).toBe(bytes);
		for (const path of lost) expect(existsSync(path), path).toBe(true);
	});

	it('our folder has no name that a client or a tool would take for a session', async () => {
		for (const scenario of scenarios) scratch.load(scenario);
		await setKeepsAll(scratch.machine, true);
		await syncVault(scratch.machine);
		expect(Object.keys(treeOf(scratch.own)).filter((path) => /\.jsonl$|\.messages\.json$/.test(path))).toEqual([]);
		const linked = new Set(
			listEntries(scratch.machine).flatMap(({ key, files }) =>
				files.filter((file) => file.how === 'link').map((file) => join(entryFolder(scratch.machine, key), file.name)),
			),
		);
		expect(notPrivate(scratch.own).filter((path) => !linked.has(path))).toEqual([]);
	});

	it('only what Claude Code appends to is linked; everything else is a copy', async () => {
		const claude = load('claude-code/2.1.325/subagents');
		const { entry } = await keepSession(claude, scratch.machine);
		expect(new Set(entry.files.map((file) => `${file.role} ${file.how}`))).toEqual(
			new Set(['main link', 'subagent link', 'subagent-meta copy']),
		);
		scratch.load('openclaw/pi-0.87.1/text');
		scratch.load('clido/1.0.15/written-by-clido');
		scratch.load('cline/3.0.65/text');
		for (const session of discoverSessions(scratch.machine)) {
			if (session.format === 'claude-code') continue;
			const kept = await keepSession(session, scratch.machine);
			expect(kept.entry.files.every((file) => file.how === 'copy')).toBe(true);
			expect(statSync(session.path).nlink).toBe(1);
		}
	});

	it('a link keeps what is appended later without another look', async () => {
		const session = load('claude-code/2.1.29/interactive-edit');
		await keepSession(session, scratch.machine);
		appendFileSync(session.path, '{"type":"summary","summary":"later","leafUuid":"x"}\n');
		const bytes = readFileSync(session.path);
		rmSync(session.path);
		await restoreFromVault(findEntry(scratch.machine, session.id), scratch.machine);
		expect(readFileSync(session.path).equals(bytes)).toBe(true);
	});
});

describe('sync', () => {
	it('does nothing when nothing has changed', async () => {
		for (const scenario of scenarios) scratch.load(scenario);
		await setKeepsAll(scratch.machine, true);
		await syncVault(scratch.machine);
		const before = treeOf(scratch.own);
		const results = await syncVault(scratch.machine);
		expect(results.length).toBeGreaterThan(4);
		expect(results.every((result) => result.changed === 0 && !result.gone)).toBe(true);
		expect(treeOf(scratch.own)).toEqual(before);
	});

	it('keeps only what was asked for, unless everything was', async () => {
		const session = load('claude-code/2.1.29/resume-fork');
		await keepSession(session, scratch.machine);
		expect(await syncVault(scratch.machine)).toHaveLength(1);
		await setKeepsAll(scratch.machine, true);
		expect(await syncVault(scratch.machine)).toHaveLength(2);
	});

	it('a copy follows its file, and the old one goes', async () => {
		const session = load('clido/1.0.15/written-by-clido');
		await keepSession(session, scratch.machine);
		appendFileSync(session.path, '{"type":"title","title":"T"}\n');
		const { entry, changed } = await keepSession(session, scratch.machine);
		expect(changed).toBe(1);
		const folder = entryFolder(scratch.machine, entry.key);
		expect(Object.keys(treeOf(folder)).filter((name) => name.startsWith('file-'))).toHaveLength(1);
		expect(readFileSync(join(folder, entry.files[0]?.name ?? '')).equals(readFileSync(session.path))).toBe(true);
	});

	it('what a client cut or overwrote is kept as it was before too', async () => {
		const session = load('cline/3.0.65/text');
		const before = readFileSync(session.path, 'utf8');
		await keepSession(session, scratch.machine);
		writeFileSync(session.path, '{"version":1,"messages":[]}\n');
		const { entry } = await keepSession(session, scratch.machine);
		expect(entry.older).toHaveLength(1);
		const old = join(entryFolder(scratch.machine, entry.key), entry.older[0]?.name ?? '');
		expect(readFileSync(old, 'utf8')).toBe(before);
	});

	it('a linked file that was replaced by another keeps both', async () => {
		const session = load('claude-code/2.1.29/interactive-edit');
		const before = readFileSync(session.path);
		await keepSession(session, scratch.machine);
		rmSync(session.path);
		writeFileSync(session.path, Buffer.concat([before, before]));
		const { entry } = await keepSession(session, scratch.machine);
		expect(entry.older).toHaveLength(1);
		const kept = join(entryFolder(scratch.machine, entry.key), entry.older[0]?.name ?? '');
		expect(readFileSync(kept).equals(before)).toBe(true);
	});

	it('one that was relinked stays one entry, and comes back to its new place', async () => {
		const session = load('claude-code/2.1.325/subagents');
		await keepSession(session, scratch.machine);
		const to = scratch.folder('moved');
		await relink(planRelink(glance(session)?.cwd ?? '', to, scratch.machine), scratch.machine);
		await syncVault(scratch.machine);
		expect(listEntries(scratch.machine)).toHaveLength(1);
		const [moved] = [...discoverSessions(scratch.machine)];
		rmSync(dirname(moved?.path ?? ''), { recursive: true });
		const restored = await restoreFromVault(findEntry(scratch.machine, session.id), scratch.machine);
		expect(restored.every((path) => path.startsWith(dirname(moved?.path ?? '')))).toBe(true);
		expect(existsSync(moved?.path ?? '')).toBe(true);
	});
});

describe('restore', () => {
	it('never touches a file that is there', async () => {
		const session = load('claude-code/2.1.29/interactive-edit');
		const { entry } = await keepSession(session, scratch.machine);
		await expect(restoreFromVault(entry, scratch.machine)).rejects.toThrow('exists already');
		rmSync(session.path);
		const backup = entry.files.find((file) => file.role === 'backup')?.from ?? '';
		writeFileSync(backup, 'mine');
		const restored = await restoreFromVault(entry, scratch.machine);
		expect(restored).not.toContain(backup);
		expect(readFileSync(backup, 'utf8')).toBe('mine');
	});

	it('every file it puts back is young enough to live through the next clean-up', async () => {
		const session = load('claude-code/2.1.325/subagents');
		const { entry } = await keepSession(session, scratch.machine);
		for (const { from } of entry.files) {
			utimesSync(from, 1000, 1000);
			rmSync(from);
		}
		for (const path of await restoreFromVault(entry, scratch.machine)) {
			expect(Date.now() - statSync(path).mtimeMs, path).toBeLessThan(60_000);
		}
	});

	it('a planted link leads nothing elsewhere', async () => {
		const session = load('claude-code/2.1.325/subagents');
		const { entry } = await keepSession(session, scratch.machine);
		const outside = scratch.folder('outside');
		rmSync(dirname(session.path), { recursive: true });
		symlinkSync(outside, dirname(session.path));
		await expect(restoreFromVault(entry, scratch.machine)).rejects.toThrow('symbolic link');
		expect(treeOf(outside)).toEqual({});
	});
});

test('a session in a database is kept as lines, and is not written back into it', async () => {
	const session = load('openclaw/2026.9.6/text');
	const { entry } = await keepSession(session, scratch.machine);
	const copy = join(entryFolder(scratch.machine, entry.key), entry.files[0]?.name ?? '');
	expect(glance({ path: copy, format: 'openclaw' })?.id).toBe(session.id);
	await expect(restoreFromVault(entry, scratch.machine)).rejects.toThrow(copy);
	expect((await keepSession(session, scratch.machine)).changed).toBe(0);
});

test('the same id in two places is two entries', async () => {
	const session = load('claude-code/2.1.29/interactive-edit');
	const twin = join(dirname(dirname(session.path)), '-other', basename(session.path));
	mkdirSync(dirname(twin));
	cpSync(session.path, twin);
	for (const one of discoverSessions(scratch.machine)) await keepSession(one, scratch.machine);
	expect(listEntries(scratch.machine)).toHaveLength(2);
	expect(() => findEntry(scratch.machine, session.id)).toThrow('means 2 sessions');
	expect(lstatSync(twin).isFile()).toBe(true);
});
