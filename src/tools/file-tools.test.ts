/** What Read, Write, Edit and NotebookEdit answered in the real client, case by case, with the records that its sessions keep. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { textOf, toolBench } from '../../test/support/tool-bench.ts';
import type { JsonObject } from '../model/index.ts';
import { edit, read, write } from './index.ts';
import { notebookEdit } from './notebook-edit.ts';

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAEElEQVR4nGP4z8AAQQxwFgBB0gX7h/C5SAAAAABJRU5ErkJggg==';

const code = (id: string, source: string, outputs: readonly JsonObject[]): JsonObject => ({
	...{ cell_type: 'code', id, metadata: {}, execution_count: 1, source, outputs: [...outputs] },
});

const notebook = {
	cells: [
		{ cell_type: 'markdown', id: 'm', metadata: {}, source: ['# hi\n', 'you'] },
		code('s', 'print(1)', [
			{ output_type: 'stream', name: 'stdout', text: ['1\n', '2\n'] },
			{ output_type: 'stream', name: 'stderr', text: 'warn' },
		]),
		code('i', 'plot', [{ output_type: 'display_data', data: { 'text/plain': '<Figure>', 'image/png': pixel } }]),
		code('x', '1/0', [{ output_type: 'error', ename: 'E', evalue: 'zero', traceback: ['line1', 'line2'] }]),
		code('big', 'big', [{ output_type: 'stream', text: 'y'.repeat(20_000) }]),
	],
	metadata: { language_info: { name: 'r' } },
	nbformat: 4,
	nbformat_minor: 5,
};

const file = (content: string, numLines: number, startLine: number, totalLines: number): JsonObject => ({
	type: 'text',
	file: { filePath: expect.any(String), content, numLines, startLine, totalLines } as unknown as JsonObject,
});

const beyond = (offset: number, lines: number): string =>
	`<system-reminder>Warning: the file exists but is shorter than the provided offset (${offset}). The file has ${lines} lines.</system-reminder>`;

describe('Read', () => {
	const files = {
		'a.txt': 'one\ntwo\nthree\n',
		empty: '',
		'crlf.txt': 'a\r\nb\r\n',
		'bom.txt': '\uFEFFx\n',
		'd.pdf': '%PDF-1.4',
	};

	it.each([
		[
			'a file',
			{ file_path: 'a.txt' },
			'     1→one\n     2→two\n     3→three\n     4→',
			file('one\ntwo\nthree\n', 4, 1, 4),
		],
		['a part', { file_path: 'a.txt', offset: 2, limit: 1 }, '     2→two', file('two', 1, 2, 4)],
		['beyond the end', { file_path: 'a.txt', offset: 50 }, beyond(50, 4), file('', 0, 50, 4)],
		['offset 0', { file_path: 'a.txt', offset: 0, limit: 1 }, '     0→one', file('one', 1, 0, 4)],
		['limit 0', { file_path: 'a.txt', offset: 4, limit: 0 }, '     4→', file('', 1, 4, 4)],
		['a number in quotes', { file_path: 'a.txt', offset: '3', limit: '1' }, '     3→three', file('three', 1, 3, 4)],
		['CRLF', { file_path: 'crlf.txt' }, '     1→a\n     2→b\n     3→', file('a\nb\n', 3, 1, 3)],
		['a byte-order mark', { file_path: 'bom.txt' }, '     1→x\n     2→', file('x\n', 2, 1, 2)],
		[
			'an empty file',
			{ file_path: 'empty' },
			'<system-reminder>Warning: the file exists but the contents are empty.</system-reminder>',
			file('', 1, 1, 1),
		],
	])('%s', async (_, input, text, details) => {
		const { use } = toolBench(files);
		const output = await use(read, input);
		expect(textOf(output)).toBe(text);
		expect(output.details).toEqual(details);
		expect(output.isError).toBeUndefined();
	});

	it('an image comes with its size', async () => {
		const { use } = toolBench({ 'a.png': Buffer.from(pixel, 'base64') });
		const output = await use(read, { file_path: 'a.png' });
		expect(output.content).toEqual([{ type: 'image', data: pixel, mimeType: 'image/png' }]);
		const dimensions = { originalWidth: 3, originalHeight: 2, displayWidth: 3, displayHeight: 2 };
		const shown = { base64: pixel, type: 'image/png', originalSize: 73, dimensions };
		expect(output.details).toEqual({ type: 'image', file: shown });
	});

	it('an image that no API takes is not shown', async () => {
		const wide = Buffer.from(pixel, 'base64');
		wide.writeUInt32BE(8001, 16);
		const { use } = toolBench({ 'wide.png': wide });
		expect(textOf(await use(read, { file_path: 'wide.png' }))).toContain('an image of 8001 × 2');
	});

	it('a notebook comes cell by cell, with what was printed', async () => {
		const { use, at } = toolBench({ 'n.ipynb': JSON.stringify(notebook) });
		const output = await use(read, { file_path: 'n.ipynb' });
		expect(output.content).toEqual([
			{
				type: 'text',
				text: '<cell id="m"><cell_type>markdown</cell_type># hi\nyou</cell id="m">\n<cell id="s"><language>r</language>print(1)</cell id="s">\n\n1\n2\n\n\nwarn\n<cell id="i"><language>r</language>plot</cell id="i">\n\n<Figure>',
			},
			{ type: 'image', data: pixel, mimeType: 'image/png' },
			{
				type: 'text',
				text: `<cell id="x"><language>r</language>1/0</cell id="x">\n\nE: zero\nline1\nline2\n<cell id="big"><language>r</language>big</cell id="big">\n\nOutputs are too large to include. Use Bash with: cat <notebook_path> | jq '.cells[4].outputs'`,
			},
		]);
		const cell = { cellType: 'code', execution_count: 1, language: 'r' };
		expect(output.details).toMatchObject({
			type: 'notebook',
			file: {
				filePath: at('n.ipynb'),
				cells: [
					{ cellType: 'markdown', source: '# hi\nyou', cell_id: 'm' },
					{
						...cell,
						...{ source: 'print(1)', cell_id: 's' },
						outputs: [
							{ output_type: 'stream', text: '1\n2\n' },
							{ output_type: 'stream', text: 'warn' },
						],
					},
					{
						...cell,
						...{ source: 'plot', cell_id: 'i' },
						outputs: [
							{ output_type: 'display_data', text: '<Figure>', image: { image_data: pixel, media_type: 'image/png' } },
						],
					},
					{ ...cell, source: '1/0', cell_id: 'x', outputs: [{ output_type: 'error', text: 'E: zero\nline1\nline2' }] },
					{ cell_id: 'big' },
				],
			},
		});
	});

	it.each(['{"cells": [', '[]', '{"cells": 5}', '{"cells":[null,7,{"source":5,"outputs":[null]}]}'])(
		'a notebook that is none (%s) ends nothing',
		async (text) => {
			const { use } = toolBench({ 'n.ipynb': text });
			expect(textOf(await use(read, { file_path: 'n.ipynb' }))).toMatch(/^(Notebook file |<cell id)/);
		},
	);
});

describe('Write', () => {
	it.each([
		['new.txt', 'File created successfully at: new.txt', { type: 'create', structuredPatch: [], originalFile: null }],
		['old.txt', 'The file old.txt has been updated successfully.', { type: 'update', originalFile: 'one\n' }],
	])('%s', async (name, text, details) => {
		const { use, at } = toolBench({ 'old.txt': 'one\n' });
		if (name === 'old.txt') await use(read, { file_path: name });
		const output = await use(write, { file_path: name, content: 'two\n' });
		expect(textOf(output)).toBe(text);
		expect(output.details).toMatchObject({ filePath: at(name), content: 'two\n', ...details });
	});
});

describe('Edit', () => {
	const input = { file_path: 'a', old_string: 'dup', new_string: 'x' };

	it.each([
		['once', { old_string: 'one' }, 'The file a has been updated successfully.', { replaceAll: false }],
		[
			'everywhere',
			{ replace_all: true },
			"The file a has been updated. All occurrences of 'dup' were successfully replaced with 'x'.",
			{ replaceAll: true },
		],
		['curly quotes', { old_string: '"q"' }, 'The file a has been updated successfully.', { oldString: '“q”' }],
	])('%s', async (_, changed, text, details) => {
		const { use, at } = toolBench({ a: 'one dup\n“q” dup\n' });
		await use(read, { file_path: 'a' });
		const output = await use(edit, { ...input, ...changed });
		expect(textOf(output)).toBe(text);
		expect(output.details).toMatchObject({
			filePath: at('a'),
			originalFile: 'one dup\n“q” dup\n',
			userModified: false,
			...details,
		});
	});

	it('says when the user changed the change', async () => {
		const { use, context } = toolBench({ a: 'dup' });
		await use(read, { file_path: 'a' });
		context.userModified = true;
		expect((await use(edit, input)).details).toMatchObject({ userModified: true });
	});

	it.each([
		[{ old_string: 'x' }, 'No changes to make: old_string and new_string are exactly the same.'],
		[{ old_string: 'zebra' }, 'String to replace not found in file.\nString: zebra'],
		[
			{},
			'Found 2 matches of the string to replace, but replace_all is false. To replace all occurrences, set replace_all to true. To replace only one occurrence, please provide more context to uniquely identify the instance.\nString: dup',
		],
		[{ file_path: 'none' }, 'File does not exist.'],
		[{ old_string: '' }, 'Cannot create new file - file already exists.'],
		[{ file_path: 'n.ipynb' }, 'File is a Jupyter Notebook. Use the NotebookEdit to edit this file.'],
		[{ file_path: 'unread' }, 'File has not been read yet. Read it first before writing to it.'],
	])('%j is refused', async (changed, text) => {
		const { use } = toolBench({ a: 'dup dup', 'n.ipynb': '{}', unread: 'dup' });
		await use(read, { file_path: 'a' });
		const output = await use(edit, { ...input, ...changed });
		expect(textOf(output)).toBe(`<tool_use_error>${text}</tool_use_error>`);
		expect(output.details).toBe(`Error: ${text}`);
		expect(output.isError).toBe(true);
	});

	it('an edit of a part that was not shown is one of a file that was', async () => {
		const { use, at } = toolBench({ a: 'one\ntwo\nthree\n' });
		chmodSync(at('a'), 0o754);
		await use(read, { file_path: 'a', offset: 1, limit: 1 });
		await use(edit, { file_path: 'a', old_string: 'three', new_string: 'x' });
		expect(readFileSync(at('a'), 'utf8')).toBe('one\ntwo\nx\n');
	});
});

describe('NotebookEdit', () => {
	const bench = async (minor = 5) => {
		const made = toolBench({
			'n.ipynb': JSON.stringify({ ...notebook, nbformat_minor: minor }),
			'a.txt': 'x',
			'bad.ipynb': '{',
		});
		await made.use(read, { file_path: 'n.ipynb' });
		const cells = () => (JSON.parse(readFileSync(made.at('n.ipynb'), 'utf8')) as typeof notebook).cells;
		const run = (input: JsonObject) =>
			made.use(notebookEdit, { notebook_path: 'n.ipynb', new_source: 'new', ...input });
		return { ...made, cells, run };
	};

	it('replaces a cell, whose output goes', async () => {
		const { run, cells, at } = await bench();
		const before = readFileSync(at('n.ipynb'), 'utf8');
		const output = await run({ cell_id: 's' });
		expect(textOf(output)).toBe('Updated cell s with new');
		const after = readFileSync(at('n.ipynb'), 'utf8');
		expect(output.details).toEqual({
			...{ new_source: 'new', cell_type: 'code', language: 'r', edit_mode: 'replace', cell_id: 's', error: '' },
			...{ notebook_path: at('n.ipynb'), original_file: before, updated_file: after },
		});
		expect(after.startsWith('{\n "cells": [\n  {\n')).toBe(true);
		expect(cells()[1]).toEqual({ ...code('s', 'new', []), execution_count: null });
		expect((await run({ cell_id: 'cell-0', cell_type: 'markdown' })).isError).toBeUndefined();
		expect(cells()[0]).toMatchObject({ id: 'm', source: 'new' });
	});

	it('inserts behind a cell, or at the start', async () => {
		const { run, cells } = await bench();
		const output = await run({ cell_id: 'm', cell_type: 'code', edit_mode: 'insert' });
		const { id } = cells()[1] as { id: string };
		expect(id).toMatch(/^[0-9a-f]{8}$/);
		expect(textOf(output)).toBe(`Inserted cell ${id} with new`);
		await run({ cell_type: 'markdown', edit_mode: 'insert' });
		expect(cells()[0]).toEqual({ cell_type: 'markdown', id: expect.any(String), source: 'new', metadata: {} });
	});

	it('a notebook whose cells have no ids gets none', async () => {
		const { run, cells } = await bench(4);
		expect(textOf(await run({ cell_id: 'm', cell_type: 'code', edit_mode: 'insert' }))).toBe(
			'Inserted cell cell-1 with new',
		);
		expect(cells()[1]).not.toHaveProperty('id');
	});

	it('deletes a cell', async () => {
		const { run, cells } = await bench();
		expect(textOf(await run({ cell_id: 'x', edit_mode: 'delete' }))).toBe('Deleted cell x');
		expect(cells().map(({ id }) => id)).toEqual(['m', 's', 'i', 'big']);
	});

	it.each([
		[{ cell_id: 'zz' }, 'Cell with ID "zz" not found in notebook.'],
		[{ cell_id: 'cell-9' }, 'Cell with index 9 does not exist in notebook.'],
		[{ edit_mode: 'insert' }, 'Cell type is required when using edit_mode=insert.'],
		[{}, 'Cell ID must be specified when not inserting a new cell.'],
		[
			{ notebook_path: 'a.txt', cell_id: 'm' },
			'File must be a Jupyter notebook (.ipynb file). For editing other file types, use the FileEdit tool.',
		],
		[{ notebook_path: 'none.ipynb', cell_id: 'm' }, 'Notebook file does not exist.'],
		[{ notebook_path: 'bad.ipynb', cell_id: 'm' }, 'File has not been read yet. Read it first before writing to it.'],
	])('%j is refused', async (input, text) => {
		const { run, at } = await bench();
		const before = readFileSync(at('n.ipynb'), 'utf8');
		const output = await run(input);
		expect(textOf(output)).toBe(`<tool_use_error>${text}</tool_use_error>`);
		expect(output.details).toBe(`Error: ${text}`);
		expect(readFileSync(at('n.ipynb'), 'utf8')).toBe(before);
	});

	it('a notebook that somebody else changed is not changed', async () => {
		const { run, at } = await bench();
		writeFileSync(at('n.ipynb'), JSON.stringify({ ...notebook, cells: [] }));
		expect(textOf(await run({ cell_id: 's' }))).toContain('has been modified since read');
		mkdirSync(at('dir.ipynb'));
		expect(textOf(await run({ notebook_path: 'dir.ipynb', cell_id: 's' }))).toContain('is a directory');
	});

	it('a mode that there is not is told as the client tells it', async () => {
		const { run } = await bench();
		const output = await run({ cell_id: 's', edit_mode: 'wrong' });
		const issues = `[\n  {\n    "code": "invalid_value",\n    "values": [\n      "replace",\n      "insert",\n      "delete"\n    ],\n    "path": [\n      "edit_mode"\n    ],\n    "message": "Invalid option: expected one of \\"replace\\"|\\"insert\\"|\\"delete\\""\n  }\n]`;
		expect(textOf(output)).toBe(`<tool_use_error>InputValidationError: ${issues}</tool_use_error>`);
		expect(output.details).toBe(`InputValidationError: ${issues}`);
	});
});

describe('a file that somebody else has changed', () => {
	const bench = async () => {
		const made = toolBench({ a: 'one\ntwo\n' });
		await made.use(read, { file_path: 'a' });
		writeFileSync(made.at('a'), 'zero\none\ntwo\n');
		return made;
	};

	it('is edited where the text is still there, and the model is told that there is more', async () => {
		const { use, at } = await bench();
		const output = await use(edit, { file_path: 'a', old_string: 'two', new_string: 'TWO' });
		expect(textOf(output)).toMatch(
			/^The file a has been updated successfully\. \(note: the file had been modified on disk/,
		);
		expect(output.details).toMatchObject({ staleRecovered: true, contentNotInModelContext: true });
		expect(readFileSync(at('a'), 'utf8')).toBe('zero\none\nTWO\n');
	});

	it('is not overwritten after such an edit either, until it is read', async () => {
		const { use } = await bench();
		await use(edit, { file_path: 'a', old_string: 'two', new_string: 'TWO' });
		expect(textOf(await use(write, { file_path: 'a', content: 'x' }))).toContain('has been modified since read');
		await use(read, { file_path: 'a' });
		expect((await use(write, { file_path: 'a', content: 'x' })).isError).toBeUndefined();
	});

	it('says so where the text is gone', async () => {
		const { use, at } = await bench();
		writeFileSync(at('a'), 'other\n');
		expect(textOf(await use(edit, { file_path: 'a', old_string: 'two', new_string: 'x' }))).toContain(
			'String to replace not found in file.',
		);
		expect(readFileSync(at('a'), 'utf8')).toBe('other\n');
	});
});
