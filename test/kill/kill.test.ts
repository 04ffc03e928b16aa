/** Writers that are killed while they append, in all four formats. `npm run test:kill` does it ten thousand times. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formats } from '../support/sessions.ts';
import { type Program, programOf } from '../support/writers.ts';
import { killWriters } from './rounds.ts';

const kills = Math.ceil(Number(process.env.REPRISE_KILLS ?? 120) / formats.length);
const seed = Number(process.env.REPRISE_SEED ?? 1);

let writers: Program;
beforeAll(async () => {
	writers = await programOf(join(import.meta.dirname, 'child.ts'));
});
afterAll(() => writers[Symbol.dispose]());

describe.concurrent('a writer that is killed while it appends', () => {
	test.each(formats)(
		'loses nothing that it acknowledged, hides nothing, and the session goes on: %s',
		async (format) => {
			const done = await killWriters(writers, format, kills, seed);
			expect(done.kills).toBe(kills);
			expect(done.found).toBeGreaterThanOrEqual(done.acknowledged);
			expect(done.acknowledged).toBeGreaterThan(kills / 4);
			expect(done.begun).toBeGreaterThan(0);
			// The point of it: lines were torn. A document is put in place whole or not at all, as every new session is.
			if (format !== 'cline') expect(done.torn).toBeGreaterThan(kills / 4);
		},
		60_000 + kills * 5_000,
	);
});
