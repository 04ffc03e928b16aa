/** Rows that views share: wrapped text, the fewest rows that are folded, and how times and tokens are written. */
import { textWidth } from '../../terminal/width.ts';
import { wrap } from '../../terminal/wrap.ts';
import { cleaned } from '../../terminal/writer.ts';
import type { Painter } from '../theme.ts';

/** Below this many columns text is cut, not broken: there is no room for words. */
const narrowest = 10;

/** A foreign text in rows behind `first`, the others behind as many blanks; `clean` makes it fit to be drawn. */
export function texted(
	text: string,
	width: number,
	first = '',
	paint: Painter = (row) => row,
	clean: (text: string) => string = cleaned,
): readonly string[] {
	const left = textWidth(first);
	const rest = ' '.repeat(left);
	return wrap(clean(text), Math.max(narrowest, width - left))
		.split('\n')
		.map((row, index) => ((index === 0 ? first : rest) + (row === '' ? '' : paint(row))).trimEnd());
}

/** Below this many columns nothing stands beside a label. */
const leastBeside = 40;

/** Lines of a report, `label  text`: a text that goes on stands below itself, and not below its label. */
export function reportRows(text: string, width: number, first = ''): readonly string[] {
	return text.split('\n').flatMap((line) => {
		const [label = ''] = (width < leastBeside ? undefined : /^[A-Za-z]+(?: [a-z]+)? {2,}(?=\S)/.exec(line)) ?? [];
		return texted(line.slice(label.length), width, first + label);
	});
}

/** Fewer rows than these are never left out: the row that says so would take the room of one of them. */
export const leastFolded = 3;

/** The first rows, and how many more there are. */
export function foldedRows(rows: readonly string[], most: number, more: (count: number) => string): readonly string[] {
	return rows.length < most + leastFolded ? rows : [...rows.slice(0, most), more(rows.length - most)];
}

/** `3s`, `2m 05s`, `1h 02m`. */
export function timeText(ms: number): string {
	const seconds = Math.max(0, Math.floor(ms / 1000));
	if (seconds < 60) return `${seconds}s`;
	const two = (value: number): string => String(value).padStart(2, '0');
	const minutes = Math.floor(seconds / 60);
	if (minutes < 60) return `${minutes}m ${two(seconds % 60)}s`;
	return `${Math.floor(minutes / 60)}h ${two(minutes % 60)}m`;
}

/** `950`, `12.3k`, `1.2m`. */
export function tokenText(tokens: number): string {
	if (tokens < 1000) return String(tokens);
	return tokens < 1_000_000 ? `${(tokens / 1000).toFixed(tokens < 100_000 ? 1 : 0)}k` : `${(tokens / 1e6).toFixed(1)}m`;
}
