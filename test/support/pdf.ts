/** Makes PDFs to read. */
import { deflateSync } from 'node:zlib';

const font = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';

/** A PDF of these objects, counted from 1; the first is the catalog. */
export function pdf(objects: readonly (string | Buffer)[], trailer = ''): Buffer {
	const parts: Buffer[] = [Buffer.from('%PDF-1.4\n')];
	const offsets: number[] = [];
	let at = parts[0]?.length ?? 0;
	const put = (part: string | Buffer): void => {
		const bytes = Buffer.from(part);
		parts.push(bytes);
		at += bytes.length;
	};
	for (const [index, object] of objects.entries()) {
		offsets.push(at);
		put(`${index + 1} 0 obj\n`);
		put(object);
		put('\nendobj\n');
	}
	const start = at;
	const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
	put(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`);
	put(`trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`);
	return Buffer.concat(parts);
}

/** One page for each text; lines are drawn one below the other. */
export function withPages(texts: readonly string[], trailer = '', more: readonly string[] = []): Buffer {
	const pages = texts.map((_, index) => `${4 + index * 2} 0 R`).join(' ');
	const drawn = texts.flatMap((text, index) => {
		const lines = text.split('\n').map((line) => `(${line.replace(/[()\\]/g, '\\$&')}) Tj T*`);
		// What lies beyond the edge of the page is not read.
		const size = text.length > 1000 ? 0.04 : 12;
		const body = deflateSync(text === '' ? '' : `BT /F1 ${size} Tf 14 TL 72 720 Td ${lines.join(' ')} ET`);
		const head = `<< /Length ${body.length} /Filter /FlateDecode >>\nstream\n`;
		const fonts = '/Resources << /Font << /F1 3 0 R >> >>';
		return [
			`<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] ${fonts} /Contents ${5 + index * 2} 0 R >>`,
			Buffer.concat([Buffer.from(head), body, Buffer.from('\nendstream')]),
		];
	});
	const tree = `<< /Type /Pages /Kids [${pages}] /Count ${texts.length} >>`;
	return pdf(['<< /Type /Catalog /Pages 2 0 R >>', tree, font, ...drawn, ...more], trailer);
}
