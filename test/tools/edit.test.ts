/** Edit, case by case: what the model is told and what the session keeps, as Claude Code 2.1.29 has it. */
import { describe } from 'vitest';
import { type Call, project, refusal, said, toolTable, wrong } from '../support/tool-table.ts';

const read = (name: string, part: { offset?: number; limit?: number } = {}): Call => [
	'Read',
	{ file_path: name, ...part },
];
const edit = (
	name: string,
	old_string: string,
	new_string: string,
	more: { replace_all?: boolean | string } = {},
): Call => ['Edit', { file_path: name, old_string, new_string, ...more }];

interface Kept {
	readonly original: string;
	readonly lines: readonly string[];
	readonly all?: boolean;
}

const kept = (
	name: string,
	[oldString, newString]: readonly [string, string],
	{ original, lines, all = false }: Kept,
) => ({
	...{ filePath: `${project}/${name}`, oldString, newString, originalFile: original },
	structuredPatch: [
		{
			...{ oldStart: 1, oldLines: lines.filter((line) => !line.startsWith('+')).length },
			...{ newStart: 1, newLines: lines.filter((line) => !line.startsWith('-')).length, lines },
		},
	],
	...{ userModified: false, replaceAll: all },
});

const updated = (name: string): string => `The file ${name} has been updated successfully.`;
const notRead = refusal('File has not been read yet. Read it first before writing to it.');

const files = {
	'a.txt': 'one\ntwo\n',
	'dup.txt': 'dup dup\n',
	'unread.txt': 'one\n',
	'empty.txt': '',
	'quotes.txt': 'say “hi”\n',
	'crlf.txt': 'a\r\nb\r\nc\r\n',
	'part.txt': 'one\ntwo\nthree\n',
	'changed.txt': 'one\ntwo\n',
	'gone.txt': 'one\n',
	'n.ipynb': '{"cells": []}',
	'folder/x': '',
};

describe('edits that are made', () => {
	toolTable(
		{
			'one text is replaced, and the change is kept in hunks': {
				...said(
					updated(`${project}/a.txt`),
					kept('a.txt', ['two', 'TWO'], { original: 'one\ntwo\n', lines: [' one', '-two', '+TWO'] }),
				),
				after: [read('a.txt')],
				call: edit(`${project}/a.txt`, 'two', 'TWO'),
			},
			'everywhere, where that is asked for': {
				...said(
					"The file dup.txt has been updated. All occurrences of 'dup' were successfully replaced with 'x'.",
					kept('dup.txt', ['dup', 'x'], { original: 'dup dup\n', lines: ['-dup dup', '+x x'], all: true }),
				),
				after: [read('dup.txt')],
				call: edit('dup.txt', 'dup', 'x', { replace_all: true }),
			},
			'true in quotes is true': {
				...said(
					"The file dup.txt has been updated. All occurrences of 'x' were successfully replaced with 'y'.",
					kept('dup.txt', ['x', 'y'], { original: 'x x\n', lines: ['-x x', '+y y'], all: true }),
				),
				call: edit('dup.txt', 'x', 'y', { replace_all: 'true' }),
				unlike29: '`"2"` for 2, `"true"` for true',
			},
			'no text at all makes a file': {
				...said(updated('new.txt'), kept('new.txt', ['', 'x\n'], { original: '', lines: ['+x'] })),
				call: edit('new.txt', '', 'x\n'),
			},
			'no text at all fills an empty file, read or not': {
				...said(updated('empty.txt'), kept('empty.txt', ['', 'x\n'], { original: '', lines: ['+x'] })),
				call: edit('empty.txt', '', 'x\n'),
				unlike29: 'Edit of an empty file with an empty `old_string`',
			},
			'straight quotes find curly ones, and the session keeps what is in the file': {
				...said(
					updated('quotes.txt'),
					kept('quotes.txt', ['“hi”', '“ho”'], { original: 'say “hi”\n', lines: ['-say “hi”', '+say “ho”'] }),
				),
				after: [read('quotes.txt')],
				call: edit('quotes.txt', '"hi"', '"ho"'),
				unlike29: 'Edit found by straight quotes',
			},
			'a text over two lines is found where lines end in CRLF': {
				...said(
					updated('crlf.txt'),
					kept('crlf.txt', ['a\nb', 'x\ny'], { original: 'a\nb\nc\n', lines: ['-a', '-b', '+x', '+y', ' c'] }),
				),
				after: [read('crlf.txt')],
				call: edit('crlf.txt', 'a\nb', 'x\ny'),
			},
			'and they still do': {
				told: 'x\r\ny\r\nc\r\n.',
				kept: { stdout: 'x\r\ny\r\nc\r\n.', stderr: '', interrupted: false, isImage: false },
				call: ['Bash', { command: 'cat crlf.txt; printf .' }],
			},
			'a part that was not shown may be changed': {
				...said(
					updated('part.txt'),
					kept('part.txt', ['three', 'x'], { original: 'one\ntwo\nthree\n', lines: [' one', ' two', '-three', '+x'] }),
				),
				after: [read('part.txt', { offset: 1, limit: 1 })],
				call: edit('part.txt', 'three', 'x'),
			},
			'a file that somebody else changed is changed where the text is still there': {
				...said(
					`${updated('changed.txt')} (note: the file had been modified on disk since you last read it — the edit applied cleanly, but the file contains other changes not in your context. Read it before edits that depend on surrounding content.)`,
					{
						...kept('changed.txt', ['two', 'x'], { original: 'zero\ntwo\n', lines: [' zero', '-two', '+x'] }),
						...{ staleRecovered: true, contentNotInModelContext: true },
					},
				),
				after: [read('changed.txt'), ['Bash', { command: 'printf "zero\\ntwo\\n" > changed.txt' }]],
				call: edit('changed.txt', 'two', 'x'),
				unlike29: 'Edit of a file that changed since it was read',
			},
		},
		{ files },
	);
});

describe('edits that are not made', () => {
	toolTable(
		{
			'a file that was not read': { ...notRead, call: edit('unread.txt', 'one', 'x') },
			'nothing to change': {
				...refusal('No changes to make: old_string and new_string are exactly the same.'),
				call: edit('a.txt', 'one', 'one'),
			},
			'a text that is not there': {
				...refusal('String to replace not found in file.\nString: zebra'),
				after: [read('a.txt')],
				call: edit('a.txt', 'zebra', 'x'),
			},
			'a text that somebody else took out': {
				...refusal('String to replace not found in file.\nString: one'),
				after: [read('gone.txt'), ['Bash', { command: 'echo other > gone.txt' }]],
				call: edit('gone.txt', 'one', 'x'),
				unlike29: 'Edit of a file that changed since it was read',
			},
			'a text that is there twice': {
				...refusal(
					'Found 2 matches of the string to replace, but replace_all is false. To replace all occurrences, set replace_all to true. To replace only one occurrence, please provide more context to uniquely identify the instance.\nString: dup',
				),
				after: [read('dup.txt')],
				call: edit('dup.txt', 'dup', 'x'),
			},
			'a file that is not there': { ...refusal('File does not exist.'), call: edit('none.txt', 'a', 'b') },
			'a file that is there is not made anew': {
				...refusal('Cannot create new file - file already exists.'),
				call: edit('a.txt', '', 'x'),
			},
			'a notebook has a tool of its own': {
				...refusal('File is a Jupyter Notebook. Use the NotebookEdit to edit this file.'),
				after: [read('n.ipynb')],
				call: edit('n.ipynb', 'cells', 'x'),
			},
			'a folder is no file': {
				...refusal(`${project}/folder is a directory, not a file.`),
				call: edit('folder', 'a', 'b'),
				unlike29: 'Write and Edit on a folder',
			},
			'a new text is needed': {
				...wrong('Edit', 'The required parameter `new_string` is missing'),
				call: ['Edit', { file_path: 'a.txt', old_string: 'one' }],
			},
			'a number is no text': {
				...wrong('Edit', 'The parameter `old_string` type is expected as `string` but provided as `number`'),
				call: ['Edit', { file_path: 'a.txt', old_string: 1, new_string: 'x' }],
			},
		},
		{ files },
	);
});
