/** Guards of a user: hooks under every agent's names, answers that change a call, and records that say what happened. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ClientStage, type Frame } from '../support/client.ts';
import { command, decides, HookRuns, prints } from '../support/hooks.ts';
import { Host, type HostSetting } from '../support/host.ts';

let stage: ClientStage;
let runs: HookRuns;
beforeEach(() => {
	stage = new ClientStage();
	runs = new HookRuns(stage);
});
afterEach(() => stage[Symbol.dispose]());

const call = (name: string, input: object) => ({ content: [{ type: 'tool_use' as const, name, input }] });
const script = (...turns: readonly object[]): string => stage.script([...turns, { text: 'done' }] as never);
const skip = '--dangerously-skip-permissions';
const read = (name: string): string => (existsSync(stage.file(name)) ? readFileSync(stage.file(name), 'utf8') : '');
const shown = async (): Promise<string> => (await stage.run(['show', 'last', '--full', '--hooks'])).out;

/** A host that is asked, and answers so. */
function host(answer: object | (() => Promise<object>), turns: readonly object[], ...args: readonly string[]): Host {
	const answers: HostSetting['answers'] = {
		can_use_tool: () => (typeof answer === 'function' ? answer() : answer) as never,
	};
	const flags = ['-p', '--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'];
	const all = [...turns, { text: 'done' }] as never;
	return new Host(stage, { script: all, answers, args: [...flags, '--permission-prompt-tool', 'stdio', ...args] });
}

const shells = [
	['pi', call('bash', { command: 'touch made' })],
	['cline', call('run_commands', { commands: ['touch made'] })],
] as const;

describe('a session that goes on under another agent’s names', () => {
	const goOn = async (format: string, turn: object) => {
		await stage.run(['-p', 'go', '--session-format', format, '--script', script(turn)]);
		return await stage.run(['-c', '-p', 'on', skip, '--script', script(turn)]);
	};

	it.each(shells)('is guarded by the hooks of Bash, which are told its command: %s', async (format, turn) => {
		runs.hooks({ PreToolUse: [command('cat > told.json; echo no >&2; exit 2')] }, 'Bash');
		await goOn(format, turn);
		expect(existsSync(stage.file('made'))).toBe(false);
		expect(JSON.parse(read('told.json'))).toMatchObject({ tool_name: 'Bash', tool_input: { command: 'touch made' } });
	});

	it.each(shells)('runs what a hook makes of its command: %s', async (format, turn) => {
		runs.hooks({ PreToolUse: [decides('allow', { updatedInput: { command: 'touch other' } })] }, 'Bash');
		await goOn(format, turn);
		expect([existsSync(stage.file('made')), existsSync(stage.file('other'))]).toEqual([false, true]);
	});

	it('does not run what a hook wants otherwise and its tool has no words for', async () => {
		writeFileSync(stage.file('a.txt'), 'one two\n');
		const edits = [
			{ oldText: 'one', newText: '1' },
			{ oldText: 'two', newText: '2' },
		];
		runs.hooks(
			{ PreToolUse: [command('cat > told.json'), decides('allow', { updatedInput: { file_path: 'b.txt' } })] },
			'Edit',
		);
		await goOn('pi', call('edit', { path: 'a.txt', edits }));
		expect(read('a.txt')).toBe('one two\n');
		expect(read('told.json')).toContain('"new_string":"2"');
	});

	it('keeps the denial of a part, although another part was allowed', async () => {
		const turn = call('run_commands', { commands: ['mkdir b', 'touch made'] });
		await stage.run(['-p', 'go', '--session-format', 'cline', '--script', script(turn)]);
		const flags = ['--disallowedTools', 'Bash(mkdir:*)', '--allowedTools', 'Bash(touch:*)'];
		await stage.run(['-c', '-p', 'on', ...flags, '--script', script(turn)]);
		expect(existsSync(stage.file('made'))).toBe(true);
		expect(await shown()).toContain('denied by the rule Bash(mkdir:*)');
	});
});

describe('whoever allows a call and changes it', () => {
	const touch = call('Bash', { command: 'touch made' });

	it('may not change it into what a rule denies, and the record says that it was denied', async () => {
		const answer = { behavior: 'allow', updatedInput: { command: 'mkdir b' } };
		await using one = host(answer, [touch], '--disallowedTools', 'Bash(mkdir:*)');
		const result = await one.turn('go');
		expect(existsSync(stage.file('b'))).toBe(false);
		expect(result.permission_denials).toMatchObject([{ tool_input: { command: 'mkdir b' } }]);
		await one.end();
		expect(await shown()).toContain('denied by the rule Bash(mkdir:*)');
		expect(await shown()).not.toContain('allowed by the user');
	});

	it.each([
		['another text', { new_string: 'three' }, true],
		['the same in another order', {}, false],
	])('userModified says whether it is another one: %s', async (_, change, modified) => {
		writeFileSync(stage.file('a.txt'), 'one\n');
		const path = stage.file('a.txt');
		const input = { new_string: 'two', old_string: 'one', file_path: path, ...change };
		const edit = call('Edit', { file_path: path, old_string: 'one', new_string: 'two' });
		await using one = host({ behavior: 'allow', updatedInput: input }, [call('Read', { file_path: path }), edit]);
		await one.turn('go');
		const results = one.of('user').flatMap(({ tool_use_result: result }) => (result ? [result as Frame] : []));
		expect(results.at(-1)).toMatchObject({ userModified: modified });
		expect(JSON.stringify(one.of('user').at(-1)).includes('The user modified your proposed changes')).toBe(modified);
		expect(read('a.txt')).toBe(modified ? 'three\n' : 'two\n');
	});

	it.each(['claude-code', 'cline', 'clido', 'openclaw'])(
		'and the record says what was run instead, of which the model is told what the real client tells it: %s',
		async (format) => {
			const touch = call('Bash', { command: 'touch wanted; echo wanted' });
			const updatedInput = { command: 'touch other; echo other' };
			await using one = host({ behavior: 'allow', updatedInput }, [touch], '--session-format', format);
			await one.turn('go');
			const [result] = one.of('user').flatMap(({ message }) => (message as { content: readonly object[] }).content);
			expect(result).toMatchObject({ type: 'tool_result', content: 'other' });
			await one.end();
			expect(await shown()).toContain('· the user changed this call to: touch other; echo other');
			expect((await stage.run(['check', 'last'])).code).toBe(0);
		},
	);

	it('has not modified what a hook has made of it', async () => {
		writeFileSync(stage.file('a.txt'), 'one\n');
		const path = stage.file('a.txt');
		const updatedInput = { file_path: path, old_string: 'one', new_string: 'hooked' };
		runs.hooks({ PreToolUse: [prints({ hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput } })] }, 'Edit');
		const edit = call('Edit', { file_path: path, old_string: 'one', new_string: 'two' });
		await using one = host({ behavior: 'allow', updatedInput }, [call('Read', { file_path: path }), edit]);
		await one.turn('go');
		const results = one.of('user').flatMap(({ tool_use_result: result }) => (result ? [result as Frame] : []));
		expect(results.at(-1)).toMatchObject({ userModified: false });
		expect(read('a.txt')).toBe('hooked\n');
	});
});

describe('a question', () => {
	const touch = call('Bash', { command: 'touch made' });

	it('is answered with words that the model gets as they are, and the record says why it was asked', async () => {
		await using one = host({ behavior: 'deny', message: 'no thanks' }, [touch]);
		await one.turn('go');
		const told = one.of('user').at(-1)?.message;
		expect(told).toMatchObject({ content: [{ content: 'no thanks', is_error: true }] });
		await one.end();
		const lines = await stage.lines(one.of('init')[0]?.session_id);
		const decisions = lines.flatMap(({ permissionDecision }) => permissionDecision ?? []);
		expect(decisions).toMatchObject([{ decision: 'reject', source: 'user_reject', reasonType: 'other' }]);
	});

	it('that a killed run has left open is in the session', async () => {
		const asked = Promise.withResolvers<void>();
		const killed = Promise.withResolvers<object>();
		await using one = host(() => {
			asked.resolve();
			return killed.promise;
		}, [touch]);
		const { pid } = await one.agent.request('initialize');
		one.agent.say('go');
		await asked.promise;
		process.kill(Number(pid), 'SIGKILL');
		killed.resolve({ behavior: 'deny', message: 'too late' });
		await one.agent.exit;
		expect(await shown()).toContain('permission asked: Bash: nothing allows touch made');
	});

	it('of a sub-agent names it, in the record and to hooks', async () => {
		runs.hooks({ PreToolUse: [command('cat >> told.json')] }, 'Bash');
		const task = { description: 'd', prompt: 'sub work', subagent_type: 'general-purpose' };
		const turns = [
			{ when: { last: 'go' }, ...call('Task', task) },
			{ when: { last: 'sub work' }, ...touch },
			{ when: { last: 'sub work' }, text: 'sub done' },
		];
		await stage.run(['-p', 'go', '--script', script(...turns), '--disallowedTools', 'Bash(touch:*)']);
		expect(JSON.parse(read('told.json'))).toMatchObject({
			agent_id: expect.any(String),
			agent_type: 'general-purpose',
		});
		const { out } = await stage.run(['agents', 'last', '--json']);
		const [agent] = (JSON.parse(out) as { agents: readonly { id: string }[] }).agents;
		const file = await stage.run(['show', agent?.id ?? '', '--full', '--hooks', '--json']);
		expect(file.out).toContain('denied by the rule Bash(touch:*)');
	});
});

describe('hooks', () => {
	it('that replace a result replace it for the model and for the session', async () => {
		const answer = { hookSpecificOutput: { hookEventName: 'PostToolUse', updatedToolOutput: 'REDACTED' } };
		runs.hooks({ PostToolUse: [prints(answer)] }, 'Bash');
		const { result } = await runs.run([call('Bash', { command: 'printf sec; printf ret' })], skip);
		const lines = JSON.stringify(await stage.lines(result.session_id));
		expect(lines).toContain('REDACTED');
		expect(lines.replaceAll('printf sec; printf ret', '')).not.toContain('secret');
	});

	it('may keep what they print out of the session', async () => {
		writeFileSync(stage.file('answer.json'), JSON.stringify({ suppressOutput: true, systemMessage: 'told' }));
		runs.hooks({ Stop: [command('cat answer.json')] });
		const { result, err } = await runs.run([]);
		expect(err).toContain('told');
		expect(JSON.stringify(await stage.lines(result.session_id))).not.toContain('suppressOutput');
	});

	it('hear that a session begins because another one was left', async () => {
		runs.hooks({ SessionStart: [command('cat >> sources')] }, 'clear');
		await using one = host({}, [{ text: 'one' }]);
		await one.turn('first');
		await one.turn('/clear');
		expect(read('sources')).toBe('');
		await one.turn('second');
		expect(JSON.parse(read('sources'))).toMatchObject({ source: 'clear' });
	});
});

it('a switch of compaction in a folder that is not trusted is named among what does not count', async () => {
	mkdirSync(stage.file('.claude'), { recursive: true });
	writeFileSync(stage.file('.claude/settings.json'), JSON.stringify({ autoCompactEnabled: false }));
	const { err } = await stage.run(['-p', 'go', '--script', script()]);
	expect(err).toContain('switches (autoCompactEnabled)');
});
