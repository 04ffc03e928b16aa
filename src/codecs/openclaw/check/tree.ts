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
	const walk = walker(nodes, index, report);
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

function walker(nodes: readonly Node[], index: Index, report: Report): Walk {
	const seen = new Uint8Array(nodes.length);
	const onPath = new Uint8Array(nodes.length);
	/** Calls made on the path; true when their reply is left out. */
	const made = new Map<string, boolean>();
	const told = new Set<string>();
	let open: Open | undefined;

	/** Each call is told of once, however many branches leave it unanswered. */
	function closeOpen(): void {
		if (!open) return;
		for (const [id, path] of open.calls) {
			const key = `${open.node.at.index} ${path}`;
			if (open.answered.has(id) || told.has(key)) continue;
			told.add(key);
			report(
				'openclaw/call-unanswered',
				`the tool call ${JSON.stringify(id)} has no result: pi answers it with "No result provided" when it resumes`,
				{ at: open.node.at, path },
			);
		}
		open = undefined;
	}

	function enter(at: number): Undo {
		const node = nodes[at] as Node;
		seen[at] = 1;
		onPath[at] = 1;
		const before = open;
		let answered: string | undefined;
		if (node.says !== 'nothing') closeOpen();
		const added = node.calls ? makeCalls(node, node.calls) : noCalls;
		if (node.result) answered = takeResult(node, node.result);
		if (node.keptFrom !== undefined) checkKept(node, at, node.keptFrom);
		const undo = { at, open: before, made: added };
		return answered === undefined ? undo : { ...undo, answered };
	}

	function makeCalls(node: Node, calls: readonly ToolUse[]): readonly string[] {
		const added: string[] = [];
		for (const call of calls) {
			if (made.has(call.id)) {
				const name = JSON.stringify(call.id);
				const where = { at: node.at, path: call.path };
				if (node.strict) {
					report(
						'openclaw/call-repeated',
						`an earlier call has the id ${name} too: Anthropic's API refuses that`,
						where,
					);
				} else {
					report(
						'openclaw/call-reused',
						`an earlier call has the id ${name} too: not every model's API takes that`,
						where,
					);
				}
			} else {
				made.set(call.id, node.omitted === true);
				added.push(call.id);
			}
		}
		if (!node.omitted) open = { node, calls: new Map(calls.map((call) => [call.id, call.path])), answered: new Set() };
		return added;
	}

	function takeResult(node: Node, result: ToolUse): string | undefined {
		const where = { at: node.at, path: result.path };
		const name = JSON.stringify(result.id);
		if (open?.calls.has(result.id)) {
			if (!open.answered.has(result.id)) {
				open.answered.add(result.id);
				return result.id;
			}
			report(
				'openclaw/result-repeated',
				`the tool call ${name} has another result before: the model's API refuses a second`,
				where,
			);
		} else if (made.get(result.id) === false) {
			const say = `the conversation went on before this result of ${name}: pi has put another in its place, and the model's API refuses two`;
			report('openclaw/result-late', say, where);
		} else {
			const why = made.has(result.id)
				? 'the reply that made the call was cut off, and the client leaves it out'
				: 'no reply before it made that call (OpenClaw 2026.7.1 and 2026.9.6 write such lines themselves after a call of an unknown tool)';
			report(
				'openclaw/result-orphan',
				`the result of ${name} answers nothing: ${why}. The model's API refuses it`,
				where,
			);
		}
		return undefined;
	}

	function checkKept(node: Node, at: number, keptFrom: string): void {
		const kept = index.byId.get(keptFrom);
		if (kept !== undefined && (kept === at || onPath[kept] === 1)) return;
		const say = `${JSON.stringify(keptFrom)} is not on the way to this compaction: the client keeps nothing of what came before`;
		report('openclaw/compaction-kept', say, { at: node.at, path: 'firstKeptEntryId' });
	}

	function leave(undo: Undo): void {
		onPath[undo.at] = 0;
		for (const id of undo.made) made.delete(id);
		if (undo.answered !== undefined) undo.open?.answered.delete(undo.answered);
		open = undo.open;
	}

	function from(root: number): void {
		const todo: (number | Undo)[] = [root];
		for (let step = todo.pop(); step !== undefined; step = todo.pop()) {
			if (typeof step !== 'number') {
				leave(step);
				continue;
			}
			todo.push(enter(step));
			let child = index.first[step] ?? -1;
			if (child === -1) closeOpen();
			const children: number[] = [];
			for (; child !== -1; child = index.next[child] ?? -1) children.push(child);
			for (let i = children.length - 1; i >= 0; i--) todo.push(children[i] as number);
		}
	}

	return {
		from,
		seen: (at) => seen[at] === 1,
		mark(at) {
			seen[at] = 1;
		},
	};
}

const noCalls: readonly string[] = [];
