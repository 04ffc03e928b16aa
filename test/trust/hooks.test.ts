/** Hooks of the settings: what they are given, what their answers do, and that none of them takes a session down. */
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ClientStage, framesIn } from '../support/client.ts';
import { bash, command, decides, HookRuns, prints, records, skip, toolTexts, use } from '../support/hooks.ts';
import { startModelServer } from '../support/model-server.ts';

let stage: ClientStage;
let runs: HookRuns;
beforeEach(() => {
	stage = new ClientStage();
	runs = new HookRuns(stage);
});
afterEach(() => stage[Symbol.dispose]());

const touch = bash('touch made');
const hooks: HookRuns['hooks'] = (...given) => runs.hooks(...given);
const run: HookRuns['run'] = (...given) => runs.run(...given);
const said = (path: string): string => runs.said(path);

describe('what a hook is given', () => {
	it('is one JSON object on stdin with the fields of its point', async () => {
		const keep = (name: string) => command(`cat > ${name}.json`);
		const points = ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop', 'SessionEnd'];
		hooks(Object.fromEntries(points.map((point) => [point, [keep(point)]])));
		const { result } = await run([touch], skip);
		const given = (point: string) => JSON.parse(said(`${point}.json`)) as object;
		const promptId = (given('Stop') as { prompt_id?: string }).prompt_id;
		expect(promptId).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
		const common = (point: string) => ({
			session_id: result.session_id,
			transcript_path: expect.stringContaining(String(result.session_id)),
			cwd: stage.cwd,
			permission_mode: 'bypassPermissions',
			hook_event_name: point,
			prompt_id: promptId,
		});
		const call = { tool_name: 'Bash', tool_input: { command: 'touch made' }, tool_use_id: expect.any(String) };
		const own: { readonly [point: string]: object } = {
			SessionStart: { source: 'startup', model: 'script' },
			UserPromptSubmit: { prompt: 'go' },
			PreToolUse: call,
			PostToolUse: { ...call, tool_response: expect.objectContaining({ stdout: '' }), duration_ms: expect.any(Number) },
			Stop: { stop_hook_active: false, last_assistant_message: 'done', background_tasks: [], session_crons: [] },
			SessionEnd: { reason: 'other' },
		};
		for (const point of points) expect(given(point)).toEqual({ ...common(point), ...own[point] });
	});

	it('comes with the project’s folder and the variables of the settings', async () => {
		hooks({ Stop: [command('echo "$CLAUDE_PROJECT_DIR $WHO $PWD" > seen')] }, undefined, { env: { WHO: 'me' } });
		await run([]);
		expect(said('seen')).toBe(`${stage.cwd} me ${stage.cwd}\n`);
	});
});

describe('matchers', () => {
	it.each([
		[undefined, 'Bash Read'],
		['', 'Bash Read'],
		['*', 'Bash Read'],
		['Bash', 'Bash'],
		['Read|Write', 'Read'],
		['R.*', 'Read'],
		['ash', ''],
		['bash', ''],
	])('%s means %s', async (matcher, names) => {
		hooks({ PostToolUse: [command('cat >> all')] }, matcher);
		await run([bash('true'), use('Read', { file_path: 'a.txt' })], skip);
		const seen = [...said('all').matchAll(/"tool_name":"(\w+)"/g)].map((match) => match[1]);
		expect(seen.join(' ')).toBe(names);
	});

	it('a handler that two of them name is called once', async () => {
		const group = (matcher: string) => ({ matcher, hooks: [command('echo x >> count')] });
		runs.settings({ hooks: { PreToolUse: [group('Bash'), group('*')] } });
		await run([touch], skip);
		expect(said('count')).toBe('x\n');
	});

	it('of a session’s start tell a new one from one that goes on', async () => {
		hooks({ SessionStart: [command('echo resumed >> starts')] }, 'resume');
		const { result } = await run([]);
		expect(said('starts')).toBe('');
		await run([], '-r', String(result.session_id));
		expect(said('starts')).toBe('resumed\n');
	});
});

describe('PreToolUse', () => {
	it('does not open what is protected: that is a person’s to allow', async () => {
		hooks({ PreToolUse: [decides('allow')] });
		const write = (path: string) => use('Write', { file_path: stage.file(path), content: 'x' });
		await run([
			write('plain.txt'),
			write('.git/hooks/pre-commit'),
			bash('mkdir -p .git/hooks && echo x > .git/hooks/pre-push'),
		]);
		expect(
			['plain.txt', '.git/hooks/pre-commit', '.git/hooks/pre-push'].map((path) => existsSync(stage.file(path))),
		).toEqual([true, false, false]);
		await run([write('.git/hooks/pre-commit')], skip);
		expect(existsSync(stage.file('.git/hooks/pre-commit'))).toBe(true);
	});

	it('allow lets a call run that would be asked about', async () => {
		hooks({ PreToolUse: [decides('allow', { permissionDecisionReason: 'fine' })] });
		const { result, lines } = await run([touch]);
		expect(existsSync(stage.file('made'))).toBe(true);
		expect(result.permission_denials).toEqual([]);
		const [line] = lines.filter(({ permissionDecision }) => permissionDecision !== undefined);
		expect(line?.permissionDecision).toMatchObject({ decision: 'accept', source: 'hook', message: 'fine' });
	});

	it.each([
		['deny', { deny: ['Bash(touch:*)'] }],
		['ask', { ask: ['Bash(touch:*)'] }],
	])('allow does not go past a rule that says %s', async (_, permissions) => {
		hooks({ PreToolUse: [decides('allow')] }, undefined, { permissions });
		const { result } = await run([touch]);
		expect(existsSync(stage.file('made'))).toBe(false);
		expect(result.permission_denials).toHaveLength(1);
	});

	it('deny stops a call in every mode, and the model is told why', async () => {
		hooks({ PreToolUse: [decides('deny', { permissionDecisionReason: 'not today' }), decides('allow')] });
		const { result, lines } = await run([touch], skip);
		expect(existsSync(stage.file('made'))).toBe(false);
		expect(result.permission_denials).toHaveLength(1);
		expect(toolTexts(lines)).toContain('PreToolUse:Bash hook error: not today');
	});

	it('exit code 2 stops a call with what it said on stderr', async () => {
		hooks({ PreToolUse: [command('echo no rm here >&2; exit 2')] });
		const { lines } = await run([touch], skip);
		expect(existsSync(stage.file('made'))).toBe(false);
		const text = 'PreToolUse:Bash hook error: [echo no rm here >&2; exit 2]: no rm here\\n';
		expect(toolTexts(lines)).toContain(text);
		expect(lines.find(({ toolDenialKind }) => toolDenialKind === 'permission-rule')).toMatchObject({
			permissionDecision: { decision: 'reject', source: 'hook', reasonType: 'hook', reasonCode: 'hook:PreToolUse' },
		});
	});

	it('ask asks about what would run unasked', async () => {
		hooks({ PreToolUse: [decides('ask', { permissionDecisionReason: 'sure?' })] });
		const { result } = await run([touch], skip);
		expect(existsSync(stage.file('made'))).toBe(false);
		expect(result.permission_denials).toHaveLength(1);
	});

	it('defer ends the run at once, with the call unanswered', async () => {
		hooks({ PreToolUse: [decides('defer')] });
		const { code, result, lines } = await run([touch], skip);
		expect(code).toBe(0);
		expect(result).toMatchObject({
			subtype: 'success',
			stop_reason: 'tool_deferred',
			terminal_reason: 'tool_deferred',
			deferred_tool_use: { name: 'Bash', input: { command: 'touch made' } },
		});
		expect(toolTexts(lines)).not.toContain('tool_result');
		hooks({});
		const again = await run([], skip, '-r', String(result.session_id));
		expect(again.code).toBe(0);
		expect(toolTexts(again.lines)).toContain('tool_result');
	});

	it('updatedInput is what runs, and what rules are asked about', async () => {
		const other = { updatedInput: { command: 'touch other' } };
		hooks({ PreToolUse: [decides('allow', other)] });
		await run([touch]);
		expect([existsSync(stage.file('made')), existsSync(stage.file('other'))]).toEqual([false, true]);
		hooks({ PreToolUse: [decides('allow', { updatedInput: { command: 'mkdir no' } })] }, undefined, {
			permissions: { deny: ['Bash(mkdir:*)'] },
		});
		await run([touch]);
		expect(existsSync(stage.file('no'))).toBe(false);
	});

	it('additionalContext is told to the model behind the result', async () => {
		await using server = await startModelServer({ turns: [touch, { text: 'done' }] as never });
		hooks({ PreToolUse: [decides('allow', { additionalContext: 'mind the gap' })] });
		const env = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'k' };
		await stage.run(['-p', 'go'], { env });
		const sent = JSON.stringify(server.requests[1]?.body);
		expect(sent).toContain('PreToolUse:Bash hook additional context: mind the gap');
		expect(sent.indexOf('tool_result')).toBeLessThan(sent.indexOf('mind the gap'));
	});

	it('the older words approve and block still count', async () => {
		hooks({ PreToolUse: [prints({ decision: 'approve' })] });
		await run([touch]);
		expect(existsSync(stage.file('made'))).toBe(true);
		hooks({ PreToolUse: [prints({ decision: 'block', reason: 'no more' })] });
		expect(toolTexts((await run([touch], skip)).lines)).toContain('hook error: no more');
	});
});

describe('the other points', () => {
	it('what SessionStart and UserPromptSubmit print is told to the model', async () => {
		await using server = await startModelServer({ turns: [{ text: 'done' }] });
		const more = { hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: 'third' } };
		hooks({ SessionStart: [command('echo first')], UserPromptSubmit: [command('echo second'), prints(more)] });
		await stage.run(['-p', 'go'], { env: { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'k' } });
		const sent = JSON.stringify(server.requests[0]?.body);
		expect(sent).toContain('SessionStart:startup hook success: first');
		expect(sent).toContain('UserPromptSubmit hook success: second');
		expect(sent).toContain('UserPromptSubmit hook additional context: third');
	});

	it('UserPromptSubmit stops a prompt before anybody is asked', async () => {
		hooks({ UserPromptSubmit: [command('echo secret words >&2; exit 2')] });
		const { code, err } = await stage.run(['-p', 'go', '--script', stage.script([{ text: 'done' }])]);
		expect(code).toBe(1);
		expect(err).toContain('the prompt was stopped by a hook');
		expect(err).toContain('secret words');
	});

	it('PostToolUse tells the model what is wrong with what was done', async () => {
		hooks({ PostToolUse: [prints({ decision: 'block', reason: 'format it' })] });
		const { lines } = await run([touch], skip);
		expect(existsSync(stage.file('made'))).toBe(true);
		expect(toolTexts(lines)).toContain('format it');
	});

	it('PostToolUse is not called for what failed', async () => {
		hooks({ PostToolUse: [command('touch called')] });
		await run([bash('exit 3')], skip);
		expect(existsSync(stage.file('called'))).toBe(false);
	});

	it('Stop makes the model go on, knows that it did, and cannot do so for ever', async () => {
		hooks({ Stop: [command('if [ -f once ]; then cat > again.json; else touch once; echo not yet >&2; exit 2; fi')] });
		const { lines } = await run([{ text: 'early' }]);
		expect(toolTexts(lines)).toContain('Stop hook feedback:\\n[if [ -f once ]');
		expect(JSON.parse(said('again.json'))).toMatchObject({ stop_hook_active: true });
		hooks({ Stop: [prints({ decision: 'block', reason: 'never' })] });
		const turns = Array.from({ length: 40 }, (_, index) => ({ text: `answer ${index}` }));
		const { code } = await stage.run(['-p', 'go', '--script', stage.script(turns)]);
		expect(code).toBe(0);
	});

	it('continue: false ends the run with its reason', async () => {
		hooks({ PostToolUse: [prints({ continue: false, stopReason: 'enough' })] });
		const { code, err, result } = await run([touch, bash('touch second')], skip);
		expect({ code, said: err.includes('a hook ended the run: enough') }).toEqual({ code: 1, said: true });
		expect(result).toMatchObject({ is_error: false, subtype: 'success', terminal_reason: 'hook_stopped' });
		expect(existsSync(stage.file('second'))).toBe(false);
	});

	it('a systemMessage is for the user', async () => {
		hooks({ Stop: [prints({ systemMessage: 'tests are slow today' })] });
		const { err, lines } = await run([]);
		expect(err).toContain('tests are slow today');
		expect(toolTexts(lines)).not.toContain('tests are slow');
	});

	it('Notification hears that a question waits', async () => {
		hooks({ Notification: [command('cat > note.json')] });
		const flags = [
			'--input-format',
			'stream-json',
			'--output-format',
			'stream-json',
			'--permission-prompt-tool',
			'stdio',
		];
		const script = stage.script([touch, { text: 'done' }] as never);
		const child = stage.start(['-p', '--script', script, ...flags]);
		child.stdin.write(`${JSON.stringify({ type: 'user', message: { role: 'user', content: 'go' } })}\n`);
		let out = '';
		for await (const piece of child.stdout) {
			out += String(piece);
			const asked = /"request_id":"([^"]+)","request":\{"subtype":"can_use_tool"/.exec(out)?.[1];
			if (asked === undefined) continue;
			const response = { behavior: 'allow', updatedInput: { command: 'touch made' } };
			const answer = { subtype: 'success', request_id: asked, response };
			child.stdin.end(`${JSON.stringify({ type: 'control_response', response: answer })}\n`);
			out = '';
		}
		expect(JSON.parse(said('note.json'))).toMatchObject({
			hook_event_name: 'Notification',
			notification_type: 'permission_prompt',
			message: 'Reprise needs your permission to use Bash',
		});
	});
});

describe('http', () => {
	async function served(answer: (body: string) => { status?: number; body: string }) {
		const requests: { headers: object; body: string }[] = [];
		const server = createServer((request, response) => {
			let body = '';
			request.on('data', (piece) => {
				body += String(piece);
			});
			request.on('end', () => {
				requests.push({ headers: request.headers, body });
				const { status = 200, body: text } = answer(body);
				response.writeHead(status, { location: '/elsewhere' }).end(text);
			});
		});
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
		return { requests, url, [Symbol.dispose]: () => server.close() };
	}

	it('posts the input and obeys the answer, and only variables that are named reach a header', async () => {
		const deny = { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny' } };
		using server = await served(() => ({ body: JSON.stringify(deny) }));
		const headers = { 'X-Who': 'is $WHO', 'X-Key': `$${'{KEY}'}` };
		const more = { env: { WHO: 'me', KEY: 'secret' } };
		hooks({ PreToolUse: [{ type: 'http', url: server.url, headers, allowedEnvVars: ['WHO'] }] }, 'Bash', more);
		await run([touch], skip);
		expect(existsSync(stage.file('made'))).toBe(false);
		expect(JSON.parse(server.requests[0]?.body ?? '')).toMatchObject({ tool_name: 'Bash' });
		expect(server.requests[0]?.headers).toMatchObject({ 'x-who': 'is me', 'x-key': '' });
	});

	it.each([
		['an error', 500, '{"decision":"block"}'],
		['a redirect', 302, ''],
		['garbage', 200, '{{{'],
	])('%s blocks nothing', async (_, status, body) => {
		using server = await served(() => ({ status, body }));
		hooks({ PreToolUse: [{ type: 'http', url: server.url }] });
		const { code } = await run([touch], skip);
		expect({ code, made: existsSync(stage.file('made')) }).toEqual({ code: 0, made: true });
		expect(server.requests).toHaveLength(1);
	});

	it('nobody there is said and blocks nothing', async () => {
		hooks({ PreToolUse: [{ type: 'http', url: 'http://127.0.0.1:1/x' }] });
		const { code, err } = await run([touch], skip);
		expect({ code, said: err.includes('the hook PreToolUse:Bash failed') }).toEqual({ code: 0, said: true });
	});
});

describe('a hook that', () => {
	it.each([
		['hangs', command('sleep 60', { timeout: 0.3 }), 'it took longer than 0.3 s'],
		['ignores SIGTERM', command("trap '' TERM; while :; do sleep 1; done", { timeout: 0.3 }), 'it took longer'],
		['floods', command('yes a long line of nothing in particular'), 'it printed more than 16 MB'],
		['is not there', command('no-such-program-here'), 'it ended with code 127'],
		['fails', command('echo broken >&2; exit 1'), 'broken'],
		['kills itself', command('kill -9 $$'), 'SIGKILL'],
	] as const)('%s is said, and the session goes on', async (_, handler, problem) => {
		hooks({ PreToolUse: [handler], Stop: [handler] });
		const { code, err, result } = await run([touch], skip);
		expect({ code, said: err.includes(problem), text: result.result }).toEqual({ code: 0, said: true, text: 'done' });
		expect(existsSync(stage.file('made'))).toBe(true);
	});

	it.each([
		['bytes', command("printf '\\377\\376\\000{'")],
		['half a JSON', command('printf \'{"decision": \'')],
		['a list', command('echo []')],
		['a decision that is none', decides('perhaps')],
		['fields of other types', prints({ continue: 'no', systemMessage: 4, hookSpecificOutput: [], reason: {} })],
		['another point', prints({ hookSpecificOutput: { hookEventName: 'Stop', permissionDecision: 'deny' } })],
	])('prints %s changes nothing', async (_, handler) => {
		hooks({ PreToolUse: [handler], PostToolUse: [handler], Stop: [handler] });
		const { code, result } = await run([touch], skip);
		expect({ code, text: result.result, made: existsSync(stage.file('made')) }).toEqual({
			code: 0,
			text: 'done',
			made: true,
		});
	});

	it('never reads its input, or leaves something running, holds nothing up', async () => {
		hooks({ PreToolUse: [command('exec <&-; sleep 30 & exit 0')] });
		const began = performance.now();
		const big = use('Write', { file_path: 'big', content: 'x'.repeat(2_000_000) });
		const { code } = await run([big], skip);
		expect(code).toBe(0);
		expect(performance.now() - began).toBeLessThan(15_000);
	});

	it('takes its time does not make the others wait: they run together', async () => {
		hooks({ Stop: [1, 2, 3, 4].map((n) => command(`sleep 1; echo ${n}`)) });
		const { lines } = await run([]);
		const stops = records(lines).filter(({ hookEvent }) => hookEvent === 'Stop');
		expect(stops).toHaveLength(4);
		const { durationMs } = lines.find(({ subtype }) => subtype === 'turn_duration') as { durationMs?: number };
		expect(durationMs).toBeLessThan(3900);
	});
});

describe('the session', () => {
	it('keeps what a hook was given, what it said and what was made of it', async () => {
		const answer = decides('allow', { permissionDecisionReason: 'fine', additionalContext: 'more' });
		hooks({ PreToolUse: [answer] });
		const { lines } = await run([touch]);
		expect(lines.filter(({ type }) => type === 'progress')).toMatchObject([
			{
				data: { type: 'hook_progress', hookEvent: 'PreToolUse', hookName: 'PreToolUse:Bash', command: answer.command },
				toolUseID: expect.any(String),
			},
		]);
		expect(records(lines)).toMatchObject([
			{
				type: 'hook_success',
				hookEvent: 'PreToolUse',
				hookName: 'PreToolUse:Bash',
				toolUseID: expect.any(String),
				exitCode: 0,
				stderr: '',
				stdout: expect.stringContaining('permissionDecision'),
				command: answer.command,
				durationMs: expect.any(Number),
				input: { tool_name: 'Bash', tool_input: { command: 'touch made' } },
				decision: { decision: 'allow', reason: 'fine', additionalContext: 'more' },
			},
		]);
	});

	it('in the style of the document keeps the same in its progress lines', async () => {
		hooks({ PreToolUse: [command('echo no >&2; exit 2')] });
		const file = join(stage.cwd, '..', 'session.jsonl');
		const script = stage.script([touch, { text: 'done' }] as never);
		const flags = ['--session-profile', 'published', '--session-file', file];
		const { code } = await stage.run(['-p', 'go', '--script', script, skip, ...flags]);
		expect(code).toBe(0);
		const lines = framesIn(readFileSync(file, 'utf8'));
		const [, ended] = lines.filter(({ type }) => type === 'progress');
		expect(ended?.data).toMatchObject({
			type: 'hook_progress',
			hookName: 'PreToolUse:Bash',
			stderr: 'no\n',
			decision: { decision: 'deny', reason: 'no\n' },
		});
	});

	it('that a hook has looked at is sound, in every format', async () => {
		for (const format of ['claude-code', 'cline', 'clido', 'openclaw']) {
			hooks({ PreToolUse: [command('echo x')], Stop: [command('true')], SessionEnd: [command('true')] });
			const script = stage.script([touch, { text: 'done' }] as never);
			const { code } = await stage.run(['-p', 'go', '--script', script, skip, '--session-format', format]);
			expect(code).toBe(0);
			const checked = await stage.run(['check', 'last']);
			expect({ format, code: checked.code, out: checked.out }).toMatchObject({ format, code: 0 });
		}
	});
});

it('disableAllHooks switches them off', async () => {
	hooks({ PreToolUse: [command('touch called')] }, undefined, { disableAllHooks: true });
	await run([touch], skip);
	expect(existsSync(stage.file('called'))).toBe(false);
});
