/** Notebooks, images and files that others change, as Read, Write, Edit and NotebookEdit meet them. What they answer is in `test/tools`. */
import { chmodSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
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

describe('Read', () => {
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

describe('Edit', () => {
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

	it('a notebook that somebody else changed is not changed', async () => {
		const { run, at } = await bench();
		writeFileSync(at('n.ipynb'), JSON.stringify({ ...notebook, cells: [] }));
		expect(textOf(await run({ cell_id: 's' }))).toContain('has been modified since read');
		mkdirSync(at('dir.ipynb'));
		expect(textOf(await run({ notebook_path: 'dir.ipynb', cell_id: 's' }))).toContain('is a directory');
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

	it('a large file is written as it should be, edit by edit, and a byte that another changes is noticed', async () => {
		const lines = Array.from({ length: 10_000 }, (_, n) => `line ${n} of many`);
		const { use, at } = toolBench({ a: lines.join('\n') });
		await use(read, { file_path: 'a', limit: 1 });
		for (const [n, text] of [
			[7, 'sieben'],
			[7000, 'größer 😀'],
			[8000, 'x'],
			[9999, 'last'],
		] as const) {
			const before = lines[n] ?? '';
			lines[n] = text;
			const output = await use(edit, { file_path: 'a', old_string: before, new_string: text });
			expect(textOf(output)).toBe('The file a has been updated successfully.');
			expect(readFileSync(at('a'), 'utf8')).toBe(lines.join('\n'));
		}
		const bytes = readFileSync(at('a'));
		const { atime, mtime } = statSync(at('a'));
		bytes[100] = 33;
		writeFileSync(at('a'), bytes);
		utimesSync(at('a'), atime, mtime);
		expect(textOf(await use(write, { file_path: 'a', content: 'x' }))).toContain('has been modified since read');
	});
});
