/** `reprise replay` does what a session says only when its user agrees, and in a copy of the project. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ClientStage } from '../support/client.ts';
import { settings } from '../support/permission-run.ts';
import { hasTerminals, Terminal } from '../support/terminal.ts';

let stage: ClientStage;
/** A place that no replay may touch. */
let outside: string;
beforeEach(() => {
	stage = new ClientStage();
	outside = mkdtempSync(join(tmpdir(), 'reprise-outside-'));
	writeFileSync(join(outside, 'secret.txt'), 'SECRET\n');
	mkdirSync(stage.file('src'));
	writeFileSync(stage.file('src/a.txt'), 'a\n');
});
afterEach(() => {
	stage[Symbol.dispose]();
	rmSync(outside, { recursive: true, force: true });
});

type Call = readonly [name: string, input: { readonly [key: string]: unknown }];

/** A session in Claude Code's format that somebody sent: it has made these calls in this folder. */
function session(calls: readonly Call[], cwd: string = stage.cwd): string {
	const id = 'c1a0de00-5e55-4000-8000-00000000c0de';
	const common = {
		isSidechain: false,
		userType: 'external',
		cwd,
		sessionId: id,
		version: '2.1.325',
		gitBranch: 'main',
	};
	const uuid = (n: number) => `5e5510a0-0000-4000-8000-${String(n).padStart(12, '0')}`;
	const time = (n: number) => new Date(1772442000000 + n * 1000).toISOString();
	const message = (n: number, type: string, said: object) =>
		JSON.stringify({
			parentUuid: n === 1 ? null : uuid(n - 1),
			...common,
			type,
			message: said,
			uuid: uuid(n),
			timestamp: time(n),
		});
	const lines = [message(1, 'user', { role: 'user', content: 'go' })];
	for (const [index, [name, input]] of calls.entries()) {
		const call = `toolu_${index}`;
		const content = [{ type: 'tool_use', id: call, name, input }];
		const usage = { input_tokens: 1, output_tokens: 1 };
		const reply = {
			model: 'm',
			id: `msg_${index}`,
			type: 'message',
			role: 'assistant',
			content,
			stop_reason: 'tool_use',
			usage,
		};
		lines.push(message(lines.length + 1, 'assistant', reply));
		const result = [{ type: 'tool_result', tool_use_id: call, content: 'as recorded' }];
		lines.push(message(lines.length + 1, 'user', { role: 'user', content: result }));
	}
	const path = join(stage.home, 'sent.jsonl');
	writeFileSync(path, `${lines.join('\n')}\n`);
	return path;
}

const run = (...args: readonly string[]) => stage.run(['replay', ...args]);
const replayed = async (...args: readonly string[]) => {
	const { out, err } = await run(...args, '--yes', '--json');
	if (out === '') throw new Error(err);
	return JSON.parse(out) as { refused: { tool: string; reason: string }[]; same: number; different: number };
};

describe('before anything is run', () => {
	it('a script has to say that it agrees: without a terminal and --yes nothing is run', async () => {
		const canary = join(outside, 'canary');
		const { code, err, out } = await run(session([['Bash', { command: `touch ${canary}` }]]));
		expect({ code, out }).toEqual({ code: 2, out: '' });
		expect(err).toMatch(
			/ {2}run {4}touch .*canary\nreprise: replay runs what was recorded \(1 command, 0 changes of files\) and asks first: add --yes to agree .*\n$/,
		);
		expect(existsSync(canary)).toBe(false);
	});

	it('a session that only reads needs no question', async () => {
		const { code, err } = await run(session([['Read', { file_path: stage.file('src/a.txt') }]]), '--json');
		expect({ code, err }).toEqual({ code: 1, err: '' }); // it reads something else than was recorded
	});

	it.runIf(hasTerminals).each([
		['n', false],
		['y', true],
	])('the user sees every command and file as a whole, and %s decides', (answer, runs) => {
		const canary = join(outside, 'canary');
		const command = `touch ${canary}\necho ${'long '.repeat(60)}end\u001b[2J`;
		const path = session([
			['Bash', { command }],
			['Write', { file_path: stage.file('new.txt'), content: 'x' }],
			['Write', { file_path: join(outside, 'planted.txt'), content: 'x' }],
		]);
		const bin = join(import.meta.dirname, '../../bin/reprise.js');
		const line = `'${process.execPath}' '${bin}' replay '${path}'`;
		const env = { ...process.env, ...stage.env };
		const { stdout } = spawnSync('script', ['-qec', line, '/dev/null'], {
			encoding: 'utf8',
			env,
			cwd: stage.cwd,
			input: `${answer}\n`,
		});
		const shown = stdout.replaceAll('\r\n', '\n');
		expect(shown).toContain(`In a copy of ${stage.cwd} this will be done again`);
		expect(shown).toContain(`run    touch ${canary}`);
		expect(shown).toContain('long end\\x1b[2J');
		expect(shown).toMatch(/write {2}\S+new\.txt/);
		expect(shown).toMatch(/not done {2}Write: \S+planted\.txt is outside of the project/);
		expect(shown).toContain('not confined');
		expect(existsSync(canary)).toBe(runs);
	});

	it.each([
		['the root', '/'],
		['the folder for temporary files', tmpdir()],
		['what holds every home', join(homedir(), '..')],
	])('a session whose folder is %s is refused', async (_, cwd) => {
		const { code, err } = await run(session([['Bash', { command: 'true' }]], cwd), '--yes');
		expect(code).toBe(1);
		expect(err).toContain('is not a project’s folder: nothing was copied or run');
	});

	it('a session whose folder is the user’s home is refused', async () => {
		const { code, err } = await run(session([['Bash', { command: 'true' }]], stage.home), '--yes');
		expect(code).toBe(1);
		expect(err).toContain('is not a project’s folder');
	});
});

describe('what is done', () => {
	it('happens in the copy: the project and everything outside stay as they are', async () => {
		const wanted: readonly Call[] = [
			['Read', { file_path: stage.file('src/a.txt') }],
			['Write', { file_path: stage.file('new.txt'), content: 'x' }],
			['Bash', { command: `echo more >> ${stage.file('src/a.txt')}; pwd > where; echo $HOME >> where` }],
		];
		const keep = await stage.run(['replay', session(wanted), '--yes', '--json', '--keep']);
		const { scratch } = JSON.parse(keep.out) as { scratch: string };
		try {
			expect(readFileSync(stage.file('src/a.txt'), 'utf8')).toBe('a\n');
			expect(existsSync(stage.file('new.txt'))).toBe(false);
			expect(readFileSync(join(scratch, 'src/a.txt'), 'utf8')).toBe('a\nmore\n');
			expect(existsSync(join(scratch, 'new.txt'))).toBe(true);
			expect(readFileSync(join(scratch, 'where'), 'utf8')).toBe(`${scratch}\n${scratch}\n`);
		} finally {
			rmSync(join(scratch, '..'), { recursive: true, force: true });
		}
	});

	it('paths outside of the project are refused, by name, by .. and by links', async () => {
		symlinkSync(outside, stage.file('linked'));
		symlinkSync(join(outside, 'secret.txt'), stage.file('secret.txt'));
		const planted = join(outside, 'planted.txt');
		const calls: readonly Call[] = [
			['Write', { file_path: planted, content: 'x' }],
			['Write', { file_path: `${stage.cwd}/../${'../'.repeat(9)}${planted}`, content: 'x' }],
			['Write', { file_path: 'linked/planted.txt', content: 'x' }],
			['Write', { file_path: `${stage.cwd}2/planted.txt`, content: 'x' }],
			['Read', { file_path: join(outside, 'secret.txt') }],
			['Read', { file_path: stage.file('secret.txt') }],
			['Edit', { file_path: stage.file('secret.txt'), old_string: 'SECRET', new_string: 'x' }],
		];
		const { refused, same } = await replayed(session(calls));
		expect(refused).toHaveLength(calls.length);
		expect(same).toBe(0);
		expect(existsSync(planted)).toBe(false);
		expect(existsSync(`${stage.cwd}2`)).toBe(false);
		expect(readFileSync(join(outside, 'secret.txt'), 'utf8')).toBe('SECRET\n');
		expect(JSON.stringify(refused)).not.toContain('SECRET');
	});

	it('deny rules hold, whatever was agreed to', async () => {
		const canary = join(outside, 'canary');
		const path = session([
			['Bash', { command: `touch ${canary}` }],
			['Write', { file_path: stage.file('new.txt'), content: 'x' }],
		]);
		const { refused } = await replayed(path, '--disallowedTools', 'Bash(touch:*)', 'Write');
		expect(refused.map(({ tool }) => tool)).toEqual(['Bash', 'Write']);
		expect(existsSync(canary)).toBe(false);
	});

	it('recorded commands do not see keys of the environment', async () => {
		const leak = join(outside, 'leak');
		const path = session([['Bash', { command: `echo "<$ANTHROPIC_API_KEY$MY_TOKEN>" > ${leak}` }]]);
		const env = { ANTHROPIC_API_KEY: 'sk-ant-secret', MY_TOKEN: 'token-secret' };
		await stage.run(['replay', path, '--yes'], { env });
		expect(readFileSync(leak, 'utf8')).toBe('<>\n');
	});
});

describe.runIf(hasTerminals)('somebody who agrees to everything on a terminal', () => {
	async function agrees(path: string): Promise<string> {
		await using terminal = new Terminal(stage, ['replay', path]);
		terminal.type('y\n');
		await terminal.end();
		return terminal.text;
	}

	it('has nothing written to the paths that were recorded', async () => {
		const paths = [join(outside, 'planted.txt'), stage.file('new.txt'), stage.file('src/new.txt')];
		await agrees(session(paths.map((file_path) => ['Write', { file_path, content: 'x' }] as const)));
		expect(paths.filter((path) => existsSync(path))).toEqual([]);
	});

	it('has commands start in the copy, which is their home, and hears that they are not confined', async () => {
		const told = join(outside, 'told');
		const said = await agrees(session([['Bash', { command: `pwd > ${told}; echo "$HOME" >> ${told}` }]]));
		const [folder, home] = readFileSync(told, 'utf8').split('\n');
		expect(home).toBe(folder);
		expect([stage.cwd, stage.home]).not.toContain(home);
		expect(said).toContain('not confined');
	});

	it('is still protected by the rules that deny in the own settings', async () => {
		const canary = join(outside, 'canary');
		settings(stage, 'user', { deny: ['Bash(touch:*)'] });
		await agrees(session([['Bash', { command: `touch ${canary}` }]]));
		expect(existsSync(canary)).toBe(false);
	});

	it.each(['/', tmpdir()])('hears in one line that %s is not copied', async (cwd) => {
		const said = await agrees(session([['Bash', { command: 'true' }]], cwd));
		expect(said.replaceAll(/\s+/g, ' ')).toContain('is not a project’s folder: nothing was copied or run');
		expect(said).not.toMatch(/^ +at /m);
	});
});
