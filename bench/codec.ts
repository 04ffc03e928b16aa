/** Reading sessions: how much more than parsing every line do decoding and checking cost, how much less inspecting and resuming? */
import { readSession } from '../src/codecs/index.ts';
import { reusedPieces } from '../src/model/index.ts';
import { checkFile } from '../src/store/check.ts';
import { contextOf } from '../src/store/context.ts';
import { identify } from '../src/store/identify.ts';
import { inspectFile } from '../src/store/inspect.ts';
import { openSession } from '../src/store/open.ts';
import type { Benchmark, Goal, Group, Variant } from './lib/bench.ts';
import { documentBound, parseBound } from './lib/bounds.ts';
import type { DatasetOptions } from './lib/dataset.ts';

const decode = (goal?: Goal): Variant => ({
	name: 'decode',
	...(goal ? { goal } : {}),
	run({ files }) {
		for (const path of files) {
			const found = identify(path);
			if (!found.ok) throw new Error(found.message);
			using source = found.source;
			const reading = readSession(found.codec);
			let entries = 0;
			for (const piece of reusedPieces(source)) entries += reading.push(piece).entries.length;
			entries += reading.end().entries.length;
			if (entries === 0) throw new Error(`${path} has no entries`);
		}
		return undefined;
	},
});

const hold = (goal?: Goal): Variant => ({
	name: 'decode and hold the whole session',
	...(goal ? { goal } : {}),
	async run({ files }) {
		for (const path of files) {
			const session = await openSession(path);
			if (session.entries.length === 0) throw new Error(`${path} has no entries`);
		}
		return undefined;
	},
});

const check = (goal?: Goal): Variant => ({
	name: 'check',
	...(goal ? { goal } : {}),
	run({ files }) {
		for (const path of files) if (!checkFile(path).ok) throw new Error(`${path} has errors`);
		return undefined;
	},
});

const inspect = (goal?: Goal): Variant => ({
	name: 'inspect',
	...(goal ? { goal } : {}),
	async run({ files }) {
		for (const path of files) {
			const { entries } = await inspectFile(path);
			if (entries === 0) throw new Error(`${path} has no entries`);
		}
		return undefined;
	},
});

const context = (goal?: Goal): Variant => ({
	name: 'context',
	...(goal ? { goal } : {}),
	run({ files }) {
		for (const path of files) {
			const { messages, refused } = contextOf(path);
			if (messages.length === 0 || refused !== undefined) throw new Error(`${path}: ${refused ?? 'no messages'}`);
		}
		return undefined;
	},
});

const many = (title: string, data: DatasetOptions, bound = parseBound): Group => ({
	title,
	data,
	variants: [bound, decode({ ratio: 1.5 }), hold(), check({ ratio: 1.8 })],
});

const large = (title: string, data: DatasetOptions): Group => ({
	title,
	data,
	variants: [parseBound, inspect({ ratio: 0.5, rssMb: 120 }), context({ ratio: 0.2 })],
});

export const benchmark: Benchmark = {
	title: 'Reading sessions',
	about: 'x',
	groups: [
		many('Claude Code', { format: 'claude-code', mb: 100, sessions: 120 }),
		many('pi', { format: 'openclaw', mb: 100, sessions: 120, seed: 2 }),
		many('Clido', { format: 'clido', mb: 100, sessions: 120 }),
		many('Cline', { format: 'cline', mb: 100, sessions: 120 }, documentBound),
		large('Claude Code, one session of 200 MB', { format: 'claude-code', mb: 200, hugeMb: 200 }),
		large('pi, one session of 200 MB', { format: 'openclaw', mb: 200, hugeMb: 200, seed: 2 }),
	],
};
