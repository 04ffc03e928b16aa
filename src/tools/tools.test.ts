/** What the tools do with files and commands, and how they say it. */
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { scratchMachine } from '../../test/support/scratch.ts';
import type { Tool, ToolContext, ToolOutput } from '../agent/contracts.ts';
import { nodeHost } from '../host/node-host.ts';
import type { JsonObject } from '../model/index.ts';
import { bash, edit, read, write } from './index.ts';

function bench() {
	const scratch = scratchMachine();
	onTestFinished(() => scratch[Symbol.dispose]());
	const cwd = scratch.folder('project');
	const updates: JsonObject[] = [];
	const changes: [string, string | null][] = [];
	const control = new AbortController();
	const context: ToolContext = {
		cwd,
		signal: control.signal,
		host: nodeHost(),
		callId: 'c1',
		seen: new Map(),
		update: (partial) => updates.push(partial),
		changing: async (path, before) => void changes.push([path, before && Buffer.from(before).toString()]),
	};
	const at = (name: string): string => join(cwd, name);
	const use = async (tool: Tool, input: JsonObject): Promise<ToolOutput> => {
		const parsed = tool.parse(input);
		if (!parsed.ok) throw new Error(parsed.problem);
		return await tool.run(parsed.input, context);
	};
	return { cwd, at, use, context, updates, changes, control };
}

const textOf = ({ content }: ToolOutput): string =>
	content.map((one) => (one.type === 'text' ? one.text : '')).join('');

describe('Read', () => {
	it('numbers the lines and says what it showed', async () => {
		const { at, use, context } = bench();
		writeFileSync(at('a.md'), 'one\r\ntwo\nthree\n');
		const output = await use(read, { file_path: 'a.md' });
		expect(textOf(output)).toBe('     1→one\n     2→two\n     3→three');
		expect(output.details).toEqual({
			type: 'text',
			file: { filePath: at('a.md'), content: 'one\ntwo\nthree', numLines: 3, startLine: 1, totalLines: 3 },
		});
		expect(output.file).toMatchObject({ path: at('a.md'), sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
		expect(context.seen.has(at('a.md'))).toBe(true);
	});

	it('shows a part, and how much is left', async () => {
		const { at, use } = bench();
		writeFileSync(at('a'), Array.from({ length: 10 }, (_, i) => `line ${i + 1}`).join('\n'));
		const output = await use(read, { file_path: at('a'), offset: 4, limit: 2 });
		expect(textOf(output)).toBe('     4→line 4\n     5→line 5\n\n(5 more lines; go on with offset 6)');
		expect(output.details).toMatchObject({ file: { numLines: 2, startLine: 4, totalLines: 10 } });
	});

	it('shows images as images', async () => {
		const { at, use } = bench();
		writeFileSync(at('a.png'), Buffer.from([1, 2, 3]));
		const output = await use(read, { file_path: 'a.png' });
		expect(output.content).toEqual([{ type: 'image', data: 'AQID', mimeType: 'image/png' }]);
		expect(output.details).toEqual({ type: 'image', file: { base64: 'AQID', type: 'image/png', originalSize: 3 } });
	});

	it('says plainly what cannot be read', async () => {
		const { at, use } = bench();
		mkdirSync(at('folder'));
		writeFileSync(at('binary'), Buffer.from([0, 1, 2]));
		writeFileSync(at('short'), 'x\n');
		writeFileSync(at('wide'), 'x'.repeat(200_000));
		for (const [name, words] of [
			['missing', 'There is no file'],
			['folder', 'is a folder'],
			['binary', 'is not a text file'],
			['wide', 'alone is longer than'],
		] as const) {
			const output = await use(read, { file_path: name });
			expect(output.isError).toBe(true);
			expect(textOf(output)).toContain(words);
			expect(output.details).toBe(`Error: ${textOf(output)}`);
		}
		expect(textOf(await use(read, { file_path: 'short', offset: 9 }))).toContain('there is no line 9');
	});

	it('an empty file is said to be empty, and may be written to', async () => {
		const { at, use } = bench();
		writeFileSync(at('empty'), '');
		expect(textOf(await use(read, { file_path: 'empty' }))).toContain('is empty');
		expect((await use(write, { file_path: 'empty', content: 'x' })).isError).toBeUndefined();
	});
});

describe('Write', () => {
	it('creates a file with its folders', async () => {
		const { at, use, changes } = bench();
		const output = await use(write, { file_path: 'deep/er/a.txt', content: 'hi\n' });
		expect(readFileSync(at('deep/er/a.txt'), 'utf8')).toBe('hi\n');
		expect(output.details).toEqual({
			type: 'create',
			filePath: at('deep/er/a.txt'),
			content: 'hi\n',
			structuredPatch: [],
			originalFile: null,
		});
		expect(changes).toEqual([[at('deep/er/a.txt'), null]]);
	});

	it('never overwrites what was not read, or has changed since', async () => {
		const { at, use, changes } = bench();
		writeFileSync(at('a'), 'mine\n');
		expect(textOf(await use(write, { file_path: 'a', content: 'x' }))).toContain('has not been read');
		await use(read, { file_path: 'a' });
		writeFileSync(at('a'), 'yours\n');
		expect(textOf(await use(write, { file_path: 'a', content: 'x' }))).toContain('has been changed since');
		expect(readFileSync(at('a'), 'utf8')).toBe('yours\n');
		expect(changes).toEqual([]);
	});

	it('replaces what was read, keeps its mode, and says how it differs', async () => {
		const { at, use, changes } = bench();
		writeFileSync(at('a.sh'), 'one\n');
		chmodSync(at('a.sh'), 0o755);
		await use(read, { file_path: 'a.sh' });
		const output = await use(write, { file_path: 'a.sh', content: 'two\n' });
		expect(output.details).toMatchObject({ type: 'update', originalFile: 'one\n' });
		expect(output.details).toHaveProperty('structuredPatch.0.lines', ['-one', '+two']);
		expect(statSync(at('a.sh')).mode & 0o777).toBe(0o755);
		expect(changes).toEqual([[at('a.sh'), 'one\n']]);
		expect((await use(write, { file_path: 'a.sh', content: 'three\n' })).isError).toBeUndefined();
	});

	it('writes through a link to the file behind it', async () => {
		const { at, use } = bench();
		writeFileSync(at('real'), 'one');
		symlinkSync(at('real'), at('link'));
		await use(read, { file_path: 'link' });
		await use(write, { file_path: 'link', content: 'two' });
		expect(readFileSync(at('real'), 'utf8')).toBe('two');
	});

	it('a folder is no file', async () => {
		const { at, use } = bench();
		mkdirSync(at('folder'));
		expect(textOf(await use(write, { file_path: 'folder', content: '' }))).toContain('is a folder');
	});
});

describe('Edit', () => {
	it('replaces one text, and says exactly what the document says', async () => {
		const { at, use } = bench();
		writeFileSync(at('a'), 'a\nb $1 c\nd\n');
		await use(read, { file_path: 'a' });
		const output = await use(edit, { file_path: 'a', old_string: 'b $1', new_string: '$& x' });
		expect(readFileSync(at('a'), 'utf8')).toBe('a\n$& x c\nd\n');
		expect(output.details).toEqual({
			filePath: at('a'),
			oldString: 'b $1',
			newString: '$& x',
			originalFile: 'a\nb $1 c\nd\n',
			structuredPatch: [
				{ oldStart: 1, oldLines: 3, newStart: 1, newLines: 3, lines: [' a', '-b $1 c', '+$& x c', ' d'] },
			],
			userModified: false,
			replaceAll: false,
		});
	});

	it('an old text that occurs twice needs more around it, or replace_all', async () => {
		const { at, use } = bench();
		writeFileSync(at('a'), 'x x');
		await use(read, { file_path: 'a' });
		expect(textOf(await use(edit, { file_path: 'a', old_string: 'x', new_string: 'y' }))).toContain('occurs 2 times');
		await use(edit, { file_path: 'a', old_string: 'x', new_string: 'y', replace_all: true });
		expect(readFileSync(at('a'), 'utf8')).toBe('y y');
	});

	it('says plainly what cannot be done', async () => {
		const { at, use } = bench();
		writeFileSync(at('a'), 'x');
		for (const [input, words] of [
			[{ file_path: 'a', old_string: 'x', new_string: 'x' }, 'are the same'],
			[{ file_path: 'a', old_string: 'x', new_string: 'y' }, 'has not been read'],
			[{ file_path: 'none', old_string: 'x', new_string: 'y' }, 'There is no file'],
			[{ file_path: '.', old_string: 'x', new_string: 'y' }, 'is a folder'],
		] as const) {
			expect(textOf(await use(edit, input))).toContain(words);
		}
		await use(read, { file_path: 'a' });
		expect(textOf(await use(edit, { file_path: 'a', old_string: 'q', new_string: 'y' }))).toContain('does not occur');
		expect(textOf(await use(edit, { file_path: 'a', old_string: '', new_string: 'y' }))).toContain('only creates');
	});

	it('an empty old text creates a file', async () => {
		const { at, use } = bench();
		await use(edit, { file_path: 'new', old_string: '', new_string: 'y' });
		expect(readFileSync(at('new'), 'utf8')).toBe('y');
	});
});

describe('Bash', () => {
	it('gives both streams, and says so as the document does', async () => {
		const { use } = bench();
		const output = await use(bash, { command: 'echo out; echo err >&2' });
		expect(textOf(output)).toBe('out\nerr');
		expect(output.details).toEqual({ stdout: 'out\n', stderr: 'err\n', interrupted: false, isImage: false });
	});

	it('runs in the working folder, and says when there is no output', async () => {
		const { cwd, use } = bench();
		expect(textOf(await use(bash, { command: 'pwd' }))).toBe(cwd);
		expect(textOf(await use(bash, { command: 'true' }))).toBe('(no output)');
	});

	it('a failure is a result with its exit code', async () => {
		const { use } = bench();
		const output = await use(bash, { command: 'echo bad; exit 3' });
		expect(output.isError).toBe(true);
		expect(textOf(output)).toBe('Exit code 3\nbad');
	});

	it('a time limit ends the command and all that it started', async () => {
		const { use, at } = bench();
		const output = await use(bash, { command: '(sleep 1; touch survived) & sleep 5', timeout: 150 });
		expect(textOf(output)).toContain('did not end within 150 ms');
		await new Promise((resolve) => setTimeout(resolve, 1200));
		expect(existsSync(at('survived'))).toBe(false);
	});

	it('an interruption ends it at once', async () => {
		const { use, control } = bench();
		setTimeout(() => control.abort(), 100);
		const began = Date.now();
		const output = await use(bash, { command: 'echo begun; sleep 20' });
		expect(textOf(output)).toBe('The user interrupted the command.\nbegun');
		expect(Date.now() - began).toBeLessThan(5000);
	});

	it('a process left in the background does not hold the answer back', async () => {
		const { use } = bench();
		const began = Date.now();
		expect(textOf(await use(bash, { command: 'sleep 3 & echo done' }))).toBe('done');
		expect(Date.now() - began).toBeLessThan(2500);
	});

	it('long output keeps its beginning and its end', async () => {
		const { use } = bench();
		const output = await use(bash, { command: 'echo first; head -c 3000000 /dev/zero | tr "\\0" x; echo; echo last' });
		const text = textOf(output);
		expect(text.length).toBeLessThan(31_000);
		expect(text.startsWith('first\n')).toBe(true);
		expect(text.endsWith('\nlast')).toBe(true);
		expect(text).toContain('characters left out');
	});

	it('wrong input is said in words', () => {
		expect(bash.parse({ command: 5 })).toMatchObject({ ok: false, problem: expect.stringContaining('command') });
		expect(bash.parse({ command: '' })).toMatchObject({ ok: false });
		expect(read.parse('x')).toMatchObject({ ok: false });
	});
});
