/** A Markdown table for the terminal: how columns share the width, and when it becomes a list of its rows instead. */
import { paint } from './print.ts';
import { textWidth } from './width.ts';
import { indent, wrap } from './wrap.ts';

const gap = 2;
/** The least width of a column: a narrower one has no room for words. */
const leastColumns = 6;

/** `rows`: the first one is the head. Cells are text with our own colours. */
export function tableText(
	rows: readonly (readonly string[])[],
	align: readonly (string | null)[],
	width: number,
): string {
	const [head = [], ...body] = rows;
	const wanted = head.map((_, column) => Math.max(1, ...rows.map((row) => widest(row[column] ?? ''))));
	const widths = shared(wanted, width - gap * (head.length - 1));
	if (!widths) return listText(head, body, width);
	const drawn = rows.map((row) => rowText(row, widths, align));
	const rule = paint('dim', widths.map((columns) => '─'.repeat(columns)).join(' '.repeat(gap)));
	const isWrapped = drawn.slice(1).some((row) => row.length > 1);
	const below = drawn.slice(1).map((row) => row.join('\n'));
	// Rows of several lines would run into one another.
	return [...(drawn[0] ?? []).map((line) => paint('bold', line)), rule, below.join(isWrapped ? '\n\n' : '\n')].join(
		'\n',
	);
}

function widest(cell: string): number {
	return Math.max(...cell.split('\n').map(textWidth));
}

/** Narrow columns get what they want, and the wide ones the same share of the rest; undefined where a column had no room for words. */
function shared(wanted: readonly number[], room: number): readonly number[] | undefined {
	const least = wanted.map((columns) => Math.min(columns, leastColumns));
	if (least.reduce((sum, columns) => sum + columns, 0) > room) return undefined;
	const given = [...wanted];
	let over = wanted.reduce((sum, columns) => sum + columns, 0) - room;
	while (over > 0) {
		// The widest column is cut down to the next one, as far as that is needed.
		const top = Math.max(...given);
		const next = Math.max(leastColumns, ...given.filter((columns) => columns < top));
		const all = given.flatMap((columns, at) => (columns === top ? [at] : []));
		const each = Math.max(1, Math.min(top - next, Math.floor(over / all.length)));
		for (const at of all) {
			if (over <= 0) break;
			given[at] = top - each;
			over -= each;
		}
	}
	return given;
}

function rowText(
	row: readonly string[],
	widths: readonly number[],
	align: readonly (string | null)[],
): readonly string[] {
	// Where a cell is broken within our own colour, the colour ends with the line and begins again with the next.
	const cells = widths.map((columns, at) => fitted(row[at] ?? '', columns).split('\n'));
	const height = Math.max(...cells.map((lines) => lines.length));
	return Array.from({ length: height }, (_, line) =>
		cells
			.map((lines, at) => {
				const text = lines[line] ?? '';
				const blanks = ' '.repeat(Math.max(0, (widths[at] ?? 0) - textWidth(text)));
				return align[at] === 'right' ? blanks + text : text + blanks;
			})
			.join(' '.repeat(gap))
			.trimEnd(),
	);
}

/** What fits stays as it is: below a few columns nothing is wrapped. */
function fitted(cell: string, columns: number): string {
	return widest(cell) <= columns ? cell : wrap(cell, columns, true, leastColumns);
}

/** A paragraph for each row, a line for each cell behind the head of its column. */
function listText(head: readonly string[], body: readonly (readonly string[])[], width: number): string {
	return body
		.map((row) =>
			head
				.flatMap((name, at) => {
					const cell = row[at] ?? '';
					if (cell === '') return [];
					return indent(wrap(name === '' ? cell : `${paint('bold', `${name}:`)} ${cell}`, width - 2), '', '  ');
				})
				.join('\n'),
		)
		.join('\n\n');
}
