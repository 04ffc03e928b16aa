/** Session protocol §4.5 and §4.8: what a run tells while it goes on, and the pull requests it made, as the client writes them. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ClientStage, type Frame } from '../support/client.ts';
import { bash, command, HookRuns, skip } from '../support/hooks.ts';

const stage = new ClientStage();
const runs = new HookRuns(stage);
afterAll(() => stage[Symbol.dispose]());

/** No script knows the name of a task before it runs: a hook puts it in. */
const naming = `
const { transcript_path } = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
const [, task_id] = /"backgroundTaskId":"([^"]+)"/.exec(require('node:fs').readFileSync(transcript_path, 'utf8'));
const updatedInput = { task_id, block: true, timeout: 10000 };
console.log(JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow', updatedInput } }));
`;

let lines: readonly Frame[] = [];
beforeAll(async () => {
	const bin = join(stage.cwd, '..', 'bin');
	mkdirSync(bin, { recursive: true });
	writeFileSync(join(bin, 'gh'), '#!/bin/sh\necho https://github.com/acme/site/pull/41\n');
	chmodSync(join(bin, 'gh'), 0o755);
	writeFileSync(stage.file('naming.cjs'), naming);
	runs.settings({
		hooks: {
			SessionStart: [{ hooks: [command('echo hello-from-hook')] }],
			PreToolUse: [{ matcher: 'TaskOutput', hooks: [command(`"${process.execPath}" naming.cjs`)] }],
		},
		env: { PATH: `${bin}:${process.env.PATH}` },
	});
	const slow = { command: 'sleep 3; echo late', description: 'Wait a little', run_in_background: true };
	const call = (name: string, input: object) => ({ content: [{ type: 'tool_use' as const, name, input }] });
	const ran = await runs.run(
		[
			bash('echo one; sleep 3; echo two'),
			call('Bash', slow),
			call('TaskOutput', { task_id: 'unknown' }),
			bash('gh pr create --fill'),
		],
		skip,
	);
	expect(ran.code).toBe(0);
	lines = ran.lines;
}, 60_000);

const progress = (type: string): readonly Frame[] =>
	lines.filter(({ data }) => (data as Frame | undefined)?.type === type);

describe('4.5 progress', () => {
	it('is no part of the graph: no line goes on from it', () => {
		const told = lines.filter(({ type }) => type === 'progress');
		const ids = new Set(told.map(({ uuid }) => uuid));
		expect(new Set(told.map(({ data }) => (data as Frame).type))).toEqual(
			new Set(['hook_progress', 'bash_progress', 'waiting_for_task']),
		);
		expect(lines.filter(({ parentUuid }) => ids.has(parentUuid))).toEqual([]);
	});

	it('bash_progress: what is new, all so far, and the call', () => {
		const [first] = progress('bash_progress');
		const call = expect.any(String);
		expect(first).toMatchObject({
			data: { output: expect.stringContaining('one'), fullOutput: expect.stringContaining('one') },
			toolUseID: call,
			parentToolUseID: call,
		});
		expect(first?.toolUseID).toBe(first?.parentToolUseID);
		expect(JSON.stringify(lines.filter(({ type }) => type === 'assistant'))).toContain(String(first?.toolUseID));
	});

	it('hook_progress: the point, the name and the command', () => {
		expect(progress('hook_progress')[0]?.data).toEqual({
			type: 'hook_progress',
			hookEvent: 'SessionStart',
			hookName: 'SessionStart:startup',
			command: 'echo hello-from-hook',
		});
	});

	it('waiting_for_task: what is waited for, and its kind', () => {
		expect(progress('waiting_for_task').map(({ data }) => data)).toEqual([
			{ type: 'waiting_for_task', taskDescription: 'Wait a little', taskType: 'local_bash' },
		]);
	});
});

describe('4.8 pr-link', () => {
	it('has the session, the number, the address, the repository and the time', () => {
		expect(lines.filter(({ type }) => type === 'pr-link')).toEqual([
			{
				type: 'pr-link',
				sessionId: lines.find(({ type }) => type === 'user')?.sessionId,
				prNumber: 41,
				prUrl: 'https://github.com/acme/site/pull/41',
				prRepository: 'acme/site',
				timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
			},
		]);
	});
});
