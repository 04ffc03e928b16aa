/** Glob, case by case: what the model is told and what the session keeps, as Claude Code 2.1.29 has it. */
import { expect } from 'vitest';
import { searched } from '../support/search-project.ts';
import { project, refusal, said, type ToolRow, toolTable, wrong } from '../support/tool-table.ts';

const kept = (filenames: readonly string[], truncated = false) => ({
	...{ filenames, durationMs: expect.any(Number), numFiles: filenames.length, truncated },
});

function finds(pattern: string, names: readonly string[], path?: string): ToolRow {
	const filenames = names.map((name) => `${project}/${name}`);
	return {
		...said(filenames.join('\n') || 'No files found', kept(filenames)),
		call: ['Glob', { pattern, ...(path === undefined ? {} : { path }) }],
	};
}

const many = Array.from({ length: 130 }, (_, index) => `many/f${1000 + index}.txt`);
const oldest = many.slice(0, 100).map((name) => `${project}/${name}`);
const sources = ['src/index.js', 'src/lib/add.js', 'src/lib/deep/er/mul.js', 'src/lib/sub.ts'];
const inLib = ['src/lib/add.js', 'src/lib/deep/er/mul.js'];

toolTable(
	{
		'all paths are absolute, the oldest first': finds('**/*.js', [
			...['dist/out.js', '.hidden/secret.js', 'src/index.js', 'src/lib/add.js', 'src/lib/deep/er/mul.js'],
		]),
		'a pattern without a slash is found in every folder': finds('*.md', ['README.md', 'docs/a b.md']),
		'a whole folder': finds('src/**', sources),
		'one of several endings': finds('src/**/*.{js,ts}', sources),
		'hidden files are found': finds('**/.*', ['.gitignore']),
		'hidden folders are looked into': finds('.hidden/*', ['.hidden/secret.js']),
		'ignored files are found': finds('**/*.log', ['debug.log']),
		'files of version control are found': finds('.git/*', ['.git/config']),
		'one character each': finds('src/lib/???.*', ['src/lib/add.js', 'src/lib/sub.ts']),
		'one of some characters': finds('src/[il]*/*.js', ['src/lib/add.js']),
		'a name with a blank': finds('docs/a b.md', ['docs/a b.md']),
		'nothing is found': finds('**/*.py', []),
		'nothing is found above the folder': finds('../*', []),
		'a pattern that looks like a flag is none': finds('--files', []),
		'in a folder': finds('*.js', inLib, `${project}/src/lib`),
		'in a folder by a relative path': finds('*.js', inLib, 'src/lib'),
		'an absolute pattern': finds(`${project}/src/lib/*.js`, inLib),
		'an absolute pattern that leads nowhere': finds(`${project}/none/*.js`, []),
		'the oldest hundred are shown, and that there are more': {
			...said(
				[...oldest, '(Results are truncated. Consider using a more specific path or pattern.)'].join('\n'),
				kept(oldest, true),
			),
			call: ['Glob', { pattern: 'many/*.txt' }],
		},
		'a folder that is not there': {
			...refusal(`Directory does not exist: ${project}/none`),
			call: ['Glob', { pattern: '*', path: 'none' }],
		},
		'a file is no folder': {
			...refusal(`Path is not a directory: ${project}/README.md`),
			call: ['Glob', { pattern: '*', path: 'README.md' }],
		},
		'a pattern that is none is said to be none': {
			told: /^Search failed — ripgrep rejected the pattern, glob, or file type without searching:\nrg: .*glob/,
			...{ isError: true, kept: expect.stringMatching(/^Error: Search failed/) },
			call: ['Glob', { pattern: 'a{b' }],
			unlike29: 'Grep and Glob, a pattern, glob or type that ripgrep refuses',
		},
		'a pattern is needed': {
			...wrong('Glob', 'The required parameter `pattern` is missing'),
			call: ['Glob', {}],
		},
	},
	{ files: { ...searched, ...Object.fromEntries(many.map((name) => [name, ''])) } },
);
