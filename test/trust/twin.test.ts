/** The tools do what those of the real Claude Code did: its recorded answers against our own command, without the clients. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { knownDifferences, otherTexts, play, recorded, twinCases, unlike } from '../support/twin.ts';

const followed = '2.1.29';

describe('files, exit codes and failed calls are those of one of two versions of Claude Code', () => {
	it.each(twinCases())('%s', async (name) => {
		const real = recorded(name);
		const ours = await play(name);
		expect(unlike(ours, Object.values(real))).toEqual([]);
		// What the model is told is what 2.1.29 tells it, but for what docs/tools.md explains.
		const older = real[followed];
		expect(older?.texts).toBeDefined();
		const known = Object.keys(knownDifferences()[name] ?? {});
		expect(older && [...otherTexts(ours, older)].sort()).toEqual(known.sort());
	});
});

it('every text that differs is of a kind that docs/tools.md names', () => {
	const page = readFileSync(join(import.meta.dirname, '../../docs/tools.md'), 'utf8');
	const all = Object.values(knownDifferences()).flatMap((calls) => Object.values(calls));
	const kinds = new Set(all.map((kind) => kind.replace(/^What follows from: /, '')));
	expect([...kinds].filter((kind) => !page.includes(`\n| ${kind} |`))).toEqual([]);
});
