/** A run of the tests may leave nothing behind: not in the system's temporary folder, not in the home. */
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';

/** What other programs put into a home while tests run them, none of it ours. */
const others: ReadonlySet<string> = new Set(['.cache', '.npm', '.config']);

/** Called once before all tests; what it returns is called after them. */
export default function setup(): () => void {
	const around = realpathSync(tmpdir());
	const before = new Set([...strayFolders(around), ...strayFolders(dirname(around))]);
	const root = mkdtempSync(join(around, 'reprise-tests-'));
	const scratch = { tmp: join(root, 'tmp'), home: join(root, 'home'), compiled: join(root, 'compiled') };
	for (const folder of Object.values(scratch)) mkdirSync(folder);
	// As open as the system's own: some tests run the command as another user.
	chmodSync(root, 0o755);
	chmodSync(scratch.tmp, 0o1777);
	const real = { TMPDIR: process.env.TMPDIR, HOME: homedir() };
	// Every test that makes a folder makes it in here, so that what others do on this machine is not taken for ours.
	Object.assign(process.env, { TMPDIR: scratch.tmp, HOME: scratch.home, REPRISE_TESTS_COMPILED: scratch.compiled });
	return () => {
		const left = [
			...leftIn(scratch.tmp).map((name) => `temporary folder: ${name}`),
			...readdirSync(scratch.home)
				.filter((name) => !others.has(name))
				.map((name) => `home: ${name}`),
			...[...strayFolders(around), ...strayFolders(dirname(around))].filter((path) => !before.has(path)),
		];
		rmSync(root, { recursive: true, force: true });
		process.env.HOME = real.HOME;
		if (real.TMPDIR === undefined) delete process.env.TMPDIR;
		else process.env.TMPDIR = real.TMPDIR;
		if (left.length === 0) return;
		process.exitCode = 1;
		throw new Error(`the tests have left something behind:\n  ${left.join('\n  ')}`);
	};
}

/**
 * The files below a folder, and the empty folders in it. What Node compiled is none of them: a process that was stopped writes it as
 * its last act, which may be after its test has removed everything.
 */
function leftIn(folder: string): readonly string[] {
	const found = readdirSync(folder, { recursive: true, withFileTypes: true });
	const names = found.filter((item) => !item.isDirectory()).map((item) => join(item.parentPath, item.name));
	const empty = readdirSync(folder).filter((name) => !names.some((path) => path.startsWith(join(folder, name))));
	const ours = names.map((path) => relative(folder, path)).filter((path) => !/^[^/]+\/own\/compiled\//.test(path));
	return [...empty, ...ours];
}

/** The folders that side files of sessions are kept in, where no session could be. */
function strayFolders(folder: string): readonly string[] {
	return readdirSync(folder)
		.filter((name) => name === 'file-history' || name === 'tool-results')
		.map((name) => join(folder, name));
}
