/** What a session keeps of hooks, permissions and pull requests, and how it is shown. */
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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
		expect(text).toContain('hook PreToolUse PreToolUse:Bash');
		expect(text).toContain(`command: ${guard}`);
		expect(text).toContain('stderr: no rm here');
		expect(text).toContain('"tool_input":{"command":"rm a.txt"}');
		expect(text).toMatch(/decision: \{"decision":"deny","reason":"no rm here\\n"\}/);
		expect(text).toContain('hook SessionStart SessionStart:startup');
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
	function gh(output: string, code = 0): { readonly PATH: string } {
		const folder = join(stage.cwd, '..', 'bin');
		mkdirSync(folder, { recursive: true });
		writeFileSync(join(folder, 'gh'), `#!/bin/sh\ncat <<'END'\n${output}\nEND\nexit ${code}\n`);
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

	it.each([
		['gh pr view 41', printed, 0],
		['echo gh pr created; gh pr list', printed, 0],
		['gh pr create --fill', 'https://github.com/acme/site/pulls', 0],
		['gh pr create --fill', 'already exists: https://github.com/acme/site/pull/41', 1],
	])('that was not made is not linked: %s', async (command, output, code) => {
		expect(await links(command, gh(output, code))).toEqual([]);
	});
});
