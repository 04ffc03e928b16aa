/** The layers as data: imports go down, never up and never sideways. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

/** Module → layer. A module may import lower layers only, and itself. */
const layers: { readonly [module: string]: number } = {
	model: 0,
	wires: 0.5, // pi's context is what it sends, so its codec asks a wire
	codecs: 1,
	log: 1,
	scan: 1,
	store: 2,
	catalog: 2.5, // what it lists and counts, it finds through the store
	agent: 3,
	'session-store': 3,
	move: 3,
	export: 3,
	providers: 4,
	tools: 4,
	host: 4,
	frames: 4,
	mcp: 4.25, // a server's process is the machine's, and its tools are tools
	client: 4.5, // a run as the command and the library start it
	terminal: 4.75, // texts as people see them, for whoever prints
	acp: 5, // an editor's sessions are clients
	console: 5,
	server: 5,
	cli: 6,
};

/** Modules that never touch the machine themselves. */
const pure: readonly string[] = ['model', 'wires', 'codecs', 'scan', 'agent'];
const machineModules = /^node:(fs|child_process|net|http|https|os|process|worker_threads|sqlite|timers)/;

const longestFile = 400;
/** A test file is a list of laws, read one at a time. */
const longestTestFile = 600;

const root = join(import.meta.dirname, '..');
const source = join(root, 'src');

interface Edge {
	readonly from: string;
	readonly to: string;
}

const files = readdirSync(source, { recursive: true, withFileTypes: true })
	.filter((item) => item.isFile() && /\.tsx?$/.test(item.name))
	.map((item) => join(item.parentPath, item.name))
	.sort();

/** Each codec has a folder; what several share is `codecs/shared`. */
const formats = readdirSync(join(source, 'codecs'), { withFileTypes: true })
	.filter((item) => item.isDirectory() && item.name !== 'shared')
	.map((item) => item.name);
const formatOf = (path: string): string | undefined => formats.find((format) => path.startsWith(`codecs/${format}/`));

const importLine = /(?:from|import)\s*\(?\s*'([^']+)'/g;

function edgesOf(file: string): readonly Edge[] {
	const text = readFileSync(file, 'utf8');
	return [...text.matchAll(importLine)].map((match) => {
		const target = match[1] as string;
		const to = target.startsWith('.') ? relative(source, resolve(dirname(file), target)) : target;
		return { from: relative(source, file), to };
	});
}

const edges = files.filter((file) => !file.endsWith('.test.ts')).flatMap(edgesOf);
const moduleOf = (path: string): string | undefined => (path.includes('/') ? path.split('/')[0] : undefined);

describe('architecture', () => {
	it('every module has a layer', () => {
		const modules = new Set(files.map((file) => moduleOf(relative(source, file))).filter((name) => name !== undefined));
		expect([...modules].filter((name) => !(name in layers))).toEqual([]);
	});

	it('imports go down only, never sideways', () => {
		const offending = edges.filter(({ from, to }) => {
			const a = moduleOf(from);
			const b = moduleOf(to);
			if (a === undefined || b === undefined || !(b in layers) || a === b) return false;
			return (layers[b] as number) >= (layers[a] as number);
		});
		expect(offending.map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
	});

	it('no codec knows another codec', () => {
		const offending = edges.filter(({ from, to }) => {
			const a = formatOf(from);
			const b = formatOf(to);
			return a !== undefined && b !== undefined && a !== b;
		});
		expect(offending.map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
	});

	it('nobody above the codecs imports one format: only their list and the library’s doors do', () => {
		const offending = edges.filter(
			({ from, to }) => formatOf(to) !== undefined && !from.startsWith('codecs/') && moduleOf(from) !== undefined,
		);
		expect(offending.map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
	});

	it('no condition outside the codecs names a format, and no table lists them: what is special about one is data of its codec', () => {
		const name = `'(?:${[...formats, 'pi'].join('|')})'`;
		const table = '\\[\\w+ in FormatId\\]|Record<FormatId';
		const condition = new RegExp(`(?:===|!==|case) ${name}|${name} (?:===|!==)|${table}`, 'g');
		const offending = files
			.map((file) => relative(source, file))
			.filter((file) => !file.startsWith('codecs/') && !file.endsWith('.test.ts'))
			.flatMap((file) =>
				Array.from(readFileSync(join(source, file), 'utf8').matchAll(condition), ([found]) => `${file}: ${found}`),
			);
		expect(offending).toEqual([]);
	});

	it('codecs remember nothing from one file to the next', () => {
		const offending = files
			.filter((file) => !file.endsWith('.test.ts') && relative(source, file).startsWith('codecs/'))
			.filter((file) => /^(?:export )?let /m.test(readFileSync(file, 'utf8')))
			.map((file) => relative(source, file));
		expect(offending).toEqual([]);
	});

	it('modules that promise to be pure do not touch the machine', () => {
		const offending = edges.filter(({ from, to }) => pure.includes(moduleOf(from) ?? '') && machineModules.test(to));
		expect(offending.map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
	});

	it('two places write to the terminal, and clean what they write: the writer, and the shell of the console', () => {
		// The shell draws through a library, and `rendered` makes every row of it.
		const writers = ['terminal/writer.ts', 'console/shell/console-terminal.ts', 'console/shell/restore.ts'];
		const offending = files
			.filter((file) => !file.endsWith('.test.ts') && !writers.includes(relative(source, file)))
			.flatMap((file) => {
				const found = readFileSync(file, 'utf8').matchAll(
					/process\.std(?:out|err)\.write|\bstd(?:out|err)\.write\(|\bconsole\.\w+\(/g,
				);
				return Array.from(found, ([call]) => `${relative(source, file)}: ${call}`);
			});
		// This one is the text of a program that the demonstration's agent writes.
		expect(offending).toEqual(['cli/commands/demo-agent.ts: console.log(', 'cli/commands/demo-agent.ts: console.log(']);
	});

	it('only the shell of the console knows the library that draws it', () => {
		const offending = edges.filter(
			({ from, to }) => to.startsWith('@earendil-works/pi-tui') && !from.startsWith('console/shell/'),
		);
		expect(offending.map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
	});

	it('views and screens of the console are pure: no clock, no file, no process', () => {
		const offending = files
			.filter((file) => /^console\/(views|screens)\//.test(relative(source, file)) && !file.endsWith('.test.ts'))
			.filter((file) => /Date\.now\(|from 'node:|process\.(?!env)/.test(readFileSync(file, 'utf8')))
			.map((file) => relative(source, file));
		expect(offending).toEqual([]);
	});

	it('only regular files are opened: what may be anybody’s is read through log/regular-file', () => {
		// Our own package, the demonstration's own folder, and a script that the user has named, which may be a pipe.
		const own = ['cli/version.ts', 'cli/commands/demo.ts', 'cli/commands/demo-agent.ts', 'providers/registry.ts'];
		const offending = files
			.map((file) => relative(source, file))
			.filter((file) => !file.endsWith('.test.ts') && !file.startsWith('log/') && !own.includes(file))
			.filter((file) => /\b(readFileSync|createReadStream|readFile)\(/.test(readFileSync(join(source, file), 'utf8')));
		expect(offending).toEqual([]);
	});

	it('a file fits on a few screens', () => {
		const long = files
			.map((file) => ({ path: relative(source, file), lines: readFileSync(file, 'utf8').split('\n').length }))
			.filter(({ path, lines }) => lines > (path.endsWith('.test.ts') ? longestTestFile : longestFile));
		expect(long).toEqual([]);
	});

	it('the first line of a file says what it is for', () => {
		const silent = files
			.filter((file) => !/^(\/\*\*|\/\/)\s+\S/.test(readFileSync(file, 'utf8')))
			.map((file) => relative(source, file));
		expect(silent).toEqual([]);
	});

	it('every codec has the same parts, each in a folder or file of the same name', () => {
		const wanted = ['README.md', 'lines.ts', 'index.ts', 'read/decode.ts', 'write/encode.ts', 'check/rules.ts'];
		const parts = ['read', 'write', 'check', 'places'];
		// What a format need not have, and where it is in those that have it.
		const more = ['context', 'agents.ts', 'live.ts', 'capabilities.ts', 'tool-calls.ts', 'profile.ts'];
		const missing = formats.flatMap((format) =>
			[...wanted, ...parts.map((part) => `${part}/index.ts`)]
				.filter((name) => !existsSync(join(source, 'codecs', format, name)))
				.map((name) => `${format}/${name}`),
		);
		expect(missing).toEqual([]);
		const known = new Set([...wanted, ...parts, ...more]);
		const strange = formats.flatMap((format) =>
			readdirSync(join(source, 'codecs', format))
				.filter((name) => !known.has(name) && !name.endsWith('.test.ts'))
				.map((name) => `${format}/${name}`),
		);
		expect(strange).toEqual([]);
	});

	it('what several formats do in a part is in a file of the same name', () => {
		const alike = {
			read: ['decode.ts', 'seen-files.ts'],
			write: ['encode.ts', 'fork.ts'],
			context: ['index.ts', 'context.ts'],
			check: ['validate.ts', 'rules.ts', 'repair.ts'],
			places: ['locate.ts', 'manage.ts', 'usage.ts'],
		};
		for (const [part, names] of Object.entries(alike)) {
			for (const name of names) {
				const having = formats.filter((format) => existsSync(join(source, 'codecs', format, part, name)));
				expect(having.length, `${part}/${name}`).toBeGreaterThanOrEqual(4);
			}
		}
	});
});
