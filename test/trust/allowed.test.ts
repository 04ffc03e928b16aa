/** `reprise allowed`: what would be decided, by which rule, without running anything. */
import { existsSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ClientStage } from '../support/client.ts';
import { put, settings, trust } from '../support/permission-run.ts';

let stage: ClientStage;
beforeEach(() => {
	stage = new ClientStage();
});
afterEach(() => stage[Symbol.dispose]());

const allowed = (...args: readonly string[]) => stage.run(['allowed', ...args]);
async function decided(...args: readonly string[]): Promise<unknown> {
	const { out, err } = await allowed(...args, '--json');
	if (out === '') throw new Error(err);
	return JSON.parse(out);
}

it('says the decision, the rule and the reason, and runs nothing', async () => {
	expect(await decided('Bash', 'touch x', '--allowedTools', 'Bash(touch:*)')).toEqual({
		decision: 'allow',
		rule: 'Bash(touch:*)',
		reason: 'a rule allows it',
	});
	expect(await decided('Bash', 'touch x')).toEqual({ decision: 'ask', reason: 'nothing allows touch x' });
	expect(await decided('Bash', 'ls; touch x', '--disallowedTools', 'Bash(touch:*)')).toMatchObject({
		decision: 'deny',
		rule: 'Bash(touch:*)',
	});
	expect((await allowed('Bash', 'ls')).out).toBe('allow: it only looks, or the mode allows it\n');
	expect(existsSync(stage.file('x'))).toBe(false);
});

it('takes JSON, and a plain command, path, address or name', async () => {
	expect(await decided('Read', 'a.txt')).toMatchObject({ decision: 'allow' });
	expect(await decided('Read', '{"file_path": "/etc/passwd"}')).toMatchObject({ decision: 'ask' });
	expect(await decided('Edit', '.git/config', '--permission-mode', 'acceptEdits')).toMatchObject({ decision: 'ask' });
	expect(await decided('NotebookEdit', 'n.ipynb', '--permission-mode', 'acceptEdits')).toMatchObject({
		decision: 'allow',
	});
	expect(
		await decided('WebFetch', 'https://example.com/x', '--allowedTools', 'WebFetch(domain:example.com)'),
	).toMatchObject({ decision: 'allow' });
	expect(await decided('Bash', '{ touch x; }')).toMatchObject({ decision: 'ask' });
});

it('decides about tools that are not here yet', async () => {
	expect(await decided('Glob', '/etc')).toMatchObject({ decision: 'ask' });
	expect(await decided('Grep', '{"pattern": "x"}')).toMatchObject({ decision: 'allow' });
	expect(await decided('Glob', '{"pattern": "/etc/*"}')).toMatchObject({ decision: 'ask' });
	expect(await decided('WebSearch')).toMatchObject({ decision: 'ask' });
	expect(await decided('TodoWrite')).toMatchObject({ decision: 'allow' });
	expect(await decided('mcp__srv__alpha', '--allowedTools', 'mcp__srv__al*')).toMatchObject({ decision: 'allow' });
	expect(await decided('mcp__srv__alpha', '--permission-mode', 'plan', '--allowedTools', 'mcp__srv')).toMatchObject({
		decision: 'ask',
	});
	expect(await decided('Task', 'Explore', '--disallowedTools', 'Agent(Explore)')).toMatchObject({ decision: 'deny' });
	expect(await decided('Skill', 'one')).toMatchObject({ decision: 'allow' });
	put(stage, '.claude/skills/two/SKILL.md');
	writeFileSync(stage.file('.claude/skills/two/SKILL.md'), '---\nname: two\nallowed-tools: Bash(x:*)\n---\nx\n');
	expect(await decided('Skill', 'two')).toMatchObject({ decision: 'ask' });
	// Settings are YAML, however their author writes it; what stands in the text is none.
	writeFileSync(stage.file('.claude/skills/two/SKILL.md'), '---\n"allowed-tools":\n  - Bash(x:*)\n---\nx\n');
	expect(await decided('Skill', 'two')).toMatchObject({ decision: 'ask' });
	writeFileSync(stage.file('.claude/skills/two/SKILL.md'), '---\ndescription: |\n  x\n---\nallowed-tools: Bash\n');
	expect(await decided('Skill', 'two')).toMatchObject({ decision: 'allow' });
});

it('reads the settings as the client does, and says what it left out', async () => {
	settings(stage, 'project', { allow: ['Bash(touch:*)'], deny: ['Bash(rm:*)'] });
	const first = await allowed('Bash', 'touch x');
	expect(first.out).toContain('ask:');
	expect(first.err).toContain('not trusted');
	expect(await decided('Bash', 'rm x')).toMatchObject({ decision: 'deny', rule: 'Bash(rm:*)' });
	trust(stage);
	expect(await decided('Bash', 'touch x')).toMatchObject({ decision: 'allow' });
});

it('a rule for a server counts with the dots of its name and without', async () => {
	for (const rule of ['mcp__git.hub', 'mcp__git_hub', 'mcp__git.hub__*', 'mcp__git.hub__push'])
		expect(await decided('mcp__git_hub__push', '{}', '--disallowedTools', rule)).toMatchObject({
			decision: 'deny',
			rule,
		});
});

it('answers a file of cases line by line, each under its own rules', async () => {
	settings(stage, 'user', { allow: ['Bash'] });
	const cases = [
		{ tool: 'Bash', input: { command: 'touch x' } },
		{ tool: 'Bash', input: { command: 'touch x' }, rules: { allow: ['Bash(touch:*)', 'Bash('] } },
		{ tool: 'Bash', input: { command: 'touch x' }, mode: 'dontAsk' },
		{ tool: 'Bash', input: { command: 'touch x' }, cliArgs: ['--allowedTools', 'Edit', 'Bash(touch x)'] },
		{ tool: 'Write', input: { file_path: 'x' }, userRules: { deny: ['Edit(x)'] }, mode: 'acceptEdits' },
		{ tool: 'Read', input: { file_path: '../f' }, additionalDirectories: ['..'] },
		{ tool: 'Bash', input: { command: 'ls' }, rules: { deny: ['Bash(touch:*'] } },
	];
	writeFileSync(stage.file('cases.jsonl'), `${cases.map((one) => JSON.stringify(one)).join('\n')}\n`);
	const { out, code } = await allowed('--cases', 'cases.jsonl');
	expect(code).toBe(0);
	const answers = out
		.trim()
		.split('\n')
		.map((line) => (JSON.parse(line) as { decision: string }).decision);
	expect(answers).toEqual(['ask', 'allow', 'deny', 'allow', 'deny', 'allow', 'deny']);
});

it('wrong usage is one line', async () => {
	for (const [args, text] of [
		[[], 'name a tool'],
		[['Bash'], 'needs an input'],
		[['bash', 'ls'], 'did you mean Bash'],
		[['Fly', 'x'], 'no tool Fly'],
		[['Bash', 'ls', '--allowedTools', 'Bash('], 'is not a rule'],
		[['Bash', 'ls', '--permission-mode', 'x'], 'one of'],
		[['--cases', 'cases.jsonl', '--disallowedTools', 'Bash'], '--cases stands alone'],
		[['--cases', 'cases.jsonl', '--trust'], '--cases stands alone'],
		[['Bash', 'ls', '--cases', 'cases.jsonl'], '--cases stands alone'],
	] as const) {
		const { code, err } = await allowed(...args);
		expect(code).toBe(2);
		expect(err).toContain(text);
	}
	writeFileSync(stage.file('bad.jsonl'), 'x\n');
	expect(await allowed('--cases', 'bad.jsonl')).toMatchObject({ code: 1, err: expect.stringContaining('line 1') });
	expect((await allowed('--cases', 'nothing.jsonl')).code).not.toBe(0);
});
