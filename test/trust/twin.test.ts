/** The tools do what those of the real Claude Code did: its recorded answers against our own command, without the clients. */
import { describe, expect, it } from 'vitest';
import { play, recorded, twinCases, unlike } from '../support/twin.ts';

describe('files, exit codes and failed calls are those of one of two versions of Claude Code', () => {
	it.each(twinCases())('%s', async (name) => {
		const real = Object.values(recorded(name));
		expect(real.length).toBeGreaterThan(0);
		expect(unlike(await play(name), real)).toEqual([]);
	});
});
