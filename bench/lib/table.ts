/** Measurements as Markdown, and their place in docs/performance.md. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import type { Benchmark, Goal, Sample } from './bench.ts';
import type { Measured } from './runner.ts';

export function median(values: readonly number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	const middle = sorted.length >> 1;
	const upper = sorted[middle] ?? Number.NaN;
	return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

/** Round by round, so that a busy moment hits both sides of a ratio. */
export function ratios(samples: readonly Sample[], bound: readonly Sample[]): readonly number[] {
	return samples.map((sample, round) => sample.cpu / (bound[round]?.cpu ?? Number.NaN));
}

export function section(benchmark: Benchmark, measured: readonly Measured[], rounds: number): string {
	const machine = `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown processor'}, Node ${process.version}`;
	const how = `Medians of ${rounds} interleaved rounds, one process per sample, files in the page cache. ${machine}.`;
	return [`## ${benchmark.title}`, benchmark.about, how, ...measured.map(groupText)].join('\n\n');
}

function groupText({ group, data, samples }: Measured): string {
	const bound = samples[0] ?? [];
	const hasData = data.bytes > 0;
	const size = `${(data.bytes / 1e6).toFixed(0)} MB, ${count(data.files.length, 'file')}, ${count(data.lines, 'line')}`;
	const rows = group.variants.map((variant, index) => {
		const own = samples[index] ?? [];
		const cpu = median(own.map((sample) => sample.cpu));
		const all = ratios(own, bound);
		const ratio = median(all);
		const rss = median(own.map((sample) => sample.rss));
		const spread =
			index === 0 ? '1' : `${ratio.toFixed(2)} (${Math.min(...all).toFixed(2)}–${Math.max(...all).toFixed(2)})`;
		const wall = median(own.map((sample) => sample.wall));
		const cells = [
			variant.name,
			cpu.toFixed(0),
			wall.toFixed(0),
			hasData ? (data.bytes / 1000 / cpu).toFixed(0) : '–',
			spread,
		];
		const slower = median(own.map((sample, round) => sample.wall / (bound[round]?.wall ?? Number.NaN)));
		const amounts = amountText(variant.goal, own, bound);
		return `| ${[...cells, rss.toFixed(0), [goalText(variant.goal, ratio, slower, rss), amounts].filter(Boolean).join(', ')].join(' | ')} |`;
	});
	return [
		`### ${group.title}`,
		'',
		...(hasData ? [`${size}.`, ''] : []),
		'| variant | CPU ms | wall ms | MB per CPU second | × bound (range) | peak RSS MB | goal |',
		'|---|--:|--:|--:|--:|--:|---|',
		...rows,
	].join('\n');
}

const count = (amount: number, of: string): string => `${amount.toLocaleString('en')} ${of}${amount === 1 ? '' : 's'}`;

function goalText(goal: Goal | undefined, ratio: number, slower: number, rss: number): string {
	const mark = (met: boolean) => (met ? 'met' : '**missed**');
	const parts: string[] = [];
	if (goal?.ratio !== undefined) parts.push(`≤ ${goal.ratio}×: ${mark(ratio <= goal.ratio)}`);
	if (goal?.wallRatio !== undefined) {
		parts.push(`≤ ${goal.wallRatio}× by the clock: ${mark(slower <= goal.wallRatio)} (${slower.toFixed(3)})`);
	}
	if (goal?.rssMb !== undefined) parts.push(`≤ ${goal.rssMb} MB: ${mark(rss <= goal.rssMb)}`);
	return parts.join(', ');
}

function amountText(goal: Goal | undefined, own: readonly Sample[], bound: readonly Sample[]): string {
	if (goal?.atMost) {
		const { amount, unit } = goal.atMost;
		const is = median(own.map((sample) => sample.amount ?? Number.NaN));
		return `≤ ${amount} ${unit}: ${is <= amount ? 'met' : '**missed**'} (${is.toFixed(1)})`;
	}
	if (goal?.amount === undefined) return '';
	const [mine, theirs] = [own, bound].map((list) => median(list.map((sample) => sample.amount ?? Number.NaN)));
	const { ratio, unit } = goal.amount;
	const share = (mine ?? Number.NaN) / (theirs ?? Number.NaN);
	const told = `${share.toFixed(3)}: ${mine?.toFixed(1)} of ${theirs?.toFixed(1)} ${unit}`;
	return `≤ ${ratio}× in ${unit}: ${share <= ratio ? 'met' : '**missed**'} (${told})`;
}

const opening = `# Performance

Each section is written by \`npm run bench -- NAME\`. CPU is user and system time of all threads from the start of the
work to its end; starting Node and loading modules is not in it. The bound is what the simplest correct reader pays.
Differences below a quarter are noise on most machines.
`;

/** Replaces the section of `name` in the document at `path`, or adds it at the end. */
export function writeSection(path: string, name: string, text: string): void {
	const before = existsSync(path) ? readFileSync(path, 'utf8') : opening;
	writeFileSync(path, withSection(before, name, text));
}

export function withSection(document: string, name: string, text: string): string {
	const start = `<!-- bench:${name} -->`;
	const end = `<!-- /bench:${name} -->`;
	const block = `${start}\n${text}\n${end}`;
	const from = document.indexOf(start);
	const to = document.indexOf(end, from);
	if (from === -1 || to === -1) return `${document.trimEnd()}\n\n${block}\n`;
	return document.slice(0, from) + block + document.slice(to + end.length);
}
