/** The messages of one JSON document as lines, so that documents are scanned like everything else. */
import { arraySpans } from '../codecs/json-spans.ts';
import { memorySource, type Source } from '../model/index.ts';

const newline = 0x0a;
const space = 0x20;

/**
 * The elements of the array under `key`, one per line, each at the offset it has in the document. A newline inside an
 * element can only be space between its tokens, so a space does as well; what stands between elements becomes one newline.
 */
export function elementLines(document: Source, key: string): { readonly source: Source; readonly from: number } {
	const bytes = Buffer.from(document.read(0, document.size));
	const elements = arraySpans(bytes, key)?.elements ?? [];
	const from = elements[0]?.at ?? bytes.length;
	const to = elements.at(-1)?.end ?? bytes.length;
	for (let at = bytes.indexOf(newline, from); at !== -1 && at < to; at = bytes.indexOf(newline, at + 1))
		bytes[at] = space;
	let last = from;
	for (const { at, end } of elements) {
		if (at > last) {
			bytes.fill(space, last, at);
			bytes[at - 1] = newline;
		}
		last = end;
	}
	return { source: memorySource(bytes.subarray(0, to)), from };
}
