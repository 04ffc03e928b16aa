/** The examples in the documentation, as a user of the package has them: typed against what is installed, and run. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const scratch = mkdtempSync(join(tmpdir(), 'reprise-examples-'));
const installed = join(scratch, 'node_modules/reprise');
/** npm and the compiler would leave what they have compiled in the folder for temporary files. */
const env = { ...process.env, npm_config_cache: join(scratch, 'cache'), NODE_DISABLE_COMPILE_CACHE: '1' };
const examples = readdirSync(join(root, 'docs/examples')).filter((name) => name.endsWith('.ts'));

/** What npm would publish, put where npm would install it. Its dependencies are linked: nothing is fetched. */
beforeAll(() => {
	const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', scratch];
	execFileSync('npm', pack, { cwd: root, env });
	const [archive = ''] = readdirSync(scratch).filter((name) => name.endsWith('.tgz'));
	mkdirSync(installed, { recursive: true });
	execFileSync('tar', ['-xzf', join(scratch, archive), '-C', installed, '--strip-components', '1']);
	const { dependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
		dependencies: { readonly [name: string]: string };
	};
	for (const name of [...Object.keys(dependencies), '@types/node']) {
		const link = join(scratch, 'node_modules', name);
		mkdirSync(dirname(link), { recursive: true });
		symlinkSync(join(root, 'node_modules', name), link);
	}
	for (const name of examples) cpSync(join(root, 'docs/examples', name), join(scratch, name));
	writeFileSync(join(scratch, 'package.json'), '{ "type": "module" }');
}, 120_000);
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

it('the types of the installed package hold for every example', () => {
	const { compilerOptions } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')) as {
		compilerOptions: object;
	};
	writeFileSync(join(scratch, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
	const compiler = join(root, 'node_modules/typescript/bin/tsc');
	const run = () => execFileSync(process.execPath, [compiler, '-p', scratch], { encoding: 'utf8', env });
	expect(run()).toBe('');
}, 120_000);

const home = {
	PATH: process.env.PATH,
	HOME: scratch,
	REPRISE_HOME: join(scratch, 'own'),
	NODE_DISABLE_COMPILE_CACHE: '1',
};

it('a command of the installed package says nothing of sources and builds', () => {
	const bin = join(installed, 'bin/reprise.js');
	const args = [bin, 'inspect', join(installed, 'samples', readdirSync(join(installed, 'samples')).sort().at(0) ?? '')];
	const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env: home });
	expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

it.each(examples)('docs/examples/%s runs and says something', (name) => {
	// The samples that examples open come with the package.
	const out = execFileSync(process.execPath, [join(scratch, name)], { cwd: installed, encoding: 'utf8', env: home });
	expect(out.trim()).not.toBe('');
	expect(out).not.toMatch(/undefined|NaN|\[object/);
});

it('the example of a mirror stores every session of the machine, and nothing twice', () => {
	const there = join(scratch, 'machine');
	const projects = join(there, '.claude/projects/-home-dev-notes');
	mkdirSync(projects, { recursive: true });
	cpSync(join(root, 'samples/claude-code.jsonl'), join(projects, '11111111-1111-4111-8111-111111111111.jsonl'));
	const run = (to: string): string =>
		execFileSync(process.execPath, [join(scratch, 'mirror.ts'), to], {
			...{ cwd: installed, encoding: 'utf8', env: { ...home, HOME: there, REPRISE_HOME: join(there, 'own') } },
		});
	const stored = join(there, 'copy');
	expect(run(stored)).toMatch(/: [1-9]\d* new entries of 1 sessions/);
	expect(run(stored)).toContain(': 0 new entries of 0 sessions');
	expect(readdirSync(join(stored, '-home-dev-notes'))).toEqual(['11111111-1111-4111-8111-111111111111.jsonl']);
});

it('there is one example per door, and it goes through that door; any other is shown by the page of its name', () => {
	const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { exports: object };
	const doors = Object.keys(exports).filter((subpath) => !subpath.endsWith('.json'));
	const names = doors.map((subpath) => join('reprise', subpath));
	const textOf = (name: string): string => readFileSync(join(root, 'docs/examples', name), 'utf8');
	const ofDoors = names.map((name) => `${basename(name)}.ts`);
	expect(ofDoors.filter((name) => !examples.includes(name))).toEqual([]);
	expect(names.filter((name) => !textOf(`${basename(name)}.ts`).includes(`from '${name}'`))).toEqual([]);
	for (const name of examples.filter((one) => !ofDoors.includes(one))) {
		const page = readFileSync(join(root, 'docs', `${basename(name, '.ts')}.md`), 'utf8');
		expect(page).toContain(textOf(name).replace(/^\/\*\*.*\*\/\n/, ''));
	}
});
