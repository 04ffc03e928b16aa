/** The catalog: a cold cost report, building the index, listing ten thousand sessions, one appended line. */
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
	rmSync,
	statSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { collectCosts, type SessionFile } from '../src/catalog/cost/collect.ts';
import { loadPrices, pricesFor } from '../src/catalog/cost/prices.ts';
import { costReport } from '../src/catalog/cost/report.ts';
import { Catalog, type CatalogAccess } from '../src/catalog/index/catalog.ts';
import { claudeCode } from '../src/codecs/index.ts';
import { openFile } from '../src/log/file-source.ts';
import { diskFolders } from '../src/store/folders.ts';
import type { Benchmark, Variant } from './lib/bench.ts';
import { documentBound, parseBound, readBound } from './lib/bounds.ts';
import type { Dataset, DatasetOptions } from './lib/dataset.ts';

const access: CatalogAccess = {
	open: openFile,
	folders: diskFolders,
	look(path) {
		const stat = statSync(path, { throwIfNoEntry: false });
		if (!stat) return undefined;
		const { ino, size, mtimeMs } = stat;
		return { inode: String(ino), signature: `${ino} ${size} ${mtimeMs}`, size, mtimeMs };
	},
};

function sessionsOf(data: Dataset, format: DatasetOptions['format'] = 'claude-code'): readonly SessionFile[] {
	return data.files.map((path) => ({ path, id: basename(path), agent: format, format }));
}

function openCatalog(path: string): Catalog {
	return new Catalog({ path, access, warn: (message) => console.error(message) });
}

function removeCatalog(path: string): void {
	for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
}

const report = (format: DatasetOptions['format'], goal: Variant['goal']): Variant => ({
	name: 'cost report by day',
	...(goal ? { goal } : {}),
	async run(data) {
		const collected = collectCosts(sessionsOf(data, format), access);
		const { totals } = costReport(collected, await pricesFor(collected.ledger), { by: 'day' });
		if (totals.responses === 0) throw new Error('nothing was counted');
		return undefined;
	},
});

const build: Variant = {
	name: 'index built: texts, turns, costs',
	goal: { ratio: 5 },
	async run(data) {
		const path = `${data.home}.build.sqlite`;
		removeCatalog(path);
		using catalog = openCatalog(path);
		catalog.index(sessionsOf(data), await loadPrices());
		return undefined;
	},
};

/** The files as Claude Code's folders list them. */
function walk(data: Dataset): readonly SessionFile[] {
	const machine = { platform: 'linux', home: data.home, env: { CLAUDE_CONFIG_DIR: data.home } } as const;
	const found: SessionFile[] = [];
	for (const { path, id } of claudeCode.locate.sessions(machine, diskFolders)) {
		found.push({ path, id, agent: 'claude-code', format: 'claude-code' });
	}
	return found;
}

const listed = (data: Dataset): string => `${data.home}.listed.sqlite`;

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
	goal: { ratio: 3 },
	run(data) {
		const path = `${data.home}.cold.sqlite`;
		removeCatalog(path);
		using catalog = openCatalog(path);
		return catalog.list(sessionsOf(data)).length;
	},
};

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
	async run(data) {
		const { sessions, path } = growing(data);
		const prices = await loadPrices();
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

export const benchmark: Benchmark = {
	title: 'Catalog',
	about:
		'Costs need no index: files are scanned, and nothing but token counts is looked at. A list opens only what has ' +
		'changed. The index is built once and then follows what is appended.',
	groups: [
		{
			title: 'Cost report, Claude Code',
			data: { format: 'claude-code', mb: 1000, sessions: 1200, hugeMb: 120, seed: 2 },
			variants: [parseBound, readBound, report('claude-code', { ratio: 0.3, rssMb: 150 })],
		},
		{
			title: 'Cost report, pi',
			data: { format: 'openclaw', mb: 300, sessions: 300 },
			variants: [parseBound, report('openclaw', { ratio: 0.3 })],
		},
		{
			title: 'Cost report, Clido',
			data: { format: 'clido', mb: 300, sessions: 300 },
			variants: [parseBound, report('clido', { ratio: 0.3 })],
		},
		{
			title: 'Cost report, Cline',
			data: { format: 'cline', mb: 100, sessions: 120 },
			variants: [documentBound, report('cline', undefined)],
		},
		{
			title: 'Index',
			data: { format: 'claude-code', mb: 100, sessions: 120 },
			variants: [parseBound, build],
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
			title: 'Appended lines, 200 of them one by one',
			data: { format: 'claude-code', mb: 201, sessions: 2, hugeMb: 200, seed: 4 },
			variants: [appendTo('bound: to a file of 1 MB', 0), appendTo('to a file of 200 MB', 1, { ratio: 1.2 })],
		},
	],
};
