/** The tools: searches against ripgrep alone, files against reading and writing them, calls against a loop without a session. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Tool, ToolContext } from '../src/agent/contracts.ts';
import { nodeHost } from '../src/host/node-host.ts';
import type { JsonObject } from '../src/model/index.ts';
import { edit } from '../src/tools/edit.ts';
import { glob } from '../src/tools/glob.ts';
import { grep } from '../src/tools/grep.ts';
import { read } from '../src/tools/read.ts';
import type { Benchmark, Goal, Group, Variant } from './lib/bench.ts';
import { benchFolder } from './lib/dataset.ts';
import { bareLoop, ourLoop } from './loop.ts';

const fileCount = 50_000;
/** Every so many files have the word that is searched for. */
const every = 10;
/** What Glob shows at most. */
const shownNames = 100;

/** The tree that is searched; made once. No two files are of the same age, so that there is one order. */
function tree(): string {
	const folder = join(benchFolder(), `tree-${fileCount}`);
	if (existsSync(join(folder, 'whole'))) return join(folder, 'project');
	for (let n = 0; n < fileCount; n += 1) {
		const place = join(folder, 'project', `part${n % 40}`, `module${n % 500}`);
		if (n < 500 * 40) mkdirSync(place, { recursive: true });
		const path = join(place, `file${n}.${n % 5 === 0 ? 'md' : 'ts'}`);
		const lines = Array.from({ length: 30 }, (_, line) => `export const value${line} = ${n * line}; // of file ${n}`);
		if (n % every === 0) lines.push('const needle = true;');
		writeFileSync(path, `${lines.join('\n')}\n`);
		utimesSync(path, 1_700_000_000 + n, 1_700_000_000 + n);
	}
	writeFileSync(join(folder, 'whole'), '');
	return join(folder, 'project');
}

const own = createRequire(import.meta.url);
const packaged = `@vscode/ripgrep-${process.platform}-${process.arch}/bin/rg`;
const ripgrep = (): string => createRequire(own.resolve('@vscode/ripgrep')).resolve(packaged);

/** ripgrep as somebody would call it who wants this order. */
function bare(name: string, flags: readonly string[], answer: (lines: readonly string[]) => string): Variant {
	return {
		name,
		run() {
			const options = { cwd: tree(), encoding: 'utf8', maxBuffer: 1 << 28 } as const;
			const { stdout } = spawnSync(ripgrep(), ['--no-config', ...flags], options);
			return answer(stdout.split('\n').filter((line) => line !== ''));
		},
	};
}

function contextIn(cwd: string): ToolContext {
	const nothing = (): void => undefined;
	return {
		...{ cwd, folders: [cwd], moveTo: nothing, outputFolder: join(benchFolder(), 'tool-output') },
		...{ signal: new AbortController().signal, host: nodeHost(), callId: 'c1' },
		...{ seen: new Map(), earlier: [], kept: new Map(), hides: async () => undefined },
		...{ mode: 'default', userAllowed: false, userModified: false, allowsHost: () => false },
		...{ consult: async () => ({ problem: 'nobody answers' }), update: nothing, notify: nothing },
		changing: async () => undefined,
	};
}

async function used(tool: Tool, input: JsonObject, context: ToolContext): Promise<JsonObject> {
	const parsed = tool.parse(input);
	if (!parsed.ok) throw new Error(`${tool.name} does not take its input`);
	const { details, isError } = await tool.run(parsed.input, context);
	if (isError) throw new Error(String(details));
	return details as JsonObject;
}

function search(tool: Tool, input: JsonObject, answer: (details: JsonObject) => string): Variant {
	return {
		name: `${tool.name} ${JSON.stringify(input)}`,
		goal: { wallRatio: 1.3 },
		run: async () => answer(await used(tool, input, contextIn(tree()))),
	};
}

const flags = ['--hidden', '--max-columns=500', '--color=never', '--glob=!.git'];
const ends = (names: readonly string[]): string => `${names.length} ${names[0]} ${names.at(-1)}`;
const listed = ({ filenames }: JsonObject): string => ends(filenames as readonly string[]);
const relativeTo = (names: readonly string[]): readonly string[] => names.map((name) => name.replace(`${tree()}/`, ''));

const searches: readonly Group[] = [
	{
		title: `Grep for files among ${fileCount.toLocaleString('en')}, newest first`,
		variants: [
			bare('rg --files-with-matches --sortr=modified', [...flags, '-l', '--sortr=modified', 'needle', '.'], (lines) =>
				ends(lines.map((line) => line.replace(/^\.\//, ''))),
			),
			search(grep, { pattern: 'needle' }, listed),
		],
	},
	{
		title: `Grep for lines among ${fileCount.toLocaleString('en')} files, by path`,
		variants: [
			bare('rg --line-number --sort=path', [...flags, '-n', '--no-heading', '--sort=path', 'needle', '.'], (lines) =>
				String(lines.length),
			),
			search(grep, { pattern: 'needle', output_mode: 'content' }, ({ numLines }) => String(numLines)),
		],
	},
	{
		title: `Glob among ${fileCount.toLocaleString('en')} files, oldest first`,
		variants: [
			bare(
				'rg --files --sort=modified',
				['--files', '--glob=**/*.md', '--sort=modified', '--no-ignore', '--hidden'],
				(lines) => ends(lines.slice(0, shownNames)),
			),
			search(glob, { pattern: '**/*.md' }, ({ filenames }) => ends(relativeTo(filenames as readonly string[]))),
		],
	},
];

const times = 20;

/** Made once: what it costs to make it is nobody's. */
function largeFile(): string {
	const path = join(benchFolder(), 'large.ts');
	if (existsSync(path)) return path;
	const lines = Array.from({ length: 100_000 }, (_, n) => `const line${n} = 'neither long nor short, ${n}';`);
	writeFileSync(path, lines.join('\n'));
	return path;
}

/** Each run has a copy of the file of its own. */
function withFile(name: string, work: (path: string, folder: string) => Promise<string>, goal?: Goal): Variant {
	return {
		name,
		...(goal ? { goal } : {}),
		async run() {
			const folder = join(benchFolder(), `tool-file-${process.pid}`);
			mkdirSync(folder, { recursive: true });
			const path = join(folder, 'large.ts');
			copyFileSync(largeFile(), path);
			try {
				return await work(path, folder);
			} finally {
				rmSync(folder, { recursive: true, force: true });
			}
		},
	};
}

const linesRead = 100;
const part = { offset: 50_000, limit: linesRead };

const files: readonly Group[] = [
	{
		title: `${linesRead} lines from the middle of a file of 5 MB, ${times} times`,
		variants: [
			withFile('read it, decode it, split it', async (path) => {
				let last = '';
				for (let n = 0; n < times; n += 1) {
					const all = readFileSync(path, 'utf8').split('\n');
					last = all.slice(part.offset - 1, part.offset - 1 + part.limit).join('\n');
				}
				return last;
			}),
			withFile(
				'Read',
				async (path, folder) => {
					const context = contextIn(folder);
					let last = '';
					for (let n = 0; n < times; n += 1) {
						const { file } = await used(read, { file_path: path, ...part }, context);
						last = String((file as JsonObject).content);
					}
					return last;
				},
				{ ratio: 2 },
			),
		],
	},
	{
		title: `A line in a file of 5 MB changed, ${times} times`,
		variants: [
			withFile('read it, replace the line, write it', async (path) => {
				for (let n = 0; n < times; n += 1) {
					writeFileSync(path, readFileSync(path, 'utf8').replace(`const line${n} =`, `let line${n} =`));
				}
				return readFileSync(path, 'utf8').slice(0, 2000);
			}),
			withFile(
				'Edit',
				async (path, folder) => {
					const context = contextIn(folder);
					await used(read, { file_path: path, ...part }, context);
					for (let n = 0; n < times; n += 1) {
						const change = { old_string: `const line${n} =`, new_string: `let line${n} =` };
						await used(edit, { file_path: path, ...change }, context);
					}
					return readFileSync(path, 'utf8').slice(0, 2000);
				},
				{ ratio: 2 },
			),
		],
	},
];

const calls = { prompts: 50, deltas: 5, calls: 20 };

export const benchmark: Benchmark = {
	title: 'The tools',
	about:
		'Searches are compared with ripgrep alone, asked for the same order, by the clock: most of the work is done by the process that both ' +
		'start. Read and Edit are compared with reading and writing the whole file, which they do too, and more: they take its sum, find ' +
		'out how it is written, and write the difference for the record. Calls go through the loop of `npm run bench -- loop`, hooks off.',
	groups: [
		...searches,
		...files,
		{
			title: '1,000 tool calls, one after the other',
			variants: [bareLoop(calls), ourLoop('claude-code', calls, { ratio: 1.3 })],
		},
	],
};
