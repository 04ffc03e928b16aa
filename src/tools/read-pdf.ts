/** PDFs for Read: their text, page by page, and how many pages at once. Not every provider takes documents, and all take text. */
import { failed, refused } from '../agent/calls/outputs.ts';
import type { ToolContext, ToolOutput } from '../agent/contracts.ts';
import { type FileContent, sizeOf } from './files.ts';

/** A longer one is read only by the pages that are asked for. */
const mostPagesUnasked = 10;
export const mostPdfPages = 20;
const mostBytes = 32 * 1024 * 1024;

interface Range {
	readonly first: number;
	readonly last: number;
}

export async function readPdf(
	{ bytes, state }: FileContent,
	asked: string | undefined,
	mostCharacters: number,
	{ host, signal }: ToolContext,
): Promise<ToolOutput> {
	const range = rangeOf(asked);
	if ('why' in range) return refused(range.why);
	if (bytes.length === 0) return failed(`PDF file is empty: ${state.path}`);
	if (bytes.length > mostBytes) {
		const limit = `exceeds what this tool opens (${sizeOf(mostBytes)})`;
		return failed(`PDF file (${sizeOf(bytes.length)}) ${limit}. ${byShell(state.path)}`);
	}
	const read = await host.pdfText({ bytes, ...range }, signal);
	if (read.is === 'failed') return failed(`Could not read ${state.path}: ${read.why}.`);
	if (asked === undefined && read.total > mostPagesUnasked) return failed(tooMany(read.total));
	if (read.pages.length === 0) return failed(`There is no page ${range.first}: the PDF has ${read.total} pages.`);
	const text = read.pages.map((page, index) => shown(page, range.first + index, read.total)).join('\n\n');
	if (text.length > mostCharacters) {
		const limit = `exceeds maximum allowed size (${sizeOf(mostCharacters)})`;
		return failed(`The text of these pages (${sizeOf(text.length)}) ${limit}. Ask for fewer of them with pages.`);
	}
	const lines = text.split('\n').length;
	const file = { filePath: state.path, content: text, numLines: lines, startLine: 1, totalLines: lines };
	return { content: [{ type: 'text', text }], details: { type: 'text', file }, file: state };
}

/** `3`, `1-5` or `4-`; all that is read at once where nothing is asked for. */
function rangeOf(asked: string | undefined): Range | { readonly why: string } {
	if (asked === undefined) return { first: 1, last: mostPagesUnasked };
	const [, from, dash, to] = /^\s*(\d{1,9})\s*(-?)\s*(\d{0,9})\s*$/.exec(asked) ?? [];
	const first = Number(from);
	const last = dash ? Number(to || first + mostPdfPages - 1) : first;
	if (from === undefined || (!dash && to) || first < 1 || last < first)
		return {
			why: `Invalid pages parameter: "${asked}". Use formats like "1-5", "3", or "10-20". Pages are 1-indexed.`,
		};
	if (last - first >= mostPdfPages) {
		const limit = `exceeds maximum of ${mostPdfPages} pages per request`;
		return { why: `Page range "${asked}" ${limit}. Please use a smaller range.` };
	}
	return { first, last };
}

function tooMany(total: number): string {
	return `This PDF has ${total} pages, which is too many to read at once. Use the pages parameter to read specific page ranges (e.g., pages: "1-5"). Maximum ${mostPdfPages} pages per request.`;
}

function shown(text: string, number: number, total: number): string {
	const words = text.trim() === '' ? '(no text on this page; it may be a picture)' : text.trimEnd().toWellFormed();
	return `--- page ${number} of ${total} ---\n${words}`;
}

function byShell(path: string): string {
	return `Make text of it with a shell command: pdftotext -layout -f 1 -l 5 '${path.replaceAll("'", "'\\''")}' -`;
}
