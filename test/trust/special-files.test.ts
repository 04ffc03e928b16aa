/** Pipes, devices, endless files and links in the place of files: nothing hangs, nothing grows, nothing private is read. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ClientStage, type Ended } from '../support/client.ts';
import { treeOf } from '../support/scratch.ts';
import { sampleOf } from '../support/sessions.ts';

let stage: ClientStage;
beforeEach(() => {
	stage = new ClientStage();
});
afterEach(() => stage[Symbol.dispose]());

const hasPipes = process.platform !== 'win32';
const mostMegabytes = 150;

function pipe(path: string): string {
	mkdirSync(dirname(path), { recursive: true });
	execFileSync('mkfifo', [path]);
	return path;
}

/** Runs to the end, with how many megabytes it took; a command that hangs is ended and has no exit code. */
async function measured(args: readonly string[]): Promise<Ended & { readonly megabytes: number }> {
	const told = 'process.on("exit",()=>process._rawDebug("maxRSS="+process.resourceUsage().maxRSS))';
	const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(told)}` };
	const child = stage.start(args, env);
	const timer = setTimeout(() => child.kill('SIGKILL'), 30_000);
	let out = '';
	let err = '';
	child.stdout.on('data', (piece) => (out += String(piece)));
	child.stderr.on('data', (piece) => (err += String(piece)));
	child.stdin.end();
	const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
	clearTimeout(timer);
	return { code, out, err, megabytes: Number(/maxRSS=(\d+)/.exec(err)?.[1] ?? Number.NaN) / 1024 };
}

/** A session of Claude Code among the user's, whose sample text was changed. */
function session(change: (text: string) => string = (text) => text): string {
	const path = join(stage.home, '.claude/projects/-home-dev-notes/c1a0de00-5e55-4000-8000-00000000c0de.jsonl');
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, change(readFileSync(sampleOf['claude-code'], 'utf8')));
	return path;
}

describe.runIf(hasPipes)('a pipe that is named like a session', () => {
	const commands = [
		['ls', '--all'],
		['cost', '--all'],
		['search', '--all', 'parser'],
		['stats', '--all'],
		['vault', 'add', '--all'],
		['show', 'last'],
	];
	it.each(commands)('does not hang %s %s', async (...args) => {
		session();
		for (const name of [
			'.claude/projects/-home-dev-notes',
			'.local/share/clido/sessions/_x',
			'.pi/agent/sessions/--x--',
		]) {
			pipe(join(stage.home, name, 'pipe.jsonl'));
			symlinkSync('pipe.jsonl', join(stage.home, name, 'linked.jsonl'));
		}
		pipe(join(stage.home, '.cline/data/sessions/s/s.messages.json'));
		pipe(join(stage.home, '.openclaw/agents/main/agent/openclaw-agent.sqlite'));
		pipe(join(stage.home, '.claude/projects/-home-dev-notes/c1a0de00-5e55-4000-8000-00000000c0de/tool-results/a.txt'));
		const { code, megabytes } = await measured(args);
		expect(code).not.toBeNull();
		expect(megabytes).toBeLessThan(mostMegabytes);
	});

	it('is no session for a command that it is given to', async () => {
		const path = pipe(join(stage.home, 'pipe.jsonl'));
		for (const command of ['show', 'inspect', 'check', 'context', 'repair', 'fork']) {
			const { code, err } = await measured([command, path]);
			expect({ command, code }).toEqual({ command, code: 1 });
			expect(err).toContain('not a regular file');
		}
	});

	it('does not hang a prompt when it is the project’s instructions, its .git or a file that the model reads', async () => {
		pipe(stage.file('AGENTS.md'));
		pipe(stage.file('.git'));
		pipe(stage.file('notes.txt'));
		const turns = [
			{ content: [{ type: 'tool_use' as const, name: 'Read', input: { file_path: 'notes.txt' } }] },
			{ text: 'done' },
		];
		const { code, out } = await measured(['-p', 'go', '--script', stage.script(turns)]);
		expect({ code, out }).toEqual({ code: 0, out: 'done\n' });
	});
});

describe('a session that has “read”', () => {
	/** The sample as Claude Code writes it, with the content that was read: only then is the file looked at again. */
	const reading =
		(filePath: string) =>
		(text: string): string => {
			const file = { filePath, content: 'x\n', numLines: 2, startLine: 1, totalLines: 2 };
			const details = `{"toolUseResult":${JSON.stringify({ type: 'text', file })},`;
			return text
				.replaceAll('/home/dev/notes/src/parse.ts', filePath)
				.replaceAll(/^\{(?=.*"tool_use_id":"toolu_sample_1")/gm, () => details);
		};

	it('a file is told when it has changed since', async () => {
		const file = stage.file('changed.txt');
		writeFileSync(file, 'y\n');
		const path = session(reading(file));
		const { err } = await stage.run(['-p', 'go on', '-r', path, '--script', stage.script([{ text: 'on' }])]);
		expect(err).toContain(`${file} was edited since`);
	});

	it.runIf(process.platform === 'linux').each(['/dev/zero', '/dev/urandom', '/proc/kmsg'])(
		'%s is resumed without reading it',
		async (device) => {
			const path = session(reading(device));
			const { code, out, megabytes } = await measured([
				'-p',
				'go on',
				'-r',
				path,
				'--script',
				stage.script([{ text: 'on' }]),
			]);
			expect({ code, out }).toEqual({ code: 0, out: 'on\n' });
			expect(megabytes).toBeLessThan(mostMegabytes);
		},
	);

	it('a file of a terabyte is resumed at once', async () => {
		const large = stage.file('large.bin');
		writeFileSync(large, '');
		truncateSync(large, 2 ** 40);
		const path = session(reading(large));
		const { code, megabytes } = await measured(['-p', 'go on', '-r', path, '--script', stage.script([{ text: 'on' }])]);
		expect(code).toBe(0);
		expect(megabytes).toBeLessThan(mostMegabytes);
	});
});

describe('instructions', () => {
	/** Says whether the request held what it must not hold. */
	const watching = (word: string): string =>
		stage.script([{ when: { system: word }, text: 'it was sent' }, { text: 'it was not sent' }]);

	it('that are a link out of the project are not sent, and that is said', async () => {
		const key = join(stage.home, 'id_ed25519');
		writeFileSync(key, 'PRIVATE-KEY-OF-MINE');
		// Without CLAUDE.md the other counts.
		for (const name of ['AGENTS.md', 'CLAUDE.md', '.claude/CLAUDE.md', '.claude/rules/a.md', 'CLAUDE.local.md']) {
			mkdirSync(dirname(stage.file(name)), { recursive: true });
			symlinkSync(key, stage.file(name));
			const { out, err } = await stage.run(['-p', 'go', '--script', watching('PRIVATE-KEY-OF-MINE')]);
			expect(out).toBe('it was not sent\n');
			expect(err).toContain(`${stage.file(name)} is not sent: it is a link to ${key}, outside of the project`);
		}
	});

	it('that are a link inside the project are sent', async () => {
		mkdirSync(stage.file('docs'));
		writeFileSync(stage.file('docs/rules.md'), 'OUR-RULES');
		symlinkSync('docs/rules.md', stage.file('AGENTS.md'));
		const { out } = await stage.run(['-p', 'go', '--script', watching('OUR-RULES')]);
		expect(out).toBe('it was sent\n');
	});

	it('of any size are cut', async () => {
		writeFileSync(stage.file('AGENTS.md'), 'x');
		truncateSync(stage.file('AGENTS.md'), 2 ** 36);
		const { code, megabytes } = await measured(['-p', 'go', '--script', stage.script([{ text: 'ok' }])]);
		expect(code).toBe(0);
		expect(megabytes).toBeLessThan(mostMegabytes);
	});
});

describe('a link beside a session', () => {
	/** A session with a private file linked as a tool's output, as a sub-agent and as its whole folder of backups. */
	function withLinks(): string {
		const path = session();
		const key = join(stage.home, 'id_ed25519');
		writeFileSync(key, 'PRIVATE-KEY-OF-MINE');
		const folder = path.replace(/\.jsonl$/, '');
		mkdirSync(join(folder, 'tool-results'), { recursive: true });
		mkdirSync(join(folder, 'subagents'));
		symlinkSync(key, join(folder, 'tool-results', 'out.txt'));
		symlinkSync(path, join(folder, 'subagents', 'agent-evil.jsonl'));
		const backups = join(stage.home, '.claude/file-history');
		mkdirSync(backups);
		mkdirSync(join(stage.home, 'private'));
		cpSync(key, join(stage.home, 'private/key@v1'));
		symlinkSync(join(stage.home, 'private'), join(backups, 'c1a0de00-5e55-4000-8000-00000000c0de'));
		return path;
	}

	it.each([
		['copied', 'claude-code'],
		['converted', 'clido'],
		['converted', 'cline'],
	])('is not followed when the session is %s to %s, and is told as a loss', async (_, format) => {
		const path = withLinks();
		const { code, out } = await stage.run(['convert', path, '--to', format, '-o', 'OUT/', '--json']);
		expect(code).toBe(0);
		expect(Object.values(treeOf(stage.file('OUT'))).join('')).not.toContain('PRIVATE-KEY');
		expect(Object.values(treeOf(stage.own)).join('')).not.toContain('PRIVATE-KEY');
		expect(JSON.parse(out)).toMatchObject({
			losses: expect.arrayContaining([
				expect.objectContaining({ path: expect.stringContaining('out.txt'), how: 'dropped' }),
			]),
		});
	});

	it('is not followed by fork, hand-off, vault and show, and check names it', async () => {
		const path = withLinks();
		for (const args of [
			['fork', path],
			['handoff', path, '--to', 'clido'],
			['vault', 'add', path],
			['show', path, '--subagents'],
		]) {
			const { out, err } = await stage.run(args);
			expect(out + err).not.toContain('PRIVATE-KEY');
		}
		const copies = Object.entries(treeOf(stage.home)).filter(([, text]) => text.includes('PRIVATE-KEY'));
		const seenThroughTheLink = '.claude/file-history/c1a0de00-5e55-4000-8000-00000000c0de/key@v1';
		expect(copies.map(([name]) => name)).toEqual([seenThroughTheLink, 'id_ed25519', 'private/key@v1']);
		expect(Object.values(treeOf(stage.own)).join('')).not.toContain('PRIVATE-KEY');
		const { out } = await stage.run(['check', path]);
		expect(out).toMatch(/out\.txt is a link .* \[linked-file\]/);
	});

	it('a session that grows while it is read ends', async () => {
		const path = session();
		const timer = setInterval(() => appendFileSync(path, '{}\n'.repeat(1000)), 1);
		try {
			expect((await measured(['show', path])).code).toBe(0);
		} finally {
			clearInterval(timer);
		}
	});
});
