/** The catalog: a cold cost report, building the index and asking it, listing ten thousand sessions, one appended line. */
import { spawnSync } from 'node:child_process';
import {
	appendFileSync,
	closeSync,
	copyFileSync,
	existsSync,
	fstatSync,
	mkdirSync,
	openSync,
	readdirSync,
	readSync,
	renameSync,
	statSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { collectCosts, type SessionFile } from '../src/catalog/cost/collect.ts';
import { loadPrices, pricesFor } from '../src/catalog/cost/prices.ts';
import { costReport } from '../src/catalog/cost/report.ts';
import { Catalog } from '../src/catalog/index/catalog.ts';
import { searchable } from '../src/catalog/index/entry-text.ts';
import { catalogVersion, removeCatalog } from '../src/catalog/index/schema.ts';
import { claudeCode, readSession } from '../src/codecs/index.ts';
import { openFile } from '../src/log/file-source.ts';
import { type Entry, reusedPieces } from '../src/model/index.ts';
import { diskFolders } from '../src/store/find/folders.ts';
import { diskAccess } from '../test/support/catalog.ts';
import type { Benchmark, Variant } from './lib/bench.ts';
import { documentBound, parseBound, readBound } from './lib/bounds.ts';
import { benchFolder, type Dataset, type DatasetOptions } from './lib/dataset.ts';
import { randomFrom } from './lib/random.ts';
import { installed } from './lib/tools.ts';

function sessionsOf(data: Dataset, format: DatasetOptions['format'] = 'claude-code'): readonly SessionFile[] {
	return data.files.map((path) => ({ path, id: basename(path), agent: format, format }));
}

function openCatalog(path: string): Catalog {
	return new Catalog({ path, access: diskAccess, warn: (message) => console.error(message) });
}

const report = (format: DatasetOptions['format'], goal?: Variant['goal']): Variant => ({
	name: 'cost report by day',
	...(goal ? { goal } : {}),
	run(data) {
		const collected = collectCosts(sessionsOf(data, format), diskAccess);
		const { totals } = costReport(collected, pricesFor(collected.ledger), { by: 'day' });
		if (totals.responses === 0) throw new Error('nothing was counted');
		return undefined;
	},
});

/** A home with nothing in it but the sessions: neither program finds those of whoever measures. */
function alone(data: Dataset): { readonly [name: string]: string | undefined } {
	const home = join(benchFolder(), 'home');
	mkdirSync(home, { recursive: true });
	const { PATH } = process.env;
	return { PATH, HOME: home, REPRISE_HOME: join(home, 'reprise'), CLAUDE_CONFIG_DIR: data.home, TZ: 'UTC' };
}

function totalsFrom(args: readonly string[], data: Dataset): { readonly [name: string]: number } {
	const done = spawnSync(process.execPath, args, {
		cwd: benchFolder(),
		env: alone(data),
		encoding: 'utf8',
		maxBuffer: 1 << 30,
	});
	if (done.status !== 0) throw new Error(`${args[0]} failed: ${done.stderr}`);
	return (JSON.parse(done.stdout) as { totals: { [name: string]: number } }).totals;
}

/** Prices are left out: the tables of two programs are of two dates. */
const ccusage: Variant = {
	name: 'bound: ccusage 20.0.24, whole process',
	inChildren: true,
	run(data) {
		const program = join(installed('ccusage', '20.0.24'), 'src/cli.js');
		const totals = totalsFrom([program, 'daily', '--json', '--offline'], data);
		const { inputTokens, outputTokens, cacheReadTokens, cacheCreationTokens } = totals;
		return [inputTokens, outputTokens, cacheReadTokens, cacheCreationTokens].join(' ');
	},
};

const wholeReport: Variant = {
	name: 'reprise cost --all, whole process',
	inChildren: true,
	goal: { ratio: 0.7 },
	run(data) {
		const args = [join(process.cwd(), 'bin/reprise.js'), 'cost', '--all', '--json'];
		const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = totalsFrom(args, data);
		return [inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens].join(' ');
	},
};

const built = (data: Dataset): string => `${data.home}.build.sqlite`;

const build: Variant = {
	name: 'index built: texts, turns, costs',
	goal: { ratio: 5, amount: { ratio: 0.6, unit: 'MB' } },
	run(data) {
		removeCatalog(built(data));
		using catalog = openCatalog(built(data));
		catalog.index(sessionsOf(data), loadPrices());
		return undefined;
	},
	amount: (data) => statSync(built(data)).size / 1e6,
};

/** The bound of an index: what every reader pays; and beside it how much text there is to be searched. */
const parsedTexts: Variant = { ...parseBound, amount: (data) => searchableBytes(data) / 1e6 };

function searchableBytes(data: Dataset): number {
	let bytes = 0;
	for (const path of data.files) {
		using source = openFile(path);
		const reading = readSession(claudeCode);
		const add = ({ entries }: { readonly entries: readonly Entry[] }): void => {
			for (const entry of entries) bytes += Buffer.byteLength(searchable(entry, () => undefined)?.text ?? '');
		};
		for (const piece of reusedPieces(source)) add(reading.push(piece));
		add(reading.end());
	}
	return bytes;
}

/** The files as Claude Code's folders list them. */
function walk(data: Dataset): readonly SessionFile[] {
	const machine = { platform: 'linux', home: data.home, env: { CLAUDE_CONFIG_DIR: data.home } } as const;
	const found: SessionFile[] = [];
	for (const { path, id } of claudeCode.places.sessions(machine, diskFolders)) {
		found.push({ path, id, agent: 'claude-code', format: 'claude-code' });
	}
	return found;
}

const listed = (data: Dataset): string => `${data.home}.listed-${catalogVersion}.sqlite`;

/** Also makes the catalog that the next variant finds, in the run that is not measured. */
const statWalk: Variant = {
	name: 'bound: list the folders, stat each file',
	run(data) {
		if (!existsSync(listed(data))) {
			using catalog = openCatalog(listed(data));
			catalog.list(walk(data));
		}
		const projects = join(data.home, 'projects');
		let files = 0;
		for (const project of readdirSync(projects)) {
			for (const name of readdirSync(join(projects, project))) {
				if (statSync(join(projects, project, name)).isFile()) files += 1;
			}
		}
		return files;
	},
};

const warmList: Variant = {
	name: 'sessions listed, nothing changed',
	goal: { ratio: 2 },
	run(data) {
		using catalog = openCatalog(listed(data));
		return catalog.list(walk(data)).length;
	},
};

const headAndTail: Variant = {
	name: 'bound: read 8 KB of each beginning and 16 KB of each end',
	run({ files }) {
		const buffer = Buffer.allocUnsafe(1 << 14);
		for (const path of files) {
			const file = openSync(path, 'r');
			const { size } = fstatSync(file);
			readSync(file, buffer, 0, 1 << 13, 0);
			readSync(file, buffer, 0, 1 << 14, Math.max(0, size - (1 << 14)));
			closeSync(file);
		}
		return files.length;
	},
};

const coldList: Variant = {
	name: 'sessions listed for the first time',
	run(data) {
		const path = `${data.home}.cold.sqlite`;
		removeCatalog(path);
		using catalog = openCatalog(path);
		return catalog.list(sessionsOf(data)).length;
	},
};

/** One `rg` for a word or phrase, as somebody without an index would look for it. */
const ripgrep: Variant = {
	name: 'bound: ripgrep over the files, per question',
	inChildren: true,
	run(data) {
		const program = join(installed('@vscode/ripgrep', '1.18.0'), '../ripgrep-linux-x64/bin/rg');
		searched(data);
		const questions = questionsFrom(data, 4).map((question) => question.replaceAll('"', ''));
		const times = questions.map((question) => {
			const start = performance.now();
			const args = ['--no-messages', '--ignore-case', '--fixed-strings', '--count', '--no-ignore', '--hidden'];
			spawnSync(program, [...args, '--glob', '*.jsonl', '--', question, join(data.home, 'projects')], {
				stdio: 'ignore',
			});
			return performance.now() - start;
		});
		took = percentile(times, 0.5);
		return undefined;
	},
	amount: () => took,
};

const search: Variant = {
	name: 'search: word, both of two, phrase; newest first, the slowest of a hundred',
	goal: { amount: { ratio: 0.1, unit: 'ms' } },
	run(data) {
		using catalog = openCatalog(searched(data));
		const times = questionsFrom(data, 120).map((question) => {
			const start = performance.now();
			const { total } = catalog.search(question, {});
			if (total === 0) throw new Error(`${question} is in the files and was not found`);
			return performance.now() - start;
		});
		took = percentile(times, 0.99);
		return undefined;
	},
	amount: () => took,
};

let took = Number.NaN;

function percentile(values: readonly number[], share: number): number {
	return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN;
}

/** A catalog with everything in it, made once. */
function searched(data: Dataset): string {
	const path = `${data.home}.searched-${catalogVersion}.sqlite`;
	if (existsSync(path)) return path;
	const draft = `${path}.draft`;
	{
		using catalog = openCatalog(draft);
		catalog.list(sessionsOf(data));
		catalog.index(sessionsOf(data), loadPrices());
	}
	renameSync(draft, path);
	return path;
}

/** So many words, pairs of words and phrases of two each, from prompts of the data. */
function questionsFrom(data: Dataset, count: number): readonly string[] {
	const random = randomFrom(11);
	const words: string[][] = [];
	while (words.length < count * 3) {
		using source = openFile(random.pick(data.files));
		const line = Buffer.from(source.read(0, 1 << 12)).toString('latin1');
		const text = /"content":"([^"\\\\]+)/.exec(line)?.[1] ?? '';
		const found = text.match(/\b[a-z]{4,} [a-z]{4,}\b/g) ?? [];
		if (found.length > 0) words.push(random.pick(found).split(' '));
	}
	return words.map(([first = '', second = ''], index) => {
		if (index % 3 === 0) return first;
		return index % 3 === 1 ? `${first} ${second}` : `"${first} ${second}"`;
	});
}

const appends = 200;

/** Copies, because they grow: the first file is the small one, the second the large one. */
function growing(data: Dataset): {
	readonly folder: string;
	readonly sessions: readonly SessionFile[];
	readonly path: string;
} {
	const folder = `${data.home}.growing`;
	const bySize = [...data.files].sort((a, b) => statSync(a).size - statSync(b).size);
	const sessions = bySize.map((file, index) => {
		const path = join(folder, `${index}.jsonl`);
		if (!existsSync(path)) {
			mkdirSync(folder, { recursive: true });
			copyFileSync(file, path);
		}
		return { path, id: String(index), agent: 'claude-code', format: 'claude-code' as const };
	});
	return { folder, sessions, path: join(folder, 'catalog.sqlite') };
}

const appendTo = (name: string, which: number, goal?: Variant['goal']): Variant => ({
	name,
	...(goal ? { goal } : {}),
	run(data) {
		const { sessions, path } = growing(data);
		const prices = loadPrices();
		using catalog = openCatalog(path);
		catalog.index(sessions, prices);
		const session = sessions[which];
		if (session === undefined) throw new Error('the data has two sessions');
		for (let left = appends; left > 0; left -= 1) {
			const message = { role: 'user', content: `one more line ${left}` };
			const line = { type: 'user', uuid: `u${left}`, timestamp: new Date(left).toISOString(), message };
			appendFileSync(session.path, `${JSON.stringify(line)}\n`);
			catalog.index([session], prices);
		}
		return undefined;
	},
});

const gigabyte = (format: DatasetOptions['format']): DatasetOptions => ({
	format,
	mb: 1000,
	sessions: 1200,
	hugeMb: 120,
	seed: 2,
});

export const benchmark: Benchmark = {
	title: 'Catalog',
	about:
		'Costs need no index: files of lines are scanned, and nothing but token counts is looked at; Cline’s documents are ' +
		'parsed. A list opens only what has changed. The index is built once and then follows what is appended. Since there is ' +
		'one reader for all, the goal for costs is the comparison with another program; earlier goals against parsing (0.3×, ' +
		'and 150 MB for documents) and for a first list (3×) were those of readers that are gone, and are given up.',
	groups: [
		{
			title: 'Cost report, Claude Code',
			data: gigabyte('claude-code'),
			variants: [parseBound, readBound, report('claude-code', { rssMb: 150 })],
		},
		{
			title: 'Cost report, Claude Code, another program',
			data: gigabyte('claude-code'),
			variants: [ccusage, wholeReport],
		},
		{
			title: 'Cost report, pi',
			data: gigabyte('openclaw'),
			variants: [parseBound, report('openclaw', { rssMb: 150 })],
		},
		{
			title: 'Cost report, Clido',
			data: gigabyte('clido'),
			variants: [parseBound, report('clido', { rssMb: 150 })],
		},
		{
			title: 'Cost report, Cline',
			data: gigabyte('cline'),
			variants: [documentBound, report('cline')],
		},
		{
			title: 'Index',
			data: gigabyte('claude-code'),
			variants: [parsedTexts, build],
		},
		{
			title: 'Search',
			data: gigabyte('claude-code'),
			variants: [ripgrep, search],
		},
		{
			title: 'List of 10,000 sessions, warm',
			data: { format: 'claude-code', mb: 900, sessions: 10_000, seed: 3 },
			variants: [statWalk, warmList],
		},
		{
			title: 'List of 10,000 sessions, cold',
			data: { format: 'claude-code', mb: 900, sessions: 10_000, seed: 3 },
			variants: [headAndTail, coldList],
		},
		{
			title: 'List of 10,000 sessions that end in the midst of large results, cold',
			data: { format: 'claude-code', mb: 900, sessions: 10_000, seed: 3, end: 'cut' },
			variants: [headAndTail, coldList],
		},
		{
			title: 'Appended lines, 200 of them one by one',
			data: { format: 'claude-code', mb: 201, sessions: 2, hugeMb: 200, seed: 4 },
			variants: [appendTo('bound: to a file of 1 MB', 0), appendTo('to a file of 200 MB', 1, { ratio: 1.2 })],
		},
	],
};
