/** Makes `docs/console.svg`: what the console shows in tmux with a scripted model becomes a picture; its script, size and colours. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const root = join(import.meta.dirname, '..');
const [columns, rows] = [92, 44];

const before =
	'export function total(prices: number[]): number {\n\treturn prices.reduce((sum, price) => sum - price, 0);\n}\n';
const script = [
	{
		content: [
			{ type: 'text', text: 'The basket is negative, so I look at how prices are added up.' },
			{ type: 'tool_use', name: 'Read', input: { file_path: 'src/basket.ts' } },
			{
				type: 'tool_use',
				name: 'TodoWrite',
				input: {
					todos: [
						{ content: 'Find the cause', status: 'completed', activeForm: 'Finding the cause' },
						{ content: 'Mend total()', status: 'in_progress', activeForm: 'Mending total()' },
						{ content: 'Run the tests', status: 'pending', activeForm: 'Running the tests' },
					],
				},
			},
		],
	},
	{
		content: [
			{
				type: 'text',
				text: '`total` **subtracts** every price:\n\n```ts\nprices.reduce((sum, price) => sum - price, 0)\n```\n',
			},
			{
				type: 'tool_use',
				name: 'Edit',
				input: { file_path: 'src/basket.ts', old_string: 'sum - price', new_string: 'sum + price' },
			},
		],
	},
];

async function captured(): Promise<string> {
	const scratch = mkdtempSync(join(tmpdir(), 'reprise-picture-'));
	const socket = join(scratch, 'tmux');
	const tmux = (...args: readonly string[]): string =>
		execFileSync('tmux', ['-S', socket, '-f', '/dev/null', ...args], {
			encoding: 'utf8',
			env: { ...process.env, TMUX: '' },
		});
	try {
		const project = join(scratch, 'shop');
		mkdirSync(join(project, 'src'), { recursive: true });
		writeFileSync(join(project, 'src/basket.ts'), before);
		writeFileSync(join(scratch, 'script.json'), JSON.stringify(script));
		const git = (...args: readonly string[]) => execFileSync('git', ['-C', project, ...args], { stdio: 'ignore' });
		git('init', '-b', 'mend-the-basket');
		const env = `HOME=${scratch} PATH=${process.env.PATH} LANG=C.UTF-8 TERM=screen-256color COLORTERM=truecolor`;
		const command = `${process.execPath} ${join(root, 'bin/reprise.js')} --script ../script.json`;
		tmux('new-session', '-d', '-x', String(columns), '-y', String(rows), '-c', project, `env -i ${env} ${command}`);
		await shown(tmux, /lists the keys/);
		tmux('send-keys', '-l', 'Why is the basket of two apples minus four? Mend it.');
		// So many signs at once are a paste: what comes at once behind them is a part of it.
		await shown(tmux, /Mend it\./);
		tmux('send-keys', 'Enter');
		await shown(tmux, /\(2s ·[\s\S]*Allow it\?/);
		return tmux('capture-pane', '-p', '-e');
	} finally {
		execFileSync('tmux', ['-S', socket, 'kill-server'], { stdio: 'ignore' });
		rmSync(scratch, { recursive: true, force: true });
	}
}

async function shown(tmux: (...args: readonly string[]) => string, wanted: RegExp): Promise<void> {
	for (const until = Date.now() + 30_000; Date.now() < until; await sleep(50))
		if (wanted.test(tmux('capture-pane', '-p'))) return;
	throw new Error(`the console never showed ${wanted}:\n${tmux('capture-pane', '-p')}`);
}

interface Style {
	colour?: string | undefined;
	bold?: boolean;
	italic?: boolean;
	inverse?: boolean;
}

const sixteen = [
	...['#21262d', '#ff7b72', '#7ee787', '#e3b341', '#79c0ff', '#d2a8ff', '#76e3ea', '#c9d1d9'],
	...['#8b949e', '#ffa198', '#aff5b4', '#f2cc60', '#a5d6ff', '#e2c5ff', '#b3f0ff', '#ffffff'],
];

/** A colour of the 256, as every terminal has it. */
function colourOf(number: number): string {
	const basic = sixteen[number];
	if (basic !== undefined) return basic;
	const grey = 8 + (number - 232) * 10;
	const level = (at: number): number => (at === 0 ? 0 : 55 + at * 40);
	const cube = number - 16;
	const [red, green, blue] =
		number >= 232
			? [grey, grey, grey]
			: [level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6)];
	return `rgb(${red},${green},${blue})`;
}

function changed(style: Style, codes: readonly number[]): Style {
	const [code = 0, kind, ...rest] = codes;
	if (codes.length === 0) return style;
	const next = (change: Style, used = 1): Style => changed({ ...style, ...change }, codes.slice(used));
	if (code === 38 && kind === 5) return next({ colour: colourOf(rest[0] ?? 0) }, 3);
	if (code === 38 && kind === 2) return next({ colour: `rgb(${rest.slice(0, 3).join(',')})` }, 5);
	if (code === 0) return changed({}, codes.slice(1));
	if (code === 1 || code === 22) return next({ bold: code === 1 });
	if (code === 3 || code === 23) return next({ italic: code === 3 });
	if (code === 7 || code === 27) return next({ inverse: code === 7 });
	if (code === 39) return next({ colour: undefined });
	if (code >= 30 && code < 38) return next({ colour: colourOf(code - 30) });
	return next({});
}

const [cellWide, cellHigh, border] = [8.4, 18, 14];
/** Blanks that stand in a row would become one, and few fonts of browsers have the sign before results. */
const escaped = (text: string): string =>
	text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll(' ', '\u00a0').replaceAll('⎿', '└');

function svg(screen: string): string {
	const lines = screen.trimEnd().split('\n');
	const [wide, high] = [columns * cellWide + border * 2, lines.length * cellHigh + border * 2];
	const parts: string[] = [];
	let style: Style = {};
	for (const [row, line] of lines.entries()) {
		let column = 0;
		// biome-ignore lint/suspicious/noControlCharactersInRegex: the colours of the capture are what is read.
		for (const [, codes, text = ''] of line.matchAll(/\u001b\[([\d;]*)m|([^\u001b]+)/g)) {
			if (codes !== undefined) style = changed(style, codes === '' ? [0] : codes.split(';').map(Number));
			const [x, y] = [border + column * cellWide, border + (row + 0.75) * cellHigh];
			column += text.length;
			if (text.trim() === '' && !style.inverse) continue;
			if (style.inverse)
				parts.push(
					`<rect x="${x.toFixed(1)}" y="${(y - 13).toFixed(1)}" width="${cellWide}" height="${cellHigh}" fill="#c9d1d9"/>`,
				);
			const look = `${style.bold ? ' font-weight="bold"' : ''}${style.italic ? ' font-style="italic"' : ''}`;
			const length = (text.length * cellWide).toFixed(1);
			parts.push(
				`<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" textLength="${length}" fill="${style.colour ?? '#e6edf3'}"${look}>${escaped(text)}</text>`,
			);
		}
	}
	const label =
		'The console: a prompt, what the model read and plans, and the change that it asks to make, shown as a diff';
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${wide} ${high}" role="img" aria-label="${label}"`,
		'\tfont-family="ui-monospace, SFMono-Regular, Menlo, Consolas, \'DejaVu Sans Mono\', monospace" font-size="14">',
		`<rect width="${wide}" height="${high}" rx="8" fill="#0d1117"/>`,
		...parts,
		'</svg>',
		'',
	].join('\n');
}

writeFileSync(join(root, 'docs/console.svg'), svg(await captured()));
