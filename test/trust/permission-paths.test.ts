/** Paths are decided by their names and by where they lead, for tools and for commands. */
import type { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ClientStage, type Frame } from '../support/client.ts';
import { bash, put, read, settings, tryCalls, write } from '../support/permission-run.ts';

let stage: ClientStage;
let outside: string;
beforeEach(() => {
	stage = new ClientStage();
	outside = join(stage.cwd, '../outside');
	put(stage, '../outside/keep', '../outside/d/f', 'sub/f', '.env');
});
afterEach(() => stage[Symbol.dispose]());

const acceptEdits = ['--permission-mode', 'acceptEdits'] as const;
const untouched = (): boolean => readFileSync(join(outside, 'keep'), 'utf8') === 'as it was\n';

describe('links', () => {
	const link = (to: string, name: string): void => symlinkSync(to, stage.file(name));

	it('a link to a folder outside, a file in it, one that is yet to be made', async () => {
		link('../outside', 'folder');
		const { denied } = await tryCalls(
			stage,
			[
				read('folder/keep'),
				write('folder/new'),
				bash('touch folder/new'),
				bash('echo x > folder/keep'),
				bash('cat folder/keep'),
			],
			...acceptEdits,
		);
		expect(denied).toHaveLength(5);
		expect([untouched(), existsSync(join(outside, 'new'))]).toEqual([true, false]);
	});

	it('a link to a file outside', async () => {
		link('../outside/keep', 'file');
		const { denied } = await tryCalls(
			stage,
			[read('file'), write('file'), bash('echo x >> file'), bash('cp a.txt file'), bash('sed -i s/a/b/ file')],
			...acceptEdits,
		);
		expect(denied).toHaveLength(5);
		expect(untouched()).toBe(true);
	});

	it('a link to nothing, which writing would make', async () => {
		link('../outside/made', 'nowhere');
		const { denied } = await tryCalls(
			stage,
			[write('nowhere'), bash('echo x > nowhere'), bash('touch nowhere')],
			...acceptEdits,
		);
		expect(denied).toHaveLength(3);
		expect(existsSync(join(outside, 'made'))).toBe(false);
	});

	it('a link through a link, and the way up behind one', async () => {
		link('../outside/d', 'one');
		link('one', 'two');
		const { denied } = await tryCalls(
			stage,
			[read('two/f'), bash('touch two/../up'), bash('cat two/../keep'), bash('cd two && touch x')],
			...acceptEdits,
		);
		expect(denied).toHaveLength(4);
		expect([existsSync(join(outside, 'up')), existsSync(join(outside, 'd/x'))]).toEqual([false, false]);
	});

	it('a name in a folder that something is copied into', async () => {
		mkdirSync(stage.file('into'));
		link('../../outside/keep', 'into/a.txt');
		const { denied } = await tryCalls(stage, [bash('cp a.txt into'), bash('cp a.txt into/')], ...acceptEdits);
		expect(denied).toHaveLength(2);
		expect(untouched()).toBe(true);
	});

	it('a link to what a rule denies is denied, and so is a pattern that matches it', async () => {
		link('.env', 'harmless');
		const { denied } = await tryCalls(
			stage,
			[read('harmless'), bash('cat harmless'), bash('cat harm*'), bash('cat .e*'), read('sub/../.env')],
			'--allowedTools',
			'Bash',
			'Read',
			'--disallowedTools',
			'Read(.env)',
		);
		expect(denied).toHaveLength(5);
	});

	it('a loop of links is not followed', async () => {
		link('b', 'a');
		link('a', 'b');
		expect((await tryCalls(stage, [write('a/x'), bash('touch a/x')], ...acceptEdits)).denied).toHaveLength(2);
	});

	it('a link that is changed while the user is asked does not lead elsewhere', async () => {
		link('sub', 'moving');
		const script = stage.script([
			{ content: [{ type: 'tool_use', ...write('moving/new') }] },
			{ content: [{ type: 'tool_use', ...read('moving/f') }] },
			{ text: 'done' },
		]);
		const args = [
			'-p',
			'--script',
			script,
			'--input-format',
			'stream-json',
			'--output-format',
			'stream-json',
			'--verbose',
			'--permission-prompt-tool',
			'stdio',
		];
		const frames = await drive(args, () => {
			rmSync(stage.file('moving'));
			symlinkSync('../outside', stage.file('moving'));
		});
		expect(existsSync(join(outside, 'new'))).toBe(false);
		expect(existsSync(stage.file('sub/new'))).toBe(false);
		expect(JSON.stringify(frames)).toContain('leads elsewhere');
	});

	/** Answers every question with yes, after `before`. */
	async function drive(args: readonly string[], before: () => void): Promise<readonly Frame[]> {
		const child: ReturnType<typeof spawn> & { stdin: NodeJS.WritableStream; stdout: NodeJS.ReadableStream } =
			stage.start(args);
		child.stdin.write(`${JSON.stringify({ type: 'user', message: { role: 'user', content: 'go' } })}\n`);
		const frames: Frame[] = [];
		for await (const line of createInterface({ input: child.stdout })) {
			const frame = JSON.parse(line) as Frame & { readonly request_id?: string };
			frames.push(frame);
			if (frame.type === 'control_request') {
				before();
				const response = { subtype: 'success', request_id: frame.request_id, response: { behavior: 'allow' } };
				child.stdin.write(`${JSON.stringify({ type: 'control_response', response })}\n`);
			}
			if (frame.type === 'result') child.stdin.end();
		}
		return frames;
	}
});

describe('patterns', () => {
	it('start in the project, in the settings’ folder, at home or at the root, as they say', async () => {
		settings(stage, 'user', {
			allow: ['Edit(./one/**)', 'Edit(~/two/**)', `Edit(/${outside}/three/**)`, 'Edit(*.md)', 'Read(/four/**)'],
		});
		put(stage, '../home/.claude/four/f', '../home/four/f');
		const allowed = [
			write('one/a'),
			write(join(stage.home, 'two/a')),
			write(join(outside, 'three/a')),
			write('deep/x.md'),
			read(join(stage.home, '.claude/four/f')),
			bash('echo x > one/b'),
		];
		const asked = [
			write('x/one/a'),
			write('two/a'),
			write(join(outside, 'x.md')),
			read(join(stage.home, 'four/f')),
			write('x.txt'),
			bash('touch one/c'),
		];
		const { denied } = await tryCalls(stage, [...allowed, ...asked]);
		expect(denied).toEqual(asked.map(({ input }) => input));
	});

	it('that deny hold for every way to write', async () => {
		put(stage, 'locked/f', 'x/locked/f');
		const calls = [
			write('locked/a'),
			write('x/locked/a'),
			bash('echo x > locked/f'),
			bash('touch locked/a'),
			bash('cp a.txt locked/f'),
			bash('mv a.txt locked/f'),
			bash('rm locked/f'),
			bash('echo x | tee locked/f'),
			bash("sed -i 's/as/AS/' locked/f"),
			bash('cd locked && touch a'),
			bash("bash -c 'rm locked/f'"),
		];
		const { denied } = await tryCalls(
			stage,
			calls,
			'--permission-mode',
			'bypassPermissions',
			'--disallowedTools',
			'Edit(locked/**)',
		);
		expect(denied).toHaveLength(calls.length);
		expect(readFileSync(stage.file('locked/f'), 'utf8')).toBe('as it was\n');
	});

	it('what may not be read may not be written', async () => {
		const { denied } = await tryCalls(
			stage,
			[write('.env'), write('sub/.env'), write('.env.local')],
			...acceptEdits,
			'--disallowedTools',
			'Read(.env)',
		);
		expect(denied).toHaveLength(2);
	});
});
