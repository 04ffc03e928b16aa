/** Remedies for missing parents, cycles and repeated ids, shared by all formats whose lines name their parents. */
import type { JsonObject } from '../../../model/index.ts';
import { type Edits, eachRecord, lossNote, type Note, type Problem, type Remedy, type RepairFile } from './repair.ts';
import type { Link, Links } from './repair-links.ts';

export type LinksOf = (edits: Edits) => Links;

/** Mends or removes lines: `mend` returns a note for a line to remove, whose children then get its parent. */
export function mendOrRemove(
	linksOf: LinksOf,
	mend: (edits: Edits, problem: Problem, value: JsonObject) => Note | undefined,
): Remedy['mend'] {
	return (edits, problems) => {
		const gone = new Map<number, Note>();
		const each = eachRecord((_, problem, value = {}) => {
			const note = mend(edits, problem, value);
			if (note) gone.set(problem.index, note);
		});
		each(edits, problems);
		linksOf(edits).remove(gone);
	};
}

export interface ParentRules {
	/** True for a line whose parent is in another file. */
	keeps?(link: Link, links: Links): boolean;
	/** False for a line that no other may follow. */
	fits?(link: Link): boolean;
}

export function lostParents(rules: readonly string[], linksOf: LinksOf, { keeps, fits }: ParentRules = {}): Remedy {
	return {
		rules,
		does: 'A line whose parent is not in the file follows the line before it.',
		mend(edits, problems) {
			const links = linksOf(edits);
			const done = new Set<Link>();
			for (const { index, rule } of problems) {
				const link = links.at(index);
				if (!link || done.has(link) || keeps?.(link, links)) continue;
				done.add(link);
				links.hang(link, rule, fits);
			}
		},
	};
}

export function cycles(rule: string, linksOf: LinksOf): Remedy {
	return {
		rules: [rule],
		does: 'The first line of a cycle follows the line before it.',
		mend(edits, problems) {
			const links = linksOf(edits);
			for (const { index } of problems) {
				const first = links.firstOfCycle(links.at(index));
				if (!first) continue;
				links.take(first, null);
				links.hang(first, rule);
			}
		},
	};
}

export interface RepeatedIds {
	readonly rule: string;
	/** The field with a line's id. */
	readonly key: string;
	readonly linksOf: LinksOf;
	/** A free id, for the earlier of two lines that share one. */
	freshId(file: RepairFile, earlier: Link & { readonly id: string }, links: Links): string;
}

/** Gives the earlier of two lines with one id a new id, because every client uses the later. */
export function repeatedIds({ rule, key, linksOf, freshId }: RepeatedIds): Remedy {
	return {
		rules: [rule],
		does: `Of two lines with one \`${key}\` the earlier gets another, and so do the links to it.`,
		mend(edits, problems) {
			const links = linksOf(edits);
			const named = byName(links);
			for (const { index } of problems) {
				const { id } = links.at(index) ?? {};
				if (id === undefined) continue;
				for (const { earlier, later, children } of pairsUpTo(named.get(id), index)) {
					if (edits.value(earlier.index)?.[key] !== id) continue;
					const fresh = freshId(edits.file, { ...earlier, id }, links);
					const what = `gave the line another id: line ${edits.file.lines[later.index]?.line} has the same`;
					edits.set(earlier.index, [key], fresh, lossNote(rule, what, 'invented', 'an id of its own'));
					for (const link of children) {
						if (link.parent === id) links.setParent(link, fresh, { rule, what: 'follows the line under its new id' });
					}
				}
			}
		},
	};
}

/** The lines with one id and their children, in file order, and how many of both are done. */
interface Named {
	readonly links: readonly Link[];
	readonly children: readonly Link[];
	nextLink: number;
	nextChild: number;
}

function byName({ all }: Links): ReadonlyMap<string | undefined, Named> {
	const children = Map.groupBy(all, (link) => link.parent);
	const named = [...Map.groupBy(all, (link) => link.id)].map(([id, links]) => {
		const own: Named = { links, children: children.get(id ?? null) ?? [], nextLink: 0, nextChild: 0 };
		return [id, own] as const;
	});
	return new Map(named);
}

/**
 * Each line with the id, up to a record, with the next such line and the children of the earlier between them. All are
 * given at once: mending only the last would leave the next one in conflict, and a file with many would take as many
 * rounds.
 */
function* pairsUpTo(own: Named | undefined, upTo: number) {
	if (!own) return;
	for (; (own.links[own.nextLink + 1]?.index ?? upTo + 1) <= upTo; own.nextLink += 1) {
		const earlier = own.links[own.nextLink];
		const later = own.links[own.nextLink + 1];
		if (earlier && later) yield { earlier, later, children: childrenBetween(own, earlier.index, later.index) };
	}
}

function childrenBetween(own: Named, after: number, upTo: number): readonly Link[] {
	const found: Link[] = [];
	for (let child = own.children[own.nextChild]; child && child.index <= upTo; child = own.children[own.nextChild]) {
		own.nextChild += 1;
		if (child.index > after) found.push(child);
	}
	return found;
}
