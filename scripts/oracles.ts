/** Asks the programs that run the real clients. ORACLES names their folder; without it a script can only say so and end. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

export type OracleAnswer = { readonly [field: string]: unknown };

export const oracles = process.env.ORACLES ?? '';
if (!existsSync(join(oracles, 'setup'))) {
	console.error('set ORACLES to the folder of the programs that run the real clients');
	process.exit(2);
}

/** The document that an oracle prints. A client that refuses is an answer too, and where it may hang, that as well; only an oracle that fails is not. */
export function askOracle(program: string, args: readonly string[], mayHang = false): OracleAnswer {
	const run = spawnSync(join(oracles, program), args, { encoding: 'utf8', maxBuffer: 1 << 28 });
	if (mayHang && run.status === 2 && run.stdout.includes('"timedOut": true')) return { timedOut: true };
	if (run.status !== 0 && run.status !== 3)
		throw new Error(`${program} ${args.join(' ')}: ${run.stderr || run.stdout}`);
	return JSON.parse(run.stdout) as OracleAnswer;
}
