/** Checks what only the whole tree can tell: parents, cycles, and tool calls along every path. */
import type { Report } from '../../codec.ts';
import type { Position } from '../../shared/read/line.ts';

export interface ToolUse {
	readonly id: string;
	/** The JSON path in the line. */
	readonly path: string;
}

/** A line of the conversation, with the few facts that the check of the tree needs. */
export interface Node {
	/** Absent in files whose lines follow one another. */
	readonly id?: string;
	/** The parent's id, the index of the line before, or null. */
	readonly parent: string | number | null;
	readonly at: Position;
	/** A reply or a prompt ends the turn before; anything else leaves it open. */
	readonly says: 'reply' | 'prompt' | 'nothing';
	readonly calls?: readonly ToolUse[];
	/** True when the reply came over an API that wants every id once. */
	readonly strict?: boolean;
	/** True for an unfinished reply, which the client leaves out on resume. */
	readonly omitted?: boolean;
	readonly result?: ToolUse;
	/** The id of the first line that a compaction keeps. */
	readonly keptFrom?: string;
	/** The id of the line that this one is about. */
	readonly target?: string;
}

interface Tree {
	readonly nodes: readonly Node[];
	/** Lines by id; of two with one id the later counts. */
	readonly byId: ReadonlyMap<string, number>;
	/** The index of each line's parent. */
	readonly parents: readonly (number | null | undefined)[];
	/** The children of a line, in file order. */
	childrenOf(at: number): readonly number[];
}

export function checkTree(nodes: readonly Node[], report: Report): void {
	const byId = idsOf(nodes, report);
	const parents = nodes.map(({ parent }) => (typeof parent === 'string' ? byId.get(parent) : parent));
	const roots = [...nodes.keys()].filter((at) => typeof parents[at] !== 'number');
	for (const at of roots.toReversed()) checkRoot(nodes[at] as Node, at === 0, report);
	checkTargets(nodes, byId, report);
	const walk = new TreeWalk({ nodes, byId, parents, childrenOf: childrenIn(parents) }, report);
	for (const root of roots) walk.from(root);
	for (const at of nodes.keys()) walk.checkCycle(at);
}

/** Finds children in flat arrays: a list for each of a million lines would take more memory than the lines. */
function childrenIn(parents: Tree['parents']): Tree['childrenOf'] {
	const first = new Int32Array(parents.length).fill(-1);
	const next = new Int32Array(parents.length).fill(-1);
	for (let at = parents.length - 1; at >= 0; at--) {
		const parent = parents[at];
		if (typeof parent !== 'number') continue;
		next[at] = first[parent] ?? -1;
		first[parent] = at;
	}
	return (at) => {
		const found: number[] = [];
		for (let child = first[at] ?? -1; child !== -1; child = next[child] ?? -1) found.push(child);
		return found;
	};
}

function idsOf(nodes: readonly Node[], report: Report): ReadonlyMap<string, number> {
	const byId = new Map<string, number>();
	nodes.forEach(({ id, at: position }, at) => {
		if (id === undefined) return;
		const earlier = nodes[byId.get(id) ?? -1];
		if (earlier) {
			const say = `line ${earlier.at.line} has the same id: the client uses only the later of the two`;
			report('openclaw/id-repeated', say, { at: position, path: 'id' });
		}
		byId.set(id, at);
	});
	return byId;
}

function checkRoot({ parent, at }: Node, first: boolean, report: Report): void {
	if (parent === null) return;
	const nobody = `no line has the id ${JSON.stringify(parent)}`;
	const where = { at, path: 'parentId' };
	if (first) report('openclaw/first-parent', `${nobody}: nothing is lost, for this is the first line`, where);
	else {
		const lost = 'the client starts here and everything before it is out of reach';
		report('openclaw/parent-missing', `${nobody}: ${lost}`, where);
	}
}

function checkTargets(nodes: readonly Node[], byId: ReadonlyMap<string, number>, report: Report): void {
	for (const { target, at } of nodes) {
		if (target === undefined || byId.has(target)) continue;
		const say = `no line has the id ${JSON.stringify(target)}: the client ignores this line`;
		report('openclaw/target-unknown', say, { at, path: 'targetId' });
	}
}

/** The calls of the last reply on the path, and which of them are answered. */
interface Open {
	readonly node: Node;
	readonly calls: ReadonlyMap<string, string>;
	readonly answered: Set<string>;
}

/** How a line changed the state of its path, to be undone when the walk leaves it. */
interface Undo {
	readonly at: number;
	readonly open: Open | undefined;
	readonly made: readonly string[];
	readonly answered: string | undefined;
}

class TreeWalk {
	readonly #tree: Tree;
	readonly #report: Report;
	readonly #seen: Uint8Array;
	readonly #onPath: Uint8Array;
	/** Calls made on the path; true when their reply is left out. */
	readonly #made = new Map<string, boolean>();
	readonly #told = new Set<string>();
	#open: Open | undefined;

	constructor(tree: Tree, report: Report) {
		this.#tree = tree;
		this.#report = report;
		this.#seen = new Uint8Array(tree.nodes.length);
		this.#onPath = new Uint8Array(tree.nodes.length);
	}

	/** Reports lines that no walk from a root has reached: they are in a cycle, or below one. */
	checkCycle(from: number): void {
		const { nodes, childrenOf, parents } = this.#tree;
		if (this.#seen[from]) return;
		const say = 'following `parentId` from here never ends: the client fails on the file';
		this.#report('openclaw/parent-cycle', say, { at: (nodes[from] as Node).at, path: 'parentId' });
		// Everything below the cycle has the same problem; one report is enough.
		const rest = [from];
		for (let at = rest.pop(); at !== undefined; at = rest.pop()) {
			if (this.#seen[at]) continue;
			this.#seen[at] = 1;
			rest.push(parents[at] ?? at);
			for (const child of childrenOf(at)) rest.push(child);
		}
	}

	/** Reports open calls, each once, however many branches leave it unanswered. */
	#closeOpen(): void {
		if (!this.#open) return;
		for (const [id, path] of this.#open.calls) {
			const key = `${this.#open.node.at.index} ${path}`;
			if (this.#open.answered.has(id) || this.#told.has(key)) continue;
			this.#told.add(key);
			const say = `the tool call ${JSON.stringify(id)} has no result: pi answers it with "No result provided" when it resumes`;
			this.#report('openclaw/call-unanswered', say, { at: this.#open.node.at, path });
		}
		this.#open = undefined;
	}

	#enter(at: number): Undo {
		const node = this.#tree.nodes[at] as Node;
		this.#seen[at] = 1;
		this.#onPath[at] = 1;
		const open = this.#open;
		if (node.says !== 'nothing') this.#closeOpen();
		const made = node.calls ? this.#makeCalls(node, node.calls) : [];
		const answered = node.result && this.#takeResult(node, node.result);
		if (node.keptFrom !== undefined) this.#checkKept(node, node.keptFrom);
		return { at, open, made, answered };
	}

	#makeCalls(node: Node, calls: readonly ToolUse[]): readonly string[] {
		const added: string[] = [];
		for (const call of calls) {
			if (this.#made.has(call.id)) {
				const refused = node.strict ? "Anthropic's API refuses that" : "not every model's API takes that";
				const say = `an earlier call has the id ${JSON.stringify(call.id)} too: ${refused}`;
				const rule = node.strict ? 'openclaw/call-repeated' : 'openclaw/call-reused';
				this.#report(rule, say, { at: node.at, path: call.path });
			} else {
				this.#made.set(call.id, node.omitted === true);
				added.push(call.id);
			}
		}
		if (!node.omitted)
			this.#open = { node, calls: new Map(calls.map((call) => [call.id, call.path])), answered: new Set() };
		return added;
	}

	#takeResult(node: Node, result: ToolUse): string | undefined {
		const where = { at: node.at, path: result.path };
		const name = JSON.stringify(result.id);
		if (this.#open?.calls.has(result.id)) {
			if (!this.#open.answered.has(result.id)) {
				this.#open.answered.add(result.id);
				return result.id;
			}
			const say = `the tool call ${name} has another result before: the model's API refuses a second`;
			this.#report('openclaw/result-repeated', say, where);
		} else if (this.#made.get(result.id) === false) {
			const say = `the conversation went on before this result of ${name}: pi has put another in its place, and the model's API refuses two`;
			this.#report('openclaw/result-late', say, where);
		} else {
			const why = this.#made.has(result.id)
				? 'the reply that made the call was cut off, and the client leaves it out'
				: 'no reply before it made that call (OpenClaw 2026.7.1 and 2026.9.6 write such lines themselves after a call of an unknown tool)';
			const say = `the result of ${name} answers nothing: ${why}. The model's API refuses it`;
			this.#report('openclaw/result-orphan', say, where);
		}
		return undefined;
	}

	#checkKept(node: Node, keptFrom: string): void {
		if (this.#onPath[this.#tree.byId.get(keptFrom) ?? -1]) return;
		const say = `${JSON.stringify(keptFrom)} is not on the way to this compaction: the client keeps nothing of what came before`;
		this.#report('openclaw/compaction-kept', say, { at: node.at, path: 'firstKeptEntryId' });
	}

	#leave(undo: Undo): void {
		this.#onPath[undo.at] = 0;
		for (const id of undo.made) this.#made.delete(id);
		if (undo.answered !== undefined) undo.open?.answered.delete(undo.answered);
		this.#open = undo.open;
	}

	from(root: number): void {
		const todo: (number | Undo)[] = [root];
		for (let step = todo.pop(); step !== undefined; step = todo.pop()) {
			if (typeof step !== 'number') {
				this.#leave(step);
				continue;
			}
			todo.push(this.#enter(step));
			const next = this.#tree.childrenOf(step);
			if (next.length === 0) this.#closeOpen();
			for (const child of next.toReversed()) todo.push(child);
		}
	}
}
