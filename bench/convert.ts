/** Converting sessions: what it costs to write one in another format, and how much memory a large one takes. */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { convertGrowth, staySmall } from '../src/cli/memory.ts';
import { codecOf } from '../src/codecs/index.ts';
import type { FormatId } from '../src/model/index.ts';
import { convertFile } from '../src/move/index.ts';
import type { Benchmark, Goal, Group, Variant } from './lib/bench.ts';
import { copyBound, documentBound, parseBound } from './lib/bounds.ts';
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
			const end = codecOf(to)?.places.ending;
			// Not measured: nobody who converts deletes a gigabyte afterwards.
			process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
			for (const [index, path] of files.entries()) {
				const out = join(folder, `${index}${end}`);
				const { how, losses } = await convertFile(path, { to, out, lineage, machine });
				if (how !== 'converted') throw new Error(`${path} was ${how}`);
				const lost = losses.find((loss) => loss.path === 'lineage');
				if (lost) throw new Error(lost.note);
			}
			return undefined;
		},
	};
}

/** A document is parsed as a whole, so there is nothing to copy line by line. */
const bounds = (format: FormatId): readonly [Variant, ...Variant[]] =>
	format === 'cline' ? [documentBound] : [parseBound, copyBound];

/** Into all other formats, with the way back and without. */
const large = (title: string, data: DatasetOptions, goal: Goal): Group => {
	const others = (['claude-code', 'openclaw', 'clido', 'cline'] as const).filter((format) => format !== data.format);
	return {
		title,
		data: { ...data, hugeMb: data.mb },
		variants: [...bounds(data.format), ...others.flatMap((to) => [convert(to, true, goal), convert(to, false, goal)])],
	};
};

const bounded: Goal = { ratio: 4, rssMb: 250 };

export const benchmark: Benchmark = {
	title: 'Converting sessions',
	about:
		'One session into a file of another format, as `reprise convert` does it. The way back is the source itself, in our own ' +
		'folder, compressed up to 64 MB; `--no-lineage` does without. Cline’s sessions are documents: they are held while they are ' +
		'converted into others. Many small sessions show what each costs beside its bytes: four files that are durable before anything is said.',
	groups: [
		large('Claude Code, one session of 500 MB', { format: 'claude-code', mb: 500 }, bounded),
		large('pi, one session of 500 MB', { format: 'openclaw', mb: 500, seed: 2 }, bounded),
		large('Clido, one session of 500 MB', { format: 'clido', mb: 500 }, bounded),
		large('Cline, one session of 100 MB', { format: 'cline', mb: 100 }, { ratio: 4 }),
		{
			title: 'Cline, many sessions',
			data: { format: 'cline', mb: 100, sessions: 120 },
			variants: [documentBound, convert('claude-code', true), convert('openclaw', true), convert('openclaw', false)],
		},
	],
};
