/** The lists of what is to be done, as the real client answers. */
import { describe, expect, it } from 'vitest';
import { textOf, toolBench } from '../../test/support/tool-bench.ts';
import type { Tool } from '../agent/contracts.ts';
import type { JsonObject } from '../model/index.ts';
import { taskTools } from './task-list.ts';
import { todoWrite } from './todo-write.ts';

const item = (content: string, status: string): JsonObject => ({ content, status, activeForm: `${content}ing` });

describe('TodoWrite', () => {
	it('tells the list before and the list after', async () => {
		const { use } = toolBench();
		const first = await use(todoWrite, { todos: [item('a', 'pending')] });
		expect(textOf(first)).toBe(
			'Todos have been modified successfully. Ensure that you continue to use the todo list to track your progress. Please proceed with the current tasks if applicable',
		);
		expect(first.details).toEqual({ oldTodos: [], newTodos: [item('a', 'pending')] });
		const second = await use(todoWrite, { todos: [item('a', 'completed')] });
		expect(second.details).toEqual({ oldTodos: [item('a', 'pending')], newTodos: [item('a', 'completed')] });
		expect((await use(todoWrite, { todos: [] })).details).toEqual({ oldTodos: [], newTodos: [] });
	});

	it('goes on with the list of the session', async () => {
		const { use, context } = toolBench();
		context.earlier = [
			{ name: 'TodoWrite', input: { todos: [item('old', 'pending')] } },
			{ name: 'TodoWrite', input: { todos: [item('a', 'in_progress')] } },
		];
		expect((await use(todoWrite, { todos: [] })).details).toEqual({
			oldTodos: [item('a', 'in_progress')],
			newTodos: [],
		});
	});

	it.each([
		[{ todos: [{ content: 'x', status: 'pending' }] }, 'The required parameter `todos[0].activeForm` is missing'],
		[{ todos: 'x' }, 'The parameter `todos` type is expected as `array` but provided as `string`'],
		[
			{ todos: [item('x', 'started')] },
			'"message": "Invalid option: expected one of \\"pending\\"|\\"in_progress\\"|\\"completed\\""',
		],
		[{ todos: [item('', 'pending')] }, '"message": "Content cannot be empty"'],
	])('%j is refused', async (input, text) => {
		const output = await toolBench().use(todoWrite, input as JsonObject);
		expect(output.isError).toBe(true);
		expect(textOf(output)).toContain(text);
		expect(output.details).toMatch(/^InputValidationError: \[\n/);
	});
});

function taskBench() {
	const bench = toolBench();
	const tool = (name: string) => taskTools.find((one) => one.name === name) as Tool;
	return { ...bench, run: (name: string, input: JsonObject = {}) => bench.use(tool(name), input) };
}

describe('the task list', () => {
	it('is made, changed and shown', async () => {
		const { run } = taskBench();
		const first = await run('TaskCreate', { subject: 'S1', description: 'D1' });
		expect(textOf(first)).toBe('Task #1 created successfully: S1');
		expect(first.details).toEqual({ task: { id: '1', subject: 'S1' } });
		await run('TaskCreate', { subject: 'S2', description: 'D2', activeForm: 'S2ing' });
		const linked = await run('TaskUpdate', { taskId: '2', owner: 'me', addBlockedBy: ['1', '9'] });
		expect(textOf(linked)).toBe('Updated task #2 owner, blockedBy');
		expect(linked.details).toEqual({ success: true, taskId: '2', updatedFields: ['owner', 'blockedBy'] });
		const begun = await run('TaskUpdate', { taskId: '1', status: 'in_progress' });
		expect(textOf(begun)).toBe('Updated task #1 status');
		expect(begun.details).toMatchObject({ statusChange: { from: 'pending', to: 'in_progress' } });
		const list = await run('TaskList');
		expect(textOf(list)).toBe('#1 [in_progress] S1\n#2 [pending] S2 (me) [blocked by #1]');
		expect(list.details).toEqual({
			tasks: [
				{ id: '1', subject: 'S1', status: 'in_progress', blockedBy: [] },
				{ id: '2', subject: 'S2', status: 'pending', owner: 'me', blockedBy: ['1'] },
			],
		});
		const one = await run('TaskGet', { taskId: '2' });
		expect(textOf(one)).toBe('Task #2: S2\nStatus: pending\nDescription: D2\nBlocked by: #1');
		expect(one.details).toMatchObject({
			task: { id: '2', subject: 'S2', description: 'D2', status: 'pending', blockedBy: ['1'] },
		});
		await run('TaskUpdate', { taskId: '1', status: 'completed' });
		expect(textOf(await run('TaskList'))).toBe('#1 [completed] S1\n#2 [pending] S2 (me)');
		expect(textOf(await run('TaskUpdate', { taskId: '1', status: 'deleted' }))).toBe('Updated task #1 deleted');
		expect(textOf(await run('TaskCreate', { subject: 'S3', description: '' }))).toContain('#3');
	});

	it.each(['TaskGet', 'TaskUpdate'])('%s of a task that there is not fails', async (name) => {
		const output = await taskBench().run(name, { taskId: '9' });
		expect(output).toMatchObject({ isError: true, details: 'Error: Task not found' });
		expect(textOf(output)).toBe('Task not found');
	});

	it('goes on where the session was left', async () => {
		const { run, context } = taskBench();
		context.earlier = [
			{ name: 'TaskCreate', input: { subject: 'S1', description: 'D' } },
			{ name: 'TaskCreate', input: { subject: 'S2', description: 'D' } },
			{ name: 'TaskUpdate', input: { taskId: '1', status: 'deleted' } },
			{ name: 'TaskUpdate', input: { taskId: '7', status: 'deleted' } },
			{ name: 'TaskUpdate', input: null },
		];
		expect(textOf(await run('TaskList'))).toBe('#2 [pending] S2');
		expect(textOf(await run('TaskCreate', { subject: 'S3', description: 'D' }))).toContain('#3');
	});

	it('says so when it is empty', async () => {
		expect(textOf(await taskBench().run('TaskList'))).toBe('No tasks found');
	});
});
