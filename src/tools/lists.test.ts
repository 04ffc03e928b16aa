/** The lists of what is to be done go on with the session. What they answer is in `test/tools`. */
import { describe, expect, it } from 'vitest';
import { textOf, toolBench } from '../../test/support/tool-bench.ts';
import type { Tool } from '../agent/contracts.ts';
import type { JsonObject } from '../model/index.ts';
import { taskTools } from './task-list.ts';
import { todoWrite } from './todo-write.ts';

const item = (content: string, status: string): JsonObject => ({ content, status, activeForm: `${content}ing` });

describe('TodoWrite', () => {
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
});

function taskBench() {
	const bench = toolBench();
	const tool = (name: string) => taskTools.find((one) => one.name === name) as Tool;
	return { ...bench, run: (name: string, input: JsonObject = {}) => bench.use(tool(name), input) };
}

describe('the task list', () => {
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
});
