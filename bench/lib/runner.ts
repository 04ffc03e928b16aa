/** Measures: variants in turn, round by round, each sample in a process of its own. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Group, Sample } from './bench.ts';
import { benchFolder, type Dataset, type DatasetOptions, dataset, noData } from './dataset.ts';

const root = join(import.meta.dirname, '../..');

/**
 * Compiles src and bench to plain JavaScript and returns the folder, which the caller removes. Children that strip types themselves would need
 * 18 MB more memory and some time for it, and the numbers would be those of no user.
 */
export function compileBench(name: string): string {
	mkdirSync(benchFolder(), { recursive: true });
	const out = mkdtempSync(join(benchFolder(), 'build-'));
	copyFileSync(join(root, 'package.json'), join(out, 'package.json'));
	symlinkSync(join(root, 'node_modules'), join(out, 'node_modules'), 'dir');
	const compiler = join(root, 'node_modules/typescript/bin/tsc');
	const done = spawnSync(process.execPath, [compiler, '-p', join(root, 'bench/tsconfig.json'), '--outDir', out], {
		encoding: 'utf8',
	});
	// Errors elsewhere are the business of `npm run check`; what was emitted runs.
	if (!existsSync(join(out, `bench/${name}.js`))) throw new Error(`bench/ does not compile:\n${done.stdout}`);
	return out;
}

export interface Measured {
	readonly group: Group;
	readonly data: Dataset;
	/** Per variant, one sample per round. */
	readonly samples: readonly (readonly Sample[])[];
	/** Names of the variants whose answer differs from the bound's. */
	readonly wrong: readonly string[];
}

export interface MeasureOptions {
	readonly build: string;
	readonly name: string;
	readonly rounds: number;
	readonly mb?: number;
	progress(text: string): void;
}

export function measure(group: Group, index: number, options: MeasureOptions): Measured {
	const wanted = group.data && options.mb !== undefined ? resized(group.data, options.mb) : group.data;
	if (wanted) options.progress(`${group.title}: preparing data`);
	const data = wanted ? dataset(wanted) : noData;
	const samples: Sample[][] = group.variants.map(() => []);
	// Once for nothing: the first to read would otherwise pay for filling the page cache.
	sample(options, index, 0, wanted);
	for (let round = 0; round < options.rounds; round += 1) {
		for (const [variant, { name }] of group.variants.entries()) {
			options.progress(`${group.title}: round ${round + 1} of ${options.rounds}, ${name}`);
			samples[variant]?.push(sample(options, index, variant, wanted));
		}
	}
	const answers = samples.map((list) => list[0]?.answer ?? null);
	const right = answers.find((answer) => answer !== null);
	const wrong = group.variants.filter((_, variant) => answers[variant] !== null && answers[variant] !== right);
	return { group, data, samples, wrong: wrong.map((variant) => variant.name) };
}

function resized(data: DatasetOptions, mb: number): DatasetOptions {
	return { ...data, mb, ...(data.hugeMb ? { hugeMb: (data.hugeMb * mb) / data.mb } : {}) };
}

function sample({ build, name }: MeasureOptions, group: number, variant: number, data?: DatasetOptions): Sample {
	// Node parses that bundle at every start, which has nothing to do with what is measured.
	const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
	const child = join(build, 'bench/lib/child.js');
	const done = spawnSync(process.execPath, [child, name, String(group), String(variant)], {
		env,
		input: JSON.stringify(data ?? null),
		encoding: 'utf8',
		stdio: ['pipe', 'pipe', 'inherit'],
	});
	if (done.status !== 0)
		throw new Error(`variant ${variant} of group ${group} failed with ${done.status ?? done.signal}`);
	return JSON.parse(done.stdout) as Sample;
}
