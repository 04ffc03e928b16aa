/** A conversation without its compactions. */
import { expect, test } from 'vitest';
import { compactionsOf, withoutCompactions } from './compactions.ts';
import type { Entry } from './entry.ts';

function said(id: string, parent: string | null, more: object = {}): Entry {
	return { kind: 'message', role: 'user', id, parent, records: [], content: [{ type: 'text', text: id }], ...more };
}

function cut(id: string, logicalParent: string): Entry {
	return { kind: 'compaction', id, parent: null, logicalParent, records: [] };
}

const summary = { origin: 'compaction' };

test('what followed a summary follows what was said before the compaction', () => {
	const entries = [said('a', null), cut('c', 'a'), said('s', 'c', summary), said('b', 's')];
	const { dropped, parents } = withoutCompactions({ entries });
	expect([...dropped]).toEqual(['c', 's']);
	expect([...parents]).toEqual([
		['s', 'a'],
		['b', 'a'],
	]);
	expect(compactionsOf({ entries, leaf: 'b' }).map(({ id }) => id)).toEqual(['c']);
});

test('several compactions in a row are all passed', () => {
	const entries = [
		said('a', null),
		cut('c', 'a'),
		said('s', 'c', summary),
		cut('d', 's'),
		said('t', 'd', summary),
		said('b', 't'),
	];
	expect(withoutCompactions({ entries }).parents.get('b')).toBe('a');
});

test('where what a compaction followed is lost, the entry before it in the file takes its place', () => {
	const entries = [said('a', null), cut('c', 'lost'), said('s', 'c', summary), said('b', 's')];
	expect(withoutCompactions({ entries }).parents.get('b')).toBe('a');
});

test('parents in a circle end nowhere, and do end', () => {
	const entries = [cut('c', 's'), said('s', 'c', summary), said('b', 's')];
	expect(withoutCompactions({ entries }).dropped.has('s')).toBe(true);
});
