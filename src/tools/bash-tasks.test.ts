/** Commands that take long, print much or do not want to end. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { textOf, toolBench } from '../../test/support/tool-bench.ts';
import type { Tool, ToolOutput } from '../agent/contracts.ts';
import type { JsonObject } from '../model/index.ts';
import { bash } from './bash.ts';
import { shellTaskTools } from './shell-task-tools.ts';

function tasks() {
	const bench = toolBench();
	const tool = (name: string) => shellTaskTools.find((one) => one.name === name) as Tool;
	const run = (name: string, input: JsonObject) => bench.use(tool(name), input);
	const start = async (command: string, more: JsonObject = {}): Promise<string> =>
		idOf(await bench.use(bash, { command, run_in_background: true, ...more }));
	return { ...bench, run, start };
}

const idOf = ({ details }: ToolOutput): string => String((details as JsonObject).backgroundTaskId);

/** The processes of the group that a command told its number of. */
function groupIn(path: string): readonly string[] {
	const group = readFileSync(path, 'utf8').trim();
	const all = execFileSync('ps', ['-eo', 'pgid=,stat=,pid='], { encoding: 'utf8' }).split('\n');
	// A process that nobody has taken note of is dead all the same.
	return all
		.map((line) => line.trim().split(/\s+/))
		.flatMap(([pgid, stat = 'Z', pid = '']) => (pgid === group && !stat.startsWith('Z') ? [pid] : []));
}

async function until(done: () => boolean): Promise<void> {
	for (let tries = 0; !done() && tries < 200; tries++) await later(25);
	expect(done()).toBe(true);
}

describe('a command in the background', () => {
	it('is answered at once, and the model is told when it has ended', async () => {
		const { use, outputs, notices, context } = tasks();
		const output = await use(bash, {
			command: 'sleep 0.2; echo done; exit 3',
			run_in_background: true,
			description: 'My task',
		});
		const id = idOf(output);
		const path = join(outputs, `${id}.output`);
		expect(id).toMatch(/^b[0-9a-f]{6}$/);
		expect(textOf(output)).toMatch(
			new RegExp(`^Command running in background with ID: ${id}. Output is being written to: ${path}`),
		);
		expect(output.details).toEqual({
			stdout: '',
			stderr: '',
			interrupted: false,
			isImage: false,
			backgroundTaskId: id,
		});
		expect(notices).toEqual([]);
		await until(() => notices.length > 0);
		expect(notices[0]).toBe(
			`<task-notification>\n<task-id>${id}</task-id>\n<tool-use-id>${context.callId}</tool-use-id>\n<output-file>${path}</output-file>\n<status>failed</status>\n<summary>Background command "My task" failed (exit code 3)</summary>\n</task-notification>`,
		);
		expect(readFileSync(path, 'utf8')).toBe('done\n');
		expect(statSync(path).mode & 0o777).toBe(0o600);
	});

	it('shows what it has printed, with and without waiting', async () => {
		const { start, run, updates } = tasks();
		const id = await start('echo one; sleep 0.5; echo two', { description: 'Two words' });
		const early = await run('TaskOutput', { task_id: id, block: false });
		expect(textOf(early)).toMatch(
			new RegExp(
				`^<retrieval_status>not_ready</retrieval_status>\n\n<task_id>${id}</task_id>\n\n<task_type>local_bash</task_type>\n\n<status>running</status>`,
			),
		);
		expect(updates).toEqual([]);
		const late = await run('TaskOutput', { task_id: id });
		expect(textOf(late)).toBe(
			`<retrieval_status>success</retrieval_status>\n\n<task_id>${id}</task_id>\n\n<task_type>local_bash</task_type>\n\n<status>completed</status>\n\n<exit_code>0</exit_code>\n\n<output>\none\ntwo\n</output>`,
		);
		const task = {
			task_id: id,
			task_type: 'local_bash',
			status: 'completed',
			description: 'Two words',
			output: 'one\ntwo',
			exitCode: 0,
		};
		expect(late.details).toEqual({ retrieval_status: 'success', task });
		expect(updates).toEqual([{ type: 'waiting_for_task', taskDescription: 'Two words', taskType: 'local_bash' }]);
		expect(textOf(await run('BashOutput', { bash_id: id, filter: 'tw' }))).toContain('<output>\ntwo\n</output>');
	});

	it('waiting for it has a limit', async () => {
		const { start, run } = tasks();
		const id = await start('sleep 20');
		expect(textOf(await run('TaskOutput', { task_id: id, timeout: 50 }))).toContain(
			'<retrieval_status>timeout</retrieval_status>',
		);
	});

	it.each(['TaskStop', 'KillShell', 'KillBash'])(
		'%s ends it, also when it ignores that it is asked to',
		async (name) => {
			const { start, run, at, notices } = tasks();
			const command = "trap '' TERM; echo $$ > group; (trap '' TERM; sleep 60) & while true; do sleep 0.1; done";
			const id = await start(command);
			await until(() => existsSync(at('group')));
			const input: JsonObject = name === 'TaskStop' ? { task_id: id } : { shell_id: id };
			const output = await run(name, input);
			const details = {
				message: `Successfully stopped task: ${id} (${command})`,
				task_id: id,
				task_type: 'local_bash',
				command,
			};
			expect(JSON.parse(textOf(output))).toEqual(details);
			expect(output.details).toEqual(details);
			await until(() => groupIn(at('group')).length === 0);
			const again = await run(name, input);
			expect(textOf(again)).toBe(`<tool_use_error>Task ${id} is not running (status: killed)</tool_use_error>`);
			expect(notices).toEqual([]);
		},
	);

	it.each([
		['TaskStop', { task_id: 'zzz' }, 'No task found with ID: zzz'],
		['TaskStop', {}, 'Missing required parameter: task_id'],
		['TaskOutput', { task_id: '../x' }, 'No task found with ID: ../x'],
		['BashOutput', { bash_id: 'zzz' }, 'No task found with ID: zzz'],
	])('%s %j fails', async (name, input, text) => {
		const output = await tasks().run(name, input as JsonObject);
		expect(textOf(output)).toBe(`<tool_use_error>${text}</tool_use_error>`);
		expect(output.details).toBe(`Error: ${text}`);
	});
});

describe('a command that takes longer than its limit', () => {
	it('goes on in the background with what it has printed', async () => {
		const { use, at, outputs, notices } = tasks();
		const output = await use(bash, { command: 'echo early; sleep 0.6; echo late > late.txt; echo late', timeout: 200 });
		const id = idOf(output);
		expect(output.isError).toBeUndefined();
		expect(textOf(output)).toMatch(
			new RegExp(
				`^early\nCommand did not complete within its 0.2s timeout and was moved to the background \\(ID: ${id}\\)`,
			),
		);
		expect(output.details).toMatchObject({ stdout: 'early', interrupted: false, backgroundTaskId: id });
		await until(() => notices.length > 0);
		expect(readFileSync(at('late.txt'), 'utf8')).toBe('late\n');
		expect(readFileSync(join(outputs, `${id}.output`), 'utf8')).toBe('early\nlate\n');
	});

	it('an interruption ends it with all that it has started', async () => {
		const { use, at, control } = tasks();
		const running = use(bash, { command: "trap '' TERM; echo $$ > group; (trap '' TERM; sleep 60) & wait; sleep 60" });
		await until(() => existsSync(at('group')) && readFileSync(at('group'), 'utf8') !== '');
		control.abort();
		expect(textOf(await running)).toBe('The user interrupted the command.');
		await until(() => groupIn(at('group')).length === 0);
	});
});

describe('a command that prints', () => {
	it('is heard of while it runs, by those who watch', async () => {
		const { use, updates } = tasks();
		await use(bash, { command: 'echo one; sleep 2.4; echo two; sleep 1' });
		expect(updates[0]).toMatchObject({ type: 'bash_progress', output: 'one\n', fullOutput: 'one\n', totalLines: 2 });
		expect(updates.at(-1)).toMatchObject({ output: 'two\n', fullOutput: 'one\ntwo\n', totalLines: 3 });
	});
});

it('a thousand commands leave no process behind', { timeout: 120_000 }, async () => {
	const { use } = tasks();
	for (let count = 0; count < 1000; count++) expect((await use(bash, { command: 'true' })).isError).toBeUndefined();
	const children = execFileSync('ps', ['-o', 'stat=', '--ppid', String(process.pid)], { encoding: 'utf8' });
	expect(children.split('\n').filter((stat) => stat.trim().startsWith('Z'))).toEqual([]);
});

it('a picture that is printed is shown', async () => {
	const data = 'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAEElEQVR4nGP4z8AAQQxwFgBB0gX7h/C5SAAAAABJRU5ErkJggg==';
	const { use } = tasks();
	const output = await use(bash, { command: `echo 'data:image/png;base64,${data}'` });
	expect(output.content).toEqual([{ type: 'image', data, mimeType: 'image/png' }]);
	expect(output.details).toMatchObject({ isImage: true, stdout: `data:image/png;base64,${data}` });
	expect(textOf(await use(bash, { command: "echo 'data:image/png;base64,AAAA'" }))).toBe('data:image/png;base64,AAAA');
});
