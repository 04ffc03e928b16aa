/** Glob: files by their names, the oldest first, and at most how many. */
import { join } from 'node:path';
import { z } from 'zod';
import { refused, said } from '../agent/calls/outputs.ts';
import type { ToolContext } from '../agent/contracts.ts';
import { defineTool } from './define.ts';
import { absolutePath } from './files.ts';
import { namesOnly, searchedState, searchLines, toldName } from './search.ts';

/** More files than this are not listed. */
const mostFiles = 100;

const input = () =>
	z.strictObject({
		pattern: z.string().describe('The pattern, such as **/*.ts or src/{a,b}/*.md'),
		path: z.string().optional().describe('The folder to search in; the working folder where it is left out'),
	});

/** The tool Glob: finds files by name. */
export const glob = defineTool({
	name: 'Glob',
	description: `Finds files by a pattern for their names, the oldest first, at most ${mostFiles}. A pattern without a slash matches in every folder. Hidden and ignored files are found too.`,
	effect: 'read',
	input,
	subjects: ({ path }, cwd) => [absolutePath(path ?? '.', cwd)],
	async run({ pattern, path }, context) {
		const began = context.host.now();
		const folder = absolutePath(path ?? '.', context.cwd);
		const facts = await context.host.files.stat(folder);
		if (!facts) return refused(`Directory does not exist: ${folder}`);
		if (!facts.folder) return refused(`Path is not a directory: ${folder}`);
		const { base, rest } = placed(pattern, folder);
		const found = await filesIn(base, rest, context);
		if ('fails' in found) return found.fails;
		const truncated = found.files.length > mostFiles;
		const filenames = found.files.slice(0, mostFiles);
		const durationMs = Math.max(0, context.host.now() - began);
		const more = '(Results are truncated. Consider using a more specific path or pattern.)';
		const told = [
			...(filenames.length === 0 ? ['No files found'] : filenames.map(toldName)),
			...(truncated ? [more] : []),
			...found.notes,
		];
		const file = await searchedState(folder, facts, context);
		return { ...said(told.join('\n'), { filenames, durationMs, numFiles: filenames.length, truncated }), file };
	},
});

/** A pattern may begin with a folder of its own. */
function placed(pattern: string, folder: string): { readonly base: string; readonly rest: string } {
	if (!pattern.startsWith('/') && !pattern.startsWith('~/')) return { base: folder, rest: pattern };
	const fixed = /^[^*?[{]*/.exec(pattern)?.[0] ?? '';
	const at = fixed.lastIndexOf('/') + 1;
	return { base: absolutePath(pattern.slice(0, at), folder), rest: pattern.slice(at) || '*' };
}

async function filesIn(base: string, pattern: string, context: ToolContext) {
	if (!(await context.host.files.stat(base))?.folder) return { files: [], notes: [] };
	const hidden = await context.hides();
	const files: string[] = [];
	const flags = ['--files', namesOnly, `--glob=${pattern}`, '--sort=modified', '--no-ignore', '--hidden'];
	const found = await searchLines({ flags, folder: base }, context, (line) => {
		const path = join(base, line);
		if (!hidden?.(path)) files.push(path);
		return files.length > mostFiles;
	});
	return 'fails' in found ? found : { files, notes: found.note === undefined ? [] : [found.note] };
}
