/** Runs one variant once and prints what it cost: `node child.js NAME GROUP VARIANT`, options of the data on stdin. */
import { readFileSync } from 'node:fs';
import type { Benchmark, Sample } from './bench.ts';
import { type DatasetOptions, dataset, noData } from './dataset.ts';

const [name, group, variant] = process.argv.slice(2);
const { benchmark } = (await import(`../${name}.js`)) as { benchmark: Benchmark };
const chosen = benchmark.groups[Number(group)]?.variants[Number(variant)];
if (chosen === undefined) throw new Error(`bench/${name}.ts has no variant ${variant} in group ${group}`);
const wanted = JSON.parse(readFileSync(0, 'utf8')) as DatasetOptions | null;
const data = wanted === null ? noData : dataset(wanted);

const ofChildren = childrenCpu();
const cpu = process.cpuUsage();
const start = process.hrtime.bigint();
const answer = await chosen.run(data);
const wall = Number(process.hrtime.bigint() - start) / 1e6;
const used = process.cpuUsage(cpu);
const sample: Sample = {
	cpu:
		(chosen.inChildren ? childrenCpu() - ofChildren : 0) +
		(chosen.inChildren === true ? 0 : (used.user + used.system) / 1000),
	wall,
	rss: chosen.peak?.() ?? (process.resourceUsage().maxRSS * 1024) / 1e6,
	answer: answer ?? null,
	amount: chosen.amount?.(data) ?? null,
};
process.stdout.write(JSON.stringify(sample));

/** Milliseconds, user and system, of all processes that this one has started and seen end. Linux counts in hundredths. */
function childrenCpu(): number {
	const stat = readFileSync('/proc/self/stat', 'utf8');
	const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
	return (Number(fields[13]) + Number(fields[14])) * 10;
}
