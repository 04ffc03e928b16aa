/** Laws of the clean-up before a conversion: calls and results in pairs, a graph without gaps and circles. */
import { describe, expect, it } from 'vitest';
import { type Block, type Entry, type Loss, lastInGraph, type MessageEntry } from '../../src/model/index.ts';
import { pairCalls } from '../../src/move/pairs.ts';
import { straighten } from '../../src/move/straighten.ts';

const text = (words: string): Block => ({ type: 'text', text: words });
const call = (id: string): Block => ({ type: 'tool_call', id, name: 'Read', input: {} });
const result = (id: string, words = 'ok'): Block => ({
	type: 'tool_result',
	call: id,
	content: [text(words)],
	isError: false,
});

function message(id: string, parent: string | null, role: 'user' | 'assistant', ...content: Block[]): MessageEntry {
	return { kind: 'message', id, parent, role, content, records: [] };
}

/** A part of a reply that its client wrote as several lines. */
function part(id: string, parent: string, ...content: Block[]): MessageEntry {
	return { ...message(id, parent, 'assistant', ...content), response: { id: 'msg_1' } };
}

function paired(...entries: Entry[]): { readonly lines: readonly string[]; readonly losses: readonly Loss[] } {
	const losses: Loss[] = [];
	const told = { entries, leaf: lastInGraph(entries) };
	const made = pairCalls(told, (tool) => `${tool} was interrupted`, losses);
	return { lines: made.entries.map(short), losses };
}

function short(entry: Entry): string {
	if (entry.kind !== 'message') return `${entry.id} < ${entry.parent}: ${entry.kind}`;
	const blocks = entry.content.map((block) => {
		if (block.type === 'text') return block.text;
		if (block.type === 'tool_call') return `?${block.id}`;
		if (block.type === 'tool_result') return `!${block.call}${block.isError ? ' error' : ''}`;
		return block.type;
	});
	return `${entry.id} < ${entry.parent}: ${blocks.join(' ')}`;
}

describe('pairs', () => {
	it('what is right stays as it is', () => {
		const { lines, losses } = paired(
			message('a', null, 'user', text('go')),
			message('b', 'a', 'assistant', call('1'), call('2')),
			message('c', 'b', 'user', result('1')),
			message('d', 'c', 'user', result('2'), text('and')),
		);
		expect(lines).toEqual(['a < null: go', 'b < a: ?1 ?2', 'c < b: !1', 'd < c: !2 and']);
		expect(losses).toEqual([]);
	});

	it('an orphan and a second result are dropped, and a loss says so', () => {
		const { lines, losses } = paired(
			message('a', null, 'user', text('go'), result('0')),
			message('b', 'a', 'assistant', call('1')),
			message('c', 'b', 'user', result('1')),
			message('d', 'c', 'user', result('1')),
			message('e', 'd', 'assistant', text('done')),
		);
		expect(lines).toEqual(['a < null: go', 'b < a: ?1', 'c < b: !1', 'e < c: done']);
		expect(losses.map(({ entry, how }) => [entry, how])).toEqual([
			['a', 'dropped'],
			['d', 'dropped'],
		]);
	});

	it('an unanswered call gets what its own client would say, before anybody goes on', () => {
		const { lines, losses } = paired(
			message('a', null, 'user', text('go')),
			message('b', 'a', 'assistant', call('1'), call('2')),
			message('c', 'b', 'user', result('2')),
			message('d', 'c', 'user', text('more')),
		);
		expect(lines).toEqual([
			'a < null: go',
			'b < a: ?1 ?2',
			'b/result of 1 < b: !1 error',
			'c < b/result of 1: !2',
			'd < c: more',
		]);
		expect(losses).toEqual([expect.objectContaining({ entry: 'b', how: 'invented' })]);
	});

	it('a late result is moved to its call', () => {
		const { lines, losses } = paired(
			message('a', null, 'user', text('go')),
			message('b', 'a', 'assistant', call('1')),
			message('c', 'b', 'user', text('wait')),
			message('d', 'c', 'user', result('1')),
		);
		expect(lines).toEqual(['a < null: go', 'b < a: ?1', 'b/result of 1 < b: !1', 'c < b/result of 1: wait']);
		expect(losses).toEqual([expect.objectContaining({ entry: 'd', how: 'approximated' })]);
	});

	it('results that hang beside each other come into one chain', () => {
		const { lines, losses } = paired(
			message('a', null, 'user', text('go')),
			part('b1', 'a', call('1')),
			part('b2', 'b1', call('2')),
			message('c1', 'b1', 'user', result('1')),
			message('c2', 'b2', 'user', result('2')),
			message('d', 'c2', 'user', text('more')),
		);
		expect(lines).toEqual(['a < null: go', 'b1 < a: ?1', 'b2 < b1: ?2', 'c1 < b2: !1', 'c2 < c1: !2', 'd < c2: more']);
		expect(losses).toEqual([]);
	});

	it('a second call with the same id gets its own, and so does its result', () => {
		const { lines, losses } = paired(
			message('a', null, 'user', text('go')),
			message('b', 'a', 'assistant', call('1')),
			message('c', 'b', 'user', result('1')),
			message('d', 'c', 'assistant', call('1')),
			message('e', 'd', 'user', result('1')),
		);
		const [, first, , second, answer] = lines;
		expect(first).toBe('b < a: ?1');
		expect(second).toMatch(/^d < c: \?call_[0-9a-f]{20}$/);
		expect(answer?.slice('e < d: !'.length)).toBe(second?.slice('d < c: ?'.length));
		expect(losses.map(({ entry, how }) => [entry, how])).toEqual([
			['d', 'approximated'],
			['e', 'approximated'],
		]);
	});

	it('the same call on two branches is no repetition', () => {
		const { losses } = paired(
			message('a', null, 'user', text('go')),
			message('b', 'a', 'assistant', call('1')),
			message('c', 'b', 'user', result('1')),
			message('d', 'a', 'assistant', call('1')),
			message('e', 'd', 'user', result('1')),
		);
		expect(losses).toEqual([]);
	});
});

describe('the graph', () => {
	const straight = (bridgesGaps: boolean, ...entries: Entry[]) => {
		const losses: Loss[] = [];
		return { lines: straighten(entries, { bridgesGaps }, losses).map(short), losses };
	};

	it('parents come before their children', () => {
		const { lines, losses } = straight(
			false,
			message('b', 'a', 'assistant', text('2')),
			message('a', null, 'user', text('1')),
		);
		expect(lines).toEqual(['a < null: 1', 'b < a: 2']);
		expect(losses).toEqual([]);
	});

	it('a missing parent is bridged as the source’s client does it', () => {
		const entries = [message('a', null, 'user', text('1')), message('b', 'gone', 'assistant', text('2'))];
		expect(straight(true, ...entries).lines).toEqual(['a < null: 1', 'b < a: 2']);
		expect(straight(false, ...entries).lines).toEqual(['a < null: 1', 'b < null: 2']);
		// Both sides of the gap are named: what it follows now, and what its own client may no longer send.
		expect(straight(true, ...entries).losses.map((loss) => loss.entry)).toEqual(['a', 'b']);
		expect(straight(false, ...entries).losses.map((loss) => loss.entry)).toEqual(['b']);
	});

	it('a circle is opened', () => {
		const { lines, losses } = straight(
			false,
			message('a', 'b', 'user', text('1')),
			message('b', 'a', 'assistant', text('2')),
		);
		expect(lines).toEqual(['b < null: 2', 'a < b: 1']);
		expect(losses).toHaveLength(1);
	});

	it('of two entries with one id the later counts, in the place of the first', () => {
		const { lines, losses } = straight(
			false,
			message('a', null, 'user', text('old')),
			message('b', 'a', 'assistant', text('2')),
			message('a', null, 'user', text('new')),
		);
		expect(lines).toEqual(['a < null: new', 'b < a: 2']);
		expect(losses).toHaveLength(1);
	});
});
