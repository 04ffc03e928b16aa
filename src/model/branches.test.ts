/** Branches by positions are those that following the ids one by one finds. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Branch, BranchFinder, branches } from './branches.ts';
import type { Entry } from './entry.ts';
import { byId, children, history, leaves } from './graph.ts';

/** What a branch is, word for word: from each leaf up to where it is no longer alone. */
function walked(entries: readonly Entry[]): readonly Branch[] {
	const known = byId({ entries });
	const below = children({ entries });
	const found: Branch[] = [];
	for (const leaf of leaves({ entries })) {
		const seen = new Set<string>();
		let speaks = false;
		let at: string | null = leaf;
		while (at !== null && !seen.has(at)) {
			seen.add(at);
			const entry = known.get(at);
			if (!entry) break;
			speaks ||= entry.kind === 'message' && (entry.role === 'assistant' || entry.content.length > 0);
			const { parent, logicalParent }: Entry = entry;
			const real = parent != null && known.has(parent) ? parent : undefined;
			at = real ?? (logicalParent !== undefined && known.has(logicalParent) ? logicalParent : null);
			if ((below.get(at)?.length ?? 0) > 1) break;
		}
		if (speaks && known.get(leaf)?.agent === undefined) found.push({ leaf, from: at });
	}
	return found;
}

const id = fc.nat(9).map((number) => `e${number}`);
const entry = fc
	.record({
		id,
		parent: fc.option(fc.oneof({ weight: 5, arbitrary: id }, fc.constant(null)), { nil: undefined, freq: 8 }),
		logicalParent: fc.option(id, { nil: undefined }),
		agent: fc.option(fc.constant('agent'), { nil: undefined, freq: 1 }),
		says: fc.constantFrom('user', 'assistant', 'result', 'nothing'),
	})
	.map(({ says, ...place }): Entry => {
		const base = Object.fromEntries(Object.entries(place).filter(([, value]) => value !== undefined));
		const made = { ...base, id: place.id, records: [] };
		if (says === 'nothing') return { ...made, kind: 'opaque', type: '' };
		if (says === 'assistant') return { ...made, kind: 'message', role: 'assistant', content: [] };
		return { ...made, kind: 'message', role: 'user', content: says === 'user' ? [{ type: 'text', text: '' }] : [] };
	});

describe('branches', () => {
	it('are found in any order of entries, with equal ids, gaps and circles', () => {
		fc.assert(
			fc.property(fc.array(entry, { maxLength: 14 }), (entries) => {
				expect(branches({ entries })).toEqual(walked(entries));
			}),
			{ numRuns: 3000 },
		);
	});

	it('and the way to any entry, too', () => {
		fc.assert(
			fc.property(fc.array(entry, { maxLength: 14 }), id, (entries, leaf) => {
				const finder = new BranchFinder();
				for (const one of entries) finder.add(one);
				const ids = finder.history(leaf).map((position) => finder.idOf(position));
				expect(ids).toEqual(history({ entries }, leaf).map((one) => one.id));
			}),
			{ numRuns: 3000 },
		);
	});
});
