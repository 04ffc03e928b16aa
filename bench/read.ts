/** Reading sessions of a gigabyte: the first screen, the end, all of it, a search. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Catalog } from '../src/catalog/index/catalog.ts';
import { catalogVersion } from '../src/catalog/index/schema.ts';
import { terminalPieces } from '../src/cli/commands/show-terminal.ts';
import { staySmall } from '../src/cli/memory.ts';
import { usualFold } from '../src/export/index.ts';
import { LiveTranscript, tellsSomething } from '../src/export/live.ts';
import { markdown } from '../src/export/markdown.ts';
import { openStory } from '../src/export/story-file.ts';
import { transcript } from '../src/export/transcript.ts';
import { glance } from '../src/store/reader/glance.ts';
import { identify } from '../src/store/reader/identify.ts';
import { entriesInContext } from '../src/store/reader/in-context.ts';
import { recentOf } from '../src/store/reader/recent.ts';
import type { Benchmark, Group, Variant } from './lib/bench.ts';
import { parseBound } from './lib/bounds.ts';
import { benchFolder, type Dataset, type DatasetOptions } from './lib/dataset.ts';

const rows = 50;
const width = 100;

function only(data: Dataset): string {
	const [file] = data.files;
	if (file === undefined) throw new Error('there is no session');
	return file;
}

/** Pieces until a screen is full, as a pager asks for them. */
const firstScreen: Variant = {
	name: 'show: the first screen',
	goal: { ratio: 1.2, rssMb: 150 },
	async run(data) {
		staySmall();
		using story = await openStory(only(data));
		let lines = 0;
		for await (const piece of terminalPieces(transcript(story), { width, fold: 12 })) {
			lines += piece.split('\n').length - 1;
			if (lines >= rows) break;
		}
		if (lines < rows) throw new Error('that was no screen');
		return undefined;
	},
};

const lastTurn: Variant = {
	name: 'show -n 1: the last turn',
	goal: { ratio: 1.2, rssMb: 150 },
	async run(data) {
		staySmall();
		// As the command asks for it: the end of the file is read first, and the rest only where the turn needs it.
		using story = await openStory(only(data), { last: 1 });
		let parts = 0;
		for (const _ of transcript(story, { last: 1 })) parts += 1;
		if (parts === 0) throw new Error('nothing was told');
		return undefined;
	},
};

const allMarkdown: Variant = {
	name: 'show --md: all of it',
	async run(data) {
		staySmall();
		using story = await openStory(only(data));
		let size = 0;
		for (const piece of markdown(story, transcript(story), { fold: usualFold })) size += piece.length;
		if (size === 0) throw new Error('nothing was told');
		return undefined;
	},
};

const lastEntries: Variant = {
	name: 'tail: the last ten entries',
	goal: { ratio: 0.1, rssMb: 150 },
	run(data) {
		staySmall();
		const found = identify(only(data));
		if (!found.ok) throw new Error(found.message);
		using source = found.source;
		const counts = (entry: Parameters<typeof tellsSomething>[0]) => tellsSomething(entry, {});
		const { entries } = recentOf(found.codec, found.dialect, source, { last: 10, counts });
		if (new LiveTranscript({}).tell(entries).length < 10) throw new Error('there are more');
		return undefined;
	},
};

const oneLook: Variant = {
	name: 'ls: a look at it',
	goal: { ratio: 0.1, rssMb: 150 },
	run(data) {
		const found = identify(only(data));
		if (!found.ok) throw new Error(found.message);
		found.source[Symbol.dispose]();
		if (glance({ path: only(data), format: found.codec.id })?.title === undefined) throw new Error('it has a title');
		return undefined;
	},
};

/** A catalog of another version would be emptied by whoever opens it first. */
const indexOf = (data: Dataset): string => `${data.home}.read-${catalogVersion}`;

/** Loaded only here: what a search needs is not in the memory of other commands. */
async function openCatalog(data: Dataset): Promise<Catalog> {
	const { Catalog } = await import('../src/catalog/index/catalog.ts');
	const { diskAccess } = await import('../test/support/catalog.ts');
	const warn = (message: string) => console.error(message);
	return new Catalog({ path: `${indexOf(data)}.sqlite`, access: diskAccess, warn });
}

/** The index is built in the first run, which is not measured. */
const prepared = (format: DatasetOptions['format']): Variant => ({
	...parseBound,
	async run(data) {
		const ready = `${indexOf(data)}.ready`;
		if (!existsSync(ready)) {
			const { loadPrices } = await import('../src/catalog/cost/prices.ts');
			using catalog = await openCatalog(data);
			catalog.index([{ path: only(data), id: basename(only(data)), agent: format, format }], loadPrices());
			writeFileSync(ready, '');
		}
		return await parseBound.run(data);
	},
});

const search: Variant = {
	name: 'search: twenty hits, and what of them is in context',
	goal: { rssMb: 150 },
	async run(data) {
		staySmall();
		using catalog = await openCatalog(data);
		const { hits } = catalog.search('the', { limit: 20, present: new Set(data.files) });
		if (hits.length === 0) throw new Error('nothing was found');
		entriesInContext(only(data));
		return undefined;
	},
};

/** Where each client would look for its sessions. */
const homeOf: { readonly [F in DatasetOptions['format']]?: string } = {
	'claude-code': 'CLAUDE_CONFIG_DIR',
	openclaw: 'PI_CODING_AGENT_DIR',
	clido: 'CLIDO_DATA_DIR',
};

/** As its user starts it: what a process has loaded before it begins counts as well, and it asks for little memory first. */
function firstSearch(format: DatasetOptions['format']): Variant {
	let peak = 0;
	return {
		name: 'the first search, which builds the index, whole process',
		goal: { rssMb: 150 },
		inChildren: true,
		run(data) {
			const own = mkdtempSync(join(benchFolder(), 'first-'));
			try {
				const { PATH } = process.env;
				const done = spawnSync(
					process.execPath,
					['--input-type=module', '-e', runner, '--', 'search', '--all', 'the'],
					{
						cwd: own,
						env: { PATH, HOME: own, REPRISE_HOME: own, [homeOf[format] ?? '']: data.home },
						encoding: 'utf8',
					},
				);
				if (done.status !== 0 || !/ found/.test(done.stdout)) throw new Error(`nothing was found: ${done.stderr}`);
				peak = (Number(done.stderr) * 1024) / 1e6;
			} finally {
				rmSync(own, { recursive: true, force: true });
			}
			return undefined;
		},
		peak: () => peak,
	};
}

/** The command line as it is built in this folder. */
const main = JSON.stringify(join(process.cwd(), 'dist/cli/main.js'));
const runner =
	`const { main } = await import(${main}); process.exitCode = await main(process.argv.slice(1)); ` +
	'process.stderr.write(String(process.resourceUsage().maxRSS));';

const group = (title: string, format: DatasetOptions['format'], ...more: readonly Variant[]): Group => ({
	title,
	data: { format, mb: 1000, seed: 5 },
	variants: [prepared(format), firstScreen, lastTurn, lastEntries, oneLook, search, firstSearch(format), ...more],
});

export const benchmark: Benchmark = {
	title: 'Reading',
	about:
		'One session of a gigabyte. A transcript begins with the shape of the session, and then reads what is looked at; ' +
		'following one begins at its end. A search has an index already, but for the first one.',
	groups: [
		group('Claude Code, 1 GB', 'claude-code', allMarkdown),
		group('pi, 1 GB', 'openclaw'),
		group('Clido, 1 GB', 'clido'),
	],
};
