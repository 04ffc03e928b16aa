/** `reprise allowed` as its users start it. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Judgement } from '../../src/agent/permissions/index.ts';

const bin = join(import.meta.dirname, '../../bin/reprise.js');

export interface AllowedPlace {
	readonly cwd: string;
	readonly home: string;
	readonly env?: { readonly [name: string]: string };
}

export interface AllowedEnd {
	readonly code: number | null;
	readonly out: string;
	readonly err: string;
}

export function runAllowed(args: readonly string[], { cwd, home, env = {} }: AllowedPlace): AllowedEnd {
	const { status, stdout, stderr } = spawnSync(process.execPath, [bin, 'allowed', ...args], {
		cwd,
		env: { PATH: process.env.PATH, HOME: home, REPRISE_HOME: join(home, '.reprise'), NO_COLOR: '1', ...env },
		encoding: 'utf8',
		maxBuffer: 64 * 1024 * 1024,
	});
	return { code: status, out: stdout, err: stderr };
}

/** The answers to a file of cases, in order. */
export function allowedCases(file: string, place: AllowedPlace): readonly Judgement[] {
	const { code, out, err } = runAllowed(['--cases', file], place);
	if (code !== 0) throw new Error(err);
	return out
		.split('\n')
		.filter((line) => line !== '')
		.map((line) => JSON.parse(line) as Judgement);
}
