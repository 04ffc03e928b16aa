/** Answers stay the same while sessions grow: what was found is found again, at the same place. */
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { diskAccess } from '../../../test/support/catalog.ts';
import { sampleOf } from '../../../test/support/sessions.ts';
import { loadPrices } from '../cost/prices.ts';
import { Catalog } from './catalog.ts';

const scratch = mkdtempSync(join(tmpdir(), 'reprise-growing-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

let made = 0;

it('a hit is found again while its session grows, by whole lines and by parts of them', async () => {
	const prices = loadPrices();
	const whole = readFileSync(sampleOf['claude-code']);
	const size = fc.integer({ min: 1, max: Math.ceil(whole.length / 3) });
	fc.assert(
		fc.property(
			fc.array(size, { minLength: 1, maxLength: 8 }),
			fc.constantFrom('parse', 'test', '"empty input"', 'fix'),
			(sizes, words) => {
				made += 1;
				const path = join(scratch, `${made}.jsonl`);
				writeFileSync(path, '');
				using catalog = new Catalog({
					path: join(scratch, `${made}.sqlite`),
					access: diskAccess,
					warn: () => undefined,
				});
				const session = { path, id: 's', agent: 'claude-code', format: 'claude-code' as const };
				const found = (): readonly string[] => {
					catalog.index([session], prices);
					return catalog
						.search(words, { limit: 100 })
						.hits.map((hit) => `${hit.offset} ${hit.entry} ${hit.role} ${hit.snippet}`);
				};
				let before: readonly string[] = [];
				let at = 0;
				for (const length of [...sizes, whole.length]) {
					appendFileSync(path, whole.subarray(at, at + length));
					at += length;
					const now = found();
					expect(now).toEqual(expect.arrayContaining([...before]));
					before = now;
				}
				expect(before.length).toBeGreaterThan(0);
			},
		),
		{ numRuns: 25 },
	);
});
