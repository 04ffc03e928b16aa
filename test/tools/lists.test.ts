/** TodoWrite and the task list, case by case: what the model is told and what the session keeps, as Claude Code 2.1.29 has it. */
import { describe, expect } from 'vitest';
import type { JsonObject } from '../../src/model/index.ts';
import { failure, said, type ToolRow, toolTable, wrong } from '../support/tool-table.ts';

const item = (content: string, status: string) => ({ content, status, activeForm: `${content}ing` });
const modified =
	'Todos have been modified successfully. Ensure that you continue to use the todo list to track your progress. Please proceed with the current tasks if applicable';

function lists(oldTodos: readonly object[], newTodos: readonly object[]): ToolRow {
	return {
		...said(modified, { oldTodos, newTodos }),
		call: ['TodoWrite', { todos: newTodos as readonly JsonObject[] }],
	};
}

const issues = (words: string, input: JsonObject): ToolRow => ({
	told: new RegExp(
		`^<tool_use_error>InputValidationError: \\[\\n[\\s\\S]*"message": "${words}[\\s\\S]*</tool_use_error>$`,
	),
	...{ isError: true, kept: expect.stringMatching(/^InputValidationError: \[\n/) },
	call: ['TodoWrite', input],
});

describe('TodoWrite', () => {
	toolTable({
		'a first list': lists([], [item('a', 'pending')]),
		'another one in its place': lists([item('a', 'pending')], [item('a', 'in_progress'), item('b', 'pending')]),
		'all is done': lists(
			[item('a', 'in_progress'), item('b', 'pending')],
			[item('a', 'completed'), item('b', 'completed')],
		),
		'a list on which all was done is over': lists([], [item('c', 'pending')]),
		'a field that is missing': {
			...wrong('TodoWrite', 'The required parameter `todos[0].activeForm` is missing'),
			call: ['TodoWrite', { todos: [{ content: 'x', status: 'pending' }] }],
		},
		'a text is no list': {
			...wrong('TodoWrite', 'The parameter `todos` type is expected as `array` but provided as `string`'),
			call: ['TodoWrite', { todos: 'x' }],
		},
		'a state that there is not': issues('Invalid option: expected one of', { todos: [item('x', 'started')] }),
		'nothing to do': issues('Content cannot be empty', { todos: [item('', 'pending')] }),
	});
});

const changed = (taskId: string, updatedFields: readonly string[], more: object = {}) => ({
	...{ success: true, taskId, updatedFields, ...more },
});
const update = (input: JsonObject) => ['TaskUpdate', input] as const;

describe('the task list', () => {
	toolTable({
		'nothing is to be done': { ...said('No tasks found', { tasks: [] }), call: ['TaskList', {}] },
		'a task': {
			...said('Task #1 created successfully: S1', { task: { id: '1', subject: 'S1' } }),
			call: ['TaskCreate', { subject: 'S1', description: 'D1' }],
		},
		'a second one': {
			...said('Task #2 created successfully: S2', { task: { id: '2', subject: 'S2' } }),
			call: ['TaskCreate', { subject: 'S2', description: 'D2', activeForm: 'S2ing', metadata: { k: 1 } }],
		},
		'somebody does it, after another one': {
			...said('Updated task #2 owner, blockedBy', changed('2', ['owner', 'blockedBy'])),
			call: update({ taskId: '2', owner: 'me', addBlockedBy: ['1'] }),
		},
		'it is begun': {
			...said(
				'Updated task #1 status',
				changed('1', ['status'], { statusChange: { from: 'pending', to: 'in_progress' } }),
			),
			call: update({ taskId: '1', status: 'in_progress' }),
		},
		'all of them': {
			...said('#1 [in_progress] S1\n#2 [pending] S2 (me) [blocked by #1]', {
				tasks: [
					{ id: '1', subject: 'S1', status: 'in_progress', blockedBy: [] },
					{ id: '2', subject: 'S2', status: 'pending', owner: 'me', blockedBy: ['1'] },
				],
			}),
			call: ['TaskList', {}],
		},
		'one of them': {
			...said('Task #2: S2\nStatus: pending\nDescription: D2\nBlocked by: #1', {
				task: { id: '2', subject: 'S2', description: 'D2', status: 'pending', blocks: [], blockedBy: ['1'] },
			}),
			call: ['TaskGet', { taskId: '2' }],
		},
		'it is not needed': {
			...said(
				'Updated task #1 deleted',
				changed('1', ['deleted'], { statusChange: { from: 'in_progress', to: 'deleted' } }),
			),
			call: update({ taskId: '1', status: 'deleted' }),
		},
		'nobody waits for what is gone': {
			...said('#2 [pending] S2 (me)', {
				tasks: [{ id: '2', subject: 'S2', status: 'pending', owner: 'me', blockedBy: [] }],
			}),
			call: ['TaskList', {}],
		},
		'a number is not used again': {
			...said('Task #3 created successfully: S3', { task: { id: '3', subject: 'S3' } }),
			call: ['TaskCreate', { subject: 'S3', description: '' }],
		},
		'no task to show': { ...failure('Task not found'), call: ['TaskGet', { taskId: '9' }] },
		'no task to change': { ...failure('Task not found'), call: update({ taskId: '9', status: 'completed' }) },
		'a subject is needed': {
			...wrong('TaskCreate', 'The required parameter `subject` is missing'),
			call: ['TaskCreate', { description: 'D' }],
		},
	});
});
