/** NotebookEdit, case by case: what the model is told and what the session keeps, as Claude Code 2.1.29 has it. */
import { expect } from 'vitest';
import { type Call, project, refusal, said, toolTable, wrong } from '../support/tool-table.ts';

const cells = [
	{ cell_type: 'code', id: 'c1', metadata: {}, source: 'print(1)', outputs: [], execution_count: 1 },
	{ cell_type: 'markdown', id: 'c2', metadata: {}, source: '# hi' },
];
const notebook = JSON.stringify({
	cells,
	metadata: { language_info: { name: 'python' } },
	nbformat: 4,
	nbformat_minor: 5,
});
const change = (more: { readonly [key: string]: string }): Call => [
	'NotebookEdit',
	{ notebook_path: 'n.ipynb', new_source: 'x = 2', ...more },
];
const kept = (cell_id: unknown, edit_mode: string, cell_type = 'code') => ({
	...{ new_source: 'x = 2', cell_type, language: 'python', edit_mode, cell_id, error: '' },
	notebook_path: `${project}/n.ipynb`,
	original_file: expect.stringContaining('"cells"'),
	updated_file: expect.stringMatching(edit_mode === 'delete' ? /^(?!.*"c2")/s : /"source": "x = 2"/),
});
const notRead = refusal('File has not been read yet. Read it first before writing to it.');
const issues = `[\n  {\n    "code": "invalid_value",\n    "values": [\n      "replace",\n      "insert",\n      "delete"\n    ],\n    "path": [\n      "edit_mode"\n    ],\n    "message": "Invalid option: expected one of \\"replace\\"|\\"insert\\"|\\"delete\\""\n  }\n]`;

toolTable(
	{
		'a notebook that was not read': {
			...notRead,
			call: change({ cell_id: 'c1' }),
			unlike29: 'NotebookEdit of a notebook that was not read',
		},
		'a cell is replaced': {
			...said('Updated cell c1 with x = 2', kept('c1', 'replace')),
			after: [['Read', { file_path: 'n.ipynb' }]],
			call: change({ cell_id: 'c1' }),
		},
		'a cell is put behind another': {
			...said(
				/^Inserted cell [0-9a-f]{8} with x = 2$/,
				kept(expect.stringMatching(/^[0-9a-f]{8}$/), 'insert', 'markdown'),
			),
			call: change({ cell_id: 'c1', edit_mode: 'insert', cell_type: 'markdown' }),
		},
		'a cell is taken out': {
			...said('Deleted cell c2', kept('c2', 'delete')),
			call: change({ cell_id: 'c2', edit_mode: 'delete' }),
		},
		'a cell that there is not': {
			...refusal('Cell with ID "zz" not found in notebook.'),
			call: change({ cell_id: 'zz' }),
		},
		'a place that there is not': {
			...refusal('Cell with index 9 does not exist in notebook.'),
			call: change({ cell_id: 'cell-9' }),
		},
		'what is put in has a type': {
			...refusal('Cell type is required when using edit_mode=insert.'),
			call: change({ cell_id: 'c1', edit_mode: 'insert' }),
		},
		'what is replaced has a name': {
			...refusal('Cell ID must be specified when not inserting a new cell.'),
			call: change({}),
		},
		'a text is no notebook': {
			...refusal('File must be a Jupyter notebook (.ipynb file). For editing other file types, use the FileEdit tool.'),
			call: change({ notebook_path: 'a.txt', cell_id: 'c1' }),
		},
		'a notebook that is not there': {
			...refusal('Notebook file does not exist.'),
			call: change({ notebook_path: 'none.ipynb', cell_id: 'c1' }),
		},
		'a way of editing that there is not': {
			told: `<tool_use_error>InputValidationError: ${issues}</tool_use_error>`,
			...{ isError: true, kept: `InputValidationError: ${issues}` },
			call: change({ cell_id: 'c1', edit_mode: 'wrong' }),
		},
		'a source is needed': {
			...wrong('NotebookEdit', 'The required parameter `new_source` is missing'),
			call: ['NotebookEdit', { notebook_path: 'n.ipynb', cell_id: 'c1' }],
		},
	},
	{ files: { 'n.ipynb': notebook, 'a.txt': 'x' } },
);
