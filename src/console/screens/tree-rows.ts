/** The lines and indentation of a tree: what has no second way to go on stays in its column, and ways that part are indented. */

export interface TreePlace {
	readonly id: string;
	readonly parent: string | null;
}

export interface PlacedNode<N> {
	readonly node: N;
	/** The lines before it: `│  ├─ `. */
	readonly prefix: string;
}

/** In the order of the tree: an entry, then each way on from it. A parent that is missing, or a circle, makes a root. */
export function placed<N extends TreePlace>(nodes: readonly N[]): readonly PlacedNode<N>[] {
	const known = new Set(nodes.map(({ id }) => id));
	const below = new Map<string | null, N[]>();
	for (const node of nodes) {
		const parent = node.parent !== null && known.has(node.parent) && node.parent !== node.id ? node.parent : null;
		const others = below.get(parent);
		if (others) others.push(node);
		else below.set(parent, [node]);
	}
	const found: PlacedNode<N>[] = [];
	const seen = new Set<string>();
	/** A stack and no recursion: a conversation may be a hundred thousand entries deep. */
	const waiting: { readonly node: N; readonly prefix: string; readonly rest: string }[] = [];
	const push = (children: readonly N[], prefix: string): void => {
		const many = children.length > 1;
		for (const [at, node] of [...children.entries()].reverse()) {
			const isLast = at === children.length - 1;
			waiting.push({
				node,
				prefix: many ? `${prefix}${isLast ? '└─ ' : '├─ '}` : prefix,
				rest: many ? `${prefix}${isLast ? '   ' : '│  '}` : prefix,
			});
		}
	};
	const walk = (): void => {
		for (let next = waiting.pop(); next; next = waiting.pop()) {
			if (seen.has(next.node.id)) continue;
			seen.add(next.node.id);
			found.push({ node: next.node, prefix: next.prefix });
			push(below.get(next.node.id) ?? [], next.rest);
		}
	};
	push(below.get(null) ?? [], '');
	walk();
	for (const node of nodes) {
		if (seen.has(node.id)) continue;
		push([node], '');
		walk();
	}
	return found;
}

/** Those that are wanted, each below the nearest wanted one above it. */
export function kept<N extends TreePlace>(nodes: readonly N[], wanted: (node: N) => boolean): readonly N[] {
	const all = new Map(nodes.map((node) => [node.id, node]));
	/** For each entry that was passed the wanted one that it leads to, so that no walk is repeated. */
	const leads = new Map<string, string | null>();
	const above = (node: N): string | null => {
		const passed: string[] = [];
		const circle = new Set<string>([node.id]);
		let at = node.parent;
		let to: string | null = null;
		while (at !== null && !circle.has(at)) {
			const next = all.get(at);
			if (!next) break;
			const told = leads.get(at);
			if (wanted(next) || told !== undefined) {
				to = wanted(next) ? at : (told ?? null);
				break;
			}
			circle.add(at);
			passed.push(at);
			at = next.parent;
		}
		for (const id of passed) leads.set(id, to);
		return to;
	};
	return nodes.filter(wanted).map((node) => ({ ...node, parent: above(node) }));
}
