/** Mends the tree of pi's files: ids, parents, cycles, and what a compaction keeps. */
import { stringAt } from '../../model/index.ts';
import { deriveHex } from '../derive.ts';
import { Edits, type Remedy } from '../repair.ts';
import { linksOf } from './repair-thread.ts';

export const idRemedy: Remedy = {
	rules: ['openclaw/id-missing'],
	does: 'A line without an id gets one.',
	mend(file, problems) {
		const edits = new Edits(file);
		const links = linksOf(edits);
		for (const { index = -1, rule } of problems) {
			const id = freshId(file.options.id, String(index), (one) => links.get(one) !== undefined);
			edits.set(index, ['id'], id, {
				rule,
				what: 'gave the line an id',
				lost: { path: 'id', how: 'invented', note: 'the id of the line' },
			});
		}
		return edits.done();
	},
};

/** Eight hex digits, as pi has them. */
export function freshId(session: string, of: string, taken: (id: string) => boolean): string {
	for (let turn = 0; ; turn += 1) {
		const id = deriveHex(8, 'repaired line', session, of, String(turn));
		if (!taken(id)) return id;
	}
}

export const repeatedIdRemedy: Remedy = {
	rules: ['openclaw/id-repeated'],
	does: 'Of two lines with one id the earlier gets another, and so do the links to it.',
	mend(file, problems) {
		const edits = new Edits(file);
		const links = linksOf(edits);
		for (const { index = -1, rule } of problems) {
			const later = links.at(index);
			const earlier = links.all.findLast((link) => link.id === later?.id && link.index < index);
			if (!later?.id || !earlier || edits.value(earlier.index)?.id !== later.id) continue;
			const id = freshId(file.options.id, `${later.id} ${earlier.index}`, (one) => links.get(one) !== undefined);
			edits.set(earlier.index, ['id'], id, {
				rule,
				what: `gave the line another id: line ${file.lines[index]?.line} has the same`,
				lost: { path: 'id', how: 'invented', note: 'an id of its own' },
			});
			for (const link of links.all) {
				const between = link.index > earlier.index && link.index <= index;
				if (between && link.parent === later.id)
					links.setParent(link, id, { rule, what: 'follows the line under its new id' });
			}
		}
		return edits.done();
	},
};

export const parentRemedy: Remedy = {
	rules: ['openclaw/parent-invalid', 'openclaw/parent-missing'],
	does: 'A line whose parent is not in the file follows the line before it.',
	mend(file, problems) {
		const edits = new Edits(file);
		const links = linksOf(edits);
		for (const { index = -1, rule } of problems) {
			const link = links.at(index);
			if (link) links.hang(link, rule);
		}
		return edits.done();
	},
};

export const cycleRemedy: Remedy = {
	rules: ['openclaw/parent-cycle'],
	does: 'The first line of a cycle follows the line before it.',
	mend(file, problems) {
		const edits = new Edits(file);
		const links = linksOf(edits);
		for (const { index = -1, rule } of problems) {
			const first = links.firstOfCycle(links.at(index));
			if (!first) continue;
			first.parent = null;
			links.hang(first, rule);
		}
		return edits.done();
	},
};

export const keptRemedy: Remedy = {
	rules: ['openclaw/compaction-kept'],
	does: 'A compaction that keeps what is not there keeps nothing, and says so.',
	mend(file, problems) {
		const edits = new Edits(file);
		for (const { index = -1, rule } of problems) {
			const id = stringAt(file.lines[index]?.value ?? {}, 'id');
			if (id === undefined) continue;
			edits.set(index, ['firstKeptEntryId'], id, {
				rule,
				what: 'the compaction keeps nothing of what came before, as the client has it anyway',
				lost: { path: 'firstKeptEntryId', how: 'approximated', note: 'what the compaction kept is not on its branch' },
			});
		}
		return edits.done();
	},
};
