/** Write, case by case: what the model is told and what the session keeps, as Claude Code 2.1.29 has it. */
import { expect } from 'vitest';
import { failure, project, refusal, said, toolTable, wrong } from '../support/tool-table.ts';

const read = (name: string) => ['Read', { file_path: name }] as const;
const kept = (name: string, content: string, more: object) => ({ filePath: `${project}/${name}`, content, ...more });

toolTable(
	{
		'a new file is made with its folders': {
			...said(
				`File created successfully at: ${project}/deep/er/a.txt`,
				kept('deep/er/a.txt', 'hi\n', { type: 'create', structuredPatch: [], originalFile: null }),
			),
			call: ['Write', { file_path: `${project}/deep/er/a.txt`, content: 'hi\n' }],
		},
		'what was just written counts as read': {
			...said(
				`The file ${project}/deep/er/a.txt has been updated successfully.`,
				kept('deep/er/a.txt', 'ho\n', {
					...{ type: 'update', originalFile: 'hi\n' },
					structuredPatch: [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ['-hi', '+ho'] }],
				}),
			),
			call: ['Write', { file_path: `${project}/deep/er/a.txt`, content: 'ho\n' }],
			unlike29: 'Write to a file that exists',
		},
		'a relative path is kept as the file that it meant': {
			...said(
				'File created successfully at: rel.txt',
				kept('rel.txt', 'x', { type: 'create', structuredPatch: [], originalFile: null }),
			),
			call: ['Write', { file_path: 'rel.txt', content: 'x' }],
			unlike29: 'A relative path, as the session keeps it',
		},
		'a file that was not read stays as it is': {
			...refusal('File has not been read yet. Read it first before writing to it.'),
			call: ['Write', { file_path: 'a.txt', content: 'x' }],
		},
		'a link to a file that was read was not read itself': {
			...refusal('File has not been read yet. Read it first before writing to it.'),
			after: [['Bash', { command: 'ln -s a.txt link.txt' }], read('a.txt')],
			call: ['Write', { file_path: 'link.txt', content: 'x' }],
		},
		'a file that changed since it was read stays as it is': {
			...refusal(
				'File has been modified since read, either by the user or by a linter. Read it again before attempting to write it.',
			),
			after: [read('changed.txt'), ['Bash', { command: 'sleep 0.01; echo other > changed.txt' }]],
			call: ['Write', { file_path: 'changed.txt', content: 'x' }],
		},
		'a folder is no file': {
			...refusal(
				`${project}/folder is a directory, not a file. To create a file inside it, include the file name in file_path.`,
			),
			call: ['Write', { file_path: 'folder', content: 'x' }],
			unlike29: 'Write and Edit on a folder',
		},
		'a notebook may be written as a whole': {
			...said(
				'The file n.ipynb has been updated successfully.',
				kept('n.ipynb', '{"cells":[]}', {
					...{ type: 'update', originalFile: '{"cells": []}', structuredPatch: [expect.anything()] },
				}),
			),
			after: [read('n.ipynb')],
			call: ['Write', { file_path: 'n.ipynb', content: '{"cells":[]}' }],
			unlike29: 'Write to a file that exists',
		},
		'a link that leads nowhere is not followed': {
			...failure(
				`Refusing to write ${project}/nowhere: it is a symbolic link. Write to the link's target path instead: ${project}/gone.`,
			),
			after: [['Bash', { command: 'ln -s gone nowhere' }]],
			call: ['Write', { file_path: 'nowhere', content: 'x' }],
			unlike29: 'Write and Edit through a link',
		},
		'content is needed': {
			...wrong('Write', 'The required parameter `content` is missing'),
			call: ['Write', { file_path: 'x' }],
		},
		'an object is no text': {
			...wrong('Write', 'The parameter `content` type is expected as `string` but provided as `object`'),
			call: ['Write', { file_path: 'x.json', content: { a: 1 } }],
		},
	},
	{ files: { 'a.txt': 'one\n', 'changed.txt': 'one\n', 'folder/x': '', 'n.ipynb': '{"cells": []}' } },
);
