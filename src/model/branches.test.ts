/** Branches found by positions equal those found by following ids one by one. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Branch, BranchFinder, branches } from './branches.ts';
import type { Entry } from './entry.ts';
import { byId, children, history, leaves } from './graph.ts';

/** The ids from an entry up to its root, itself first. */
function wayUp(entries: readonly Entry[], id: string): readonly string[] {
	return history({ entries }, id)
		.map((one) => one.id)
		.reverse();
}

/** The line of a reply that an entry, itself a line of a reply, hangs on. */
function replyAbove(known: readonly Entry[], entries: readonly Entry[], id: string): string | undefined {
	const isReply = (entry?: Entry) => entry?.kind === 'message' && entry.role === 'assistant';
	const [at, above] = wayUp(entries, id).map((one) => known.findIndex((entry) => entry.id === one));
	const line = known[at ?? -1];
	const before = known[above ?? -1];
	if (above === undefined || above > (at ?? -1) || !isReply(line) || !isReply(before)) return undefined;
	return (line?.agent === undefined) === (before?.agent === undefined) ? before?.id : undefined;
}

/** The line before one in the same reply, if no other reply hangs on it. */
function lineBefore(entries: readonly Entry[], id: string): string | undefined {
	const known = [...byId({ entries }).values()];
	const above = replyAbove(known, entries, id);
	const siblings = known.filter((one) => replyAbove(known, entries, one.id) === above);
	return siblings.length === 1 ? above : undefined;
}

/** The ids of lines that only continue a reply, where more is said after another line of it. */
function linesOnly(entries: readonly Entry[]): ReadonlySet<string> {
	const known = byId({ entries });
	const firstLine = (id: string): string => {
		const before = lineBefore(entries, id);
		return before === undefined ? id : firstLine(before);
	};
	const answered = new Set<string>();
	for (const { id } of known.values()) {
		if (!speech(known.get(id)) || lineBefore(entries, id) !== undefined) continue;
		const [, ...above] = wayUp(entries, id);
		for (const one of above) answered.add(one);
		if (isRound(entries, id)) answered.add(id);
	}
	const ids = [...known.keys()].filter((id) => lineBefore(entries, id) !== undefined);
	return new Set(ids.filter((id) => answered.has(firstLine(id))));
}

/** True when the walk up from an entry comes back to it. */
function isRound(entries: readonly Entry[], id: string): boolean {
	const known = byId({ entries });
	return aboveOf(known, known.get(wayUp(entries, id).at(-1) ?? '')) === id;
}

/** What an entry follows: its parent if that exists, else its parent through a compaction. */
function aboveOf(known: ReadonlyMap<string, Entry>, entry: Entry | undefined): string | null {
	const { parent, logicalParent } = entry ?? {};
	if (parent != null && known.has(parent)) return parent;
	return logicalParent !== undefined && known.has(logicalParent) ? logicalParent : null;
}

function speech(entry: Entry | undefined): boolean {
	return entry?.kind === 'message' && (entry.role === 'assistant' || entry.content.length > 0);
}

/** The definition of a branch, written plainly: from each leaf up to where it is no longer alone. */
function walked(entries: readonly Entry[]): readonly Branch[] {
	const known = byId({ entries });
	const below = children({ entries });
	const silent = linesOnly(entries);
	const found: Branch[] = [];
	for (const leaf of leaves({ entries })) {
		const seen = new Set<string>();
		let speaks = false;
		let at: string | null = leaf;
		while (at !== null && !seen.has(at)) {
			seen.add(at);
			const entry = known.get(at);
			if (!entry) break;
			speaks ||= speech(entry) && !silent.has(entry.id);
			at = aboveOf(known, entry);
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

	it('what is told has all lines and results of the replies on the way, and no other attempt', () => {
		const line = (id: string, parent: string): Entry => ({
			id,
			parent,
			kind: 'message',
			role: 'assistant',
			content: [],
			records: [],
		});
		const result = (id: string, parent: string): Entry => ({
			...line(id, parent),
			kind: 'message',
			role: 'user',
			content: [{ type: 'tool_result', call: parent, content: [], isError: false }],
		});
		const parallel = [
			line('a', 'u'),
			line('b', 'a'),
			line('c', 'b'),
			result('rc', 'c'),
			result('ra', 'a'),
			result('rb', 'b'),
		];
		const entries = [...parallel, line('d', 'rb'), line('again', 'd'), line('other', 'd'), result('late', 'a')];
		const finder = new BranchFinder();
		for (const one of entries) finder.add(one);
		const told = (leaf: string) => finder.told(leaf).map((position) => finder.idOf(position));
		expect(told('other')).toEqual(['a', 'b', 'c', 'rc', 'ra', 'rb', 'd', 'other']);
		expect(told('b')).toEqual(['a', 'b']);
		expect(told('ra')).toEqual(['a', 'b', 'c', 'rc', 'ra']);
		expect(finder.branches().map(({ leaf }) => leaf)).toEqual(['again', 'other']);
	});
});
