/** Hooks that answer in the user's place, and those that hear of failures, denials, whole replies and compactions. */
import { existsSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ClientStage } from '../support/client.ts';
import { bash, command, HookRuns, prints, toolTexts, use } from '../support/hooks.ts';

let stage: ClientStage;
let runs: HookRuns;
beforeEach(() => {
	stage = new ClientStage();
	runs = new HookRuns(stage);
});
afterEach(() => stage[Symbol.dispose]());

const touch = bash('touch made');
const keep = (name: string) => command(`cat > ${name}.json`);
const given = (name: string) => JSON.parse(runs.said(`${name}.json`)) as { readonly [field: string]: unknown };
const answers = (decision: object) => prints({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } });
const made = () => existsSync(stage.file('made'));

describe('PermissionRequest', () => {
	it('is told of a call that somebody would be asked about, and decides nothing by silence', async () => {
		runs.hooks({ PermissionRequest: [keep('asked')] });
		const { result } = await runs.run([bash('true'), touch]);
		expect(given('asked')).toMatchObject({
			hook_event_name: 'PermissionRequest',
			tool_name: 'Bash',
			tool_input: { command: 'touch made' },
			permission_suggestions: [{ type: 'addRules', behavior: 'allow', destination: 'localSettings' }],
		});
		expect(given('asked')).not.toHaveProperty('tool_use_id');
		expect(result.permission_denials).toHaveLength(1);
	});

	it('allows with another input, and with rules that hold from then on', async () => {
		const updatedPermissions = [{ type: 'addRules', behavior: 'allow', rules: [{ toolName: 'Bash' }] }];
		const updatedInput = { command: 'touch other' };
		runs.hooks({
			PermissionRequest: [command('echo x >> count'), answers({ behavior: 'allow', updatedInput, updatedPermissions })],
		});
		const { result, lines } = await runs.run([touch, bash('touch third')]);
		expect([made(), ...['other', 'third'].map((name) => existsSync(stage.file(name)))]).toEqual([false, true, true]);
		expect(result.permission_denials).toEqual([]);
		expect(runs.said('count')).toBe('x\n');
		expect(lines.find(({ permissionDecision }) => permissionDecision)?.permissionDecision).toMatchObject({
			decision: 'accept',
			source: 'hook',
			reasonType: 'hook',
		});
	});

	it('denies with its own words, also where another hook allows', async () => {
		runs.hooks({
			PermissionRequest: [answers({ behavior: 'allow' }), answers({ behavior: 'deny', message: 'not here' })],
		});
		const { result, lines } = await runs.run([touch]);
		expect(made()).toBe(false);
		expect(result.permission_denials).toHaveLength(1);
		expect(toolTexts(lines)).toContain('"content":"not here"');
		expect(lines.find(({ toolDenialKind }) => toolDenialKind)?.permissionDecision).toMatchObject({
			source: 'hook',
			reasonCode: 'hook:PermissionRequest',
		});
	});

	it('that ends with 2 denies with what it says on stderr, and one that interrupts ends the run', async () => {
		runs.hooks({ PermissionRequest: [command('echo never >&2; exit 2')] });
		expect(toolTexts((await runs.run([touch])).lines)).toContain('never');
		runs.hooks({ PermissionRequest: [answers({ behavior: 'deny', message: 'stop', interrupt: true })] });
		const { result } = await runs.run([touch]);
		expect(result.is_error).toBe(true);
		expect(made()).toBe(false);
	});

	it.each([
		['a rule that denies', { deny: ['Bash(touch:*)'] }],
		['a mode that asks nobody', { defaultMode: 'dontAsk' }],
	])('is not called where %s decides', async (_, permissions) => {
		runs.hooks({ PermissionRequest: [keep('asked'), answers({ behavior: 'allow' })] }, undefined, { permissions });
		await runs.run([touch]);
		expect(made()).toBe(false);
		expect(runs.said('asked.json')).toBe('');
	});

	it('opens nothing that is protected', async () => {
		runs.hooks({ PermissionRequest: [answers({ behavior: 'allow' })] });
		await runs.run([use('Write', { file_path: stage.file('.git/hooks/pre-commit'), content: 'x' }), touch]);
		expect(existsSync(stage.file('.git/hooks/pre-commit'))).toBe(false);
		expect(made()).toBe(true);
	});

	it('opens nothing that is protected by another input either', async () => {
		const updatedInput = { command: 'mkdir -p .git/hooks && touch .git/hooks/pre-commit' };
		runs.hooks({ PermissionRequest: [answers({ behavior: 'allow', updatedInput })] });
		const { result } = await runs.run([touch]);
		expect([made(), existsSync(stage.file('.git/hooks/pre-commit'))]).toEqual([false, false]);
		expect(result.permission_denials).toHaveLength(1);
	});
});

describe('what was not done', () => {
	it('PermissionDenied hears of what a rule has denied, and the model that it may try again', async () => {
		const retry = prints({ hookSpecificOutput: { hookEventName: 'PermissionDenied', retry: true } });
		runs.hooks({ PermissionDenied: [keep('denied'), retry] }, 'Bash', { permissions: { deny: ['Bash(touch:*)'] } });
		const { lines } = await runs.run([touch]);
		expect(given('denied')).toMatchObject({
			...{ tool_name: 'Bash', tool_input: { command: 'touch made' }, tool_use_id: expect.any(String) },
			reason: expect.stringContaining('Bash(touch:*)'),
		});
		expect(toolTexts(lines)).toContain('the call that was denied may be made again');
	});

	it('PostToolUseFailure hears of a call that failed, and of no other', async () => {
		const context = prints({
			hookSpecificOutput: { hookEventName: 'PostToolUseFailure', additionalContext: 'look closer' },
		});
		runs.hooks({ PostToolUseFailure: [command('cat >> failed.json'), context] });
		const { lines } = await runs.run([bash('true'), bash('echo out; exit 3')], '--allowedTools', 'Bash');
		expect(given('failed')).toMatchObject({
			...{ tool_name: 'Bash', tool_input: { command: 'echo out; exit 3' }, tool_use_id: expect.any(String) },
			...{ error: 'Exit code 3\nout', is_interrupt: false, duration_ms: expect.any(Number) },
		});
		expect(toolTexts(lines)).toContain('PostToolUseFailure:Bash hook additional context: look closer');
	});
});

describe('what is over', () => {
	it('PostToolBatch hears once of all calls of a reply, with their results', async () => {
		const content = [...touch.content, ...use('Read', { file_path: stage.file('none') }).content];
		runs.hooks({ PostToolBatch: [command('cat >> batch.json')] });
		await runs.run([{ content }], '--permission-mode', 'acceptEdits');
		expect(given('batch').tool_calls).toMatchObject([
			{ tool_name: 'Bash', tool_input: { command: 'touch made' }, tool_use_id: expect.any(String) },
			{ tool_name: 'Read', tool_response: expect.stringContaining('File does not exist') },
		]);
	});

	it('PostToolBatch tells the model something, or ends the run before it is asked again', async () => {
		const more = prints({ hookSpecificOutput: { hookEventName: 'PostToolBatch', additionalContext: 'enough' } });
		runs.hooks({ PostToolBatch: [more] });
		const told = await runs.run([bash('true')]);
		expect(toolTexts(told.lines)).toContain('PostToolBatch hook additional context: enough');
		runs.hooks({ PostToolBatch: [prints({ decision: 'block', reason: 'that is it' })] });
		const { result, lines } = await runs.run([bash('true')]);
		expect(result).toMatchObject({ is_error: false, terminal_reason: 'hook_stopped' });
		expect(JSON.stringify(lines)).not.toContain('"text":"done"');
	});

	it('PostCompact hears the summary', async () => {
		runs.hooks({ PreCompact: [keep('before')], PostCompact: [keep('after')] });
		const long = { content: [{ type: 'text', text: 'a long story. '.repeat(2000) }, ...bash('true').content] };
		const { result } = await runs.run([long]);
		const script = stage.script([{ text: 'what was said' }]);
		await stage.run(['-p', '/compact', '-r', String(result.session_id), '--script', script]);
		expect(given('before')).toMatchObject({ trigger: 'manual', custom_instructions: null });
		expect(given('after')).toMatchObject({ trigger: 'manual', compact_summary: 'what was said' });
	});

	it('Stop hears what still runs in the background, and how hard the model thinks', async () => {
		runs.hooks({ Stop: [keep('stop')] });
		const input = { command: 'sleep 30', description: 'a nap', run_in_background: true };
		const call = { content: [{ type: 'tool_use' as const, name: 'Bash', input }] };
		await runs.run([call], '--allowedTools', 'Bash', '--thinking', 'high');
		expect(given('stop')).toMatchObject({
			effort: { level: 'high' },
			background_tasks: [
				{ id: expect.any(String), type: 'shell', status: 'running', description: 'a nap', command: 'sleep 30' },
			],
			session_crons: [],
		});
	});
});
