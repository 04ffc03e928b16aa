/** Reading sessions: how much more than parsing every line do decoding and checking cost, how much less inspecting and resuming? */
import { readSession } from '../src/codecs/index.ts';
import { reusedPieces } from '../src/model/index.ts';
import { checkFile } from '../src/store/reader/check.ts';
import { contextOf } from '../src/store/reader/context.ts';
import { identify } from '../src/store/reader/identify.ts';
import { inspectFile } from '../src/store/reader/inspect.ts';
import { openSession } from '../src/store/reader/session-reader.ts';
import type { Benchmark, Goal, Group, Variant } from './lib/bench.ts';
import { documentBound, keepBound, parseBound } from './lib/bounds.ts';
import type { DatasetOptions } from './lib/dataset.ts';

const variant = (name: string, goal: Goal | undefined, run: Variant['run']): Variant => ({
	name,
	run,
	...(goal ? { goal } : {}),
});

/** Every line becomes an entry, which nobody keeps: as the parse bound keeps nothing. */
const decode = (goal?: Goal): Variant =>
	variant('decode', goal, ({ files }) => {
		for (const path of files) {
			const found = identify(path);
			if (!found.ok) throw new Error(found.message);
			using source = found.source;
			const reading = readSession(found.codec);
			let entries = 0;
			for (const piece of reusedPieces(source)) entries += reading.push(piece).entries.length;
			if (entries + reading.end().entries.length === 0) throw new Error(`${path} has no entries`);
		}
		return undefined;
	});

const hold = (): Variant =>
	variant('decode and hold the session', undefined, async ({ files }) => {
		for (const path of files) {
			const { entries } = await openSession(path);
			if (entries.length === 0) throw new Error(`${path} has no entries`);
		}
		return undefined;
	});

const check = (goal?: Goal): Variant =>
	variant('check', goal, ({ files }) => {
		for (const path of files) if (!checkFile(path).ok) throw new Error(`${path} has errors`);
		return undefined;
	});

/** Answers with the number of records, which is that of lines. */
const inspect = (goal: Goal): Variant =>
	variant('inspect', goal, async ({ files }) => {
		let records = 0;
		for (const path of files) {
			const inspection = await inspectFile(path);
			for (const count of Object.values(inspection.records)) records += count;
		}
		return records;
	});

const context = (goal?: Goal): Variant =>
	variant('context', goal, ({ files }) => {
		for (const path of files) {
			const { messages, refused } = contextOf(path);
			if (messages.length === 0 || refused !== undefined) throw new Error(`${path}: ${refused ?? 'no messages'}`);
		}
		return undefined;
	});

const many = (title: string, data: DatasetOptions, bound = parseBound): Group => ({
	title,
	data,
	variants: [bound, decode({ ratio: 1.5 }), hold(), check({ ratio: 1.8 })],
});

const large = (title: string, data: DatasetOptions): Group => ({
	title,
	data,
	variants: [parseBound, inspect({ ratio: 1.2, rssMb: 120 }), context({ ratio: 0.2 })],
});

/** No compaction: every message of the file is sent. */
const uncut = (title: string, data: DatasetOptions): Group => ({
	title,
	data: { ...data, compaction: false },
	variants: [keepBound, parseBound, context()],
});

const huge = (title: string, data: DatasetOptions): Group => ({
	title,
	data,
	variants: [parseBound, inspect({ rssMb: 200 }), context({ rssMb: 200 })],
});

export const benchmark: Benchmark = {
	title: 'Reading sessions',
	about:
		'Decoding, checking and inspecting look at every field of every line; inspecting keeps counts and links of them. ' +
		'Resuming reads the envelopes of lines from the end of the file to what its last compaction keeps, and parses those that are ' +
		'sent, so that what it costs depends on where that is; where there is no compaction all lines are parsed, and their ' +
		'messages kept.',
	groups: [
		many('Claude Code, many sessions', { format: 'claude-code', mb: 200, sessions: 120 }),
		many('pi, many sessions', { format: 'openclaw', mb: 200, sessions: 120, seed: 2 }),
		many('Clido, many sessions', { format: 'clido', mb: 200, sessions: 120 }),
		many('Cline, many sessions', { format: 'cline', mb: 200, sessions: 120 }, documentBound),
		large('Claude Code, one session of 200 MB', { format: 'claude-code', mb: 200, hugeMb: 200 }),
		{
			title: 'Claude Code, one session of 200 MB that says where it goes on',
			data: { format: 'claude-code', mb: 200, hugeMb: 200, pointers: true },
			variants: [parseBound, context({ ratio: 0.1 })],
		},
		large('pi, one session of 200 MB', { format: 'openclaw', mb: 200, hugeMb: 200, seed: 2 }),
		uncut('Claude Code, one session of 200 MB without a compaction', { format: 'claude-code', mb: 200, hugeMb: 200 }),
		uncut('pi, one session of 200 MB without a compaction', { format: 'openclaw', mb: 200, hugeMb: 200, seed: 2 }),
		huge('Claude Code, one session of 1 GB', { format: 'claude-code', mb: 1000, hugeMb: 1000 }),
		huge('pi, one session of 1 GB', { format: 'openclaw', mb: 1000, hugeMb: 1000, seed: 2 }),
	],
};
