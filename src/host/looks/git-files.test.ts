/** Looking at what git knows of a folder runs no program that the folder names. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { scratchMachine } from '../../../test/support/scratch.ts';
import { touchedFiles } from './git-files.ts';

it('a submodule that names a filter for its files is not looked into', async () => {
	using scratch = scratchMachine();
	const inner = scratch.folder('inner');
	const folder = scratch.folder('project');
	const git = (cwd: string, ...args: readonly string[]) =>
		execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd, stdio: 'pipe' });
	for (const cwd of [inner, folder]) {
		git(cwd, 'init', '-q');
		writeFileSync(join(cwd, 'file'), 'one\n');
		git(cwd, 'add', '.');
		git(cwd, 'commit', '-qm', 'one');
	}
	git(folder, '-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', inner, 'part');
	git(folder, 'commit', '-qm', 'two');
	const canary = join(scratch.root, 'canary');
	const program = join(scratch.root, 'program');
	writeFileSync(program, `#!/bin/sh\ntouch '${canary}'\ncat\n`);
	chmodSync(program, 0o755);
	const part = join(folder, 'part');
	git(part, 'config', 'filter.theirs.clean', program);
	writeFileSync(join(part, '.gitattributes'), '* filter=theirs\n');
	utimesSync(join(part, 'file'), 1, 1);
	writeFileSync(join(folder, 'file'), 'two\n');
	expect(await touchedFiles(folder, false)).toEqual(new Set(['file']));
	expect(existsSync(canary)).toBe(false);
	git(folder, 'diff-files', '--name-only');
	expect(existsSync(canary)).toBe(true);
});
