/** A new title is where each client looks for it, and nothing else changes. */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { scratchPerTest } from '../../../test/support/scratch-per-test.ts';
import { discoverSessions } from '../find/discover.ts';
import { glance } from '../reader/glance.ts';
import { openSession } from '../reader/session-reader.ts';
import { renameSession } from './rename.ts';
import { findTrashed, listTrash } from './trash.ts';

const scratch = scratchPerTest();
const load = (scenario: string): string => scratch.session(scenario).path;

const lines = [
	['claude-code/2.1.29/interactive-edit', 'customTitle'],
	['claude-code/2.1.325/interactive-edit', 'customTitle'],
	['clido/1.0.15/written-by-clido', 'title'],
	['openclaw/pi-0.73.1/parallel-tools', 'name'],
	['openclaw/pi-0.87.1/parallel-tools', 'name'],
	['openclaw/2026.7.1/text', 'name'],
] as const;

describe('line formats', () => {
	it.each(lines)('%s: one line is appended, and the client’s field has the title', async (scenario, field) => {
		const path = load(scenario);
		const before = readFileSync(path);
		const renamed = await renameSession(path, '  A “new”\n title ', scratch.machine);
		expect(renamed).toEqual({ title: 'A “new” title', file: path, how: 'append' });
		const after = readFileSync(path);
		expect(after.subarray(0, before.length).equals(before)).toBe(true);
		const added = after.subarray(before.length).toString('utf8');
		expect(added.match(/\n/g)).toHaveLength(1);
		expect(JSON.parse(added)).toMatchObject({ [field]: 'A “new” title' });
		expect((await openSession(path)).header.title).toBe('A “new” title');
		expect(listTrash(scratch.machine)).toEqual([]);
	});

	it('in a tree the line follows the last one, so the conversation goes on from where it was', async () => {
		const path = load('openclaw/pi-0.87.1/parallel-tools');
		const last = JSON.parse(readFileSync(path, 'utf8').trimEnd().split('\n').at(-1) ?? '') as { id: string };
		await renameSession(path, 'T', scratch.machine);
		const added = JSON.parse(readFileSync(path, 'utf8').trimEnd().split('\n').at(-1) ?? '') as object;
		expect(added).toMatchObject({ type: 'session_info', parentId: last.id });
	});

	it('a torn tail is ended first and stays', async () => {
		const path = load('claude-code/2.1.29/interactive-edit');
		appendFileSync(path, '{"type":"user","mess');
		const before = readFileSync(path, 'utf8');
		await renameSession(path, 'T', scratch.machine);
		const after = readFileSync(path, 'utf8');
		expect(after.startsWith(`${before}\n{"type":"custom-title"`)).toBe(true);
	});
});

it('a title that is longer than any list shows is refused, and nothing is written', async () => {
	const path = load('clido/1.0.15/written-by-clido');
	const before = readFileSync(path);
	await expect(renameSession(path, 'x'.repeat(1001), scratch.machine)).rejects.toThrow('at most 1000 characters');
	expect(readFileSync(path).equals(before)).toBe(true);
	for (const title of ['\u0001'.repeat(1000), '𝒳'.repeat(500)]) {
		await renameSession(path, title, scratch.machine);
		expect(glance({ path, format: 'clido' })?.title).toBe(title);
	}
});

describe('Cline', () => {
	it('the manifest changes in that one value, and its original is in the trash', async () => {
		const path = load('cline/3.0.65/text');
		const manifest = join(dirname(path), `${basename(path, '.messages.json')}.json`);
		const before = readFileSync(manifest, 'utf8');
		const messages = readFileSync(path);
		const renamed = await renameSession(path, 'New title', scratch.machine);
		expect(renamed).toMatchObject({ file: manifest, how: 'replace' });
		expect(renamed.note).toContain('db/sessions.db');
		const after = readFileSync(manifest, 'utf8');
		expect(after.replace('"New title"', '"Say hello"')).toBe(before);
		expect(readFileSync(path).equals(messages)).toBe(true);
		expect(glance({ path, format: 'cline' })?.title).toBe('New title');
		const kept = findTrashed(renamed.trash ?? '', scratch.machine);
		expect(kept).toMatchObject({ why: 'rename', session: { format: 'cline' }, files: [{ from: manifest }] });
		expect(readFileSync(join(scratch.own, 'trash', kept.id, 'file-0'), 'utf8')).toBe(before);
	});

	it('a manifest that is damaged or missing is left alone', async () => {
		const path = load('cline/3.0.65/text');
		const manifest = join(dirname(path), `${basename(path, '.messages.json')}.json`);
		writeFileSync(manifest, '{"version": 1, ');
		await expect(renameSession(path, 'T', scratch.machine)).rejects.toThrow('nothing was changed');
		expect(readFileSync(manifest, 'utf8')).toBe('{"version": 1, ');
		const lonely = join(scratch.root, 'lonely.messages.json');
		writeFileSync(lonely, readFileSync(path));
		await expect(renameSession(lonely, 'T', scratch.machine)).rejects.toThrow('no manifest beside it');
	});
});

test('what cannot hold a title says so', async () => {
	const bare = join(scratch.root, 'bare.jsonl');
	writeFileSync(bare, '{"role":"user","content":"hi","timestamp":1}\n');
	await expect(renameSession(bare, 'T', scratch.machine)).rejects.toThrow('cannot hold a title');
	expect(readFileSync(bare, 'utf8')).toBe('{"role":"user","content":"hi","timestamp":1}\n');
	await expect(renameSession(bare, ' \n', scratch.machine)).rejects.toThrow('at least one character');
	scratch.load('openclaw/2026.9.6/text');
	const [stored] = [...discoverSessions(scratch.machine)];
	await expect(renameSession(stored?.path ?? '', 'T', scratch.machine)).rejects.toThrow('client’s database');
});
