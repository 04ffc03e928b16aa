/** `tail` as its users meet it: one session or all of them, for people and for programs. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
	appendFileSync,
	cpSync,
	mkdirSync,
	readFileSync,
	renameSync,
	rmSync,
	symlinkSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { type Scratch, scratchMachine } from './support/scratch.ts';
import { sampleOf } from './support/sessions.ts';

const bin = join(import.meta.dirname, '../bin/reprise.js');

class Tail implements AsyncDisposable {
	readonly child: ChildProcess;
	readonly #lines: AsyncIterator<string>;
	err = '';

	constructor(scratch: Scratch, ...args: readonly string[]) {
		this.child = spawn(process.execPath, [bin, 'tail', ...args], {
			cwd: scratch.root,
			env: { PATH: process.env.PATH, HOME: scratch.home, TZ: 'UTC', COLUMNS: '80', ...scratch.machine.env },
			stdio: ['ignore', 'pipe', 'pipe'],
		});
		this.child.stderr?.on('data', (piece) => {
			this.err += piece;
		});
		this.#lines = createInterface({ input: this.child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]();
	}

	async line(): Promise<string> {
		return (await this.#lines.next()).value as string;
	}

	async json(): Promise<{ readonly [key: string]: unknown }> {
		return JSON.parse(await this.line()) as { [key: string]: unknown };
	}

	/** The next line that is not empty. */
	async text(): Promise<string> {
		for (;;) {
			const line = await this.line();
			if (line !== '') return line;
		}
	}

	async interrupt(): Promise<number | null> {
		const ended = once(this.child, 'exit');
		this.child.kill('SIGINT');
		const [code] = (await ended) as [number | null];
		return code;
	}

	async [Symbol.asyncDispose](): Promise<void> {
		if (this.child.exitCode === null) this.child.kill('SIGKILL');
	}
}

function claudeSession(scratch: Scratch): string {
	const file = join(scratch.home, '.claude/projects/-home-dev-notes/c1a0de00-5e55-4000-8000-00000000c0de.jsonl');
	mkdirSync(dirname(file), { recursive: true });
	cpSync(sampleOf['claude-code'], file);
	return file;
}

const lines = {
	user: (uuid: string, content: unknown) =>
		`${JSON.stringify({ type: 'user', uuid, parentUuid: null, sessionId: 's', message: { role: 'user', content } })}\n`,
	call: (uuid: string, id: string) =>
		`${JSON.stringify({ type: 'assistant', uuid, parentUuid: null, sessionId: 's', message: { role: 'assistant', content: [{ type: 'tool_use', id, name: 'Bash', input: { command: 'npm test' } }] } })}\n`,
};

describe('tail', () => {
	it('of one session begins with its last entries, follows it and its sub-agents, and ends with 130', async () => {
		using scratch = scratchMachine();
		const file = claudeSession(scratch);
		await using tail = new Tail(scratch, 'c1a0de00', '-n', '1', '--json');
		const session = 'c1a0de00-5e55-4000-8000-00000000c0de';
		expect(await tail.json()).toMatchObject({
			event: 'session',
			session,
			agent: 'claude-code',
			path: file,
			cwd: '/home/dev/notes',
		});
		expect(await tail.json()).toMatchObject({ event: 'part', recent: true, kind: 'reply' });
		appendFileSync(file, lines.call('x1', 't1'));
		expect(await tail.json()).toMatchObject({
			event: 'part',
			session,
			kind: 'tool',
			open: true,
			subject: 'npm test',
			entry: 'x1',
		});
		appendFileSync(file, lines.user('x2', [{ type: 'tool_result', tool_use_id: 't1', content: 'all green' }]));
		expect(await tail.json()).toMatchObject({
			kind: 'tool',
			subject: 'npm test',
			output: 'all green',
			isError: false,
			entry: 'x2',
		});
		const agent = join(file.slice(0, -'.jsonl'.length), 'subagents/agent-abc1234.jsonl');
		mkdirSync(dirname(agent), { recursive: true });
		writeFileSync(
			agent,
			lines.user('a1', 'look around').replace('"type"', '"isSidechain":true,"agentId":"abc1234","type"'),
		);
		expect(await tail.json()).toMatchObject({ event: 'session', session, subagent: 'abc1234', path: agent });
		expect(await tail.json()).toMatchObject({
			event: 'part',
			session,
			subagent: 'abc1234',
			kind: 'prompt',
			text: 'look around',
		});
		rmSync(file);
		expect(await tail.json()).toMatchObject({ event: 'removed', session });
		expect(await tail.interrupt()).toBe(130);
		expect(tail.err).toBe('');
	});

	it('of all tells every project, this one alone of this one, and finds what appears', async () => {
		using scratch = scratchMachine();
		const file = claudeSession(scratch);
		const clido = (id: string, text: string) => {
			const folder = join(scratch.home, '.local/share/clido/sessions/p');
			mkdirSync(folder, { recursive: true });
			const meta = {
				type: 'meta',
				session_id: id,
				schema_version: 1,
				start_time: '2026-10-20T10:00:00Z',
				project_path: scratch.root,
			};
			const prompt = { type: 'user_message', role: 'user', content: [{ type: 'text', text }] };
			writeFileSync(join(folder, `${id}.jsonl`), `${JSON.stringify(meta)}\n${JSON.stringify(prompt)}\n`);
		};
		clido('n0', 'an old session');
		utimesSync(file, 1, 1);
		await using all = new Tail(scratch, '--all', '--json', '-n', '1');
		await using here = new Tail(scratch, '--json', '-n', '1');
		// The session that was used last comes first: soon after that everything is seen.
		for (const tail of [all, here]) {
			expect(await tail.json()).toMatchObject({ event: 'session', session: 'n0' });
			expect(await tail.json()).toMatchObject({ event: 'part', recent: true, text: 'an old session' });
		}
		await new Promise((done) => setTimeout(done, 300));
		clido('n1', 'a new session');
		for (const tail of [all, here]) {
			expect(await tail.json()).toMatchObject({ event: 'session', session: 'n1', agent: 'clido' });
			expect(await tail.json()).toMatchObject({
				event: 'part',
				kind: 'prompt',
				text: 'a new session',
				entry: 'line:2',
			});
		}
		appendFileSync(file, lines.user('x9', 'elsewhere'));
		expect(await all.json()).toMatchObject({ event: 'session', agent: 'claude-code' });
		expect(await all.json()).toMatchObject({ event: 'part', text: 'elsewhere' });
		expect(await here.interrupt()).toBe(130);
	});

	it('for people has a heading per session, and says when a file was replaced', async () => {
		using scratch = scratchMachine();
		const file = claudeSession(scratch);
		await using tail = new Tail(scratch, file, '-n', '1');
		expect(await tail.text()).toMatch(/^━━ claude-code · Why does the parser tes… \([-0-9a-f]{36}\)$/);
		expect(await tail.text()).toMatch(/^Good\./);
		await tail.text();
		appendFileSync(file, lines.user('x1', 'and **now**?'));
		expect(await tail.text()).toBe('❯ and **now**?');
		writeFileSync(`${file}.new`, readFileSync(sampleOf['claude-code']));
		renameSync(`${file}.new`, file);
		expect(await tail.text()).toBe('── the file was cut or replaced; it ends with: ──');
		expect(await tail.interrupt()).toBe(130);
	});

	it('of all follows the others when one cannot be read; of that one alone it ends', async () => {
		using scratch = scratchMachine();
		const file = claudeSession(scratch);
		const loop = join(dirname(file), 'loop.jsonl');
		symlinkSync('loop.jsonl', loop);
		await using tail = new Tail(scratch, '--all', '-n', '1', '--json');
		expect(await tail.json()).toMatchObject({ event: 'session', path: file });
		expect(await tail.json()).toMatchObject({ event: 'part', recent: true });
		appendFileSync(file, lines.user('x1', 'still there?'));
		expect(await tail.json()).toMatchObject({ event: 'part', kind: 'prompt', text: 'still there?' });
		expect(await tail.interrupt()).toBe(130);
		expect(tail.err.trimEnd().split('\n')).toEqual([expect.stringContaining(`not followed: cannot look at ${loop}`)]);

		await using alone = new Tail(scratch, 'loop');
		const [code] = (await once(alone.child, 'exit')) as [number | null];
		expect(code).toBe(3);
		expect(alone.err).toContain('loop.jsonl');
	});

	it('of no session at all is the input’s fault, and of none yet waits', async () => {
		using scratch = scratchMachine();
		await using missing = new Tail(scratch, 'nobody');
		const [code] = (await once(missing.child, 'exit')) as [number];
		expect(code).toBe(1);
		expect(missing.err).toContain('no session has the id');
		await using waiting = new Tail(scratch);
		while (waiting.err === '') await new Promise((done) => setTimeout(done, 20));
		expect(waiting.err).toMatch(/^reprise: following the sessions of .*Ctrl-C ends\n$/);
		expect(await waiting.interrupt()).toBe(130);
	});
});
