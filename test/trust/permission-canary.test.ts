/** Five hundred commands, made from what rules allow, and run for real: what nobody allowed does not happen. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allowedCases } from '../support/allowed.ts';
import { type CanaryCase, CanaryFolder, canaryCases } from '../support/canary.ts';
import { type Scratch, scratchMachine } from '../support/scratch.ts';

const count = 500;
const tried = 100;
const seed = Number(process.env.REPRISE_SEED ?? 16);

interface Ran extends CanaryCase {
	readonly decision: string;
	readonly damage: readonly string[];
}

let scratch: Scratch;
let total: number;
let allowed: readonly Ran[];
/** How many of those that were not allowed, and tried all the same, did harm. */
let harmful: number;

beforeAll(() => {
	scratch = scratchMachine();
	const folder = new CanaryFolder(scratch.root);
	const cases = canaryCases(count, seed);
	const file = join(scratch.root, 'cases.jsonl');
	writeFileSync(file, cases.map((one) => JSON.stringify(one)).join('\n'));
	const answers = allowedCases(file, { cwd: folder.project, home: folder.root });
	const decided = cases.map((one, index) => ({ ...one, decision: answers[index]?.decision ?? 'nothing' }));
	const refused = decided.filter(({ decision }) => decision !== 'allow').slice(0, tried);
	total = decided.length;
	allowed = decided
		.filter(({ decision }) => decision === 'allow')
		.map((one) => ({ ...one, damage: folder.damage(one) }));
	harmful = refused.filter((one) => folder.damage(one).length > 0).length;
}, 120_000);
afterAll(() => scratch[Symbol.dispose]());

describe('commands that are run for real', () => {
	it('no canary is touched without an allow of it', () => {
		const harmed = allowed.filter(({ damage }) => damage.length > 0);
		expect(harmed.map(({ mode, input, damage }) => ({ mode, command: input.command, damage }))).toEqual([]);
	});

	it('there are enough of both: commands that may run, and commands that would have done harm', () => {
		expect(total).toBe(count);
		expect(allowed.length).toBeGreaterThan(60);
		expect(harmful).toBeGreaterThan(tried / 2);
	});
});
