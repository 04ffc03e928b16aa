/** Settings as Claude Code's users have them: in files, in a flag, in the environment, and which comes before which. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ClientStage, initIn } from '../support/client.ts';
import { startModelServer } from '../support/model-server.ts';
import { bash, put, read, trust, tryCalls, write } from '../support/permission-run.ts';

let stage: ClientStage;
beforeEach(() => {
	stage = new ClientStage();
});
afterEach(() => stage[Symbol.dispose]());

type Whose = 'user' | 'project' | 'local';

function settings(whose: Whose, value: unknown): string {
	const local = whose === 'local' ? '.local' : '';
	const path =
		whose === 'user' ? join(stage.home, '.claude/settings.json') : stage.file(`.claude/settings${local}.json`);
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value));
	return path;
}

/** What a shell command of the model sees of a variable. */
async function seen(
	name: string,
	flags: readonly string[] = [],
	env: { [name: string]: string } = {},
): Promise<string> {
	const call = { type: 'tool_use' as const, ...bash(`printf %s "$${name}" > seen`) };
	const script = stage.script([{ content: [call] }, { text: 'done' }]);
	const args = ['-p', 'x', '--script', script, '--dangerously-skip-permissions', ...flags];
	const { code, err } = await stage.run(args, { env });
	if (code !== 0) throw new Error(err);
	return readFileSync(stage.file('seen'), 'utf8');
}

describe('env', () => {
	it('of the flag comes before local, project, user and the environment', async () => {
		trust(stage);
		const value = (from: string) => ({ env: { WHO: from } });
		const environment = { WHO: 'environment' };
		expect(await seen('WHO', [], environment)).toBe('environment');
		settings('user', value('user'));
		expect(await seen('WHO', [], environment)).toBe('user');
		settings('project', value('project'));
		expect(await seen('WHO', [], environment)).toBe('project');
		settings('local', value('local'));
		expect(await seen('WHO', [], environment)).toBe('local');
		expect(await seen('WHO', ['--settings', JSON.stringify(value('flag'))], environment)).toBe('flag');
	});

	it('takes numbers and truth values as texts, and leaves out what is none', async () => {
		const path = settings('user', { env: { N: 3, B: true, bad: { x: 1 }, 'a b': 'x', REPRISE_HOME: '/elsewhere' } });
		expect(await seen('N$B')).toBe('3true');
		const { err } = await tryCalls(stage, []);
		expect(err).toContain(`${path}: env.bad is left out`);
		expect(err).toContain(`${path}: env.a b is left out`);
		expect(err).toContain(`${path}: env.REPRISE_HOME is left out`);
	});

	it('reaches the provider', async () => {
		await using server = await startModelServer({ turns: [{ text: 'here' }] });
		settings('user', { env: { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'of the settings' } });
		const { out } = await stage.run(['-p', 'x']);
		expect(out).toBe('here\n');
		expect(server.requests).toHaveLength(1);
	});
});

describe('model', () => {
	async function asked(flags: readonly string[], env: { [name: string]: string } = {}) {
		await using server = await startModelServer({ turns: [{ text: 'yes' }] });
		const all = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'k', ...env };
		const { err } = await stage.run(['-p', 'x', ...flags], { env: all });
		return { model: server.requests[0]?.body.model, err };
	}

	it('is that of --model, else the environment’s, else the flag’s, local, project, user', async () => {
		trust(stage);
		settings('user', { model: 'claude-user' });
		expect((await asked([])).model).toBe('claude-user');
		settings('project', { model: 'claude-project' });
		expect((await asked([])).model).toBe('claude-project');
		settings('local', { model: 'claude-local' });
		expect((await asked([])).model).toBe('claude-local');
		const flag = ['--settings', '{"model":"claude-flag"}'];
		expect((await asked(flag)).model).toBe('claude-flag');
		expect((await asked(flag, { ANTHROPIC_MODEL: 'claude-env' })).model).toBe('claude-env');
		expect((await asked([...flag, '--model', 'anthropic/claude-named'])).model).toBe('claude-named');
	});

	it('by a short name is what its variable says, and without one the newest of that kind; where that cannot be asked, another model answers and says so', async () => {
		settings('user', { model: 'opus' });
		expect((await asked([], { ANTHROPIC_DEFAULT_OPUS_MODEL: 'claude-opus-9' })).model).toBe('claude-opus-9');
		const { model, err } = await asked([]);
		expect(model).toMatch(/^claude-opus-/);
		expect(err).not.toContain('the settings name');
	});

	it('is named so by --model, too', async () => {
		for (const kind of ['opus', 'sonnet', 'haiku'])
			expect((await asked(['--model', kind])).model).toMatch(new RegExp(`^claude-${kind}-\\d`));
		const said = await asked(['--model', 'haiku'], { ANTHROPIC_DEFAULT_HAIKU_MODEL: 'claude-mine' });
		expect(said.model).toBe('claude-mine');
	});
});

describe('--settings', () => {
	it('as a file or as JSON brings rules, folders and a mode', async () => {
		put(stage, '../extra/f');
		const permissions = { allow: ['Bash(touch:*)'], additionalDirectories: ['../extra'], deny: ['Read(secret)'] };
		put(stage, 'secret');
		const file = join(stage.cwd, '..', 'given.json');
		writeFileSync(file, JSON.stringify({ permissions }));
		for (const given of [file, JSON.stringify({ permissions })]) {
			const calls = [bash('touch made'), read('../extra/f'), read('secret')];
			const { denied } = await tryCalls(stage, calls, '--settings', given);
			expect(denied).toEqual([{ file_path: 'secret' }]);
		}
		const loose = JSON.stringify({ permissions: { defaultMode: 'acceptEdits' } });
		expect((await tryCalls(stage, [write('b')], '--settings', loose)).denied).toEqual([]);
	});

	it.each([
		['{', 'no JSON object'],
		['nowhere.json', 'is missing'],
		['{"permissions":{"deny":"Bash"}}', 'permissions.deny is not a list'],
	])('that cannot be read lets nothing run: %s', async (given, problem) => {
		const { code, err } = await tryCalls(stage, [bash('touch made')], '--settings', given, '--allowedTools', 'Bash');
		expect({ code, said: err.includes(problem) }).toEqual({ code: 2, said: true });
		expect(existsSync(stage.file('made'))).toBe(false);
	});
});

describe('a file with something wrong in it', () => {
	const wrong = [
		['hooks is not an object', { hooks: [] }],
		['hooks.Stop is not a list', { hooks: { Stop: {} } }],
		['hooks.Stop[0] is left out', { hooks: { Stop: [{}] } }],
		['hooks.Stop[0].hooks[0] is left out: command is missing', { hooks: { Stop: [{ hooks: [{ type: 'command' }] }] } }],
		['Reprise runs no hooks of the type prompt', { hooks: { Stop: [{ hooks: [{ type: 'prompt', prompt: 'x' }] }] } }],
		['url is not an http address', { hooks: { Stop: [{ hooks: [{ type: 'http', url: 'file:///etc' }] }] } }],
		['hooks.PreToolUse[0].matcher is no regular expression', { hooks: { PreToolUse: [{ matcher: '(', hooks: [] }] } }],
		['Reprise calls no hooks for Nonsense', { hooks: { Nonsense: [] } }],
		['env is not an object', { env: 'x' }],
		['model is not a text', { model: 1 }],
		['disableAllHooks is neither true nor false', { disableAllHooks: 'yes' }],
	] as const;
	it.each(wrong)('is one line with path and field, and loses nothing else: %s', async (problem, value) => {
		const path = settings('user', { ...value, permissions: { allow: ['Bash(touch:*)'] } });
		const { code, err, denied } = await tryCalls(stage, [bash('touch made')]);
		expect({ code, denied }).toEqual({ code: 0, denied: [] });
		expect(err.trim().split('\n')).toEqual([expect.stringContaining(path)]);
		expect(err).toContain(problem);
	});
});

describe('--setting-sources', () => {
	it('leaves out what allows in the files that it does not name, and keeps what denies', async () => {
		trust(stage);
		settings('user', { permissions: { allow: ['Bash(touch:*)'], deny: ['Bash(mkdir:*)'] } });
		settings('project', { permissions: { allow: ['Bash(cp:*)'] } });
		const calls = [bash('touch a'), bash('mkdir b'), bash('cp a.txt c')];
		const { denied } = await tryCalls(stage, calls, '--setting-sources', 'project');
		expect(denied).toEqual([{ command: 'touch a' }, { command: 'mkdir b' }]);
	});
});

describe('disableBypassPermissionsMode', () => {
	it('keeps everybody from the mode that asks nothing', async () => {
		settings('user', { permissions: { disableBypassPermissionsMode: 'disable' } });
		const { code, err } = await tryCalls(stage, [bash('touch made')], '--dangerously-skip-permissions');
		expect({ code, said: err.includes('forbid bypassPermissions') }).toEqual({ code: 1, said: true });
		expect(existsSync(stage.file('made'))).toBe(false);
	});
});

it('the mode of the user’s settings is the one that a run begins in', async () => {
	settings('user', { permissions: { defaultMode: 'plan' } });
	const flags = ['--script', stage.script([{ text: 'x' }]), '--output-format', 'stream-json'];
	const { out } = await stage.run(['-p', 'go', ...flags]);
	expect(initIn(out)).toMatchObject({ permissionMode: 'plan' });
});
