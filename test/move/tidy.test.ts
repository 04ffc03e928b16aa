/** Laws of the clean-up before a conversion: what no API takes is left out or completed, and said. */
import { describe, expect, it } from 'vitest';
import { type Block, type Entry, type Loss, lastInGraph, type MessageEntry } from '../../src/model/index.ts';
import { tidy } from '../../src/move/tidy.ts';

const text = (words: string): Block => ({ type: 'text', text: words });
const call = (id: string): Block => ({ type: 'tool_call', id, name: 'Read', input: {} });
const result = (id: string): Block => ({ type: 'tool_result', call: id, content: [text('ok')], isError: false });

const said = (id: string, parent: string | null, role: MessageEntry['role'], ...content: Block[]): MessageEntry => ({
	...{ kind: 'message', id, parent, role, content, records: [] },
});

function tidied(...entries: Entry[]): { readonly made: readonly Entry[]; readonly losses: readonly string[] } {
	const losses: Loss[] = [];
	const { entries: made } = tidy({ entries, leaf: lastInGraph(entries) }, losses);
	return { made, losses: losses.map(({ entry, path, how }) => `${how} ${entry} ${path}`.trim()) };
}

const textsOf = (entries: readonly Entry[]): readonly string[] =>
	entries.flatMap((entry) =>
		entry.kind === 'message' ? entry.content.map((block) => ('text' in block ? block.text : '')) : [],
	);

describe('the first message', () => {
	it('is a prompt: before a reply that comes first one is put, and named', () => {
		const { made, losses } = tidied(said('a', null, 'assistant', text('hello')), said('b', 'a', 'user', text('hi')));
		expect(made.map(({ id, parent }) => [id, parent])).toEqual([
			['a/prompt', null],
			['a', 'a/prompt'],
			['b', 'a'],
		]);
		expect(losses).toEqual(['invented a']);
	});

	it('of each branch is a prompt', () => {
		const { losses } = tidied(
			{ kind: 'setting', id: 's', parent: null, set: { model: 'm' }, records: [] },
			said('a', 's', 'assistant', text('left')),
			said('b', 's', 'assistant', text('right')),
			said('c', 'b', 'assistant', text('more')),
		);
		expect(losses).toEqual(['invented a', 'invented b']);
	});

	it('may be told by a cut or by the summary of a branch', () => {
		const cut: Entry = { kind: 'compaction', id: 'c', parent: null, summary: 's', records: [] };
		const branch: Entry = { kind: 'summary', id: 'd', parent: null, of: 'branch', text: 's', records: [] };
		expect(tidied(cut, said('a', 'c', 'assistant', text('on'))).losses).toEqual(['approximated c summary']);
		expect(tidied(branch, said('a', 'd', 'assistant', text('on'))).losses).toEqual([]);
	});

	it('of a sub-agent is left alone', () => {
		expect(tidied({ ...said('a', null, 'assistant', text('x')), agent: 'g' }).losses).toEqual([]);
	});
});

describe('blank texts', () => {
	it('go where something else is said, and with the message where nothing is', () => {
		const { made, losses } = tidied(
			said('a', null, 'user', text(' '), text('hi'), text('')),
			said('b', 'a', 'assistant', text('\n')),
			said('c', 'b', 'user', text('again')),
		);
		expect(textsOf(made)).toEqual(['hi', 'again']);
		expect(made.at(-1)?.parent).toBe('a');
		expect(losses).toEqual(['dropped a content[0]', 'dropped a content[2]', 'dropped b']);
	});
});

describe('a cut', () => {
	it('beside the conversation is a remark', () => {
		const { made, losses } = tidied(said('a', null, 'user', text('hi')), {
			...{ kind: 'compaction', id: 'c', summary: 'All of it.', records: [] },
		});
		expect(made.at(-1)).toMatchObject({ kind: 'event', event: { type: 'notice', message: 'All of it.' } });
		expect(losses).toEqual(['approximated c']);
	});

	it('does not keep a result without its call', () => {
		const reply = { ...said('b1', 'a', 'assistant', text('both')), response: { id: 'm' } };
		const { made, losses } = tidied(
			said('a', null, 'user', text('read')),
			reply,
			{ ...said('b2', 'b1', 'assistant', call('1'), call('2')), response: { id: 'm' } },
			said('c', 'b2', 'user', result('1')),
			said('d', 'c', 'user', result('2')),
			{ kind: 'compaction', id: 'cut', parent: 'd', keptFrom: 'd', summary: 's', records: [] },
		);
		expect(made.at(-1)).toMatchObject({ kind: 'compaction', keptFrom: 'b1' });
		expect(losses).toContain('approximated cut keptFrom');
	});
});
