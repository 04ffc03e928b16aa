/** The scanner alone: how much cheaper is it to find the envelope fields than to parse every line? */
import { openFile } from '../src/log/file-source.ts';
import { createScanner, doubtFlags, planPaths, type ScanPlan, scanSource } from '../src/scan/index.ts';
import type { Benchmark, Group, Variant } from './lib/bench.ts';
import { parseBound, readBound } from './lib/bounds.ts';
import type { DatasetOptions } from './lib/dataset.ts';

const claudePlan = planPaths([
	'type',
	'subtype',
	'uuid',
	'parentUuid',
	'logicalParentUuid',
	'timestamp',
	'isSidechain',
	'requestId',
	'message.id',
	'message.role',
	'message.model',
	'message.usage',
]);
const piPlan = planPaths(['type', 'id', 'parentId', 'timestamp', 'message.role', 'message.model', 'message.usage']);

/** Counts the lines that are not in doubt and have a type. */
function scanWith(engine: 'wasm' | 'js', plan: ScanPlan, goal?: Variant['goal']): Variant {
	return {
		name: `scan, ${engine === 'wasm' ? 'WebAssembly' : 'JavaScript'}, ${plan.paths.length} fields`,
		...(goal ? { goal } : {}),
		run({ files }) {
			const scanner = createScanner(plan, { engine });
			let lines = 0;
			for (const path of files) {
				using source = openFile(path);
				scanSource(source, scanner, ({ count, flags, to }) => {
					const types = to[0];
					for (let row = 0; row < count; row += 1) {
						if (((flags[row] as number) & doubtFlags) === 0 && types?.[row] !== 0) lines += 1;
					}
				});
			}
			return lines;
		},
	};
}

const group = (title: string, data: DatasetOptions, plan: ScanPlan): Group => ({
	title,
	data,
	variants: [parseBound, readBound, scanWith('wasm', plan, { ratio: 0.2 }), scanWith('js', plan)],
});

export const benchmark: Benchmark = {
	title: 'Scanner',
	about:
		'Finding line bounds and envelope fields without parsing, reading included. The scanner checks structure, not ' +
		'validity. JavaScript takes over where WebAssembly has no SIMD.',
	groups: [
		group('Claude Code sessions', { format: 'claude-code', mb: 100, sessions: 120 }, claudePlan),
		group('pi sessions', { format: 'openclaw', mb: 100, sessions: 120, seed: 2 }, piPlan),
	],
};
