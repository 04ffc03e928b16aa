/** The fields of a hook that say when it is called and how it is waited for: `if`, `once`, `async`, `timeout`, `statusMessage`. */
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ClientStage } from '../support/client.ts';
import { bash, command, decides, HookRuns, prints, records, skip, toolTexts, use } from '../support/hooks.ts';
import { startModelServer } from '../support/model-server.ts';
import { isAlive } from '../support/processes.ts';
import { hasTerminals, Terminal } from '../support/terminal.ts';

let stage: ClientStage;
let runs: HookRuns;
beforeEach(() => {
	stage = new ClientStage();
	runs = new HookRuns(stage);
});
afterEach(() => stage[Symbol.dispose]());

describe('if', () => {
	it.each([
		['Bash(git *)', 'git status', true],
		['Bash(git *)', 'echo hi', false],
		['Bash(git push:*)', 'cd sub && git push origin', true],
		['Bash(rm:*)', 'true; sudo rm x', true],
		['Bash(rm:*)', '$CMD x', true],
		['Bash', 'echo hi', true],
		['Edit', 'echo hi > file', false],
		['Read(*.md)', 'cat a.md', false],
	])('%s: for %s a hook is called: %s', async (rule, given, isCalled) => {
		runs.hooks({ PreToolUse: [command('touch called; exit 2', { if: rule })] });
		await runs.run([bash(given)], skip);
		expect(existsSync(stage.file('called'))).toBe(isCalled);
	});

	it('names files by their patterns, for the tool that it names', async () => {
		runs.hooks({ PostToolUse: [command('cat >> all', { if: 'Write(*.ts)' })] });
		const write = (file_path: string) => use('Write', { file_path, content: 'x' });
		await runs.run([write('a.ts'), write('b.js'), write('deep/c.ts'), use('Read', { file_path: 'a.ts' })], skip);
		expect([...runs.said('all').matchAll(/"tool_input":\{"file_path":"([^"]+)"/g)].map(([, path]) => path)).toEqual([
			'a.ts',
			'deep/c.ts',
		]);
	});

	it.each([
		['PreToolUse', 'Bash(git', 'if is no permission rule: a bracket is not closed'],
		['PreToolUse', 7, 'if is not a text'],
		[
			'Stop',
			'Bash(git *)',
			'if is for PreToolUse, PostToolUse, PostToolUseFailure, PermissionRequest, PermissionDenied, and no call is made here',
		],
	])('at %s as %s is one line, and the hook is left out', async (point, rule, problem) => {
		runs.hooks({ [point]: [command('touch called', { if: rule })] });
		const { code, err } = await runs.run([bash('true')], skip);
		const line = `reprise: ${stage.home}/.claude/settings.json: hooks.${point}[0].hooks[0] is left out: ${problem}\n`;
		expect({ code, err }).toEqual({ code: 0, err: line });
		expect(existsSync(stage.file('called'))).toBe(false);
	});
});

describe('once', () => {
	it('a hook that has succeeded is not called again', async () => {
		runs.hooks({ PreToolUse: [command('echo x >> count', { once: true })] });
		await runs.run([bash('true'), bash('true'), bash('true')], skip);
		expect(runs.said('count')).toBe('x\n');
	});

	it('one that has failed is', async () => {
		runs.hooks({ PreToolUse: [command('echo x >> count; [ $(wc -l < count) -ge 2 ]', { once: true })] });
		await runs.run([bash('true'), bash('true'), bash('true')], skip);
		expect(runs.said('count')).toBe('x\nx\n');
	});
});

describe('async', () => {
	it('nobody waits for it, it decides nothing, and what it has for the model is told later', async () => {
		const slow = command(`sleep 0.4; echo '${JSON.stringify({ hookSpecificOutput: deny })}'`, { async: true });
		runs.hooks({ PreToolUse: [slow] }, 'Bash');
		await using server = await startModelServer({
			turns: [bash('touch made'), bash('sleep 2'), { text: 'done' }] as never,
		});
		const env = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'k' };
		await stage.run(['-p', 'go', skip], { env });
		expect(existsSync(stage.file('made'))).toBe(true);
		const [, , third] = server.requests.map(({ body }) => JSON.stringify(body));
		expect(third).toContain('PreToolUse:Bash hook additional context: by the way');
	});

	const deny = { hookEventName: 'PreToolUse', permissionDecision: 'deny', additionalContext: 'by the way' };

	it.each([
		['a line', `echo '{"async": true}'`],
		['no line end', `printf '{"async":true,"asyncTimeout":60000}'`],
	])('is what a hook says in its first line, too: it goes on, and decides nothing (%s)', async (_, says) => {
		// It ends when the command has run that it does not hold up, and the model works until it is told.
		const wait = 'until [ -e made ]; do sleep 0.05; done';
		const slow = command(`${says}; ${wait}; echo; echo '${JSON.stringify({ hookSpecificOutput: deny })}'`);
		runs.hooks({ PreToolUse: [{ ...slow, once: true }] }, 'Bash');
		const told = 'PreToolUse:Bash hook additional context: by the way';
		await using server = await startModelServer({
			turns: [
				bash('touch made'),
				{ when: { any: told }, text: 'I was told' },
				{ ...bash('sleep 0.1; date +%N'), repeat: true },
			] as never,
		});
		const env = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'k' };
		const { code, out } = await stage.run(['-p', 'go', skip, '--output-format', 'json'], { env });
		const { result, session_id } = JSON.parse(out) as { readonly result: string; readonly session_id: string };
		expect([code, result]).toEqual([0, 'I was told']);
		const [record, ...others] = records(await stage.lines(session_id));
		expect(record).toMatchObject({ type: 'hook_success', hookEvent: 'PreToolUse' });
		expect(String(record?.stdout).trim()).toBe(JSON.stringify({ hookSpecificOutput: deny }));
		expect(others).toEqual([]);
	});

	it('that a hook says for itself ends with the time that it names, or with its session', async () => {
		const stays = (timeout: number) => command(`echo '{"async":true,"asyncTimeout":${timeout}}'; sleep 300`);
		runs.hooks({ PreToolUse: [stays(200)], Stop: [stays(600_000)] });
		const { code, err, lines } = await runs.run([bash('sleep 1')], skip);
		expect([code, err]).toEqual([
			0,
			expect.stringContaining('the hook PreToolUse:Bash failed: it took longer than 0.2 s'),
		]);
		expect(records(lines).map(({ type, hookEvent }) => `${hookEvent} ${type}`)).toEqual([
			'PreToolUse hook_non_blocking_error',
			'Stop hook_cancelled',
		]);
	});

	it('is recorded when it has ended, and the session waits a little for it', async () => {
		runs.hooks({ Stop: [command('sleep 1; echo late; touch late', { async: true })] });
		const { lines, code } = await runs.run([]);
		expect({ code, late: existsSync(stage.file('late')) }).toEqual({ code: 0, late: true });
		expect(records(lines)).toMatchObject([{ type: 'hook_success', hookEvent: 'Stop', stdout: 'late\n' }]);
		expect((await stage.run(['check', 'last'])).code).toBe(0);
	});

	it('does not hold up its session for ever: it is ended with all of its processes', async () => {
		runs.hooks({ Stop: [command('echo $$ > pid; sleep 300 & wait', { async: true, timeout: 600 })] });
		const began = performance.now();
		const { code, lines } = await runs.run([]);
		expect(code).toBe(0);
		expect(performance.now() - began).toBeLessThan(20_000);
		expect(records(lines)).toMatchObject([{ type: 'hook_cancelled', hookEvent: 'Stop' }]);
		const pid = Number(readFileSync(stage.file('pid'), 'utf8'));
		for (let tries = 0; tries < 50 && isAlive(pid); tries += 1) await sleep(50);
		expect(isAlive(pid)).toBe(false);
	});

	it('that fails is said', async () => {
		runs.hooks({ PreToolUse: [command('echo broken >&2; exit 1', { async: true })] });
		const { err } = await runs.run([bash('sleep 0.5')], skip);
		expect(err).toContain('the hook PreToolUse:Bash failed: it ended with code 1: broken');
	});
});

describe('statusMessage', () => {
	const checking = prints({}, { statusMessage: 'Checking the command' });

	it('is kept with the call, and in a pipe nobody is bothered with it', async () => {
		runs.hooks({ PreToolUse: [checking] });
		const { lines, err } = await runs.run([bash('true')], skip);
		const [progress] = lines.filter(({ type }) => type === 'progress');
		expect(progress?.data).toMatchObject({ type: 'hook_progress', statusMessage: 'Checking the command' });
		expect(err).toBe('');
	});

	it.runIf(hasTerminals)('is shown to whoever looks on', async () => {
		runs.hooks({ PreToolUse: [checking] });
		const script = stage.script([bash('true'), { text: 'That was all.' }]);
		await using terminal = new Terminal(stage, ['-p', 'go', '--script', script, skip], { NO_COLOR: '1' });
		await terminal.shows('Checking the command');
		await terminal.shows('That was all.');
	});
});

describe('what is not supported', () => {
	it.each(['prompt', 'agent', 'mcp_tool'])('the type %s is one line, and the other hooks are called', async (type) => {
		const other = decides('deny', { permissionDecisionReason: 'mine' });
		runs.hooks({ PreToolUse: [{ type, prompt: 'is this safe? $ARGUMENTS' }, other] });
		const { err, lines } = await runs.run([bash('touch made')], skip);
		const where = `${stage.home}/.claude/settings.json: hooks.PreToolUse[0].hooks[0]`;
		expect(err).toBe(`reprise: ${where} is left out: Reprise runs no hooks of the type ${type}\n`);
		expect(toolTexts(lines)).toContain('hook error: mine');
	});

	it.each([
		['async', 'yes', 'async is neither true nor false'],
		['once', 1, 'once is neither true nor false'],
		['statusMessage', [], 'statusMessage is not a text'],
		['timeout', '5', 'timeout is not a number of seconds'],
		['timeout', -1, 'timeout is not a number of seconds'],
	])('%s as %j is one line with its field', async (field, value, problem) => {
		runs.hooks({ PreToolUse: [command('touch called', { [field]: value })] });
		const { err } = await runs.run([bash('true')], skip);
		expect(err).toContain(`hooks.PreToolUse[0].hooks[0] is left out: ${problem}\n`);
	});

	it('fields that nobody knows are left alone', async () => {
		runs.hooks({ PreToolUse: [command('touch called', { colour: 'blue', shell: 'bash' })] });
		const { err } = await runs.run([bash('true')], skip);
		expect({ err, called: existsSync(stage.file('called')) }).toEqual({ err: '', called: true });
	});
});
