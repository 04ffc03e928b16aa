/** What a session keeps of hooks, permissions and pull requests, and how it is shown. */
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ScriptTurnInput } from '../../src/providers/script.ts';
import { ClientStage, type Frame } from '../support/client.ts';

let stage: ClientStage;
beforeEach(() => {
	stage = new ClientStage();
});
afterEach(() => stage[Symbol.dispose]());

function settings(value: object): void {
	const path = join(stage.home, '.claude/settings.json');
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, JSON.stringify(value));
}

type Content = NonNullable<ScriptTurnInput['content']>[number];
type Input = NonNullable<Extract<Content, { type: 'tool_use' }>['input']>;

const bash = (command: string) => ({ content: [{ type: 'tool_use' as const, name: 'Bash', input: { command } }] });

async function run(commands: readonly string[], ...flags: readonly string[]): Promise<readonly Frame[]> {
	const script = stage.script([...commands.map(bash), { text: 'done' }]);
	const { session_id } = await stage.json('-p', 'go', '--script', script, ...flags);
	return await stage.lines(session_id);
}

async function shown(...flags: readonly string[]): Promise<string> {
	const { out, err } = await stage.run(['show', 'last', ...flags]);
	return out + err;
}

describe('show', () => {
	it('--hooks tells what each hook was given, what it said and what was decided', async () => {
		const guard = 'echo no rm here >&2; exit 2';
		settings({
			hooks: {
				SessionStart: [{ hooks: [{ type: 'command', command: 'echo the sky is blue' }] }],
				PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: guard }] }],
			},
		});
		await run(['rm a.txt']);
		const text = await shown('--hooks');
		expect(text).toMatch(/^· hook PreToolUse:Bash$/m);
		expect(text).toContain(`command: ${guard}`);
		expect(text).toContain('stderr: no rm here');
		expect(text).toContain('"tool_input":{"command":"rm a.txt"}');
		expect(text).toMatch(/decision: \{"decision":"deny","reason":"no rm here\\n"\}/);
		expect(text).toMatch(/^· hook SessionStart:startup$/m);
		expect(text).not.toMatch(/hookName|hookEvent|toolUseID/);
		expect(text).toContain('stdout: the sky is blue');
		expect(text).toContain('permission: denied by the hook');
		expect(await shown()).not.toContain('stderr: no rm here');
	});

	it('tells who denied a call, and with --hooks also who allowed one', async () => {
		const lines = await run(
			['touch a', 'mkdir b', 'cp a.txt c'],
			...['--allowedTools', 'Bash(touch:*)', '--disallowedTools', 'Bash(mkdir:*)'],
		);
		const decisions = lines.flatMap(({ permissionDecision }) => (permissionDecision ? [permissionDecision] : []));
		const call = { toolName: 'Bash', toolUseID: expect.any(String), message: expect.any(String) };
		expect(decisions).toMatchObject([
			{ decision: 'accept', source: 'config', reasonType: 'rule', rule: 'Bash(touch:*)', ...call },
			{ decision: 'reject', source: 'config', reasonType: 'rule', rule: 'Bash(mkdir:*)', ...call },
			{ decision: 'reject', source: 'config', reasonType: 'mode', ...call },
		]);
		const kinds = lines.flatMap(({ toolDenialKind }) => (toolDenialKind ? [toolDenialKind] : []));
		expect(kinds).toEqual(['permission-rule', 'permission-rule']);
		const usual = await shown();
		expect(usual).toContain('permission: denied by the rule Bash(mkdir:*)');
		expect(usual).not.toContain('allowed by the rule');
		expect(await shown('--hooks')).toContain('permission: allowed by the rule Bash(touch:*)');
	});
});

describe.each(['claude-code', 'cline', 'clido', 'openclaw'])('a session of %s', (format) => {
	it('shows what hooks made of calls made at once, and who denied one, beside each call and in words', async () => {
		const use = (name: string, input: Input) => ({ type: 'tool_use' as const, name, input });
		const changing = (matcher: string, updatedInput: Input) => {
			const updated = { hookEventName: 'PreToolUse', permissionDecision: 'allow', updatedInput };
			const command = `echo '${JSON.stringify({ hookSpecificOutput: updated })}'`;
			return { matcher, hooks: [{ type: 'command', command }] };
		};
		const other = { file_path: 'a.txt', limit: 1 };
		settings({ hooks: { PreToolUse: [changing('Bash', { command: 'echo changed' }), changing('Read', other)] } });
		const questions = [{ question: 'Which one?', header: 'Which', options: [{ label: 'A' }, { label: 'B' }] }];
		const calls = [
			use('Write', { file_path: 'b.txt', content: 'x' }),
			use('Bash', { command: 'echo asked' }),
			use('Grep', { pattern: 'hello', path: 'a.txt' }),
			use('Read', { file_path: 'a.txt' }),
			use('TaskOutput', { task_id: 'b1' }),
			use('AskUserQuestion', { questions }),
			use('ExitPlanMode', { plan: '# First this\n\nThen that.' }),
		];
		const script = stage.script([{ content: calls }, { text: 'done' }]);
		await stage.run(['-p', 'go', '--script', script, '--session-format', format]);
		const lines = (await shown('--full')).split('\n').filter((line) => /^[✓✗·]/.test(line));
		expect(lines).toEqual([
			'✗ Write b.txt',
			'· permission: denied by the mode: nothing allows changing b.txt',
			'✓ Bash echo asked',
			'· a hook changed this call to: echo changed',
			'✓ Grep hello in a.txt',
			'✓ Read a.txt',
			'· a hook changed this call to: {"file_path":"a.txt","limit":1}',
			'✗ TaskOutput b1',
			'✗ AskUserQuestion Which one?',
			'✗ ExitPlanMode First this',
		]);
		expect(await shown()).not.toContain('tool_use_error');
	});

	it('does not show what hooks and background tasks tell the model as words of the user', async () => {
		settings({ hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', command: 'echo the moon is full' }] }] } });
		const prompt = { description: 'look', prompt: 'HELPER', subagent_type: 'general-purpose', run_in_background: true };
		const script = stage.script([
			{ when: { first: 'go' }, content: [{ type: 'tool_use', name: 'Task', input: prompt }] },
			{ when: { first: 'HELPER' }, text: 'helped' },
			{ when: { first: 'go' }, text: 'waiting' },
			{ when: { first: 'go' }, text: 'heard' },
		]);
		await stage.run(['-p', 'go', '--script', script, '--session-format', format]);
		const usual = await shown();
		expect(usual.match(/^❯ .*/gm)).toEqual(['❯ go']);
		expect(usual).not.toContain('the moon');
		expect(await shown('--events')).toMatch(/the moon is full[\s\S]*<task-notification>/);
	});

	it.each(['client', 'published'])(
		'keeps hooks and decisions in the style %s, and show tells them',
		async (profile) => {
			settings({
				hooks: {
					Stop: [{ hooks: [{ type: 'command', command: 'echo the sky is blue' }] }],
					PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'echo seen >&2' }] }],
				},
				permissions: { allow: ['Bash(touch:*)'], deny: ['Bash(mkdir:*)'] },
			});
			const file = join(stage.cwd, '..', `${format}-${profile}.${format === 'cline' ? 'messages.json' : 'jsonl'}`);
			const script = stage.script([...['touch a', 'mkdir b'].map(bash), { text: 'done' }]);
			const flags = ['--session-format', format, '--session-profile', profile, '--session-file', file];
			expect((await stage.run(['-p', 'go', '--script', script, ...flags])).code).toBe(0);
			const told = async (...more: readonly string[]) => (await stage.run(['show', file, ...more])).out;
			const usual = await told();
			expect(usual.match(/permission: denied by the rule Bash\(mkdir:\*\)/g)).toHaveLength(1);
			expect(usual).not.toContain('allowed by the rule');
			expect(usual).not.toContain('the sky');
			const all = await told('--hooks');
			expect(all.match(/permission: allowed by the rule Bash\(touch:\*\)/g)).toHaveLength(1);
			for (const text of ['stdout: the sky is blue', 'stderr: seen', '"tool_input":{"command":"mkdir b"}'])
				expect(all).toContain(text);
			expect(all.match(/stderr: seen/g)).toHaveLength(2);
			expect((await stage.run(['check', file, '--profile', profile])).code).toBe(0);
			const { out } = await stage.run(['context', file, '--json']);
			expect(out).not.toContain('reprise.note');
		},
	);
});

it('what is noted beside a session goes into the trash with it, and comes back with it', async () => {
	const notes = (): readonly string[] => (existsSync(folder) ? readdirSync(folder) : []);
	const folder = join(stage.own, 'notes');
	const script = stage.script([bash('mkdir b'), { text: 'done' }]);
	await stage.run(['-p', 'go', '--script', script, '--session-format', 'clido']);
	expect(notes()).toHaveLength(1);
	const [session] = await stage.sessions();
	expect((await stage.run(['delete', String(session?.id), '--yes'])).code).toBe(0);
	expect(notes()).toEqual([]);
	expect((await stage.run(['restore', String(session?.id)])).code).toBe(0);
	expect((await stage.run(['show', String(session?.id)])).out).toContain('permission: denied by the mode');
});

describe('a pull request', () => {
	/** A program that is called like GitHub's and prints this. */
	const gh = (output: string, code = 0) => ghThat(`cat <<'END'\n${output}\nEND\nexit ${code}`);

	function ghThat(does: string): { readonly PATH: string } {
		const folder = join(stage.cwd, '..', 'bin');
		mkdirSync(folder, { recursive: true });
		writeFileSync(join(folder, 'gh'), `#!/bin/sh\n${does}\n`);
		chmodSync(join(folder, 'gh'), 0o755);
		return { PATH: `${folder}:${process.env.PATH}` };
	}

	async function links(command: string, env: { readonly PATH: string }): Promise<readonly Frame[]> {
		const script = stage.script([bash(command), { text: 'done' }]);
		const args = ['-p', 'go', '--script', script, '--dangerously-skip-permissions', '--output-format', 'json'];
		const { out } = await stage.run(args, { env });
		const lines = await stage.lines((JSON.parse(out) as Frame).session_id);
		return lines.filter(({ type }) => type === 'pr-link');
	}

	const printed = 'Creating pull request\n\nhttps://github.com/acme/site/pull/41';

	it('that gh pr create has made is linked, and shown', async () => {
		expect(await links('true && gh pr create --title x --body y', gh(printed))).toMatchObject([
			{
				prNumber: 41,
				prUrl: 'https://github.com/acme/site/pull/41',
				prRepository: 'acme/site',
				sessionId: expect.any(String),
				timestamp: expect.any(String),
			},
		]);
		expect(await shown('--events')).toContain('pull request: https://github.com/acme/site/pull/41');
	});

	const agentsCalls = {
		'claude-code': { name: 'Bash', input: { command: 'gh pr create' } },
		clido: { name: 'Bash', input: { command: 'gh pr create' } },
		cline: { name: 'run_commands', input: { commands: ['gh pr create', 'gh pr view 7', 'exit 3'] } },
		pi: { name: 'bash', input: { command: 'gh pr create' } },
	} as const;

	it.each(Object.entries(agentsCalls))(
		'is shown in a session of %s, whatever its tool is called',
		async (agent, call) => {
			const turn = (use: object) =>
				stage.script([{ content: [{ type: 'tool_use', ...use }] }, { text: 'done' }] as never);
			const begin = { ...call, input: JSON.parse(JSON.stringify(call.input).replaceAll(/gh pr \w+/g, 'true')) };
			await stage.run(['-p', 'go', '--script', turn(begin), '--session-format', agent]);
			const env = ghThat('set -- $3 41\necho https://github.com/acme/site/pull/$1');
			const flags = ['--dangerously-skip-permissions', '--script', turn(call)];
			expect((await stage.run(['-c', '-p', 'on', ...flags], { env })).code).toBe(0);
			expect((await shown('--events')).match(/^· pull request: .*$/gm)).toEqual([
				'· pull request: https://github.com/acme/site/pull/41',
			]);
			expect(await shown()).not.toContain('pull request:');
		},
	);

	it.each([
		['gh pr view 41', printed, 0],
		['echo gh pr created; gh pr list', printed, 0],
		['gh pr create --fill', 'https://github.com/acme/site/pulls', 0],
		['gh pr create --fill', 'already exists: https://github.com/acme/site/pull/41', 1],
	])('that was not made is not linked: %s', async (command, output, code) => {
		expect(await links(command, gh(output, code))).toEqual([]);
	});
});
