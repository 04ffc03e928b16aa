/** Mends the tree of pi's files: ids, parents, cycles, and what a compaction keeps. */
import { stringAt } from '../../../model/index.ts';
import { each, lossNote, type Remedy } from '../../shared/check/repair.ts';
import { cycles, lostParents, repeatedIds } from '../../shared/check/repair-graph.ts';
import { deriveHex } from '../../shared/write/derive.ts';
import { linksOf } from './repair-thread.ts';

export const idRemedy: Remedy = {
	rules: ['openclaw/id-missing'],
	does: 'A line without an id gets one.',
	mend(edits, problems) {
		const links = linksOf(edits);
		for (const { index, rule } of problems) {
			const id = freshId(edits.file.options.id, String(index), (one) => links.get(one) !== undefined);
			edits.set(index, ['id'], id, lossNote(rule, 'gave the line an id', 'invented', 'the id of the line'));
		}
	},
};

/** A free id of eight hex digits, as pi makes them. */
export function freshId(session: string, of: string, taken: (id: string) => boolean): string {
	for (let turn = 0; ; turn += 1) {
		const id = deriveHex(8, 'repaired line', session, of, String(turn));
		if (!taken(id)) return id;
	}
}

export const repeatedIdRemedy = repeatedIds({
	rule: 'openclaw/id-repeated',
	key: 'id',
	linksOf,
	freshId: ({ options }, { id, index }, links) =>
		freshId(options.id, `${id} ${index}`, (one) => links.get(one) !== undefined),
});

export const parentRemedy = lostParents(
	['openclaw/parent-invalid', 'openclaw/parent-missing', 'openclaw/first-parent'],
	linksOf,
);

export const cycleRemedy = cycles('openclaw/parent-cycle', linksOf);

export const keptRemedy: Remedy = {
	rules: ['openclaw/compaction-kept'],
	does: 'A compaction that keeps what is not there keeps nothing, and says so.',
	mend: each((edits, { index, rule }, value = {}) => {
		const id = stringAt(value, 'id');
		if (id === undefined) return;
		const what = 'the compaction keeps nothing of what came before, as the client has it anyway';
		const note = lossNote(rule, what, 'approximated', 'what the compaction kept is not on its branch');
		edits.set(index, ['firstKeptEntryId'], id, note);
	}),
};
