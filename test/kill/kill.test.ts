/** Writers that are killed while they append, in all four formats. `npm run test:kill` does it ten thousand times. */
import { afterAll, describe, expect, test } from 'vitest';
import { formats } from '../support/sessions.ts';
import { forgetCompiled, killWriters } from './rounds.ts';

const kills = Number(process.env.REPRISE_KILLS ?? 120) / formats.length;
const seed = Number(process.env.REPRISE_SEED ?? 1);

afterAll(forgetCompiled);

describe.concurrent('a writer that is killed while it appends', () => {
	test.each(formats)(
		'loses nothing that it acknowledged, hides nothing, and the session goes on: %s',
		async (format) => {
			const done = await killWriters(format, kills, seed);
			expect(done.kills).toBe(kills);
			expect(done.found).toBeGreaterThanOrEqual(done.acknowledged);
			expect(done.acknowledged).toBeGreaterThan(kills / 4);
			// The point of it: lines were torn. A document is put in place whole or not at all.
			if (format === 'cline') expect(done.torn).toBe(0);
			else expect(done.torn).toBeGreaterThan(kills / 4);
		},
		kills * 5_000,
	);
});
