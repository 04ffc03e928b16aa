/** What only the whole tree of lines can tell: parents, cycles, and tool calls along every path. */
import type { Report } from '../../codec.ts';
import type { Position } from '../../shared/read/line.ts';

export interface ToolUse {
	readonly id: string;
	/** JSON path in the line. */
	readonly path: string;
}

/** One line of the conversation, with the little that the tree needs of it. */
export interface Node {
	/** Absent in files whose lines follow one another. */
	readonly id?: string;
	/** The id of its parent, the index of the line before, or null. */
	readonly parent: string | number | null;
	readonly at: Position;
	/** A reply or a prompt ends what came before; anything else leaves it open. */
	readonly says: 'reply' | 'prompt' | 'nothing';
	readonly calls?: readonly ToolUse[];
	/** The reply came over a protocol that wants every id once. */
	readonly strict?: boolean;
	/** The reply was not finished: the client leaves it out when it resumes. */
	readonly omitted?: boolean;
	readonly result?: ToolUse;
	/** Where a compaction says that the kept part begins. */
	readonly keptFrom?: string;
	/** The line that it is about. */
	readonly target?: string;
}

interface Index {
	readonly byId: ReadonlyMap<string, number>;
	readonly first: Int32Array;
	readonly next: Int32Array;
	readonly roots: readonly number[];
}

export function checkTree(nodes: readonly Node[], report: Report): void {
	const index = link(nodes, report);
	checkTargets(nodes, index.byId, report);
	const walk = new TreeWalk(nodes, index, report);
	for (const root of index.roots) walk.from(root);
	for (let at = 0; at < nodes.length; at++) if (!walk.seen(at)) reportCycle(nodes, index, walk, at, report);
}

/** Children as first-child and next-sibling indexes; of two lines with one id the later counts. */
function link(nodes: readonly Node[], report: Report): Index {
	const byId = new Map<string, number>();
	nodes.forEach((node, at) => {
		if (node.id === undefined) return;
		const earlier = byId.get(node.id);
		if (earlier !== undefined) {
			const line = nodes[earlier]?.at.line ?? 0;
			report('openclaw/id-repeated', `line ${line} has the same id: the client uses only the later of the two`, {
				at: node.at,
				path: 'id',
			});
		}
		byId.set(node.id, at);
	});
	const first = new Int32Array(nodes.length).fill(-1);
	const next = new Int32Array(nodes.length).fill(-1);
	const roots: number[] = [];
	for (let at = nodes.length - 1; at >= 0; at--) {
		const node = nodes[at] as Node;
		const parent = typeof node.parent === 'string' ? byId.get(node.parent) : node.parent;
		if (typeof parent === 'number') {
			next[at] = first[parent] ?? -1;
			first[parent] = at;
			continue;
		}
		roots.push(at);
		if (node.parent === null) continue;
		const nobody = `no line has the id ${JSON.stringify(node.parent)}`;
		const where = { at: node.at, path: 'parentId' };
		if (at === 0) report('openclaw/first-parent', `${nobody}: nothing is lost, for this is the first line`, where);
		else {
			const lost = 'the client starts here and everything before it is out of reach';
			report('openclaw/parent-missing', `${nobody}: ${lost}`, where);
		}
	}
	return { byId, first, next, roots: roots.reverse() };
}

function checkTargets(nodes: readonly Node[], byId: ReadonlyMap<string, number>, report: Report): void {
	for (const node of nodes) {
		if (node.target === undefined || byId.has(node.target)) continue;
		report(
			'openclaw/target-unknown',
			`no line has the id ${JSON.stringify(node.target)}: the client ignores this line`,
			{
				at: node.at,
				path: 'targetId',
			},
		);
	}
}

function reportCycle(nodes: readonly Node[], index: Index, walk: Walk, from: number, report: Report): void {
	report('openclaw/parent-cycle', 'following `parentId` from here never ends: the client fails on the file', {
		at: (nodes[from] as Node).at,
		path: 'parentId',
	});
	// Everything that hangs on the cycle has the same problem; one report is enough.
	const rest = [from];
	for (let at = rest.pop(); at !== undefined; at = rest.pop()) {
		if (walk.seen(at)) continue;
		walk.mark(at);
		for (let child = index.first[at] ?? -1; child !== -1; child = index.next[child] ?? -1) rest.push(child);
		const parent = nodes[at]?.parent;
		const above = typeof parent === 'string' ? index.byId.get(parent) : parent;
		if (typeof above === 'number') rest.push(above);
	}
}

interface Walk {
	from(root: number): void;
	seen(at: number): boolean;
	mark(at: number): void;
}

/** The calls of the last reply on the path, and which of them are answered. */
interface Open {
	readonly node: Node;
	readonly calls: ReadonlyMap<string, string>;
	readonly answered: Set<string>;
}

/** What a line did to the state of its path, to be taken back when the walk leaves it. */
interface Undo {
	readonly at: number;
	readonly open: Open | undefined;
	readonly made: readonly string[];
	readonly answered?: string;
}

class TreeWalk implements Walk {
	readonly #nodes: readonly Node[];
	readonly #index: Index;
	readonly #report: Report;
	readonly #seen: Uint8Array;
	readonly #onPath: Uint8Array;
	/** Calls made on the path; true when their reply is left out. */
	readonly #made = new Map<string, boolean>();
	readonly #told = new Set<string>();
	#open: Open | undefined;

	constructor(nodes: readonly Node[], index: Index, report: Report) {
		this.#nodes = nodes;
		this.#index = index;
		this.#report = report;
		this.#seen = new Uint8Array(nodes.length);
		this.#onPath = new Uint8Array(nodes.length);
	}

	seen(at: number): boolean {
		return this.#seen[at] === 1;
	}

	mark(at: number): void {
		this.#seen[at] = 1;
	}

	/** Each call is told of once, however many branches leave it unanswered. */
	#closeOpen(): void {
		if (!this.#open) return;
		for (const [id, path] of this.#open.calls) {
			const key = `${this.#open.node.at.index} ${path}`;
			if (this.#open.answered.has(id) || this.#told.has(key)) continue;
			this.#told.add(key);
			this.#report(
				'openclaw/call-unanswered',
				`the tool call ${JSON.stringify(id)} has no result: pi answers it with "No result provided" when it resumes`,
				{ at: this.#open.node.at, path },
			);
		}
		this.#open = undefined;
	}

	#enter(at: number): Undo {
		const node = this.#nodes[at] as Node;
		this.#seen[at] = 1;
		this.#onPath[at] = 1;
		const before = this.#open;
		let answered: string | undefined;
		if (node.says !== 'nothing') this.#closeOpen();
		const added = node.calls ? this.#makeCalls(node, node.calls) : noCalls;
		if (node.result) answered = this.#takeResult(node, node.result);
		if (node.keptFrom !== undefined) this.#checkKept(node, at, node.keptFrom);
		const undo = { at, open: before, made: added };
		return answered === undefined ? undo : { ...undo, answered };
	}

	#makeCalls(node: Node, calls: readonly ToolUse[]): readonly string[] {
		const added: string[] = [];
		for (const call of calls) {
			if (this.#made.has(call.id)) {
				const name = JSON.stringify(call.id);
				const where = { at: node.at, path: call.path };
				if (node.strict) {
					this.#report(
						'openclaw/call-repeated',
						`an earlier call has the id ${name} too: Anthropic's API refuses that`,
						where,
					);
				} else {
					this.#report(
						'openclaw/call-reused',
						`an earlier call has the id ${name} too: not every model's API takes that`,
						where,
					);
				}
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
			this.#report(
				'openclaw/result-repeated',
				`the tool call ${name} has another result before: the model's API refuses a second`,
				where,
			);
		} else if (this.#made.get(result.id) === false) {
			const say = `the conversation went on before this result of ${name}: pi has put another in its place, and the model's API refuses two`;
			this.#report('openclaw/result-late', say, where);
		} else {
			const why = this.#made.has(result.id)
				? 'the reply that made the call was cut off, and the client leaves it out'
				: 'no reply before it made that call (OpenClaw 2026.7.1 and 2026.9.6 write such lines themselves after a call of an unknown tool)';
			this.#report(
				'openclaw/result-orphan',
				`the result of ${name} answers nothing: ${why}. The model's API refuses it`,
				where,
			);
		}
		return undefined;
	}

	#checkKept(node: Node, at: number, keptFrom: string): void {
		const kept = this.#index.byId.get(keptFrom);
		if (kept !== undefined && (kept === at || this.#onPath[kept] === 1)) return;
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
			let child = this.#index.first[step] ?? -1;
			if (child === -1) this.#closeOpen();
			const children: number[] = [];
			for (; child !== -1; child = this.#index.next[child] ?? -1) children.push(child);
			for (let i = children.length - 1; i >= 0; i--) todo.push(children[i] as number);
		}
	}
}

const noCalls: readonly string[] = [];
