/** Edits keep the bytes that they do not mean. */
import { readFileSync, readlinkSync, symlinkSync } from 'node:fs';
import { expect, it } from 'vitest';
import { textOf, toolBench } from '../../test/support/tool-bench.ts';
import { edit, read, write } from './index.ts';

const utf16 = (text: string): Buffer => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);

it.each([
	['lines that end with CRLF', 'a\r\nb\r\nc\r\n', 'a\nb', 'A\nB\nX', 'A\r\nB\r\nX\r\nc\r\n'],
	['mixed ends, as most lines have them', 'a\r\nb\r\nc\n', 'b', 'B', 'a\r\nB\r\nc\r\n'],
	['no newline at the end', 'x\ny', 'y', 'z', 'x\nz'],
	['a byte-order mark', '\uFEFFhello\nworld\n', 'hello\nworld', 'bye', '\uFEFFbye\n'],
	['UTF-16', utf16('wide\r\n'), 'wide', 'WIDE\nx', utf16('WIDE\r\nx\r\n')],
	['decomposed letters', 'cafe\u0301 caf\u00e9\n', 'caf\u00e9', 'tea', 'cafe\u0301 tea\n'],
	['blanks that were there', 'keep  \nthese \t\n', 'keep', 'kept', 'kept  \nthese \t\n'],
	['new blanks are left out', 'a\nb\n', 'a', 'c  \nd \t', 'c\nd\nb\n'],
	['curly quotes', 'said “hello” and it’s “it”\n', '"hello"', '"bye (\'x\')"', "said “bye ('x')” and it’s “it”\n"],
	['curly apostrophes', 'it’s fine\n', "it's fine", "it's 'good'", 'it’s ‘good’\n'],
	['whole lines go with their ends', 'a\nb\nc\n', 'b', '', 'a\nc\n'],
	['parts of lines leave them', 'a // b\nc\n', ' // b', '', 'a\nc\n'],
	['patterns are no patterns', 'a $1 b\n', '$1', '$& $$', 'a $& $$ b\n'],
])('%s', async (_, before, old_string, new_string, after) => {
	const { use, at } = toolBench({ 'a.txt': before });
	await use(read, { file_path: 'a.txt' });
	const output = await use(edit, { file_path: 'a.txt', old_string, new_string });
	expect(textOf(output)).toBe('The file a.txt has been updated successfully.');
	expect(readFileSync(at('a.txt'))).toEqual(Buffer.from(after));
});

it('Markdown keeps blanks at the ends of lines: two of them break a line', async () => {
	const { use, at } = toolBench({ 'a.md': 'a\n' });
	await use(read, { file_path: 'a.md' });
	await use(edit, { file_path: 'a.md', old_string: 'a', new_string: 'b  \nc' });
	expect(readFileSync(at('a.md'), 'utf8')).toBe('b  \nc\n');
});

it.each([
	['CRLF', 'a\r\nb\r\n', 'x\r\ny\nz \n', 'x\r\ny\r\nz\r\n'],
	['a byte-order mark', '\uFEFFold\n', 'new\n', '\uFEFFnew\n'],
	['UTF-16', utf16('old\n'), 'new\n', utf16('new\n')],
])('a file that is written anew keeps %s', async (_, before, content, after) => {
	const { use, at } = toolBench({ 'a.txt': before });
	await use(read, { file_path: 'a.txt' });
	await use(write, { file_path: 'a.txt', content });
	expect(readFileSync(at('a.txt'))).toEqual(Buffer.from(after));
});

it('shows text without its byte-order mark, whatever its encoding', async () => {
	const { use } = toolBench({ 'a.txt': utf16('wide\n'), 'b.txt': '\uFEFFhello\n' });
	expect(textOf(await use(read, { file_path: 'a.txt' }))).toBe('     1→wide\n     2→');
	expect(textOf(await use(read, { file_path: 'b.txt' }))).toBe('     1→hello\n     2→');
});

it.each([
	['another encoding', Buffer.from('caf\xe9 plain\n', 'latin1'), 'is not valid UTF-8'],
	['NUL bytes', Buffer.from('a\0b plain\n'), 'has NUL bytes'],
])('a file with %s is shown and never damaged', async (_, bytes, words) => {
	const { use, at } = toolBench({ 'a.txt': bytes });
	expect(textOf(await use(read, { file_path: 'a.txt' }))).toContain(`[This file ${words}`);
	const edited = await use(edit, { file_path: 'a.txt', old_string: 'plain', new_string: 'x' });
	const written = await use(write, { file_path: 'a.txt', content: 'x' });
	for (const output of [edited, written]) {
		expect(output.isError).toBe(true);
		expect(textOf(output)).toContain(`File ${words}`);
	}
	expect(readFileSync(at('a.txt'))).toEqual(bytes);
});

it('a link that leads to nothing is not written through, and stays', async () => {
	const { use, at } = toolBench({ 'real/a.txt': 'a\n' });
	symlinkSync('real/not-there.txt', at('dangling.txt'));
	const output = await use(write, { file_path: 'dangling.txt', content: 'x' });
	expect(textOf(output)).toContain(`Write to the link's target path instead: ${at('real/not-there.txt')}`);
	expect(readlinkSync(at('dangling.txt'))).toBe('real/not-there.txt');
});

it('an empty file may be filled unread, a full one not', async () => {
	const { use, at } = toolBench({ empty: '', full: 'x' });
	await use(edit, { file_path: 'empty', old_string: '', new_string: 'y' });
	expect(readFileSync(at('empty'), 'utf8')).toBe('y');
	expect(textOf(await use(edit, { file_path: 'full', old_string: '', new_string: 'y' }))).toContain('already exists');
});
