/**
 * Benchmarks: `npm run bench -- NAME [--rounds N] [--mb N]` measures what bench/NAME.ts describes, prints a table and
 * puts it into docs/performance.md (with `--mb`, a quick look at another size, it is only printed).
 *
 * To add one, write bench/NAME.ts with `export const benchmark: Benchmark = { title, about, groups }`. A group names its
 * data (lib/dataset.ts makes sessions of the four formats and keeps them under REPRISE_BENCH_DIR, default in the
 * temporary folder) and its variants; the first variant is the bound (lib/bounds.ts has the usual ones), the others may
 * have goals. `run(data)` of a variant gets the files and returns an answer that must be equal for all variants of its
 * group, or undefined. It runs in a child process, compiled to JavaScript, and only `run` is timed; so import what is
 * measured at the top, from '../src/…'.
 */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Benchmark } from './lib/bench.ts';
import { compileBench, type Measured, measure } from './lib/runner.ts';
import { section, writeSection } from './lib/table.ts';

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: { rounds: { type: 'string', default: '5' }, mb: { type: 'string' } },
});
const [name] = positionals;
const rounds = Number(values.rounds);
const mb = values.mb === undefined ? undefined : Number(values.mb);
if (name === undefined || !existsSync(join(import.meta.dirname, `${name}.ts`)) || name === 'run' || !(rounds >= 1)) {
	console.error('usage: npm run bench -- NAME [--rounds N] [--mb N], where bench/NAME.ts exists');
	process.exit(2);
}
if (mb !== undefined && !(mb > 0)) {
	console.error(`--mb wants a number of megabytes, not "${values.mb}"`);
	process.exit(2);
}

const { benchmark } = (await import(`./${name}.ts`)) as { benchmark: Benchmark };
const progress = (text: string) => console.error(text);
progress('compiling');
const build = compileBench(name);
const options = { build, name, rounds, progress, ...(mb === undefined ? {} : { mb }) };
let measured: readonly Measured[];
try {
	measured = benchmark.groups.map((group, index) => measure(group, index, options));
} finally {
	rmSync(build, { recursive: true, force: true });
}
const text = section(benchmark, measured, rounds);
console.log(text);
const wrong = measured.flatMap((item) => item.wrong.map((variant) => `${item.group.title}: ${variant}`));
if (wrong.length > 0) {
	console.error(`These variants answer differently from the others of their group:\n${wrong.join('\n')}`);
	process.exit(1);
}
if (mb === undefined) writeSection(join(import.meta.dirname, '../docs/performance.md'), name, text);
