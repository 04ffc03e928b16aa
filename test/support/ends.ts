/** The end of a file, as an index that knows nothing of the lines before it. */
import type { LineIndex } from '../../src/codecs/shared/read/line-index.ts';

/** The same lines without the first ones. */
export function endOf(index: LineIndex, from: number): LineIndex {
	return {
		length: index.length - from,
		partial: from > 0,
		field: (line, path) => index.field(line + from, path),
		value: (line) => index.value(line + from),
		position: (line) => index.position(line + from),
	};
}
