/** Read: the lines of a file, numbered, the cells of a notebook, the text of a PDF, or an image; how much text at once, and how large an image. */
import { extname } from 'node:path';
import { z } from 'zod';
import { failed, refused } from '../agent/calls/outputs.ts';
import type { ToolContext, ToolOutput } from '../agent/contracts.ts';
import { isBinary } from '../model/file-text.ts';
import { binaryExtensions, imageType, imageTypes } from './binary.ts';
import { defineTool } from './define.ts';
import { absolutePath, type FileContent, foreignNote, missing, openContent, remember, sizeOf } from './files.ts';
import { imageSize } from './image-size.ts';
import { readNotebook, shownNotebook } from './notebook.ts';
import { mostPdfPages, readPdf } from './read-pdf.ts';

const mostCharacters = 256 * 1024;
const mostImageBytes = 5 * 1024 * 1024;
/** Wider or higher, APIs refuse it, and with it the conversation. */
const mostPixels = 8000;

const input = () =>
	z.strictObject({
		file_path: z.string().describe('The file, absolute or relative to the working folder'),
		offset: z.number().optional().describe('The line to start at; the first is 1'),
		limit: z.number().optional().describe('How many lines; all where it is left out'),
		pages: z.string().optional().describe(`Of a PDF: the pages, such as 3 or 1-5, at most ${mostPdfPages} at once`),
	});

/** The tool Read: shows a file. */
export const read = defineTool({
	name: 'Read',
	description: `Reads a file. Text comes with line numbers, at most ${sizeOf(mostCharacters)} at once: ask for parts of longer files with offset and limit. Images (png, jpg, gif, webp) are shown, and notebooks (.ipynb) cell by cell with their outputs. Of a PDF, the text is shown by page: name the pages of a long one.`,
	effect: 'read',
	input,
	subjects: ({ file_path }, cwd) => [absolutePath(file_path, cwd)],
	async run({ file_path, offset, limit, pages }, context) {
		const path = absolutePath(file_path, context.cwd);
		if ((await context.host.files.stat(path))?.folder)
			return failed(`EISDIR: illegal operation on a directory, read '${path}'`);
		const extension = extname(path).toLowerCase();
		const isPdf = extension === '.pdf';
		if (!isPdf && binaryExtensions.has(extension)) return refused(binaryFile(extension));
		const opened = await openContent(path, context);
		if (opened.is === 'missing') return refused(await missing(path, context));
		if (opened.is === 'refused') return refused(opened.why);
		if (isPdf) return await readPdf(opened.content, pages, mostCharacters, context);
		if (imageTypes[extension] !== undefined) return image(opened.content);
		if (extension === '.ipynb') return await notebook(path, opened.content, context);
		if (isBinary(opened.content.bytes, opened.content)) return refused(binaryFile());
		return await text(path, opened.content, { offset, limit }, context);
	},
});

function binaryFile(extension = ''): string {
	const kind = extension === '' ? 'a binary file, by what is in it' : `a binary ${extension} file`;
	return `This tool cannot read binary files. The file appears to be ${kind}. Please use appropriate tools for binary file analysis.`;
}

async function notebook(path: string, content: FileContent, context: ToolContext): Promise<ToolOutput> {
	const read = readNotebook(content.text);
	if ('problem' in read) return failed(read.problem);
	const shown = shownNotebook(read);
	const size = JSON.stringify(shown.details).length;
	if (size > mostCharacters) {
		const how = `Use Bash with jq to read specific portions: cat "${path}" | jq '.cells[:20]'`;
		return failed(
			`Notebook content (${sizeOf(size)}) exceeds maximum allowed size (${sizeOf(mostCharacters)}). ${how}`,
		);
	}
	const file = await remember(path, content.sha256, context);
	return {
		content: shown.content,
		details: { type: 'notebook', file: { filePath: path, cells: shown.details } },
		file,
	};
}

/** By what is in it: an API that refuses an image refuses the whole conversation from then on. */
function image({ bytes, state }: FileContent): ToolOutput {
	const type = imageType(bytes);
	if (type === undefined) {
		const start = Buffer.from(bytes.subarray(0, 8))
			.toString('hex')
			.replace(/..(?=.)/g, '$& ');
		return failed(
			`File has an image extension but its content is not a valid PNG/JPEG/GIF/WebP. Detected: unrecognized bytes (hex: ${start}). Read it as text with Bash (e.g. \`head -c 500\`).`,
		);
	}
	if (bytes.length > mostImageBytes) {
		return failed(
			`${state.path} is an image of ${sizeOf(bytes.length)}; at most ${sizeOf(mostImageBytes)} can be shown.`,
		);
	}
	const size = imageSize(bytes, type);
	if (size && Math.max(size.width, size.height) > mostPixels) {
		return failed(
			`${state.path} is an image of ${size.width} × ${size.height}; at most ${mostPixels} each way can be shown.`,
		);
	}
	const base64 = Buffer.from(bytes).toString('base64');
	const dimensions = size && {
		...{ originalWidth: size.width, originalHeight: size.height },
		...{ displayWidth: size.width, displayHeight: size.height },
	};
	return {
		content: [{ type: 'image', data: base64, mimeType: type }],
		details: {
			type: 'image',
			file: { base64, type, originalSize: bytes.length, ...(dimensions ? { dimensions } : {}) },
		},
		file: state,
	};
}

interface Part {
	readonly offset: number | undefined;
	readonly limit: number | undefined;
}

async function text(path: string, content: FileContent, part: Part, context: ToolContext): Promise<ToolOutput> {
	const lines = content.text.split('\n');
	const startLine = Math.max(0, Math.trunc(part.offset ?? 1));
	const limit = part.limit !== undefined && part.limit >= 1 ? Math.trunc(part.limit) : undefined;
	const first = Math.max(0, startLine - 1);
	const isEmpty = content.text === '';
	const shown = lines.slice(first, limit === undefined ? undefined : first + limit);
	const characters = shown.reduce((sum, line) => sum + line.length + 1, 0);
	if (characters > mostCharacters) return refused(tooLarge(characters));
	const file = await remember(path, content.sha256, context);
	const details = {
		type: 'text',
		file: {
			filePath: path,
			content: shown.join('\n'),
			numLines: shown.length,
			startLine,
			totalLines: lines.length,
		},
	};
	return { content: [{ type: 'text', text: told() }], details, file };

	function told(): string {
		if (isEmpty && first === 0) return reminder('Warning: the file exists but the contents are empty.');
		if (shown.length === 0) {
			const where = `shorter than the provided offset (${startLine}). The file has ${lines.length} lines.`;
			return reminder(`Warning: the file exists but is ${where}`);
		}
		const numbered = shown.map((line, index) => `${String(startLine + index).padStart(6)}→${line}`).join('\n');
		const note = foreignNote(content);
		return note === undefined ? numbered : `${numbered}\n\n${note}`;
	}
}

function tooLarge(characters: number): string {
	return `File content (${sizeOf(characters)}) exceeds maximum allowed size (${sizeOf(mostCharacters)}). Please use offset and limit parameters to read specific portions of the file, or use Grep to search for specific content.`;
}

function reminder(text: string): string {
	return `<system-reminder>${text}</system-reminder>`;
}
