/** What the tools do with files and commands, and how they say it. */
import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { textOf, toolBench } from '../../test/support/tool-bench.ts';
import { bash, edit, read, write } from './index.ts';

describe('Read', () => {
	it('an empty file is said to be empty, and may be written to', async () => {
		const { at, use } = toolBench();
		writeFileSync(at('empty'), '');
		expect(textOf(await use(read, { file_path: 'empty' }))).toContain('the contents are empty');
		expect((await use(write, { file_path: 'empty', content: 'x' })).isError).toBeUndefined();
	});
});

describe('Write', () => {
	it('creates a file with its folders', async () => {
		const { at, use, changes } = toolBench();
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
		const { at, use, changes } = toolBench();
		writeFileSync(at('a'), 'mine\n');
		expect(textOf(await use(write, { file_path: 'a', content: 'x' }))).toContain('has not been read');
		await use(read, { file_path: 'a' });
		writeFileSync(at('a'), 'yours\n');
		expect(textOf(await use(write, { file_path: 'a', content: 'x' }))).toContain('has been modified since read');
		expect(readFileSync(at('a'), 'utf8')).toBe('yours\n');
		expect(changes).toEqual([]);
	});

	it('replaces what was read, keeps its mode, and says how it differs', async () => {
		const { at, use, changes } = toolBench();
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
		const { at, use } = toolBench();
		writeFileSync(at('real'), 'one');
		symlinkSync(at('real'), at('link'));
		await use(read, { file_path: 'link' });
		await use(write, { file_path: 'link', content: 'two' });
		expect(readFileSync(at('real'), 'utf8')).toBe('two');
	});
});

describe('Edit', () => {
	it('replaces one text, and says exactly what the document says', async () => {
		const { at, use } = toolBench();
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
});

describe('Bash', () => {
	it('an interruption ends it at once', async () => {
		const { use, control } = toolBench();
		setTimeout(() => control.abort(), 100);
		const began = Date.now();
		const output = await use(bash, { command: 'echo begun; sleep 20' });
		expect(textOf(output)).toBe('The user interrupted the command.\nbegun');
		expect(Date.now() - began).toBeLessThan(5000);
	});

	it('a process left in the background does not hold the answer back', async () => {
		const { use } = toolBench();
		const began = Date.now();
		expect(textOf(await use(bash, { command: 'sleep 3 & echo done' }))).toBe('done');
		expect(Date.now() - began).toBeLessThan(2500);
	});

	it('long output goes to a file beside the session, and its beginning is shown', async () => {
		const { use, outputs } = toolBench();
		const output = await use(bash, { command: "echo; seq -f 'row %06g' 1 4000" });
		const file = join(outputs, 'c1.txt');
		const [, , , ...rest] = textOf(output).split('\n');
		expect(textOf(output)).toMatch(/^<persisted-output>\nOutput too large \(43KB\). Full output saved to: /);
		expect(textOf(output)).toContain(`saved to: ${file}\n`);
		expect(rest.slice(0, 2)).toEqual(['Preview (first 2KB):', 'row 000001']);
		expect(rest.slice(-3)).toEqual(['row 000181', '...', '</persisted-output>']);
		expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(4002);
		expect(statSync(file).mode & 0o777).toBe(0o600);
	});

	it('a failure keeps the beginning and the end of what was said', async () => {
		const { use } = toolBench();
		const text = textOf(await use(bash, { command: 'seq 1 20000; exit 3' }));
		expect(text.length).toBeLessThan(11_000);
		expect(text).toMatch(/^Exit code 3\n1\n2\n/);
		expect(text).toMatch(/\.\.\. \[\d+ characters truncated, all of it is in .*c1\.txt\] \.\.\./);
		expect(text.endsWith('\n20000')).toBe(true);
	});

	it.each([
		['grep x a.txt', 'No matches found'],
		['cat a.txt | grep x', 'No matches found'],
		['diff a.txt b.txt >/dev/null', 'Files differ'],
		['test -f none', 'Condition is false'],
		['[ -f none ]', 'Condition is false'],
	])('%s with exit code 1 is an answer', async (command, meaning) => {
		const { use, at } = toolBench();
		writeFileSync(at('a.txt'), 'a\n');
		writeFileSync(at('b.txt'), 'b\n');
		const output = await use(bash, { command });
		expect(output.isError).toBeUndefined();
		expect(output.details).toMatchObject({ returnCodeInterpretation: meaning });
		expect((await use(bash, { command: 'grep x none' })).isError).toBe(true);
	});

	it('stays in the folder that a command went to, as long as that is in the project', async () => {
		const { use, at, cwd, context } = toolBench();
		mkdirSync(at('sub/deep'), { recursive: true });
		await use(bash, { command: 'cd sub/deep && X=1' });
		expect(context.cwd).toBe(at('sub/deep'));
		expect(textOf(await use(bash, { command: 'pwd; echo [$X]' }))).toBe(`${at('sub/deep')}\n[]`);
		expect(textOf(await use(bash, { command: 'cd /; pwd' }))).toBe(`/\nShell cwd was reset to ${cwd}`);
		expect(context.cwd).toBe(cwd);
		await use(bash, { command: 'cd sub; false' });
		expect(context.cwd).toBe(cwd);
		await use(bash, { command: 'mkdir gone; cd gone' });
		await use(bash, { command: 'rmdir ../gone' });
		expect(textOf(await use(bash, { command: 'pwd' }))).toBe(cwd);
	});

	it.each([
		['read -r x; echo "[$x]"', '[]'],
		['cat; echo end', 'end'],
		[`echo "it's" 'a "test"'`, `it's a "test"`],
		["cat <<EOF\n$((1+1)) it's\nEOF", "2 it's"],
		['echo a; echo b >&2; echo c; echo d >&2', 'a\nb\nc\nd'],
		['printf "\\n\\n  a\\n\\n"', '  a'],
		['set -e; true; echo on', 'on'],
		['# nothing', '(Bash completed with no output)'],
		['', '(Bash completed with no output)'],
		['kill -9 $$', 'Exit code 137'],
		['echo "open', /^Exit code \d\n.*unexpected EOF/],
	])('%s', async (command, text) => {
		const { use } = toolBench();
		const got = textOf(await use(bash, { command }));
		if (typeof text === 'string') expect(got).toBe(text);
		else expect(got).toMatch(text);
	});
});

describe('input', () => {
	it.each([
		[{ command: 5 }, 'The parameter `command` type is expected as `string` but provided as `number`'],
		[{ command: null }, 'The parameter `command` type is expected as `string` but provided as `null`'],
		[{ cmd: 'x' }, 'The required parameter `command` is missing\nAn unexpected parameter `cmd` was provided'],
		[
			{ command: 'x', timeout: 'soon' },
			'The parameter `timeout` type is expected as `number` but provided as `string`',
		],
		[['x'], 'The parameter `` type is expected as `object` but provided as `array`'],
	])('%j is refused in words', (input, problem) => {
		expect(bash.parse(input)).toMatchObject({ ok: false, problem });
	});

	it('numbers and truths in quotes are taken for what they say', () => {
		expect(bash.parse({ command: '5', timeout: '2000' })).toEqual({ ok: true, input: { command: '5', timeout: 2000 } });
		expect(read.parse({ file_path: 'a', offset: '2' })).toMatchObject({ ok: true, input: { offset: 2 } });
		const given = { file_path: 'a', old_string: '1', new_string: '2', replace_all: 'true' };
		expect(edit.parse(given)).toEqual({ ok: true, input: { ...given, replace_all: true } });
	});
});
