/** A checkout that has moved on since it was built says so; nothing else does. */
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Scratch, scratchMachine } from '../support/scratch.ts';

const root = join(import.meta.dirname, '../..');

let scratch: Scratch;
let checkout: string;
beforeEach(() => {
	scratch = scratchMachine();
	checkout = scratch.folder('checkout');
	for (const path of ['bin', 'dist/cli', 'src', 'package.json']) {
		cpSync(join(root, path), join(checkout, path), { recursive: true, preserveTimestamps: true });
	}
	symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'));
});
afterEach(() => scratch[Symbol.dispose]());

const run = (...args: readonly string[]) => {
	const env = { ...process.env, ...scratch.machine.env, HOME: scratch.home };
	const { status, stdout, stderr } = spawnSync(process.execPath, [join(checkout, 'bin/reprise.js'), ...args], {
		cwd: scratch.root,
		env,
		encoding: 'utf8',
	});
	return { code: status, out: stdout, err: stderr };
};

const source = () => join(checkout, 'src/cli/commands/ls.ts');
const said = () => `Reprise's sources have changed since it was built: run "npm run build" in ${checkout}/\n`;
const silent = { code: 0, out: '{\n  "sessions": []\n}\n', err: '' };

describe('a build that is not of these sources', () => {
	it.each<readonly [string, () => void]>([
		['a source changed', () => writeFileSync(source(), `${readFileSync(source(), 'utf8')}// more\n`)],
		[
			'a source changed and is as long as before',
			() => writeFileSync(source(), readFileSync(source(), 'utf8').replace('a', 'b')),
		],
		['a source is gone', () => rmSync(source())],
		['it was built before builds were told apart', () => rmSync(join(checkout, 'dist/cli/sources.json'))],
	])('runs and says so in one line: %s', (_, change) => {
		change();
		expect(run('ls', '--json')).toEqual({ ...silent, err: said() });
	});

	it('is not spoken of where only the version is asked for', () => {
		rmSync(source());
		expect(run('--version')).toMatchObject({ code: 0, err: '' });
	});
});

describe('a build is of these sources', () => {
	it.each<readonly [string, () => void]>([
		['nothing happened', () => undefined],
		['git wrote a file again as it was', () => writeFileSync(source(), readFileSync(source()))],
		['only a test changed', () => writeFileSync(join(checkout, 'src/terminal/width.test.ts'), '')],
		['it is installed, without sources', () => rmSync(join(checkout, 'src'), { recursive: true })],
	])('and nothing is said: %s', (_, change) => {
		change();
		expect(run('ls', '--json')).toEqual(silent);
	});
});
