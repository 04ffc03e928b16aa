/** Reading sessions of a gigabyte: the first screen, the end, all of it, a search. */
import { existsSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Catalog } from '../src/catalog/index/catalog.ts';
import { catalogVersion, removeCatalog } from '../src/catalog/index/schema.ts';
import { staySmall } from '../src/cli/memory.ts';
import { terminalPieces } from '../src/cli/show-terminal.ts';
import { LiveTranscript, tellsSomething } from '../src/export/live.ts';
import { markdown } from '../src/export/markdown.ts';
import { openStory } from '../src/export/story-file.ts';
import { transcript } from '../src/export/transcript.ts';
import { glance } from '../src/store/glance.ts';
import { identify } from '../src/store/identify.ts';
import { entriesInContext } from '../src/store/in-context.ts';
import { recentOf } from '../src/store/recent.ts';
import type { Benchmark, Group, Variant } from './lib/bench.ts';
import { parseBound } from './lib/bounds.ts';
import type { Dataset, DatasetOptions } from './lib/dataset.ts';

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
	goal: { ratio: 1, rssMb: 150 },
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
	goal: { ratio: 1, rssMb: 150 },
	async run(data) {
		staySmall();
		using story = await openStory(only(data));
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
		for (const piece of markdown(story, transcript(story))) size += piece.length;
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
async function openCatalog(path: string): Promise<Catalog> {
	const { Catalog } = await import('../src/catalog/index/catalog.ts');
	const { diskAccess } = await import('../test/support/catalog.ts');
	const warn = (message: string) => console.error(message);
	return new Catalog({ path, access: diskAccess, warn });
}

async function build(catalog: Catalog, data: Dataset, format: DatasetOptions['format']): Promise<void> {
	const { loadPrices } = await import('../src/catalog/cost/prices.ts');
	catalog.index([{ path: only(data), id: basename(only(data)), agent: format, format }], await loadPrices());
}

/** The index is built in the first run, which is not measured. */
const prepared = (format: DatasetOptions['format']): Variant => ({
	...parseBound,
	async run(data) {
		const ready = `${indexOf(data)}.ready`;
		if (!existsSync(ready)) {
			using catalog = await openCatalog(`${indexOf(data)}.sqlite`);
			await build(catalog, data, format);
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
		using catalog = await openCatalog(`${indexOf(data)}.sqlite`);
		return twentyHits(catalog, data);
	},
};

const firstSearch = (format: DatasetOptions['format']): Variant => ({
	name: 'the first search, which builds the index',
	goal: { rssMb: 150 },
	async run(data) {
		staySmall();
		const path = `${indexOf(data)}.first.sqlite`;
		removeCatalog(path);
		{
			using catalog = await openCatalog(path);
			await build(catalog, data, format);
			twentyHits(catalog, data);
		}
		removeCatalog(path);
		return undefined;
	},
});

function twentyHits(catalog: Catalog, data: Dataset): undefined {
	const { hits } = catalog.search('the', { limit: 20, present: new Set(data.files) });
	if (hits.length === 0) throw new Error('nothing was found');
	entriesInContext(only(data));
	return undefined;
}

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
