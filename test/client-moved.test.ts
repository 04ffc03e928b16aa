/** A session whose project was moved: the files that moved along were not deleted. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { Scratch } from './support/sessions.ts';

// Several processes are started.
vi.setConfig({ testTimeout: 60_000 });
const bin = join(import.meta.dirname, '../bin/reprise.js');

it('files that moved with their project are not called deleted, those that are gone are', () => {
	using scratch = new Scratch();
	const root = realpathSync(scratch.folder);
	const [old, now] = [join(root, 'old'), join(root, 'now')];
	mkdirSync(old);
	for (const name of ['kept.txt', 'gone.txt']) writeFileSync(join(old, name), 'text\n');
	const reads = ['kept.txt', 'gone.txt'].map((name) => {
		return { content: [{ type: 'tool_use', name: 'Read', input: { file_path: join(old, name) } }] };
	});
	const script = join(root, 'script.json');
	const run = (cwd: string, ...args: readonly string[]): { status: number | null; stdout: string; stderr: string } => {
		const env = { PATH: process.env.PATH, HOME: root, REPRISE_HOME: join(root, 'own') };
		return spawnSync(process.execPath, [bin, ...args], { cwd, encoding: 'utf8', env });
	};
	writeFileSync(script, JSON.stringify([...reads, { text: 'read' }]));
	expect(run(old, '-p', 'read both', '--script', script)).toMatchObject({ status: 0, stdout: 'read\n' });
	renameSync(old, now);
	rmSync(join(now, 'gone.txt'));
	expect(run(now, 'relink', old, now)).toMatchObject({ status: 0 });
	const { changedFiles } = JSON.parse(run(now, 'resume', 'last', '--check', '--json').stdout) as {
		changedFiles: readonly { path: string; change: string }[];
	};
	expect(changedFiles.map(({ path, change }) => [path, change])).toEqual([[join(old, 'gone.txt'), 'deleted']]);
	writeFileSync(script, JSON.stringify([{ text: 'on' }]));
	const { stdout, stderr } = run(now, '-c', '-p', 'go on', '--script', script);
	expect(stdout).toBe('on\n');
	expect(stderr).toContain('gone.txt was deleted since');
	expect(stderr).not.toContain('kept.txt');
});
