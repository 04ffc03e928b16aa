/** Laws of the two screens that go back: by prompt, and in the tree. */
import { describe, expect, it } from 'vitest';
import {
	answer,
	expectFits,
	hostile,
	plainRows,
	plainText,
	pressed,
	selectedRow,
	sizes,
} from '../../../test/support/screens.ts';
import { RewindScreen } from './rewind.ts';
import { type TreeNode, TreeScreen } from './tree.ts';
import { kept, placed } from './tree-rows.ts';

const now = 1_000_000_000;
const prompts = Array.from({ length: 30 }, (_, at) => ({
	id: `p${at}`,
	text: `prompt ${at}`,
	time: now - 60_000 * (30 - at),
}));
const rewind = new RewindScreen(prompts, now);
const changes = {
	files: [
		{ path: 'src/app.ts', added: 3, removed: 1 },
		{ path: 'new.bin' },
		{ path: 'mine.ts', conflict: 'it was changed meanwhile' },
	],
	warnings: ['Changes of “make” are not kept.'],
};

describe('rewind', () => {
	it('fits every size in every state, and the selected row is there', () => {
		const bad = new RewindScreen(
			prompts.map(({ id }) => ({ id, text: hostile.repeat(30) })),
			now,
		);
		const found = {
			files: Array.from({ length: 40 }, () => ({ path: hostile, added: 1, removed: 2 })),
			warnings: [hostile],
		};
		for (const screen of [rewind, bad]) {
			const states = [screen, pressed(screen, 'enter'), pressed(screen.withChanges('p29', found), 'enter')];
			for (const state of states) {
				expectFits(state);
				for (const size of sizes) expect(selectedRow(state, size)).toBeDefined();
			}
		}
		expectFits(new RewindScreen([], now));
	});

	it('the last prompt is selected, and what the selected one would change is wanted once and first, then of those around it', () => {
		expect(selectedRow(rewind)).toBe('prompt 29');
		expect(rewind.wants).toEqual({ what: 'changes', of: 'p29' });
		const known = rewind.withChanges('p29', changes);
		expect(known.wants?.of).toBe('p28');
		expect(known.withChanges('p28', changes).wants?.of).toBe('p27');
		expect(pressed(known, 'enter').wants).toBeUndefined();
		expect(plainText(known)).toContain('1m · 2 files +3 -1');
		expect(pressed(known, 'up', 'up', 'up').wants?.of).toBe('p26');
		expect(plainText(rewind.withChanges('p29', { files: [], warnings: [] }))).toContain('no file would change');
	});

	it('files go back only when it is known what would happen to them; each answer is what its row says', () => {
		const waiting = pressed(rewind, 'enter');
		expect(plainText(waiting)).toContain('Looking at the files …');
		expect(plainText(pressed(waiting, '1', '3'))).toBe(plainText(waiting));
		const known = pressed(rewind.withChanges('p29', changes), 'enter');
		for (const part of [
			'src/app.ts',
			'+3 -1',
			'mine.ts stays as it is: it was changed meanwhile',
			'! Changes of “make” are not kept.',
		])
			expect(plainText(known)).toContain(part);
		expect(answer(known, '1')).toEqual({ to: 'p29', conversation: true, files: true });
		expect(answer(known, '2')).toEqual({ to: 'p29', conversation: true, files: false });
		expect(answer(known, '3')).toEqual({ to: 'p29', conversation: false, files: true });
		expect(selectedRow(pressed(known, '4'))).toBe('prompt 29');
		expect(plainText(waiting.withChanges('p29', changes))).toContain('1. The conversation and the files');
		// Whoever presses Enter at that very moment gets what was selected.
		expect(selectedRow(waiting)).toBe('Only the conversation');
		expect(selectedRow(waiting.withChanges('p29', changes))).toBe('2. Only the conversation');
	});

	it('without files the choices are numbered from 1, without a gap', () => {
		const known = pressed(rewind.withChanges('p29', { files: [], warnings: [] }), 'enter');
		expect(plainText(known)).toMatch(/❯ 1\. Only the conversation\n {2}2\. Choose another prompt/);
		expect(answer(known, '1')).toEqual({ to: 'p29', conversation: true, files: false });
	});

	it('Esc changes nothing, at every step', () => {
		for (const keys of [[], ['enter'], ['=12']]) expect(answer(rewind, ...keys, 'escape')).toBeUndefined();
	});
});

const node = (id: string, parent: string | null, more: Partial<TreeNode> = {}): TreeNode => ({
	id,
	parent,
	entry: id,
	path: '/s/a.jsonl',
	is: 'prompt',
	text: `says ${id}`,
	active: false,
	...more,
});
const nodes = [
	node('a', null, { active: true }),
	node('t', 'a', { is: 'tool', text: 'Bash: ls', active: true }),
	node('b', 't', { active: true }),
	node('c', 't', { label: 'before', agent: 'pi' }),
	node('d', 'c', { is: 'reply' }),
];
const tree = new TreeScreen(nodes);

describe('the tree', () => {
	it('fits every size in every state, and the selected row is there', () => {
		const deep = Array.from({ length: 60 }, (_, at) => [
			node(`x${at}`, at === 0 ? null : `x${at - 1}`, {
				text: hostile,
				label: hostile,
				agent: hostile,
				active: at === 30,
			}),
			node(`y${at}`, at === 0 ? null : `x${at - 1}`),
		]).flat();
		for (const screen of [tree, new TreeScreen(deep)]) {
			for (const state of [screen, pressed(screen, 'ctrl+o'), pressed(screen, 'ctrl+l')]) {
				expectFits(state);
				for (const size of sizes) expect(selectedRow(state, size)).toBeDefined();
			}
		}
		expectFits(new TreeScreen([]));
	});

	it('ways that part are indented, what is on the path has a dot, and labels stand first', () => {
		const rows = plainRows(pressed(tree, 'ctrl+o', 'ctrl+o', 'ctrl+o')).slice(1, 6);
		expect(rows).toEqual([
			'  ● user: says a',
			'  ● Bash: ls',
			'  ├─ ● user: says b',
			'❯ └─   [before] user: says c  pi',
			'       assistant: says d',
		]);
	});

	it('Ctrl-O narrows what is shown, and the selected entry stays selected where it is shown', () => {
		expect(plainText(tree)).not.toContain('Bash');
		expect(selectedRow(pressed(tree, 'ctrl+o'))).toBe('├─ ● user: says b');
		expect(plainText(pressed(tree, 'ctrl+o'))).not.toContain('assistant');
		expect(plainText(pressed(tree, 'ctrl+o', 'ctrl+o'))).toMatch(/labelled[\s\S]*before/);
	});

	it('Enter jumps, arrows go from branch to branch, Ctrl-L labels, Esc does nothing', () => {
		expect(answer(tree, 'enter')).toMatchObject({ is: 'jump', node: { entry: 'b' } });
		expect(answer(tree, 'right', 'enter')).toMatchObject({ node: { entry: 'c' } });
		expect(answer(tree, 'right', 'left', 'enter')).toMatchObject({ node: { entry: 'b' } });
		const labelled = answer(tree, 'ctrl+l', '=here', 'enter');
		expect(labelled).toMatchObject({ is: 'label', node: { entry: 'b' }, label: 'here' });
		if (labelled?.is !== 'label') throw new Error('not labelled');
		const next = labelled.then.withNodes(nodes.map((one) => (one.id === 'b' ? { ...one, label: 'here' } : one)));
		expect(selectedRow(next)).toContain('[here] user: says b');
		expect(answer(tree, 'ctrl+l', '=x', 'escape')).toBeUndefined();
	});

	it('a circle and a missing parent lose no entry, and a deep tree is walked', () => {
		const odd = [node('a', 'b'), node('b', 'a'), node('c', 'gone'), node('d', 'd')];
		expect(
			placed(odd)
				.map((one) => one.node.id)
				.sort(),
		).toEqual(['a', 'b', 'c', 'd']);
		expect(kept(odd, ({ id }) => id !== 'b').map(({ id, parent }) => [id, parent])).toEqual([
			['a', null],
			['c', null],
			['d', null],
		]);
		const deep = Array.from({ length: 50_000 }, (_, at) => node(`n${at}`, at === 0 ? null : `n${at - 1}`));
		expect(placed(kept(deep, ({ id }) => id.endsWith('0')))).toHaveLength(5000);
	});
});
