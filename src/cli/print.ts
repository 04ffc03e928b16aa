/** What commands print: JSON documents for scripts, aligned text for people. */

export function printJson(document: unknown): void {
	process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
}

export function print(text: string): void {
	process.stdout.write(`${text}\n`);
}

/** Rows with their columns aligned; the last column is never padded. */
export function table(rows: readonly (readonly string[])[], gap = '  '): string {
	const widths: number[] = [];
	for (const row of rows) {
		for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, cell.length);
	}
	return rows
		.map((row) =>
			row.map((cell, index) => (index === row.length - 1 ? cell : cell.padEnd(widths[index] ?? 0))).join(gap),
		)
		.join('\n');
}

/** `12 user, 3 assistant`, the most frequent first. */
export function counts(of: { readonly [type: string]: number }): string {
	const list = Object.entries(of).sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
	return list.length === 0 ? 'none' : list.map(([type, n]) => `${n} ${type}`).join(', ');
}

const codes = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const;

/** Colour when a person is looking and did not ask for none. */
export function paint(style: keyof typeof codes, text: string): string {
	const wanted = process.env.FORCE_COLOR !== undefined || (process.stdout.isTTY && process.env.NO_COLOR === undefined);
	return wanted ? `\u001b[${codes[style]}m${text}\u001b[0m` : text;
}
