/** Starting: how much more than an empty Node does the command line cost before it does anything? */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Benchmark, Goal, Variant } from './lib/bench.ts';

const starts = 20;

/** The command line as it is built in this folder. */
const program = join(process.cwd(), 'bin/reprise.js');

const start = (name: string, args: readonly string[], goal?: Goal): Variant => ({
	name,
	inChildren: true,
	...(goal ? { goal } : {}),
	run() {
		for (let i = 0; i < starts; i += 1) {
			const done = spawnSync(process.execPath, args, { encoding: 'utf8' });
			if (done.status !== 0) throw new Error(`${name} ended with ${done.status ?? done.signal}: ${done.stderr}`);
		}
		return undefined;
	},
});

export const benchmark: Benchmark = {
	title: 'Starting',
	about: `CPU time of ${starts} processes, one after the other, from start to end. Peak memory is that of the process that starts them.`,
	groups: [
		{
			title: 'Command line',
			variants: [
				start('node -e 0', ['-e', '0']),
				start('reprise --version', [program, '--version'], { ratio: 1.5 }),
				start('reprise --help', [program, '--help']),
				start('reprise inspect, a small session', [
					program,
					'inspect',
					join(process.cwd(), 'samples/claude-code.jsonl'),
				]),
			],
		},
	],
};
