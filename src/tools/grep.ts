/** Grep: lines that match a pattern, the files that have such lines, or how many each has; in which order, with which flags of ripgrep, and how much is shown. */
import { relative, sep } from 'node:path';
import { z } from 'zod';
import { refused, said } from '../agent/calls/outputs.ts';
import type { ToolContext, ToolOutput } from '../agent/contracts.ts';
import { countOf, type JsonObject } from '../model/index.ts';
import { defineTool } from './define.ts';
import { absolutePath } from './files.ts';
import { shownOrKept } from './long-output.ts';
import { namesOnly, type Searched, searchedState, searchLines, toldName } from './search.ts';

/** What the model gets whole. */
const mostShown = 20_000;

const input = () =>
	z.strictObject({
		pattern: z.string().describe('The regular expression, in the syntax of ripgrep'),
		path: z.string().optional().describe('The file or folder to search in; the working folder where it is left out'),
		glob: z.string().optional().describe('Only files whose names match, such as *.ts or *.{js,json}'),
		output_mode: z
			.enum(['content', 'files_with_matches', 'count'])
			.optional()
			.describe('Lines, names of files (where it is left out), or how many lines of each file'),
		'-B': z.number().optional().describe('Lines before each match; for content'),
		'-A': z.number().optional().describe('Lines after each match; for content'),
		'-C': z.number().optional().describe('Lines before and after each match; for content'),
		context: z.number().optional().describe('The same as -C'),
		'-n': z.boolean().optional().describe('With line numbers, as where it is left out; for content'),
		'-i': z.boolean().optional().describe('Upper and lower case are the same'),
		'-o': z.boolean().optional().describe('Only the part of a line that matches; for content'),
		type: z.string().optional().describe('Only files of this type, such as js, py, rust'),
		head_limit: z.number().optional().describe('Only the first so many lines, files or counts'),
		offset: z.number().optional().describe('Without the first so many'),
		multiline: z.boolean().optional().describe('The pattern may go over lines, and the dot matches line ends'),
	});

type Given = z.infer<ReturnType<typeof input>>;

/** The tool Grep: searches in files. */
export const grep = defineTool({
	name: 'Grep',
	description:
		'Searches files with ripgrep. Hidden files are searched, ignored ones (.gitignore) are not. Names of files come newest first, lines and counts by file. Use it instead of grep or rg in a shell.',
	effect: 'read',
	input,
	subjects: ({ path }, cwd) => [absolutePath(path ?? '.', cwd)],
	async run(given, context) {
		const path = absolutePath(given.path ?? '.', context.cwd);
		const facts = await context.host.files.stat(path);
		if (!facts) return refused(`Path does not exist: ${path}`);
		const found = await searchLines({ flags: flagsOf(given), folder: context.cwd, path }, context);
		if ('fails' in found) return found.fails;
		const isList = given.output_mode !== 'content' && given.output_mode !== 'count';
		const lines = isList ? found.lines.map((name) => `${name}\0`) : found.lines;
		const files = await byFile(lines, context);
		const output = await shown(given, files, found, !facts.folder, context);
		return { ...output, file: await searchedState(path, facts, context) };
	},
});

async function shown(
	given: Given,
	files: Files,
	found: Searched,
	single: boolean,
	context: ToolContext,
): Promise<ToolOutput> {
	switch (given.output_mode) {
		case 'content':
			return await content(given, files, found, single, context);
		case 'count':
			return counts(given, files, found, context);
		default:
			return await names(given, files, found, context);
	}
}

/** Version control's own files are nobody's text. */
const never = ['.git', '.svn', '.hg', '.bzr'];

function flagsOf(given: Given): readonly string[] {
	const { output_mode: mode, glob, type } = given;
	const lines = (flag: string, count: number | undefined): readonly string[] =>
		mode === 'content' && count !== undefined && count >= 0 ? [`--${flag}=${Math.trunc(count)}`] : [];
	const around = given['-C'] ?? given.context;
	return [
		...['--hidden', '--max-columns=500', '--with-filename', '--no-heading', '--color=never'],
		...never.map((name) => `--glob=!${name}`),
		...(mode === 'content' || mode === 'count' ? ['--null'] : ['--files-with-matches', namesOnly]),
		...(mode === 'content' ? ['--line-number'] : mode === 'count' ? ['--count'] : []),
		...(given.multiline ? ['--multiline', '--multiline-dotall'] : []),
		...(given['-i'] ? ['--ignore-case'] : []),
		...(given['-o'] && mode === 'content' ? ['--only-matching'] : []),
		...(around === undefined
			? [...lines('before-context', given['-B']), ...lines('after-context', given['-A'])]
			: lines('context', around)),
		...(type === undefined ? [] : [`--type=${type}`]),
		...(glob === undefined ? [] : globsIn(glob).map((one) => `--glob=${one}`)),
		`--regexp=${given.pattern}`,
	];
}

/** Several are separated by blanks or commas; a comma in braces belongs to its pattern. */
function globsIn(given: string): readonly string[] {
	return given
		.split(/\s+/)
		.flatMap((part) => (/[{}]/.test(part) ? [part] : part.split(',')))
		.filter((part) => part !== '');
}

type Files = ReadonlyMap<string, readonly string[]>;

/** What ripgrep says of a file that is no text, in place of its lines. */
const noText = /^(.+): (?:binary file matches|WARNING: stopped searching binary file after match) \(found "\\0" byte /;

/**
 * The lines of each file, by its path, which is absolute as the searched one is. Each line begins with it and a NUL. A path may hold line
 * breaks: a part of one alone would be a name that no rule has been asked about.
 */
async function byFile(lines: readonly string[], context: ToolContext): Promise<Files> {
	const hidden = await context.hides();
	const files = new Map<string, string[]>();
	let last: string[] | undefined;
	let name: string[] = [];
	for (const line of lines) {
		const end = line.indexOf('\0');
		if (end !== -1) {
			last = add([...name, line.slice(0, end)].join('\n'), line.slice(end + 1));
			name = [];
		} else if (name.length > 0) name.push(line);
		// The mark between two places: it belongs to what comes before it.
		else if (line === '--') last?.push(line);
		else {
			const binary = noText.exec(line)?.[1];
			if (binary === undefined) name.push(line);
			else last = add(binary, line);
		}
	}
	return files;

	function add(file: string, line: string): string[] | undefined {
		if (hidden?.(file)) return undefined;
		const known = files.get(file) ?? [];
		if (known.length === 0) files.set(file, known);
		known.push(line);
		return known;
	}
}

interface Page {
	readonly items: readonly string[];
	/** As in `limit: 2, offset: 1`; empty where neither was asked for. */
	readonly said: string;
	readonly details: JsonObject;
}

function pageOf(all: readonly string[], { head_limit, offset = 0 }: Given): Page {
	// Nobody asks for nothing: 0 is no limit.
	const limit = head_limit !== undefined && head_limit >= 1 ? Math.trunc(head_limit) : undefined;
	const first = Math.max(0, Math.trunc(offset));
	const items = all.slice(first, limit === undefined ? undefined : first + limit);
	const parts = [
		...(limit === undefined ? [] : [`limit: ${limit}`]),
		...(limit === undefined && first === 0 ? [] : [`offset: ${first}`]),
	];
	const applied = {
		...(limit === undefined ? {} : { appliedLimit: limit }),
		...(first === 0 ? {} : { appliedOffset: first }),
	};
	return { items, said: parts.join(', '), details: applied };
}

async function names(given: Given, files: Files, { note }: Searched, context: ToolContext): Promise<ToolOutput> {
	const found = [...files.keys()];
	const times = await context.host.files.modified(found);
	const newest = found
		.map((file, index) => ({ file, at: times[index] ?? 0 }))
		.sort((one, other) => other.at - one.at || compare(one.file, other.file))
		.map(({ file }) => file);
	const { items: page, said: paged, details } = pageOf(newest, given);
	const items = page.map((file) => toldName(shownName(file, context)));
	const head = `Found ${countOf(items.length, 'file')}${paged === '' ? '' : ` ${paged}`}`;
	const told = items.length === 0 ? 'No files found' : [head, ...items].join('\n');
	const record = { mode: 'files_with_matches', filenames: items, numFiles: items.length, ...details };
	return said(withNote(await shownOrKept(told, mostShown, context), note), record);
}

async function content(
	given: Given,
	files: Files,
	{ note }: Searched,
	single: boolean,
	context: ToolContext,
): Promise<ToolOutput> {
	const lines: string[] = [];
	const apart = [given['-A'], given['-B'], given['-C'], given.context].some(
		(count) => count !== undefined && count > 0,
	);
	for (const [file, found] of sorted(files)) {
		if (apart && lines.length > 0) lines.push('--');
		const own = found.at(-1) === '--' ? found.slice(0, -1) : found;
		const name = single ? undefined : shownName(file, context);
		for (const line of own) lines.push(shownLine(line, name, given['-n'] !== false));
	}
	const { items, said: page, details } = pageOf(lines, given);
	const text = await shownOrKept(items.join('\n'), mostShown, context);
	const record = { mode: 'content', numFiles: 0, filenames: [], content: text, numLines: items.length, ...details };
	const told = items.length === 0 ? 'No matches found' : text;
	return said(withNote(page === '' ? told : `${told}\n\n[Showing results with pagination = ${page}]`, note), record);
}

/** As `12:text`, or `12-text` for a line around a match, with the file's name before it. */
function shownLine(line: string, name: string | undefined, numbered: boolean): string {
	const parts = /^(\d+)([:-])/.exec(line);
	if (!parts) return line;
	const [start, number = '', mark = ':'] = parts;
	const text = numbered ? `${number}${mark}${line.slice(start.length)}` : line.slice(start.length);
	return name === undefined ? text : `${name}${mark}${text}`;
}

function counts(given: Given, files: Files, { note }: Searched, context: ToolContext): ToolOutput {
	const all = sorted(files).map(([file, [count = '0']]) => `${shownName(file, context)}:${count}`);
	const { items, said: page, details } = pageOf(all, given);
	const matches = items.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(':') + 1)), 0);
	const times = countOf(matches, 'total occurrence');
	const where = countOf(items.length, 'file');
	const total = `Found ${times} across ${where}.${page === '' ? '' : ` with pagination = ${page}`}`;
	const text = items.join('\n');
	const record = {
		mode: 'count',
		numFiles: items.length,
		filenames: [],
		content: text,
		numMatches: matches,
		...details,
	};
	return said(withNote(`${text || 'No matches found'}\n\n${total}`, note), record);
}

/** Searching in parallel finds files in any order; the same question has one answer. */
function sorted(files: Files): readonly (readonly [string, readonly string[]])[] {
	return [...files].sort(([a], [b]) => compare(a, b));
}

function compare(a: string, b: string): number {
	return a < b ? -1 : a > b ? 1 : 0;
}

/** Short names for files below the working folder. */
function shownName(file: string, { cwd }: ToolContext): string {
	if (file.startsWith(`${cwd}${sep}`)) return file.slice(cwd.length + 1);
	const short = relative(cwd, file);
	return short === '' || short === '..' || short.startsWith(`..${sep}`) ? file : short;
}

function withNote(text: string, note: string | undefined): string {
	return note === undefined ? text : `${text}\n\n${note}`;
}
