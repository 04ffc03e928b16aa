/** The /tree screen: its keys, what each of its filters shows, and how entries and labels are written. Its data: ../pickers/tree.ts, its lines: tree-rows.ts. */
import type { EntryId } from '../../model/index.ts';
import type { Theme } from '../theme.ts';
import { Input } from './input.ts';
import { List, type ListItem, listRows } from './list.ts';
import type { Key, Pressed, Screen, Size } from './screen.ts';
import { kept, placed } from './tree-rows.ts';

export interface TreeNode {
	/** Alone in the whole tree, also where it spans files. */
	readonly id: string;
	readonly parent: string | null;
	readonly entry: EntryId;
	/** The session's main file. */
	readonly path: string;
	/** The session, where the tree goes on in another file than above. */
	readonly agent?: string;
	readonly is: 'prompt' | 'reply' | 'tool' | 'other';
	readonly text: string;
	readonly label?: string;
	/** It is on the path that the conversation goes on from. */
	readonly active: boolean;
}

export type TreeAnswer =
	| { readonly is: 'jump'; readonly node: TreeNode }
	/** An empty label takes it away. It goes on with `then`, which is given the nodes anew. */
	| { readonly is: 'label'; readonly node: TreeNode; readonly label: string; readonly then: TreeScreen }
	| undefined;

const filters = ['all', 'without tools', 'prompts', 'labelled'] as const;
type Filter = (typeof filters)[number];

const wanted: { readonly [filter in Filter]: (node: TreeNode) => boolean } = {
	all: () => true,
	'without tools': ({ is, label }) => is === 'prompt' || is === 'reply' || label !== undefined,
	prompts: ({ is }) => is === 'prompt',
	labelled: ({ label }) => label !== undefined,
};

interface State {
	readonly filter: Filter;
	readonly list: List<TreeNode>;
	readonly label?: { readonly node: TreeNode; readonly input: Input };
}

const same = (a: TreeNode, b: TreeNode): boolean => a.id === b.id;

export class TreeScreen implements Screen<TreeAnswer> {
	readonly #nodes: readonly TreeNode[];
	readonly #state: State;

	/** The last entry of the active path is selected. */
	constructor(nodes: readonly TreeNode[], state?: State) {
		this.#nodes = nodes;
		const filter = 'without tools';
		const items = itemsOf(nodes, filter);
		const at = items.findLastIndex(({ value }) => value.active);
		this.#state = state ?? { filter, list: new List(items, { filters: true, at }) };
	}

	withNodes(nodes: readonly TreeNode[]): TreeScreen {
		const { filter, list } = this.#state;
		return new TreeScreen(nodes, { filter, list: list.withItems(itemsOf(nodes, filter), same) });
	}

	press(key: Key): Pressed<TreeAnswer> {
		if (key.name === 'escape') return { answer: undefined };
		const { list, label } = this.#state;
		if (label) return this.#pressLabel(label, key);
		switch (key.name) {
			case 'ctrl+o':
				return this.#filtered(filters[(filters.indexOf(this.#state.filter) + 1) % filters.length] ?? 'all');
			case 'ctrl+l':
				return list.selected ? this.#labelling(list.selected.value) : this;
			case 'left':
			case 'right':
				return this.#toBranch(key.name === 'left' ? -1 : 1);
			default: {
				const pressed = list.press(key);
				if (pressed === undefined) return this;
				return 'chosen' in pressed ? { answer: { is: 'jump', node: pressed.chosen } } : this.#with({ list: pressed });
			}
		}
	}

	#with(more: Partial<State>): TreeScreen {
		return new TreeScreen(this.#nodes, { ...this.#state, ...more });
	}

	#filtered(filter: Filter): TreeScreen {
		return this.#with({ filter, list: this.#state.list.withItems(itemsOf(this.#nodes, filter), same) });
	}

	#labelling(node: TreeNode): TreeScreen {
		return this.#with({ label: { node, input: new Input(node.label ?? '') } });
	}

	/** To the next entry at which a branch begins. */
	#toBranch(step: 1 | -1): TreeScreen {
		const { list } = this.#state;
		for (let at = list.at + step; at >= 0 && at < list.left.length; at += step)
			if (/[├└]─ $/.test(list.left[at]?.words ?? '')) return this.#with({ list: list.moved(at) });
		return this;
	}

	#pressLabel({ node, input }: NonNullable<State['label']>, key: Key): Pressed<TreeAnswer> {
		if (key.name === 'enter') {
			const { label: _, ...rest } = this.#state;
			const then = new TreeScreen(this.#nodes, rest);
			return { answer: { is: 'label', node, label: input.text.trim(), then } };
		}
		const next = input.press(key);
		return next ? this.#with({ label: { node, input: next } }) : this;
	}

	rows(size: Size, theme: Theme): readonly string[] {
		const { list, filter, label } = this.#state;
		if (label) {
			const frame = { title: 'Label', none: '', input: label.input.row('Label: ', size.width, theme) };
			return listRows(frame, list, size, theme, ['Enter to keep', 'empty takes it away', 'Esc to cancel']);
		}
		return listRows({ title: `Tree: ${filter}`, none: 'Nothing was said yet.' }, list, size, theme, [
			'Enter to jump',
			'←→ branch',
			'Ctrl-L label',
			'Ctrl-O show',
			'type to filter',
			'Esc to cancel',
		]);
	}
}

const signs: { readonly [is in TreeNode['is']]: string } = {
	prompt: 'user: ',
	reply: 'assistant: ',
	tool: '',
	other: '',
};

function itemsOf(nodes: readonly TreeNode[], filter: Filter): readonly ListItem<TreeNode>[] {
	return placed(kept(nodes, wanted[filter])).map(({ node, prefix }) => {
		const label = node.label === undefined ? '' : `[${node.label}] `;
		return {
			value: node,
			mark: `${prefix}${node.active ? '●' : ' '}`,
			label: `${label}${signs[node.is]}${node.text}`,
			words: prefix,
			...(node.agent === undefined ? {} : { detail: node.agent }),
			...(node.active ? {} : { paint: 'dim' as const }),
		};
	});
}
