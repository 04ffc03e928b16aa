/** Laws of the conversation graph. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { branches } from './branches.ts';
import type { Entry } from './entry.ts';
import { history, lastInGraph, leaves, path } from './graph.ts';
import type { EntriesWithLeaf } from './session.ts';
import { turns } from './turns.ts';

const user = (id: string, parent: string | null | undefined, text = 'hi'): Entry => ({
	id,
	...(parent === undefined ? {} : { parent }),
	kind: 'message',
	role: 'user',
	content: [{ type: 'text', text }],
	records: [],
});
const result = (id: string, parent: string): Entry => ({
	id,
	parent,
	kind: 'message',
	role: 'user',
	content: [{ type: 'tool_result', call: id, content: [], isError: false }],
	records: [],
});
const reply = (id: string, parent: string): Entry => ({
	id,
	parent,
	kind: 'message',
	role: 'assistant',
	content: [{ type: 'text', text: id }],
	records: [],
});
const told = (...entries: Entry[]): EntriesWithLeaf => ({ entries, leaf: lastInGraph(entries) });
const ids = (entries: readonly Entry[]): readonly string[] => entries.map((entry) => entry.id);

describe('graph', () => {
	it('a path leads from the root to the leaf', () => {
		const session = told(user('a', null), reply('b', 'a'), user('c', 'b'));
		expect(ids(path(session))).toEqual(['a', 'b', 'c']);
		expect(ids(path(session, 'b'))).toEqual(['a', 'b']);
	});

	it('a missing parent ends the path and loses nothing after it', () => {
		expect(ids(path(told(user('a', null), user('b', 'gone'), reply('c', 'b'))))).toEqual(['b', 'c']);
	});

	it('a cycle never hangs a walk', () => {
		const session = { entries: [user('a', 'c'), reply('b', 'a'), user('c', 'b')] };
		expect(ids(path(session, 'c'))).toEqual(['a', 'b', 'c']);
		expect(leaves(session)).toEqual([]);
		expect(branches(session)).toEqual([]);
	});

	it('a walk through any graph ends and visits each entry once', () => {
		const node = fc.tuple(fc.nat(9), fc.option(fc.nat(9)));
		fc.assert(
			fc.property(fc.array(node, { maxLength: 12 }), (nodes) => {
				const entries = nodes.map(([id, parent]) => user(String(id), parent === null ? null : String(parent)));
				for (const walked of [path(told(...entries)), history(told(...entries))]) {
					expect(new Set(ids(walked)).size).toBe(walked.length);
				}
				branches({ entries });
			}),
		);
	});

	it('results of parallel calls are no branches', () => {
		const session = {
			entries: [
				user('a', null),
				reply('b', 'a'),
				reply('c', 'b'),
				result('r1', 'b'),
				result('r2', 'c'),
				reply('d', 'r2'),
			],
		};
		expect(branches(session)).toEqual([{ leaf: 'd', from: 'b' }]);
	});

	it('a rewound prompt makes a second branch', () => {
		const session = { entries: [user('a', null), reply('b', 'a'), user('c', 'b'), reply('d', 'c'), user('e', 'b')] };
		expect(branches(session).map((branch) => branch.leaf)).toEqual(['d', 'e']);
		expect(lastInGraph(session.entries)).toBe('e');
	});

	it('the leaf decides where the path ends, whatever comes after it', () => {
		const entries = [user('a', null), reply('b', 'a'), user('c', 'b')];
		expect(ids(path({ entries, leaf: 'b' }))).toEqual(['a', 'b']);
		expect(ids(history({ entries, leaf: 'b' }))).toEqual(['a', 'b']);
		expect(path({ entries, leaf: null })).toEqual([]);
		expect(path({ entries, leaf: 'gone' })).toEqual([]);
	});

	it('the last entry is one of the main thread, and of a sub-agent only in its own file', () => {
		const pointer: Entry = { id: 'p', kind: 'leaf', target: 'a', records: [] };
		const ofAgent: Entry = { ...reply('s', 'b'), agent: 'a1' };
		expect(lastInGraph([user('a', null), reply('b', 'a'), ofAgent, pointer])).toBe('b');
		expect(lastInGraph([user('note', undefined), ofAgent])).toBe('s');
		expect(lastInGraph([pointer])).toBe(null);
	});

	it('history goes through a compaction, a path does not', () => {
		const cut: Entry = { id: 'x', parent: null, logicalParent: 'b', kind: 'compaction', records: [] };
		const session = told(user('a', null), reply('b', 'a'), cut, user('c', 'x'));
		expect(ids(path(session))).toEqual(['x', 'c']);
		expect(ids(history(session))).toEqual(['a', 'b', 'x', 'c']);
		expect(branches(session)).toHaveLength(1);
	});

	it('a turn is a prompt and everything that came of it', () => {
		const session = told(user('a', null), reply('b', 'a'), result('r', 'b'), reply('c', 'r'), user('d', 'c'));
		expect(turns(session).map((turn) => ids(turn.entries))).toEqual([['a', 'b', 'r', 'c'], ['d']]);
	});

	it('entries beside the conversation are in no path', () => {
		expect(ids(path(told(user('a', null), user('note', undefined))))).toEqual(['a']);
	});
});
