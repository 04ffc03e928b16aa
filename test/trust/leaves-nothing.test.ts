/** A run of the tests that leaves something behind fails: the watch over all of them is itself watched. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

const watch = join(import.meta.dirname, '../support/leaves-nothing.ts');

/** Runs `work` as if it were all the tests, on a machine of its own. */
function testRun(work: string): {
	readonly code: number | null;
	readonly err: string;
	readonly left: readonly string[];
} {
	const machine = mkdtempSync(join(tmpdir(), 'reprise-watch-'));
	onTestFinished(() => rmSync(machine, { recursive: true, force: true }));
	const env = { PATH: process.env.PATH, TMPDIR: join(machine, 'var/tmp'), HOME: join(machine, 'home') };
	for (const folder of [env.TMPDIR, env.HOME]) mkdirSync(folder, { recursive: true });
	const program = `
		import { mkdirSync, writeFileSync } from 'node:fs';
		import watch from ${JSON.stringify(watch)};
		const outside = process.env.TMPDIR;
		const end = watch();
		${work}
		end();
	`;
	const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', program];
	const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
	return { code: status, err: stderr, left: readdirSync(env.TMPDIR) };
}

it('a run that leaves nothing passes, and its scratch folder is gone', () => {
	expect(testRun('')).toEqual({ code: 0, err: '', left: [] });
	expect(testRun('mkdirSync(process.env.HOME + "/.npm");')).toEqual({ code: 0, err: '', left: [] });
});

it.each([
	['a file in the temporary folder', 'writeFileSync(process.env.TMPDIR + "/x", "");', 'temporary folder: x'],
	['an empty folder there', 'mkdirSync(process.env.TMPDIR + "/empty");', 'temporary folder: empty'],
	['something in the home', 'mkdirSync(process.env.HOME + "/.reprise");', 'home: .reprise'],
	['copies of files beside the scratch folder', 'mkdirSync(outside + "/file-history");', 'var/tmp/file-history'],
	['copies of files further up', 'mkdirSync(outside + "/../file-history");', 'var/file-history'],
])('%s fails the run and is named', (_, work, named) => {
	const { code, err } = testRun(work);
	expect(code).not.toBe(0);
	expect(err).toContain('the tests have left something behind');
	expect(err).toContain(named);
});
