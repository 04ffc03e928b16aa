/** One line out of a tree, the quick way where there is one. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Entry, history, inGraph, lastInGraph } from '../../../model/index.ts';
import { chainOf } from './order.ts';

const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');

/** Mostly chains, with all that may break one. */
const entries = fc
	.array(
		fc.record({
			id,
			how: fc.constantFrom('follow', 'follow', 'follow', 'follow', 'logical', 'other', 'root', 'beside', 'leaf'),
			other: id,
			named: fc.boolean(),
		}),
		{ maxLength: 6 },
	)
	.map((plans) => {
		const made: Entry[] = [];
		plans.forEach(({ id, how, other, named }, index) => {
			const own = named ? id : `n${index}`;
			const last = made.findLast(inGraph)?.id ?? null;
			const base = { id: own, records: [] };
			if (how === 'leaf') made.push({ ...base, kind: 'leaf', target: named ? other : last });
			else if (how === 'beside') made.push({ ...base, kind: 'setting', set: {} });
			else {
				const parent = how === 'other' ? other : how === 'follow' ? last : null;
				const logical = how === 'logical' && last !== null ? { logicalParent: last } : {};
				made.push({ ...base, ...logical, kind: 'message', role: 'user', content: [], parent });
			}
		});
		return made;
	});

it('a chain is the whole history, and all of the conversation is in it', () => {
	let chains = 0;
	fc.assert(
		fc.property(entries, (list) => {
			const leaf = lastInGraph(list);
			const chain = chainOf(list, leaf);
			if (!chain) return;
			chains += 1;
			expect(chain).toEqual(list.filter(inGraph));
			expect(chain).toEqual(history({ entries: list }, leaf));
		}),
		{ numRuns: 3000 },
	);
	expect(chains).toBeGreaterThan(300);
});
