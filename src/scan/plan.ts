/** Wanted paths as a tree that both engines walk. */

/**
 * The keys of all wanted paths as one tree in preorder: node 0 is the line's object, a node's children are the nodes
 * after it up to `last`, and its next sibling is the node after `last`.
 */
export interface ScanPlan {
	/** The wanted paths; a path's position here is its column's number. */
	readonly paths: readonly string[];
	readonly nodes: readonly PlanNode[];
	readonly gate?: PlanGate;
}

/** A path that tells whether the rest of a line matters. It must be one of the wanted ones. */
export interface ScanGate {
	readonly path: string;
	/** Strings of plain ASCII. Any other value ends the line: what follows it is not looked at (`scanFlag.skipped`). */
	readonly values: readonly string[];
	/** A line in which this stands behind the value, byte for byte, is read to its end all the same. At most 32 characters of ASCII. */
	readonly unless?: string;
}

export interface PlanGate {
	readonly node: number;
	/** As JSON writes them, quotes included. */
	readonly values: readonly string[];
	/** Empty where nothing lets a line pass. */
	readonly unless: string;
}

export interface PlanNode {
	/** Empty for the line's object. */
	readonly key: string;
	/** The column of the path that ends here, or -1. */
	readonly field: number;
	/** The last node of its subtree; itself when it has no children. */
	readonly last: number;
	/** Bit `length & 31` is set for each child's key length: most keys are refused by this alone. */
	readonly lengths: number;
}

const longestKey = 255;
const deepestPath = 8;
const mostPaths = 64;
/** Engines look at so many bytes behind a line, and not at more. */
const longestUnless = 32;

interface Branch {
	field: number;
	readonly children: Map<string, Branch>;
}

/** Compiles dotted paths (`type`, `message.usage`). Throws on what can be no path: that is an error of the program. */
export function planPaths(paths: readonly string[], gate?: ScanGate): ScanPlan {
	if (paths.length > mostPaths) throw new RangeError(`at most ${mostPaths} paths can be scanned for at once`);
	const root: Branch = { field: -1, children: new Map() };
	for (const [field, path] of paths.entries()) {
		const steps = path.split('.');
		if (steps.length > deepestPath) throw new RangeError(`the path "${path}" is deeper than ${deepestPath} keys`);
		let branch = root;
		for (const step of steps) {
			checkKey(step, path);
			let next = branch.children.get(step);
			if (next === undefined) {
				next = { field: -1, children: new Map() };
				branch.children.set(step, next);
			}
			branch = next;
		}
		if (branch.field !== -1) throw new RangeError(`the path "${path}" is named twice`);
		branch.field = field;
	}
	const nodes: PlanNode[] = [];
	layOut('', root, nodes);
	return gate === undefined ? { paths, nodes } : { paths, nodes, gate: planGate(paths, nodes, gate) };
}

function planGate(
	paths: readonly string[],
	nodes: readonly PlanNode[],
	{ path, values, unless = '' }: ScanGate,
): PlanGate {
	const field = paths.indexOf(path);
	if (field === -1) throw new RangeError(`the gate "${path}" is none of the paths`);
	for (const value of values) checkKey(value, path);
	if (!/^[ -~]*$/.test(unless) || unless.length > longestUnless)
		throw new RangeError(`"${unless}" cannot be looked for`);
	return { node: nodes.findIndex((node) => node.field === field), values: values.map((value) => `"${value}"`), unless };
}

/** Keys are compared as bytes, so they must be ones that JSON can only write one way (apart from escapes). */
function checkKey(key: string, path: string): void {
	if (!/^[ !#-[\]-~]+$/.test(key) || key.length > longestKey) {
		throw new RangeError(`the path "${path}" has a key that is not plain ASCII of 1 to ${longestKey} characters`);
	}
}

function layOut(key: string, branch: Branch, nodes: PlanNode[]): void {
	const own = nodes.length;
	let lengths = 0;
	for (const child of branch.children.keys()) lengths |= 1 << (child.length & 31);
	const node = { key, field: branch.field, last: own, lengths };
	nodes.push(node);
	for (const [name, child] of branch.children) layOut(name, child, nodes);
	node.last = nodes.length - 1;
}
