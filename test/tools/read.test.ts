/** Read, case by case: what the model is told and what the session keeps, as Claude Code 2.1.29 has it. */
import { expect } from 'vitest';
import { withPages } from '../support/pdf.ts';
import { failure, project, refusal, said, toolTable, wrong } from '../support/tool-table.ts';

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAEElEQVR4nGP4z8AAQQxwFgBB0gX7h/C5SAAAAABJRU5ErkJggg==';

const text = (name: string, content: string, [numLines, startLine, totalLines]: readonly [number, number, number]) => ({
	type: 'text',
	file: { filePath: `${project}/${name}`, content, numLines, startLine, totalLines },
});

const beyond = (offset: number, lines: number): string =>
	`<system-reminder>Warning: the file exists but is shorter than the provided offset (${offset}). The file has ${lines} lines.</system-reminder>`;

const device = (path: string) =>
	refusal(`Cannot read '${path}': this path names a device or process file that this tool does not read.`);

const whole = said('     1→one\n     2→two\n     3→three\n     4→', text('a.txt', 'one\ntwo\nthree\n', [4, 1, 4]));

const files = {
	'a.txt': 'one\ntwo\nthree\n',
	empty: '',
	'crlf.txt': 'a\r\nb\r\n',
	'bom.txt': '\uFEFFx\n',
	'utf16.txt': Buffer.from('\uFEFFhé\n', 'utf16le'),
	'folder/x': '',
	'data.dat': 'x',
	'tool.exe': 'MZ',
	'a.png': Buffer.from(pixel, 'base64'),
	'page.png': '<html>',
	'large.txt': 'x'.repeat(668_876),
	'n.ipynb': JSON.stringify({
		cells: [
			{ cell_type: 'code', id: 'c1', metadata: {}, source: ['print(1)'], outputs: [], execution_count: null },
			{ cell_type: 'markdown', id: 'c2', metadata: {}, source: '# hi' },
		],
		metadata: { language_info: { name: 'python' } },
		...{ nbformat: 4, nbformat_minor: 5 },
	}),
	'broken.ipynb': '{"cells": [',
	'empty.pdf': '',
	'two.pdf': withPages(['one', 'two']),
	'long.pdf': withPages(Array.from({ length: 11 }, (_, page) => `page ${page + 1}`)),
};

toolTable(
	{
		'a file comes with line numbers, and its last line end counts as one more line': {
			...whole,
			call: ['Read', { file_path: `${project}/a.txt` }],
			unlike29: 'Read, the note after each file',
		},
		'a file that is read again is shown again': { ...whole, call: ['Read', { file_path: `${project}/a.txt` }] },
		'a relative path is one below the working folder': { ...whole, call: ['Read', { file_path: './a.txt' }] },
		'a part begins at its own line': {
			...said('     2→two', text('a.txt', 'two', [1, 2, 4])),
			call: ['Read', { file_path: 'a.txt', offset: 2, limit: 1 }],
		},
		'an offset beyond the end is no error': {
			...said(beyond(50, 4), text('a.txt', '', [0, 50, 4])),
			call: ['Read', { file_path: 'a.txt', offset: 50 }],
		},
		'offset 0 numbers from 0': {
			...said('     0→one', text('a.txt', 'one', [1, 0, 4])),
			call: ['Read', { file_path: 'a.txt', offset: 0, limit: 1 }],
		},
		'limit 0 is no limit': {
			...said('     3→three\n     4→', text('a.txt', 'three\n', [2, 3, 4])),
			call: ['Read', { file_path: 'a.txt', offset: 3, limit: 0 }],
			unlike29: 'Read with a limit of 0 or below',
		},
		'a number in quotes is a number': {
			...said('     3→three', text('a.txt', 'three', [1, 3, 4])),
			call: ['Read', { file_path: 'a.txt', offset: '3', limit: '1' }],
			unlike29: '`"2"` for 2, `"true"` for true',
		},
		'a file that is not there': { ...refusal('File does not exist.'), call: ['Read', { file_path: 'none.txt' }] },
		'a file beside it that differs in its ending is named': {
			...refusal('File does not exist. Did you mean crlf.txt?'),
			call: ['Read', { file_path: 'crlf.md' }],
		},
		'a folder is none': {
			...failure(`EISDIR: illegal operation on a directory, read '${project}/folder'`),
			call: ['Read', { file_path: 'folder' }],
			unlike29: 'Read of a folder',
		},
		'an empty file is said to be empty, and has one line': {
			...said(
				'<system-reminder>Warning: the file exists but the contents are empty.</system-reminder>',
				text('empty', '', [1, 1, 1]),
			),
			call: ['Read', { file_path: 'empty' }],
			unlike29: 'Read of an empty file',
		},
		'a binary file is known by its ending': {
			...refusal(
				'This tool cannot read binary files. The file appears to be a binary .dat file. Please use appropriate tools for binary file analysis.',
			),
			call: ['Read', { file_path: 'data.dat' }],
		},
		'a program is binary too': {
			...refusal(
				'This tool cannot read binary files. The file appears to be a binary .exe file. Please use appropriate tools for binary file analysis.',
			),
			call: ['Read', { file_path: 'tool.exe' }],
		},
		'an image is shown, and kept with its size': {
			told: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: pixel } }],
			kept: {
				type: 'image',
				file: {
					...{ base64: pixel, type: 'image/png', originalSize: 73 },
					dimensions: { originalWidth: 3, originalHeight: 2, displayWidth: 3, displayHeight: 2 },
				},
			},
			call: ['Read', { file_path: 'a.png' }],
		},
		'what only has the name of an image is refused': {
			...failure(
				'File has an image extension but its content is not a valid PNG/JPEG/GIF/WebP. Detected: unrecognized bytes (hex: 3c 68 74 6d 6c 3e). Read it as text with Bash (e.g. `head -c 500`).',
			),
			call: ['Read', { file_path: 'page.png' }],
			unlike29: "Read of a file with an image's name that is none",
		},
		'a notebook comes cell by cell': {
			told: '<cell id="c1">print(1)</cell id="c1">\n<cell id="c2"><cell_type>markdown</cell_type># hi</cell id="c2">',
			kept: {
				type: 'notebook',
				file: {
					filePath: `${project}/n.ipynb`,
					cells: [
						{ cellType: 'code', source: 'print(1)', cell_id: 'c1', language: 'python' },
						{ cellType: 'markdown', source: '# hi', cell_id: 'c2' },
					],
				},
			},
			call: ['Read', { file_path: 'n.ipynb' }],
		},
		'a notebook that is no JSON is said to be broken': {
			...{ told: /^Notebook file /, isError: true, kept: expect.stringMatching(/^Error: Notebook file /) },
			call: ['Read', { file_path: 'broken.ipynb' }],
			unlike29: 'Read of a notebook that is no JSON',
		},
		'more than 256 KB is too much at once': {
			...refusal(
				'File content (653.2KB) exceeds maximum allowed size (256KB). Please use offset and limit parameters to read specific portions of the file, or use Grep to search for specific content.',
			),
			call: ['Read', { file_path: 'large.txt' }],
			unlike29: 'Read of a file over 256 KB',
		},
		'CR is not shown': {
			...said('     1→a\n     2→b\n     3→', text('crlf.txt', 'a\nb\n', [3, 1, 3])),
			call: ['Read', { file_path: 'crlf.txt' }],
		},
		'a byte-order mark is not shown': {
			...said('     1→x\n     2→', text('bom.txt', 'x\n', [2, 1, 2])),
			call: ['Read', { file_path: 'bom.txt' }],
			unlike29: 'Read, UTF-16 and byte-order marks',
		},
		'UTF-16 is decoded': {
			...said('     1→hé\n     2→', text('utf16.txt', 'hé\n', [2, 1, 2])),
			call: ['Read', { file_path: 'utf16.txt' }],
			unlike29: 'Read, UTF-16 and byte-order marks',
		},
		'a device is not opened': {
			...device('/dev/zero'),
			call: ['Read', { file_path: '/dev/zero' }],
			unlike29: 'Read of a device, a pipe, `/proc`',
		},
		'nor is what a process tells of itself': {
			...device('/proc/self/environ'),
			call: ['Read', { file_path: '/proc/self/environ' }],
			unlike29: 'Read of a device, a pipe, `/proc`',
		},
		'nor is a link to a device': {
			...device(`${project}/endless`),
			after: [['Bash', { command: 'ln -s /dev/zero endless' }]],
			call: ['Read', { file_path: 'endless' }],
			unlike29: 'Read of a device, a pipe, `/proc`',
		},
		'nor is a pipe': {
			...device(`${project}/pipe`),
			after: [['Bash', { command: 'mkfifo pipe' }]],
			call: ['Read', { file_path: 'pipe' }],
			unlike29: 'Read of a device, a pipe, `/proc`',
		},
		'a PDF is its text by page, kept as the text of a file': {
			...said(
				'--- page 1 of 2 ---\none\n\n--- page 2 of 2 ---\ntwo',
				text('two.pdf', '--- page 1 of 2 ---\none\n\n--- page 2 of 2 ---\ntwo', [5, 1, 5]),
			),
			call: ['Read', { file_path: 'two.pdf' }],
			unlike29: 'Read of a PDF',
		},
		'pages of a PDF': {
			...said('--- page 2 of 2 ---\ntwo', text('two.pdf', '--- page 2 of 2 ---\ntwo', [2, 1, 2])),
			call: ['Read', { file_path: 'two.pdf', pages: '2' }],
			unlike29: 'Read of a PDF',
		},
		'a long PDF is read by the pages that are asked for': {
			...failure(
				'This PDF has 11 pages, which is too many to read at once. Use the pages parameter to read specific page ranges (e.g., pages: "1-5"). Maximum 20 pages per request.',
			),
			call: ['Read', { file_path: 'long.pdf' }],
			unlike29: 'Read of a PDF',
		},
		'an empty PDF': {
			...failure(`PDF file is empty: ${project}/empty.pdf`),
			call: ['Read', { file_path: 'empty.pdf' }],
			unlike29: 'Read of a PDF',
		},
		'pages that are none': {
			...refusal('Invalid pages parameter: "x". Use formats like "1-5", "3", or "10-20". Pages are 1-indexed.'),
			call: ['Read', { file_path: 'empty.pdf', pages: 'x' }],
			unlike29: 'Read of a PDF',
		},
		'a path is needed': {
			...wrong('Read', 'The required parameter `file_path` is missing'),
			call: ['Read', {}],
		},
		'a key that there is not': {
			...wrong('Read', 'An unexpected parameter `x` was provided'),
			call: ['Read', { file_path: 'a.txt', x: 1 }],
		},
		'several things that are wrong are all told': {
			...wrong(
				'Read',
				'The required parameter `file_path` is missing',
				'An unexpected parameter `path` was provided',
				'The parameter `limit` type is expected as `number` but provided as `boolean`',
			),
			call: ['Read', { path: 'a.txt', limit: true }],
		},
		'a word is no number': {
			...wrong('Read', 'The parameter `offset` type is expected as `number` but provided as `string`'),
			call: ['Read', { file_path: 'a.txt', offset: 'two' }],
		},
		'a tool that there is not': {
			...refusal('Error: No such tool available: Peruse'),
			call: ['Peruse', { file_path: 'a.txt' }],
		},
		'a name in the wrong case': {
			...refusal('Error: No such tool available: read. Tool names are case-sensitive: call Read instead.'),
			call: ['read', { file_path: 'a.txt' }],
			unlike29: "A tool's name in the wrong case",
		},
	},
	{ files },
);
