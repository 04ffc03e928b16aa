/** Grep, case by case: what the model is told and what the session keeps, as Claude Code 2.1.29 has it. */
import { describe, expect } from 'vitest';
import type { JsonObject } from '../../src/model/index.ts';
import { searched } from '../support/search-project.ts';
import { project, refusal, said, type ToolRow, toolTable, wrong } from '../support/tool-table.ts';

interface Paged {
	/** As the model is told of it. */
	readonly page?: string;
	/** As the session keeps it. */
	readonly applied?: object;
}

function finds(input: JsonObject, filenames: readonly string[], { page, applied = {} }: Paged = {}): ToolRow {
	const count = `Found ${filenames.length} ${filenames.length === 1 ? 'file' : 'files'}`;
	const told = [page === undefined ? count : `${count} ${page}`, ...filenames].join('\n');
	const kept = { mode: 'files_with_matches', filenames, numFiles: filenames.length, ...applied };
	return { ...said(filenames.length === 0 ? 'No files found' : told, kept), call: ['Grep', input] };
}

function shows(input: JsonObject, content: string, { page, applied = {} }: Paged = {}): ToolRow {
	const told = content || 'No matches found';
	const numLines = content === '' ? 0 : content.split('\n').length;
	return {
		...said(page === undefined ? told : `${told}\n\n[Showing results with pagination = ${page}]`, {
			...{ mode: 'content', numFiles: 0, filenames: [], content, numLines, ...applied },
		}),
		call: ['Grep', { output_mode: 'content', ...input }],
	};
}

function counts(input: JsonObject, lines: readonly string[], total: string, applied: object = {}): ToolRow {
	const content = lines.join('\n');
	const numMatches = lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(':') + 1)), 0);
	return {
		...said(`${content || 'No matches found'}\n\n${total}`, {
			...{ mode: 'count', numFiles: lines.length, filenames: [], content, numMatches, ...applied },
		}),
		call: ['Grep', { output_mode: 'count', ...input }],
	};
}

const rejected = (input: JsonObject, why: RegExp): ToolRow => ({
	told: new RegExp(
		`^Search failed — ripgrep rejected the pattern, glob, or file type without searching:\n${why.source}`,
	),
	...{ isError: true, kept: expect.stringMatching(/^Error: Search failed/) },
	call: ['Grep', input],
	unlike29: 'Grep and Glob, a pattern, glob or type that ripgrep refuses',
});

const edge = `${'e'.repeat(499)}\n${'e'.repeat(500)}\n`;
const files = {
	...searched,
	'edge.txt': edge,
	'long.txt': `lll${'x'.repeat(600)}\n`,
	'wide.txt': 'word and word\n'.repeat(3000),
};
const inAll = ['src/lib/add.js', 'src/index.js', '.hidden/secret.js', 'docs/a b.md', 'data.json', 'README.md'];

describe('names of files', () => {
	toolTable(
		{
			'the newest first; hidden files are searched, ignored ones are not': finds({ pattern: 'TODO' }, inAll),
			'nothing is found': finds({ pattern: 'no such' }, []),
			'a pattern keeps to its line': finds({ pattern: 'function.*return' }, ['src/lib/deep/er/mul.js']),
			'unless it may go over lines': finds({ pattern: 'function.*return', multiline: true }, [
				...['src/lib/sub.ts', 'src/lib/deep/er/mul.js', 'src/lib/add.js'],
			]),
			'files by name': finds({ pattern: 'TODO', glob: '*.md' }, ['docs/a b.md', 'README.md']),
			'files by several names': finds({ pattern: 'TODO', glob: '*.ts, *.json' }, ['data.json']),
			'files by names in braces': finds({ pattern: 'TODO', glob: '**/*.{md,json}' }, [
				...['docs/a b.md', 'data.json', 'README.md'],
			]),
			'files by type': finds({ pattern: 'TODO', type: 'js' }, inAll.slice(0, 3)),
			'the first of them': finds({ pattern: 'TODO', head_limit: 2 }, inAll.slice(0, 2), {
				...{ page: 'limit: 2, offset: 0', applied: { appliedLimit: 2 } },
			}),
			'some of them': finds({ pattern: 'TODO', head_limit: 2, offset: 1 }, inAll.slice(1, 3), {
				...{ page: 'limit: 2, offset: 1', applied: { appliedLimit: 2, appliedOffset: 1 } },
			}),
			'the last of them': {
				...finds({ pattern: 'TODO', offset: 5 }, ['README.md'], { page: 'offset: 5', applied: { appliedOffset: 5 } }),
				unlike29: 'Grep with an offset alone',
			},
			'numbers in quotes are numbers': {
				...finds({ pattern: 'TODO', head_limit: '1' }, inAll.slice(0, 1), {
					...{ page: 'limit: 1, offset: 0', applied: { appliedLimit: 1 } },
				}),
				unlike29: '`"2"` for 2, `"true"` for true',
			},
			'a limit of nothing is none': {
				...finds({ pattern: 'TODO', head_limit: 0 }, inAll),
				unlike29: 'Grep, `head_limit` 0',
			},
			'an ignored folder is searched where it is named': finds({ pattern: 'built', path: 'dist' }, ['dist/out.js']),
			'a pattern may begin with a dash': finds({ pattern: '-dash' }, []),
			'a pattern that looks like a flag is none': finds({ pattern: '--version' }, []),
		},
		{ files },
	);
});

describe('lines', () => {
	toolTable(
		{
			'with names and numbers': shows({ pattern: 'TODO', path: 'src/lib' }, 'src/lib/add.js:2:  // TODO: check types'),
			'without numbers': shows(
				{ pattern: 'TODO', path: 'src', '-n': false },
				'src/index.js:// TODO: more\nsrc/lib/add.js:  // TODO: check types',
			),
			'of a single file without its name': shows(
				{ pattern: 'todo', '-i': true, path: 'README.md' },
				'3:TODO list:\n4:- todo one\n5:- Todo two',
			),
			'only what matches': {
				...shows({ pattern: 'todo', '-i': true, '-o': true, path: 'README.md' }, '3:TODO\n4:todo\n5:Todo'),
				unlike29: 'Grep, `-o`',
			},
			'with what comes after': shows(
				{ pattern: 'check', path: 'src/lib/add.js', '-A': 1 },
				'2:  // TODO: check types\n3-  return a + b;',
			),
			'with what comes before': shows(
				{ pattern: 'check', path: 'src/lib/add.js', '-B': 1 },
				'1-export function add(a, b) {\n2:  // TODO: check types',
			),
			'with what is around': shows(
				{ pattern: 'return', path: 'src/lib/add.js', '-C': 1 },
				'2-  // TODO: check types\n3:  return a + b;\n4-}',
			),
			'with what is around in several files': {
				...shows(
					{ pattern: 'TODO:', path: 'src', context: 1 },
					"src/index.js-1-import { add } from './lib/add.js';\nsrc/index.js:2:// TODO: more\nsrc/index.js-3-console.log(add(1, 2));\n--\nsrc/lib/add.js-1-export function add(a, b) {\nsrc/lib/add.js:2:  // TODO: check types\nsrc/lib/add.js-3-  return a + b;",
				),
				unlike29: 'Grep, lines around a match',
			},
			'some of them': shows(
				{ pattern: '.', path: 'README.md', head_limit: 2, offset: 1 },
				'3:TODO list:\n4:- todo one',
				{ page: 'limit: 2, offset: 1', applied: { appliedLimit: 2, appliedOffset: 1 } },
			),
			'an empty line': shows({ pattern: '^$', path: 'README.md' }, '2:'),
			'none are found': shows({ pattern: 'no such' }, ''),
			'a line of more than 500 characters is left out': shows(
				{ pattern: 'lll' },
				'long.txt:1:[Omitted long matching line]',
			),
			'a line of 500 characters with its end is shown, and one of 501 left out': shows(
				{ pattern: 'eee', path: 'edge.txt' },
				`1:${'e'.repeat(499)}\n2:[Omitted long matching line]`,
			),
			'more than the model can read goes to a file': {
				...said(/^<persisted-output>\nOutput too large \([\d.]+KB\)\. Full output saved to: .*\/tool-results\//, {
					...{ mode: 'content', numFiles: 0, filenames: [], numLines: 3000 },
					content: expect.stringMatching(/^<persisted-output>/),
				}),
				call: ['Grep', { pattern: 'word', path: 'wide.txt', output_mode: 'content' }],
			},
		},
		{ files },
	);
});

describe('counts', () => {
	toolTable(
		{
			'by file, and in all': counts(
				{ pattern: 'TODO', path: 'src' },
				['src/index.js:1', 'src/lib/add.js:1'],
				'Found 2 total occurrences across 2 files.',
			),
			'of the first file': counts(
				{ pattern: 'TODO', path: 'docs', head_limit: 1 },
				['docs/a b.md:1'],
				'Found 1 total occurrence across 1 file. with pagination = limit: 1, offset: 0',
				{ appliedLimit: 1 },
			),
			'of nothing': counts({ pattern: 'no such' }, [], 'Found 0 total occurrences across 0 files.'),
		},
		{ files },
	);
});

describe('what cannot be searched', () => {
	toolTable(
		{
			'a pattern that is none is said to be none': rejected({ pattern: '(unclosed' }, /rg: regex parse error:/),
			'a range that is none': rejected({ pattern: '[z-a]' }, /rg: regex parse error:/),
			'a type that there is not': rejected({ pattern: 'x', type: 'nosuch' }, /rg: unrecognized file type: nosuch/),
			'a type that looks like a flag': rejected(
				{ pattern: 'x', type: '--pre=sh' },
				/rg: unrecognized file type: --pre=sh/,
			),
			'a name that is no pattern': rejected({ pattern: 'x', glob: 'a{b' }, /rg: /),
			'a path that is not there': {
				...refusal(`Path does not exist: ${project}/none`),
				call: ['Grep', { pattern: 'x', path: 'none' }],
			},
			'a mode that there is not': {
				told: /^<tool_use_error>InputValidationError: \[\n[\s\S]*expected one of /,
				...{ isError: true, kept: expect.stringMatching(/^InputValidationError: \[\n/) },
				call: ['Grep', { pattern: 'x', output_mode: 'wrong' }],
			},
			'a pattern is needed': {
				...wrong('Grep', 'The required parameter `pattern` is missing'),
				call: ['Grep', {}],
			},
		},
		{ files },
	);
});
