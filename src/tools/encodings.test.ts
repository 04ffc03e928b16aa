/** Edits keep the bytes that they do not mean. */
import { readFileSync, readlinkSync, symlinkSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
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

/** As random as compressed data is, and always the same. */
const noise = Buffer.from(Array.from({ length: 4000 }, (_, index) => (index * index * 31 + (index >> 3) * 7) % 251));
const wide = 'Some text — ‘quoted’, “twice”, “thrice”.\n'.repeat(20);

it.each([
	['a program', readFileSync(process.execPath).subarray(0, 20_000)],
	['a small program', readFileSync(process.execPath).subarray(0, 120)],
	['what was compressed', gzipSync(noise)],
	['numbers', Buffer.from(Float64Array.from({ length: 100 }, (_, index) => index / 3).buffer)],
])('%s is refused as a binary file, whatever it is called', async (_, bytes) => {
	const { use } = toolBench({ small: bytes });
	const output = await use(read, { file_path: 'small' });
	expect(output.isError).toBe(true);
	expect(textOf(output)).toBe(
		'<tool_use_error>This tool cannot read binary files. The file appears to be a binary file, by what is in it. Please use appropriate tools for binary file analysis.</tool_use_error>',
	);
});

it.each([
	['UTF-16 with a mark', utf16(wide)],
	['UTF-16 without one', Buffer.from(wide, 'utf16le')],
	['UTF-16 the other way round', utf16(wide).swap16()],
	['a Western encoding', Buffer.from('caf\xe9, na\xefve\n'.repeat(20), 'latin1')],
	['Russian in an older encoding', Buffer.from('\xf0\xd2\xc9\xd7\xc5\xd4, \xcd\xc9\xd2!\n'.repeat(20), 'latin1')],
	['colours for a terminal', Buffer.from('\x1b[31mred\x1b[0m\b\n'.repeat(20))],
	['records with NUL between them', Buffer.from('src/one.ts\0src/other.ts\0lib/a.ts\0')],
])('%s is no binary file', async (_, bytes) => {
	const { use } = toolBench({ small: bytes });
	expect((await use(read, { file_path: 'small' })).isError).not.toBe(true);
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
