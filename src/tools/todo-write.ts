/** TodoWrite: the model's list of what is to be done, replaced as a whole. */
import { z } from 'zod';
import { said } from '../agent/calls/outputs.ts';
import type { ToolContext } from '../agent/contracts.ts';
import { isObject, type Json } from '../model/index.ts';
import { defineTool } from './define.ts';
import { kept } from './kept.ts';

const todo = () =>
	z.strictObject({
		content: z.string().min(1, 'Content cannot be empty').describe('What is to be done'),
		status: z.enum(['pending', 'in_progress', 'completed']),
		activeForm: z
			.string()
			.min(1, 'Active form cannot be empty')
			.describe('The same while it is done: Running the tests'),
	});

const input = () => z.strictObject({ todos: z.array(todo()).describe('The whole list') });

/** The tool TodoWrite: keeps a list of what is to be done. */
export const todoWrite = defineTool({
	name: 'TodoWrite',
	description:
		'Keeps a list of what is to be done, for work of several steps: give the whole list each time. One item is in progress at a time, and is completed as soon as it is done.',
	effect: 'read',
	input,
	subjects: () => [],
	async run({ todos }, context) {
		const list = kept(context, 'todos', () => ({ items: earlierTodos(context) }));
		const oldTodos = list.items;
		// A list on which all is done is over.
		list.items = todos.every(({ status }) => status === 'completed') ? [] : todos;
		return said(
			'Todos have been modified successfully. Ensure that you continue to use the todo list to track your progress. Please proceed with the current tasks if applicable',
			{ oldTodos, newTodos: todos },
		);
	},
});

/** The list that the session was left with. */
function earlierTodos({ earlier }: ToolContext): Json[] {
	const last = earlier.findLast(({ name }) => name === 'TodoWrite')?.input;
	const todos = isObject(last) && Array.isArray(last.todos) ? (last.todos as readonly Json[]) : [];
	const open = todos.some((item) => isObject(item) && item.status !== 'completed');
	return open ? [...todos] : [];
}
