/** Laws of the change from one frame to the next, in a terminal in memory. */
import { UnicodeGraphemesAddon } from '@xterm/addon-unicode-graphemes';
import xterm from '@xterm/headless';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { frameChange } from './frame-change.ts';

const rowEnd = '\u001b[0m\u001b]8;;\u0007';
const width = 60;

/** Rows as the console has them: short and long ones, colours, wide and combined signs, some of them the beginning of others. */
const words = [
	'',
	'● One',
	'A row of the answer.',
	'A row of the answer. It goes on',
	'日本語 の 行',
	'e\u0301 a\u0308',
	'❤️ ok',
];
const painted = words.slice(1, 4).map((text) => `\u001b[38;5;110m${text}\u001b[0m, plain, \u001b[1mbold\u001b[0m`);
const row = fc
	.tuple(fc.constantFrom(...words, ...painted, '─'.repeat(width)), fc.constantFrom('', '', ' more', ' \u001b[2mdim'))
	.map(([text, more]) => (text.startsWith('─') ? text : text + more) + rowEnd);
const rows = (most: number) => fc.array(row, { minLength: 1, maxLength: most });

async function shown(terminal: InstanceType<typeof xterm.Terminal>): Promise<readonly string[]> {
	await new Promise<void>((resolve) => terminal.write('', resolve));
	const { active } = terminal.buffer;
	const all = Array.from({ length: active.length }, (_, at) => {
		const line = active.getLine(at);
		const cells = Array.from({ length: width }, (_cell, column) => line?.getCell(column));
		return cells.map((cell) => `${cell?.getChars()}${cell?.getFgColor()}${cell?.isBold()}${cell?.isDim()}`).join(' ');
	});
	const blank = all.findLastIndex((text) => /[^-\d ]/.test(text));
	return all.slice(0, blank + 1);
}

function fresh(height: number): InstanceType<typeof xterm.Terminal> {
	const terminal = new xterm.Terminal({ cols: width, rows: height, scrollback: 1000, allowProposedApi: true });
	terminal.loadAddon(new UnicodeGraphemesAddon());
	return terminal;
}

it('after any change the screen and the scrollback are what they were had the rows been written at once', async () => {
	const frames = fc.array(rows(14), { minLength: 2, maxLength: 6 });
	const cases = fc.record({ height: fc.integer({ min: 2, max: 10 }), above: fc.integer({ min: 0, max: 3 }), frames });
	await fc.assert(
		fc.asyncProperty(cases, async ({ height, above, frames: given }) => {
			using terminal = disposable(fresh(height));
			const shell = Array.from({ length: above }, (_, at) => `$ ${at}`);
			const [first = []] = given;
			const begun = first.slice(0, height);
			terminal.write([...shell, ...begun].join('\r\n'));
			let scrolled: string[] = [...shell];
			let now: readonly string[] = begun;
			let at = now.length - 1;
			for (const after of given.slice(1)) {
				const { codes, row: left } = frameChange(now, after, at, height);
				terminal.write(codes);
				const gone = Math.max(0, after.length - height);
				scrolled = [...scrolled, ...after.slice(0, gone)];
				now = after.slice(gone);
				at = left - gone;
			}
			using wanted = disposable(fresh(height));
			wanted.write([...scrolled, ...now].join('\r\n'));
			expect(await shown(terminal)).toEqual(await shown(wanted));
		}),
		{ numRuns: 300 },
	);
});

function disposable<T extends { dispose(): void }>(value: T): T & Disposable {
	return Object.assign(value, { [Symbol.dispose]: () => value.dispose() });
}

it('a row that grows is written from where it grew, and rows that moved are not written', () => {
	const rule = '─'.repeat(width) + rowEnd;
	const grown = frameChange(['a growing row', rule], ['a growing row of text', rule], 1, 20);
	expect(grown.codes).toBe('\u001b[A\u001b[14G of text');
	const moved = frameChange(['one', rule, '❯', rule], ['one', 'two', rule, '❯', rule], 2, 4);
	expect(moved.codes).toContain('two');
	expect(moved.codes).not.toContain('─');
});
