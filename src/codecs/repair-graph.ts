/** Remedies for lines that name their parents: one rule for every format that has them. */
import { Edits, type Remedy, type RepairFile } from './repair.ts';
import type { Link, Links } from './repair-links.ts';

export type LinksOf = (edits: Edits) => Links;

export interface ParentRules {
	/** True for a line that has its parent in another file. */
	keeps?(link: Link, links: Links): boolean;
	/** False for a line that others must not follow. */
	fits?(link: Link): boolean;
}

export function lostParents(rules: readonly string[], linksOf: LinksOf, { keeps, fits }: ParentRules = {}): Remedy {
	return {
		rules,
		does: 'A line whose parent is not in the file follows the line before it.',
		mend(file, problems) {
			const edits = new Edits(file);
			const links = linksOf(edits);
			const done = new Set<Link>();
			for (const { index = -1, rule } of problems) {
				const link = links.at(index);
				if (!link || done.has(link) || keeps?.(link, links)) continue;
				done.add(link);
				links.hang(link, rule, fits);
			}
			return edits.done();
		},
	};
}

export function cycles(rule: string, linksOf: LinksOf): Remedy {
	return {
		rules: [rule],
		does: 'The first line of a cycle follows the line before it.',
		mend(file, problems) {
			const edits = new Edits(file);
			const links = linksOf(edits);
			for (const { index = -1 } of problems) {
				const first = links.firstOfCycle(links.at(index));
				if (!first) continue;
				first.parent = null;
				links.hang(first, rule);
			}
			return edits.done();
		},
	};
}

export interface RepeatedIds {
	readonly rule: string;
	/** The field that holds a line's id. */
	readonly key: string;
	readonly linksOf: LinksOf;
	/** An id that no line has, for the earlier of two with the same. */
	freshId(file: RepairFile, earlier: Link & { readonly id: string }, links: Links): string;
}

/** The later of two lines counts, to every client: so it is the earlier one that gets another id. */
export function repeatedIds({ rule, key, linksOf, freshId }: RepeatedIds): Remedy {
	return {
		rules: [rule],
		does: `Of two lines with one \`${key}\` the earlier gets another, and so do the links to it.`,
		mend(file, problems) {
			const edits = new Edits(file);
			const links = linksOf(edits);
			for (const { index = -1 } of problems) {
				const { id } = links.at(index) ?? {};
				const earlier = links.all.findLast((link) => link.id === id && link.index < index);
				if (id === undefined || !earlier || edits.value(earlier.index)?.[key] !== id) continue;
				const fresh = freshId(file, { ...earlier, id }, links);
				edits.set(earlier.index, [key], fresh, {
					rule,
					what: `gave the line another id: line ${file.lines[index]?.line} has the same`,
					lost: { path: key, how: 'invented', note: 'an id of its own' },
				});
				for (const link of links.all) {
					const between = link.index > earlier.index && link.index <= index;
					if (between && link.parent === id)
						links.setParent(link, fresh, { rule, what: 'follows the line under its new id' });
				}
			}
			return edits.done();
		},
	};
}
