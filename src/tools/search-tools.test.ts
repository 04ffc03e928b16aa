/** What Glob and Grep answered in the real client, case by case, and what they leave out. */
import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { textOf, toolBench } from '../../test/support/tool-bench.ts';
import type { JsonObject } from '../model/index.ts';
import { glob } from './glob.ts';
import { grep } from './grep.ts';

/** The files of the twin cases, each a day younger than the one before. */
const files = {
	'README.md': '# Math\n\nTODO list:\n- todo one\n- Todo two\n',
	'data.json': '{"note": "TODO"}\n',
	'debug.log': 'TODO log\n',
	'dist/out.js': '// built TODO\n',
	'docs/a b.md': 'spaces TODO\n',
	'.gitignore': 'dist/\n*.log\n',
	'.hidden/secret.js': '// TODO hidden\n',
	'src/index.js': "import { add } from './lib/add.js';\n// TODO: more\nconsole.log(add(1, 2));\n",
	'src/lib/add.js': 'export function add(a, b) {\n  // TODO: check types\n  return a + b;\n}\n',
	'src/lib/deep/er/mul.js': 'export function mul(a, b) { return a * b; }\n',
	'src/lib/sub.ts': 'export function sub(a: number, b: number) {\n  return a - b;\n}\n',
	'.git/config': 'TODO\n',
};

function project(more: { readonly [name: string]: string } = {}) {
	const bench = toolBench({ ...files, ...more });
	for (const [index, name] of Object.keys({ ...files, ...more }).entries())
		utimesSync(bench.at(name), 1_704_067_200 + index * 86_400, 1_704_067_200 + index * 86_400);
	return bench;
}

describe('Glob', () => {
	it.each([
		['**/*.js', ['dist/out.js', '.hidden/secret.js', 'src/index.js', 'src/lib/add.js', 'src/lib/deep/er/mul.js']],
		['*.md', ['README.md', 'docs/a b.md']],
		['src/**', ['src/index.js', 'src/lib/add.js', 'src/lib/deep/er/mul.js', 'src/lib/sub.ts']],
		['src/**/*.{js,ts}', ['src/index.js', 'src/lib/add.js', 'src/lib/deep/er/mul.js', 'src/lib/sub.ts']],
		['**/.*', ['.gitignore']],
		['.hidden/*', ['.hidden/secret.js']],
		['**/*.log', ['debug.log']],
		['src/lib/???.*', ['src/lib/add.js', 'src/lib/sub.ts']],
		['src/[il]*/*.js', ['src/lib/add.js']],
		['docs/a b.md', ['docs/a b.md']],
		['**/*.py', []],
		['../*', []],
		['--files', []],
		['.git/*', ['.git/config']],
	])('%s', async (pattern, names) => {
		const { use, at } = project();
		const output = await use(glob, { pattern });
		const filenames = names.map(at);
		expect(textOf(output)).toBe(filenames.join('\n') || 'No files found');
		const durationMs = expect.any(Number);
		expect(output.details).toEqual({ filenames, durationMs, numFiles: filenames.length, truncated: false });
	});

	it('a pattern may name its folder, and so may the path', async () => {
		const { use, at } = project();
		const inLib = [at('src/lib/add.js'), at('src/lib/deep/er/mul.js')].join('\n');
		expect(textOf(await use(glob, { pattern: '*.js', path: at('src/lib') }))).toBe(inLib);
		expect(textOf(await use(glob, { pattern: '*.js', path: 'src/lib' }))).toBe(inLib);
		expect(textOf(await use(glob, { pattern: at('src/lib/*.js') }))).toBe(inLib);
		expect(textOf(await use(glob, { pattern: at('none/*.js') }))).toBe('No files found');
	});

	it('the oldest hundred are shown', async () => {
		const many = Object.fromEntries(Array.from({ length: 130 }, (_, index) => [`many/f${1000 + index}.txt`, '']));
		const { use, at } = project(many);
		const output = await use(glob, { pattern: 'many/*.txt' });
		const lines = textOf(output).split('\n');
		expect(lines).toHaveLength(101);
		expect(lines[99]).toBe(at('many/f1099.txt'));
		expect(lines[100]).toBe('(Results are truncated. Consider using a more specific path or pattern.)');
		expect(output.details).toMatchObject({ numFiles: 100, truncated: true });
	});

	it.each([
		[{ pattern: '*', path: 'none' }, /^<tool_use_error>Directory does not exist: .*\/none<\/tool_use_error>$/],
		[{ pattern: '*', path: 'README.md' }, /^<tool_use_error>Path is not a directory: .*README.md<\/tool_use_error>$/],
		[
			{ pattern: 'a{b' },
			/^Search failed — ripgrep rejected the pattern, glob, or file type without searching:\nrg: .*glob/,
		],
		[{}, /The required parameter `pattern` is missing/],
	])('%j fails', async (input, text) => {
		const { use } = project();
		const output = await use(glob, input as JsonObject);
		expect(output.isError).toBe(true);
		expect(textOf(output)).toMatch(text);
	});

	it('a file that a rule hides is not found', async () => {
		const { use, at, context } = project();
		context.hides = async () => (path) => path === at('src/index.js');
		expect(textOf(await use(glob, { pattern: 'src/*.js' }))).toBe('No files found');
	});
});

const matches = { mode: 'content', numFiles: 0, filenames: [] };

describe('Grep', () => {
	it.each<[JsonObject, string, JsonObject]>([
		[
			{ pattern: 'TODO' },
			'Found 6 files\nsrc/lib/add.js\nsrc/index.js\n.hidden/secret.js\ndocs/a b.md\ndata.json\nREADME.md',
			{
				mode: 'files_with_matches',
				filenames: ['src/lib/add.js', 'src/index.js', '.hidden/secret.js', 'docs/a b.md', 'data.json', 'README.md'],
				numFiles: 6,
			},
		],
		[{ pattern: 'no such' }, 'No files found', { mode: 'files_with_matches', filenames: [], numFiles: 0 }],
		[{ pattern: 'function.*return' }, 'Found 1 file\nsrc/lib/deep/er/mul.js', { numFiles: 1 }],
		[
			{ pattern: 'function.*return', multiline: true },
			'Found 3 files\nsrc/lib/sub.ts\nsrc/lib/deep/er/mul.js\nsrc/lib/add.js',
			{ numFiles: 3 },
		],
		[{ pattern: 'TODO', glob: '*.md' }, 'Found 2 files\ndocs/a b.md\nREADME.md', {}],
		[{ pattern: 'TODO', glob: '*.ts, *.json' }, 'Found 1 file\ndata.json', {}],
		[{ pattern: 'TODO', glob: '**/*.{md,json}' }, 'Found 3 files\ndocs/a b.md\ndata.json\nREADME.md', {}],
		[{ pattern: 'TODO', type: 'js' }, 'Found 3 files\nsrc/lib/add.js\nsrc/index.js\n.hidden/secret.js', {}],
		[
			{ pattern: 'TODO', head_limit: 2 },
			'Found 2 files limit: 2, offset: 0\nsrc/lib/add.js\nsrc/index.js',
			{ appliedLimit: 2, numFiles: 2 },
		],
		[
			{ pattern: 'TODO', head_limit: 2, offset: 1 },
			'Found 2 files limit: 2, offset: 1\nsrc/index.js\n.hidden/secret.js',
			{ appliedLimit: 2, appliedOffset: 1 },
		],
		[{ pattern: 'TODO', offset: 5 }, 'Found 1 file offset: 5\nREADME.md', { appliedOffset: 5 }],
		[{ pattern: 'built', path: 'dist' }, 'Found 1 file\ndist/out.js', {}],
		[{ pattern: 'built' }, 'No files found', {}],
		[{ pattern: '-dash' }, 'No files found', {}],
		[{ pattern: '--version' }, 'No files found', {}],
		[
			{ pattern: 'TODO', output_mode: 'content', path: 'src/lib' },
			'src/lib/add.js:2:  // TODO: check types',
			{ ...matches, content: 'src/lib/add.js:2:  // TODO: check types', numLines: 1 },
		],
		[
			{ pattern: 'TODO', output_mode: 'content', path: 'src', '-n': false },
			'src/index.js:// TODO: more\nsrc/lib/add.js:  // TODO: check types',
			{ numLines: 2 },
		],
		[
			{ pattern: 'todo', output_mode: 'content', '-i': true, path: 'README.md' },
			'3:TODO list:\n4:- todo one\n5:- Todo two',
			{},
		],
		[
			{ pattern: 'todo', output_mode: 'content', '-i': true, '-o': true, path: 'README.md' },
			'3:TODO\n4:todo\n5:Todo',
			{},
		],
		[
			{ pattern: 'check', path: 'src/lib/add.js', output_mode: 'content', '-A': 1 },
			'2:  // TODO: check types\n3-  return a + b;',
			{},
		],
		[
			{ pattern: 'check', path: 'src/lib/add.js', output_mode: 'content', '-B': 1 },
			'1-export function add(a, b) {\n2:  // TODO: check types',
			{},
		],
		[
			{ pattern: 'return', path: 'src/lib/add.js', output_mode: 'content', '-C': 1 },
			'2-  // TODO: check types\n3:  return a + b;\n4-}',
			{},
		],
		[
			{ pattern: 'TODO:', path: 'src', output_mode: 'content', context: 1 },
			"src/index.js-1-import { add } from './lib/add.js';\nsrc/index.js:2:// TODO: more\nsrc/index.js-3-console.log(add(1, 2));\n--\nsrc/lib/add.js-1-export function add(a, b) {\nsrc/lib/add.js:2:  // TODO: check types\nsrc/lib/add.js-3-  return a + b;",
			{ numLines: 7 },
		],
		[
			{ pattern: '.', path: 'README.md', output_mode: 'content', head_limit: 2, offset: 1 },
			'3:TODO list:\n4:- todo one\n\n[Showing results with pagination = limit: 2, offset: 1]',
			{ content: '3:TODO list:\n4:- todo one', numLines: 2, appliedLimit: 2, appliedOffset: 1 },
		],
		[{ pattern: '^$', path: 'README.md', output_mode: 'content' }, '2:', {}],
		[{ pattern: 'no such', output_mode: 'content' }, 'No matches found', { ...matches, content: '', numLines: 0 }],
		[{ pattern: 'TODO', path: 'README.md', output_mode: 'content', head_limit: 0 }, '3:TODO list:', {}],
		[
			{ pattern: 'TODO', output_mode: 'count', path: 'src' },
			'src/index.js:1\nsrc/lib/add.js:1\n\nFound 2 total occurrences across 2 files.',
			{ mode: 'count', numFiles: 2, filenames: [], content: 'src/index.js:1\nsrc/lib/add.js:1', numMatches: 2 },
		],
		[
			{ pattern: 'TODO', output_mode: 'count', path: 'docs', head_limit: 1 },
			'docs/a b.md:1\n\nFound 1 total occurrence across 1 file. with pagination = limit: 1, offset: 0',
			{ appliedLimit: 1 },
		],
		[{ pattern: 'no such', output_mode: 'count' }, 'No matches found\n\nFound 0 total occurrences across 0 files.', {}],
		[{ pattern: 'lll', output_mode: 'content' }, 'long.txt:1:[Omitted long matching line]', {}],
	])('%j', async (input, text, details) => {
		const { use } = project({ 'long.txt': `lll${'x'.repeat(600)}\n` });
		const output = await use(grep, input);
		expect(output.isError).toBeUndefined();
		expect(textOf(output)).toBe(text);
		expect(output.details).toMatchObject(details);
	});

	it.each([
		[{ pattern: '(unclosed' }, /^Search failed — ripgrep rejected .*\nrg: regex parse error:/],
		[{ pattern: '[z-a]' }, /^Search failed/],
		[{ pattern: 'x', type: 'nosuch' }, /^Search failed.*\nrg: unrecognized file type: nosuch/],
		[{ pattern: 'x', type: '--pre=sh' }, /^Search failed.*\nrg: unrecognized file type: --pre=sh/],
		[{ pattern: 'x', glob: 'a{b' }, /^Search failed/],
		[{ pattern: 'x', path: 'none' }, /^<tool_use_error>Path does not exist: .*\/none<\/tool_use_error>$/],
		[{ pattern: 'x', output_mode: 'wrong' }, /^<tool_use_error>InputValidationError: \[\n/],
		[{}, /The required parameter `pattern` is missing/],
	])('%j fails', async (input, text) => {
		const { use } = project();
		const output = await use(grep, input as JsonObject);
		expect(output.isError).toBe(true);
		expect(textOf(output)).toMatch(text);
	});

	it('what a rule hides is found in no mode, and links lead nowhere', async () => {
		const { use, at, context } = project();
		mkdirSync(join(context.outputFolder, 'away'), { recursive: true });
		writeFileSync(join(context.outputFolder, 'away/x.js'), 'TODO away');
		symlinkSync(join(context.outputFolder, 'away'), at('src/link'));
		context.hides = async () => (path) => path === at('src/index.js');
		for (const output_mode of ['content', 'count', 'files_with_matches']) {
			const text = textOf(await use(grep, { pattern: 'TODO|log', path: 'src', output_mode, '-C': 1 }));
			expect(text).toContain('src/lib/add.js');
			expect(text).not.toContain('index.js');
			expect(text).not.toContain('away');
		}
	});

	it('more than the model can read goes to a file', async () => {
		const { use, outputs } = project({ 'wide.txt': 'word and word\n'.repeat(3000) });
		const text = textOf(await use(grep, { pattern: 'word', path: 'wide.txt', output_mode: 'content' }));
		expect(text).toContain(`Full output saved to: ${join(outputs, 'c1.txt')}`);
		expect(text.length).toBeLessThan(3000);
	});

	it('a search that is interrupted ends', async () => {
		const { use, control } = project();
		control.abort();
		expect(textOf(await use(grep, { pattern: 'x' }))).toBe('The user interrupted the search.');
	});
});
