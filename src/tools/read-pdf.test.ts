/** PDFs as Read shows them, made here: sound ones, long ones, encrypted and broken ones. */
import { describe, expect, it } from 'vitest';
import { pdf, withPages } from '../../test/support/pdf.ts';
import { textOf, toolBench } from '../../test/support/tool-bench.ts';
import { read } from './read.ts';

const numbered = (count: number): Buffer =>
	withPages(Array.from({ length: count }, (_, n) => `words of page ${n + 1}`));

/** Its keys fit no password, the empty one neither. */
const encrypted = withPages(['secret'], `/Encrypt 6 0 R /ID [<${'01'.repeat(16)}> <${'01'.repeat(16)}>]`, [
	`<< /Filter /Standard /V 1 /R 2 /P -4 /O <${'ab'.repeat(32)}> /U <${'cd'.repeat(32)}> >>`,
]);
/** A page of text that is as long as a chapter. */
const long = Array(100).fill('x'.repeat(150)).join(' ');
const circle = pdf(['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [2 0 R] /Count 1 >>']);

const shown = async (bytes: Buffer, pages?: string) => {
	const bench = toolBench({ 'a.pdf': bytes });
	const output = await bench.use(read, { file_path: 'a.pdf', ...(pages === undefined ? {} : { pages }) });
	return { output, text: textOf(output), path: bench.at('a.pdf') };
};

describe('Read of a PDF', () => {
	it('gives its text by page, as the lines of a file', async () => {
		const { output, text, path } = await shown(withPages(['one (1)\ntwo', '', 'three']));
		const content =
			'--- page 1 of 3 ---\none (1)\ntwo\n\n--- page 2 of 3 ---\n(no text on this page; it may be a picture)\n\n--- page 3 of 3 ---\nthree';
		expect(text).toBe(content);
		const file = { filePath: path, content, numLines: 9, startLine: 1, totalLines: 9 };
		expect(output.details).toEqual({ type: 'text', file });
		expect(output.file).toMatchObject({ path, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
	});

	it.each([
		['3', ['3']],
		['2-4', ['2', '3', '4']],
		[' 24 - ', ['24', '25']],
		['24-30', ['24', '25']],
	])('pages %j are those alone', async (pages, numbers) => {
		const { text } = await shown(numbered(25), pages);
		expect([...text.matchAll(/^words of page (\d+)$/gm)].map(([, number]) => number)).toEqual(numbers);
	});

	it('ten pages are read unasked', async () => {
		const { text } = await shown(numbered(10));
		expect(text).toContain('--- page 10 of 10 ---\nwords of page 10');
	});

	it.each<[string, Buffer, string | undefined, RegExp]>([
		['more than ten pages unasked', numbered(11), undefined, /^This PDF has 11 pages, which is too many .*"1-5"/],
		['more than twenty pages', numbered(25), '1-21', /^.*Page range "1-21" exceeds maximum of 20 pages per request/],
		['a page that is not there', numbered(2), '3', /^There is no page 3: the PDF has 2 pages\.$/],
		['page 0', numbered(2), '0', /Invalid pages parameter: "0"/],
		['pages backwards', numbered(2), '2-1', /Invalid pages parameter: "2-1"/],
		['words for pages', numbered(2), 'all', /Invalid pages parameter: "all"/],
		['an empty file', Buffer.alloc(0), undefined, /^PDF file is empty: /],
		['no PDF', Buffer.from('just words'), undefined, /^Could not read \S+: it is broken, or no PDF at all\.$/],
		['a torn one', numbered(3).subarray(0, 200), undefined, /^Could not read \S+: it is broken, or no PDF at all\.$/],
		['an encrypted one', encrypted, undefined, /^Could not read \S+: it is encrypted, and needs a password\.$/],
		['pages that lead back to themselves', circle, undefined, /^Could not read \S+: .+\.$/],
		['too much text', withPages(Array(20).fill(long)), '1-20', /^The text of these pages \(\S+KB\) exceeds/],
	])('%s is refused in one line', async (_, bytes, pages, why) => {
		const { output, text } = await shown(bytes, pages);
		expect(output.isError).toBe(true);
		expect(text).toMatch(why);
		expect(text.split('\n')).toHaveLength(1);
	});

	it('whoever interrupts it does not wait for its end', async () => {
		const bench = toolBench({ 'a.pdf': numbered(1) });
		bench.control.abort();
		expect(textOf(await bench.use(read, { file_path: 'a.pdf' }))).toMatch(/: the user interrupted it\.$/);
	});
});
