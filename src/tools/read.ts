/** Read: the lines of a file, numbered, or an image. */
import { extname } from 'node:path';
import { z } from 'zod';
import type { ToolContext, ToolOutput } from '../agent/contracts.ts';
import { defineTool } from './define.ts';
import { absolutePath, type FileContent, isFolder, problem, readContent, remember } from './files.ts';

const mostLines = 2000;
const mostCharacters = 100_000;
const mostImageBytes = 5 * 1024 * 1024;

const images: { readonly [extension: string]: string } = {
	'.png': 'image/png',
	'.jpg': 'image/jpeg',
	'.jpeg': 'image/jpeg',
	'.gif': 'image/gif',
	'.webp': 'image/webp',
};

const input = z.object({
	file_path: z.string().min(1).describe('The file, absolute or relative to the working folder'),
	offset: z.number().int().min(0).optional().describe('The line to start at; the first is 1'),
	limit: z.number().int().min(1).optional().describe(`How many lines; ${mostLines} where it is left out`),
});

export const read = defineTool({
	name: 'Read',
	description: `Reads a file. Text comes with line numbers, at most ${mostLines} lines at once: ask for more with offset and limit. Images (png, jpg, gif, webp) are shown.`,
	effect: 'read',
	input,
	subjects: ({ file_path }, cwd) => [absolutePath(file_path, cwd)],
	async run({ file_path, offset, limit }, context) {
		const path = absolutePath(file_path, context.cwd);
		const facts = await context.host.files.stat(path);
		if (!facts) return problem(`There is no file ${path}.`);
		if (facts.folder) return isFolder(path);
		const content = await readContent(path, context);
		if (!content) return problem(`There is no file ${path}.`);
		const mime = images[extname(path).toLowerCase()];
		if (mime) return image(content, mime);
		return await text(path, content, { offset, limit }, context);
	},
});

function image({ bytes, state }: FileContent, mime: string): ToolOutput {
	if (bytes.length > mostImageBytes) {
		return problem(`${state.path} is an image of ${bytes.length} bytes; at most ${mostImageBytes} can be shown.`);
	}
	const base64 = Buffer.from(bytes).toString('base64');
	return {
		content: [{ type: 'image', data: base64, mimeType: mime }],
		details: { type: 'image', file: { base64, type: mime, originalSize: bytes.length } },
		file: state,
	};
}

async function text(
	path: string,
	content: FileContent,
	{ offset, limit }: { readonly offset: number | undefined; readonly limit: number | undefined },
	context: ToolContext,
): Promise<ToolOutput> {
	if (content.bytes.includes(0)) return problem(`${path} is not a text file.`);
	const lines = Buffer.from(content.bytes).toString('utf8').replaceAll('\r\n', '\n').split('\n');
	if (lines.at(-1) === '') lines.pop();
	const startLine = Math.max(1, offset ?? 1);
	if (lines.length === 0) {
		const file = await remember(path, content.sha256, context);
		return { content: [{ type: 'text', text: `${path} is empty.` }], details: details(path, [], 1, 0), file };
	}
	if (startLine > lines.length) return problem(`${path} has ${lines.length} lines; there is no line ${startLine}.`);
	const shown = within(lines.slice(startLine - 1, startLine - 1 + (limit ?? mostLines)));
	if (shown.length === 0) {
		return problem(
			`Line ${startLine} of ${path} alone is longer than ${mostCharacters} characters. Use a shell command to see parts of it.`,
		);
	}
	const file = await remember(path, content.sha256, context);
	const numbered = shown.map((line, index) => `${String(startLine + index).padStart(6)}→${line}`).join('\n');
	const left = lines.length - (startLine - 1) - shown.length;
	const more = left > 0 ? `\n\n(${left} more lines; go on with offset ${startLine + shown.length})` : '';
	return {
		content: [{ type: 'text', text: numbered + more }],
		details: details(path, shown, startLine, lines.length),
		file,
	};
}

function within(lines: readonly string[]): readonly string[] {
	let size = 0;
	const end = lines.findIndex((line) => {
		size += line.length + 8;
		return size > mostCharacters;
	});
	return end === -1 ? lines : lines.slice(0, end);
}

function details(filePath: string, shown: readonly string[], startLine: number, totalLines: number) {
	return {
		type: 'text',
		file: { filePath, content: shown.join('\n'), numLines: shown.length, startLine, totalLines },
	};
}
