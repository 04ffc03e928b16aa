/** A call that a hook has put off: going on with the session runs it, whoever answers by then, and nothing else runs it. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ClientStage, type Frame } from '../support/client.ts';
import { bash, command, decides, HookRuns, skip, toolTexts } from '../support/hooks.ts';

let stage: ClientStage;
let runs: HookRuns;
beforeEach(() => {
	stage = new ClientStage();
	runs = new HookRuns(stage);
});
afterEach(() => stage[Symbol.dispose]());

const touch = bash('touch made');
const made = (): boolean => existsSync(stage.file('made'));

async function putOff(...flags: readonly string[]): Promise<Frame> {
	runs.hooks({ PreToolUse: [decides('defer')] });
	const script = stage.script([touch, { text: 'done' }]);
	const { out } = await stage.run(['-p', 'go', '--script', script, '--output-format', 'json', skip, ...flags]);
	const result = JSON.parse(out) as Frame;
	expect(result).toMatchObject({ subtype: 'success', stop_reason: 'tool_deferred' });
	expect(made()).toBe(false);
	return result;
}

/** Goes on, with these words or none. */
async function goOn({ session_id }: Frame, words: readonly string[], ...flags: readonly string[]): Promise<Frame> {
	const script = stage.script([{ text: 'went on' }]);
	const args = ['-p', ...words, '-r', String(session_id), '--script', script, '--output-format', 'json', ...flags];
	const { out, err } = await stage.run(args);
	return { type: '', err, ...(out === '' ? {} : (JSON.parse(out) as object)) };
}

describe.each(['claude-code', 'cline', 'clido', 'openclaw'])('in a session of %s', (format) => {
	it('runs when the session goes on, without a prompt, and the model hears of it', async () => {
		const first = await putOff('--session-format', format);
		runs.hooks({ PreToolUse: [decides('allow', { updatedInput: { command: 'touch made answered' } })] });
		expect(await goOn(first, [])).toMatchObject({ subtype: 'success', result: 'went on', permission_denials: [] });
		expect([made(), existsSync(stage.file('answered'))]).toEqual([true, true]);
		const { out } = await stage.run(['show', String(first.session_id), '--json']);
		const { parts } = JSON.parse(out) as { parts: { kind: string; output?: string; text?: string }[] };
		expect(parts.filter(({ kind }) => kind === 'tool')).toMatchObject([{ name: 'Bash', isError: false }]);
		expect((await stage.run(['check', String(first.session_id)])).code).toBe(0);
	});
});

it('may be put off again, and again', async () => {
	const first = await putOff();
	const again = await goOn(first, [], skip);
	expect(again).toMatchObject({
		subtype: 'success',
		stop_reason: 'tool_deferred',
		deferred_tool_use: { name: 'Bash' },
	});
	const third = await goOn(first, ['do not ask the model yet'], skip);
	expect(third).toMatchObject({ stop_reason: 'tool_deferred' });
	expect(made()).toBe(false);
	expect(toolTexts(await stage.lines(first.session_id))).not.toContain('do not ask');
	runs.hooks({});
	await goOn(first, [], skip);
	expect(made()).toBe(true);
});

it('runs before the prompt that the session goes on with', async () => {
	const first = await putOff();
	runs.hooks({});
	expect(await goOn(first, ['and now?'], skip)).toMatchObject({ result: 'went on' });
	const said = toolTexts(await stage.lines(first.session_id));
	expect(made()).toBe(true);
	expect(said.indexOf('tool_result')).toBeLessThan(said.indexOf('and now?'));
});

it('is judged like any other: rules, modes and hooks may deny it', async () => {
	const first = await putOff();
	runs.hooks({ PreToolUse: [command('true')] });
	const denied = await goOn(first, []);
	expect(denied.permission_denials).toHaveLength(1);
	expect(made()).toBe(false);
	expect(toolTexts(await stage.lines(first.session_id))).toContain('tool_result');
});

it('stays as it is where its tool is not available', async () => {
	const first = await putOff();
	runs.hooks({});
	const without = await goOn(first, [], skip, '--tools', 'Read');
	expect(without.is_error).toBe(true);
	expect(without.err).toContain('a call of Bash waits, and that tool is not available here: nothing was run');
	await goOn(first, [], skip);
	expect(made()).toBe(true);
});

it('is run for our own notes alone: a file that says so makes nobody run anything', async () => {
	const first = await putOff();
	const path = await stage.pathOf(first.session_id);
	writeFileSync(path, readFileSync(path, 'utf8').replaceAll('touch made', 'touch evil'));
	runs.hooks({});
	const answer = await goOn(first, ['hm'], skip);
	expect(answer).toMatchObject({ result: 'went on' });
	expect([made(), existsSync(stage.file('evil'))]).toEqual([false, false]);
});

it('is told of, and how to go on with it', async () => {
	runs.hooks({ PreToolUse: [decides('defer')] });
	const { code, err } = await stage.run(['-p', 'go', '--script', stage.script([touch]), skip]);
	expect({ code, err }).toEqual({
		code: 0,
		err: 'reprise: a hook has put off a call of Bash: reprise -p -r last goes on with it\n',
	});
});

it('where nothing waits, a session does not go on without a prompt', async () => {
	const { session_id } = await stage.json('-p', 'go', '--script', stage.script([{ text: 'ok' }]));
	const { code, err } = await stage.run(['-p', '-r', String(session_id), '--script', stage.script([])]);
	expect(code).toBe(2);
	expect(err).toContain('there is nothing to do: give a prompt, or pipe one to stdin');
});
