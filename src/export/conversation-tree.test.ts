/** Laws of the tree of a conversation. */
import { describe, expect, it } from 'vitest';
import type { Entry, Session } from '../model/index.ts';
import { conversationTree, type TreeFile } from './conversation-tree.ts';

const message = (id: string, parent: string | null, text: string): Entry => {
	const role = text.endsWith('?') ? 'user' : 'assistant';
	return { kind: 'message', id, parent, role, content: [{ type: 'text', text }], records: [] };
};
const file = (path: string, leaf: string, ...entries: readonly Entry[]): TreeFile => ({
	path,
	session: { entries, leaf } as unknown as Session,
});
const shown = (own: TreeFile, ...others: readonly TreeFile[]) => {
	const steps = conversationTree(own, others);
	const text = new Map(steps.map((step) => [step.id, step.text]));
	return steps.map(({ parent, text: said, path, active }) =>
		[parent === null ? '' : text.get(parent), said, path, active ? '●' : ''].join(' | '),
	);
};
const own = file(
	'/a',
	'r2',
	message('p', null, 'one?'),
	message('r', 'p', 'yes'),
	message('p2', 'r', 'two?'),
	message('r2', 'p2', 'no'),
);

describe('the tree of a conversation', () => {
	it('the same words twice in one file are two ways on, and what leads to the leaf is active', () => {
		const twice = file('/a', 'r3', ...own.session.entries, message('p3', 'r', 'two?'), message('r3', 'p3', 'no'));
		expect(shown(twice)).toEqual([
			' | one? | /a | ●',
			'one? | yes | /a | ●',
			'yes | two? | /a | ',
			'two? | no | /a | ',
			'yes | two? | /a | ●',
			'two? | no | /a | ●',
		]);
	});

	it('another file has what it shares once, whatever its entries are called, and its own as a branch', () => {
		const copy = file(
			'/b',
			'4',
			message('1', null, 'one?'),
			message('2', '1', 'yes'),
			message('3', '2', 'else?'),
			message('4', '3', 'so'),
		);
		expect(shown(own, copy).slice(4)).toEqual(['yes | else? | /b | ', 'else? | so | /b | ']);
	});

	it('a file that begins with the same prompt and another answer is no part of it', () => {
		const stranger = file('/b', '2', message('1', null, 'one?'), message('2', '1', 'perhaps'));
		expect(shown(own, stranger)).toEqual(shown(own));
		const unanswered = file('/b', '1', message('1', null, 'one?'));
		expect(shown(own, unanswered)).toEqual(shown(own));
	});

	it('a reply with a call is two steps of one entry', () => {
		const call = { type: 'tool_call', id: 'c', name: 'Bash', input: { command: 'ls' } } as const;
		const reply: Entry = {
			kind: 'message',
			id: 'r',
			parent: 'p',
			role: 'assistant',
			content: [{ type: 'text', text: 'I look' }, call],
			records: [],
		};
		const steps = conversationTree(file('/a', 'r', message('p', null, 'one?'), reply));
		expect(steps.map(({ is, text, entry }) => [is, text, entry])).toEqual([
			['prompt', 'one?', 'p'],
			['reply', 'I look', 'r'],
			['tool', 'Bash: ls', 'r'],
		]);
	});
});
