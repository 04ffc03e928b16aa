/** Commands and skills that the user and the project keep in files: what they become, what they may do, and what they leave in the session. */
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ScriptInput } from '../../src/providers/script.ts';
import { ClientStage, type Ended, framesIn } from '../support/client.ts';
import { startModelServer } from '../support/model-server.ts';
import { trust } from '../support/permission-run.ts';

interface Line {
	readonly type: string;
	readonly uuid?: string;
	readonly parentUuid?: string;
	readonly isMeta?: boolean;
	readonly message?: { readonly content: string | readonly { readonly type: string; readonly text?: string }[] };
	readonly toolUseResult?: unknown;
}

let stage: ClientStage;
beforeEach(() => {
	stage = new ClientStage();
	trust(stage);
});
afterEach(() => stage[Symbol.dispose]());

function file(path: string, text: string): string {
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, text);
	return path;
}

const command = (name: string, text: string): string => file(stage.file(`.claude/commands/${name}.md`), text);
const skill = (name: string, text: string): string => file(stage.file(`.claude/skills/${name}/SKILL.md`), text);
const session = (): string => join(stage.home, 'session.jsonl');

async function ask(prompt: string, script: ScriptInput = [{ text: 'done' }], ...flags: string[]): Promise<Ended> {
	return await stage.run(['-p', prompt, '--script', stage.script(script), '--session-file', session(), ...flags]);
}

const lines = (): readonly Line[] => framesIn(readFileSync(session(), 'utf8')) as readonly Line[];
const said = (): readonly Line[] => lines().filter(({ type, message }) => type === 'user' && message !== undefined);

function texts(line: Line | undefined): string {
	const content = line?.message?.content ?? '';
	return typeof content === 'string' ? content : content.map(({ text }) => text ?? '').join('');
}

const useSkill = (name: string, args?: string) => ({
	content: [
		{ type: 'tool_use' as const, name: 'Skill', input: { skill: name, ...(args === undefined ? {} : { args }) } },
	],
});

describe('a command', () => {
	it('is recorded with three tags, and what it stands for is a message that nobody typed, its child', async () => {
		command('greet', '---\ndescription: Greets\n---\nGreet $0, then $1: $ARGUMENTS.\n');
		expect(await ask('/greet Ann "Bo B"')).toMatchObject({ code: 0, out: 'done\n', err: '' });
		const [typed, meant] = said();
		expect(texts(typed)).toBe(
			'<command-message>greet</command-message>\n<command-name>/greet</command-name>\n<command-args>Ann "Bo B"</command-args>',
		);
		expect(meant).toMatchObject({ isMeta: true });
		expect(texts(meant)).toBe('Greet Ann, then Bo B: Ann "Bo B".\n');
		const { out } = await stage.run(['show', session(), '--no-pager']);
		expect(out).toContain('/greet Ann "Bo B"');
		expect((await stage.run(['check', session()])).code).toBe(0);
	});

	it('is recorded as it was typed where the format’s document knows no tags', async () => {
		command('greet', 'Greet $ARGUMENTS.');
		for (const format of ['claude-code', 'openclaw', 'clido', 'cline']) {
			const path = join(stage.home, `other-${format}.json`);
			const flags = [
				'--session-format',
				format,
				'--session-profile',
				format === 'claude-code' ? 'published' : 'client',
			];
			const script = stage.script([{ text: 'done' }]);
			const ended = await stage.run(['-p', '/greet Ann', '--script', script, '--session-file', path, ...flags]);
			expect(ended, format).toMatchObject({ code: 0 });
			expect(readFileSync(path, 'utf8'), format).toMatch(/\/greet Ann/);
			expect(readFileSync(path, 'utf8'), format).not.toMatch(/command-name/);
			const { out } = await stage.run(['context', path]);
			expect(out, format).toContain('Greet Ann.');
		}
	});

	it('of a folder is called by the folder’s name or without it, and the user’s are called too', async () => {
		command('web/lint', 'Lint it.');
		file(join(stage.home, '.claude/commands/mine.md'), 'My own.');
		await ask('/web:lint');
		expect(texts(said()[1])).toBe('Lint it.');
		for (const prompt of ['/lint', '/mine']) {
			const { code } = await stage.run(['-p', prompt, '--script', stage.script([{ text: 'ok' }])]);
			expect(code).toBe(0);
		}
	});

	it('is answered by the model that it names', async () => {
		command('quick', '---\nmodel: claude-haiku-4-5\n---\nBe quick.');
		await using server = await startModelServer({ fallback: { text: 'quick' } });
		const env = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'key' };
		const model = ['--model', 'anthropic/claude-sonnet-4-5'];
		expect(await stage.run(['-p', '/quick', ...model], { env })).toMatchObject({ code: 0, out: 'quick\n' });
		await stage.run(['-p', 'slow', ...model], { env });
		expect(server.requests.map(({ body }) => (body as { model: string }).model)).toEqual([
			'claude-haiku-4-5',
			'claude-sonnet-4-5',
		]);
	});

	it('brings the files that it names with it, and only those that may be read', async () => {
		file(stage.file('.claude/settings.json'), '{"permissions":{"deny":["Read(secret.txt)"]}}');
		file(stage.file('secret.txt'), 'hidden\n');
		command('look', 'Look at @a.txt, @secret.txt, @missing.txt and $ARGUMENTS.');
		await ask('/look @/etc/hostname');
		const told = said().map(texts).join('\n');
		expect(told).toContain('Result of calling the Read tool:\n     1→hello');
		expect(told).not.toMatch(/hidden|Read tool with the following input: .*(secret|hostname|missing)/);
	});
});

describe('a shell command in a command', () => {
	const text = 'Branch: !`echo on-$0`.';

	it('runs first where it is allowed, by a rule or by the command itself, and its output stands in its place', async () => {
		command('where', `---\nallowed-tools: Bash(echo:*)\n---\n${text}`);
		expect(await ask('/where main')).toMatchObject({ code: 0 });
		expect(texts(said()[1])).toBe('Branch: on-main.');
	});

	it('that is not allowed, or fails, leaves nothing to send: nobody is asked and no session begins', async () => {
		command('put', 'Made: !`touch made.txt`.');
		command('fails', '---\nallowed-tools: Bash(false)\n---\n!`false`');
		for (const [prompt, why] of [
			['/put', /\/put was not sent: its command touch made\.txt did not run/],
			['/fails', /\/fails was not sent: its command false did not run/],
		] as const) {
			const { code, out, err } = await ask(prompt);
			expect({ code, out }).toEqual({ code: 1, out: '' });
			expect(err).toMatch(why);
		}
		expect(() => readFileSync(stage.file('made.txt'))).toThrow();
		expect(() => readFileSync(session())).toThrow();
	});

	it('is judged as a whole, whatever stands behind the command’s name', async () => {
		command('where', `---\nallowed-tools: Bash(echo:*)\n---\n!\`echo $ARGUMENTS\``);
		expect((await ask('/where x && touch made.txt; $(touch made.txt)', [{ text: 'ok' }])).code).toBe(0);
		expect(() => readFileSync(stage.file('made.txt'))).toThrow();
		command('where', `---\nallowed-tools: Bash(echo:*)\n---\n!\`echo x; touch made.txt\``);
		expect((await ask('/where')).code).toBe(1);
		expect(() => readFileSync(stage.file('made.txt'))).toThrow();
	});

	it('takes what stands behind the name as words, also where rules would allow more, and from a model too', async () => {
		command('lint', '!`wc -l $0`');
		file(stage.file('.claude/skills/count/SKILL.md'), '---\nname: count\ndescription: counts\n---\n!`wc -l $0`');
		const rules = ['--allowedTools', 'Bash', 'Skill'];
		await stage.run(['-p', "/lint 'ok.txt;touch pwned'", '--script', stage.script([{ text: 'ok' }]), ...rules]);
		const input = { skill: 'count', args: "'ok.txt;touch pwned'" };
		const turns = [{ content: [{ type: 'tool_use' as const, name: 'Skill', input }] }, { text: 'ok' }];
		await stage.run(['-p', 'count', '--script', stage.script(turns), ...rules]);
		expect(() => readFileSync(stage.file('pwned'))).toThrow();
	});

	it('is seen by hooks, which may stop it', async () => {
		const guard = [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'echo "not here" >&2; exit 2' }] }];
		file(stage.file('.claude/settings.json'), JSON.stringify({ hooks: { PreToolUse: guard } }));
		command('where', `---\nallowed-tools: Bash(echo:*)\n---\n${text}`);
		const { code, err } = await ask('/where main');
		expect(code).toBe(1);
		expect(err).toContain('not here');
	});
});

describe('what a command allows', () => {
	const touch = { content: [{ type: 'tool_use' as const, name: 'Bash', input: { command: 'touch made.txt' } }] };

	it('holds for the prompt that calls it, and for no other', async () => {
		command('make', '---\nallowed-tools: Bash(touch:*)\n---\nMake it.');
		expect((await ask('/make', [touch, { text: 'made' }])).err).toBe('');
		const prompts = ['/make', 'again'].map((text) =>
			JSON.stringify({ type: 'user', message: { role: 'user', content: text } }),
		);
		const wire = ['--input-format', 'stream-json', '--output-format', 'stream-json'];
		const script = stage.script([touch, { text: 'one' }, touch, { text: 'two' }]);
		const { out } = await stage.run(['--script', script, ...wire], { input: `${prompts.join('\n')}\n` });
		const results = framesIn(out).filter(({ type }) => type === 'result') as unknown as {
			permission_denials: unknown[];
		}[];
		expect(results.map(({ permission_denials }) => permission_denials.length)).toEqual([0, 1]);
	});
});

describe('a skill', () => {
	it('is used by the model: its text follows the result of the call', async () => {
		const path = skill('hello', '---\ndescription: Says hello\n---\nSay hello.\n');
		await ask('go', [useSkill('/hello', 'to Ann'), useSkill('nothing'), { text: 'Hello.' }]);
		const [, result, body, unknown] = said();
		expect(result).toMatchObject({ toolUseResult: { success: true, commandName: 'hello' } });
		expect(body).toMatchObject({ isMeta: true });
		expect(texts(body)).toBe(`Base directory for this skill: ${dirname(path)}\n\nSay hello.\n\n\nARGUMENTS: to Ann`);
		expect(JSON.stringify(unknown)).toContain('<tool_use_error>Unknown skill: nothing</tool_use_error>');
	});

	it('is offered with what it is for, and wins over a command of its name', async () => {
		skill('both', '---\ndescription: The skill\n---\nS');
		command('both', '---\ndescription: The command\n---\nC');
		command('hand', '---\ndescription: By hand\ndisable-model-invocation: true\n---\nH');
		await using server = await startModelServer({ fallback: { text: 'ok' } });
		const env = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'key' };
		await stage.run(['-p', '/both', '--model', 'anthropic/claude-sonnet-4-5'], { env });
		const { tools = [] } = (server.requests[0]?.body ?? {}) as { tools?: { name: string; description: string }[] };
		const offered = tools.find(({ name }) => name === 'Skill')?.description ?? '';
		expect(offered).toContain('- both: The skill');
		expect(offered).not.toMatch(/The command|By hand/);
		expect(JSON.stringify(server.requests[0]?.body)).toContain('Base directory for this skill');
	});

	it('may be for people alone or for the model alone', async () => {
		skill('hand', '---\ndisable-model-invocation: true\n---\nH');
		skill('deep', '---\nuser-invocable: false\n---\nD');
		expect((await ask('/hand')).code).toBe(0);
		const { code, err } = await stage.run(['-p', '/deep', '--script', stage.script([{ text: 'x' }])]);
		expect(code).toBe(1);
		expect(err).toMatch(/\/deep is for the model alone.*user-invocable: false/);
		const other = ['-p', 'go', '--output-format', 'json', '--script', stage.script([useSkill('hand'), { text: 'x' }])];
		const { session_id } = JSON.parse((await stage.run(other)).out) as { session_id: string };
		expect(JSON.stringify(await stage.lines(session_id))).toContain('Unknown skill: hand');
	});

	it('that brings permissions is asked about, and one that a rule denies is not used', async () => {
		skill('wants', '---\nallowed-tools: Bash\n---\nW');
		skill('bad', 'B');
		const tried = await ask(
			'go',
			[useSkill('wants'), useSkill('bad'), { text: 'x' }],
			'--disallowedTools',
			'Skill(bad)',
		);
		expect(tried.err).toMatch(/2 tool calls were denied/);
		expect(said().map(texts).join()).not.toMatch(/Base directory/);
	});

	it('that is carried out elsewhere is given to a sub-agent, and the conversation gets its report alone', async () => {
		skill('apart', '---\ncontext: fork\nagent: Explore\n---\nLook around for HELPER.');
		const script = [
			{ when: { first: '<command-name>/apart' }, text: 'I know.' },
			{ when: { first: 'HELPER' }, text: 'There is a door.' },
		];
		expect(await ask('/apart', script)).toMatchObject({ code: 0, out: 'I know.\n' });
		expect(said().map(texts).join('\n')).toContain(
			'A sub-agent has carried out /apart and reports:\n\nThere is a door.',
		);
		expect(said().map(texts).join('\n')).not.toContain('Look around');
		const { out } = await stage.run(['agents', session(), '--json']);
		expect(JSON.parse(out)).toMatchObject({ agents: [{ type: 'Explore', state: 'completed', description: '/apart' }] });
		expect((await stage.run(['check', session()])).code).toBe(0);
	});

	it('that is carried out elsewhere is told to the model where no sub-agent can be started', async () => {
		skill('apart', '---\ncontext: fork\n---\nLook around.');
		expect((await ask('/apart', [{ text: 'done' }], '--tools', 'Read')).code).toBe(0);
		expect(said().map(texts).join('\n')).toContain('Look around.');
	});

	it('is used by a sub-agent, too; its prompt is no call of a command', async () => {
		skill('hello', 'Say hello.');
		command('go', '---\nallowed-tools: Task, Bash(touch made)\n---\nGo.');
		const input = { description: 'd', prompt: '/hello HELPER', subagent_type: 'general-purpose' };
		const main = { first: '<command-name>/go' };
		await ask('/go', [
			{ when: main, content: [{ type: 'tool_use', name: 'Task', input }] },
			{ when: { first: 'HELPER' }, ...useSkill('hello') },
			{ when: { first: 'HELPER' }, text: 'Hello.' },
			{ when: main, content: [{ type: 'tool_use', name: 'Bash', input: { command: 'touch made' } }] },
			{ when: main, text: 'done' },
		]);
		const { out } = await stage.run(['agents', session(), '--json']);
		const [agent] = (JSON.parse(out) as { agents: { path: string }[] }).agents;
		const heard = (framesIn(readFileSync(agent?.path ?? '', 'utf8')) as readonly Line[]).filter(
			({ type }) => type === 'user',
		);
		expect(heard.map(texts)).toEqual(['/hello HELPER', '', expect.stringContaining('Say hello.')]);
		// What the command allows still holds after the sub-agent has begun.
		expect(existsSync(stage.file('made'))).toBe(true);
	});
});

describe('files that somebody else wrote', () => {
	it('of a folder that is not trusted do not count, and one line says so', async () => {
		writeFileSync(join(stage.home, '.claude/.claude.json'), '{}');
		command('greet', 'Greet.');
		skill('hello', 'Hello.');
		const { code, out, err } = await ask('/greet Ann');
		expect({ code, out }).toEqual({ code: 1, out: '' });
		expect(err.split('\n').filter((line) => line.includes('is not trusted'))).toHaveLength(1);
		expect(err).toContain('there is no command /greet, and nothing was sent. The project has one');
		expect((await ask('/greet Ann', [{ text: 'hi' }], '--trust')).code).toBe(0);
	});

	it('that are wrong are one line each, with path and field, and the others count', async () => {
		const broken = command('broken', '---\n- a\n- b\n---\nB');
		const rules = command('rules', '---\nallowed-tools: Bash(ls:*), Nothing(x)\nuser-invocable: perhaps\n---\nR');
		const huge = command('huge', 'x'.repeat((1 << 20) + 1));
		const { code, err } = await ask('/rules');
		expect(code).toBe(0);
		const told = err.trim().split('\n');
		expect(told).toHaveLength(4);
		expect(told[0]).toMatch(new RegExp(`${broken}: its front matter cannot be read`));
		expect(told.some((line) => line.includes(`${huge}: it is larger than`))).toBe(true);
		expect(told.some((line) => line.includes(`${rules}: allowed-tools: Nothing(x) is not a rule`))).toBe(true);
		expect(told.some((line) => line.includes(`${rules}: user-invocable is neither true nor false`))).toBe(true);
	});

	it('that are links are not followed, wherever they lead', async () => {
		const secret = file(join(stage.home, 'outside/secret.md'), 'SECRET');
		file(join(stage.home, 'outside/skill/SKILL.md'), 'SECRET');
		command('ok', 'Fine.');
		skill('fine', 'Fine.');
		symlinkSync(secret, stage.file('.claude/commands/leak.md'));
		symlinkSync(dirname(secret), stage.file('.claude/commands/out'));
		symlinkSync(join(stage.home, 'outside/skill'), stage.file('.claude/skills/leak'));
		for (const prompt of ['/leak', '/out:secret', '/secret']) {
			const { code, out } = await ask(prompt);
			expect({ code, out }, prompt).toEqual({ code: 1, out: '' });
		}
		const { out } = await stage.run(['-p', '/help']);
		expect(out).not.toMatch(/leak|secret/i);
	});

	it('cannot replace a built-in command, and names that no one can type are left out', async () => {
		command('cost', 'Spend everything.');
		command('a b', 'x');
		command('</command-name>', 'x');
		const { code, out, err } = await ask('/cost');
		expect(code).toBe(0);
		expect(out).toContain('cost nothing');
		expect(err).toMatch(/cost\.md: \/cost is built in/);
		expect(err.match(/no command can be called by this name/g)).toHaveLength(2);
	});
});

describe('a name that nothing has', () => {
	it('is said in one line with names that are near, and nothing is sent', async () => {
		command('deploy', 'Deploy.');
		for (const [prompt, near] of [
			['/deplyo now', '/deploy'],
			['/cosst', '/cost'],
		] as const) {
			const { code, out, err } = await ask(prompt);
			expect({ code, out }).toEqual({ code: 1, out: '' });
			expect(err.trim().split('\n')).toHaveLength(1);
			expect(err).toContain(`nothing was sent. Did you mean ${near}?`);
		}
		expect(() => readFileSync(session())).toThrow();
	});

	it('that is a place on this machine is something to talk about', async () => {
		expect(await ask('/tmp is full')).toMatchObject({ code: 0, out: 'done\n' });
		expect(texts(said()[0])).toBe('/tmp is full');
	});
});
