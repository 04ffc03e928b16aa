/** Converting sessions: what it costs to write one in another format, and how much memory a large one takes. */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { convertGrowth, staySmall } from '../src/cli/memory.ts';
import { codecOf } from '../src/codecs/index.ts';
import type { FormatId } from '../src/model/index.ts';
import { convertFile } from '../src/move/index.ts';
import type { Benchmark, Goal, Group, Variant } from './lib/bench.ts';
import { documentBound, parseBound } from './lib/bounds.ts';
import { benchFolder, type DatasetOptions } from './lib/dataset.ts';

/** As the command does it, into a folder and a home of its own. */
function convert(to: FormatId, lineage: boolean, goal?: Goal): Variant {
	const name = codecOf(to)?.name ?? to;
	return {
		name: `to ${name}${lineage ? ', way back kept' : ''}`,
		...(goal ? { goal } : {}),
		async run({ files }) {
			staySmall(convertGrowth);
			const folder = mkdtempSync(join(benchFolder(), 'convert-'));
			const machine = { platform: 'linux', home: folder, env: { REPRISE_HOME: join(folder, 'own') } } as const;
			const end = to === 'cline' ? '.messages.json' : '.jsonl';
			// Not measured: nobody who converts deletes a gigabyte afterwards.
			process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
			for (const [index, path] of files.entries()) {
				const out = join(folder, `${index}${end}`);
				const { how } = await convertFile(path, { to, out, lineage, machine });
				if (how !== 'converted') throw new Error(`${path} was ${how}`);
			}
			return undefined;
		},
	};
}

const goal: Goal = { ratio: 3 };
const bounded: Goal = { ratio: 3, rssMb: 200 };

/** All line formats, with the way back and without, and the one document. */
const large = (title: string, data: DatasetOptions): Group => {
	const others = (['claude-code', 'openclaw', 'clido'] as const).filter((format) => format !== data.format);
	return {
		title,
		data: { ...data, hugeMb: data.mb },
		variants: [
			parseBound,
			...others.flatMap((to) => [convert(to, true, bounded), convert(to, false, bounded)]),
			convert('cline', false),
		],
	};
};

export const benchmark: Benchmark = {
	title: 'Converting sessions',
	about:
		'One session into a file of another format, as `reprise convert` does it. The way back is the source itself, in our own ' +
		'folder, compressed up to 64 MB; `--no-lineage` does without. Cline’s sessions are documents and are read as a whole.',
	groups: [
		large('Claude Code, one session of 500 MB', { format: 'claude-code', mb: 500 }),
		large('pi, one session of 500 MB', { format: 'openclaw', mb: 500, seed: 2 }),
		large('Clido, one session of 500 MB', { format: 'clido', mb: 500 }),
		{
			title: 'Cline, many sessions',
			data: { format: 'cline', mb: 100, sessions: 120 },
			variants: [documentBound, convert('claude-code', true, goal), convert('openclaw', true, goal)],
		},
	],
};
