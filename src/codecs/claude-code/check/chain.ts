/** Rules of the conversation graph: what each client version makes of a file's parents, times and roots. */
import { plural } from '../../../model/index.ts';
import type { Report } from '../../codec.ts';
import { show } from '../../shared/check/fields.ts';
import type { Position } from '../../shared/read/line.ts';
import { isKnownType } from '../lines.ts';
import { checkTools } from './calls.ts';
import type { Node, Remembered } from './nodes.ts';
import { wayOf } from './nodes-leaf.ts';

/** One conversation: the main one, or a sub-agent's in its own file. */
export interface Thread {
	/** The lines in file order. */
	readonly nodes: readonly Node[];
	parentOf(node: Node): Node | undefined;
	/** The lines from root to leaf, as 2.1.325 follows them. */
	readonly path: readonly Node[];
	readonly onPath: ReadonlySet<Node>;
}

export function checkChain(file: Remembered, report: Report): void {
	const all = [...file.nodes.values()];
	const found = conversation(all, file);
	reportLoose(file, report);
	if (found === 'none' || found === 'sidechains') {
		reportNoConversation(found, all, report);
		return;
	}
	const thread = threadOf(found, file);
	for (const node of thread.nodes) checkLinks(node, thread, file, report);
	checkResponses(thread, report);
	checkGaps(thread, file, report);
	if (!found.ofAgent) {
		checkBeginning(thread, report);
		checkRoots(thread, file, report);
		checkLeaf(thread, report);
		checkPointer(thread, file, report);
		checkCompaction(thread, report);
		checkBranches(thread, report);
	}
	checkTools(thread, all, report);
	for (const { leaf, at } of file.summaries) {
		if (file.nodes.has(leaf)) continue;
		const message = `\`leafUuid\` ${show(leaf)} is no line of this file: the summary is another session's`;
		report('claude-code/summary-leaf', message, { at, path: 'leafUuid' });
	}
}

type Conversation = { readonly nodes: readonly Node[]; readonly ofAgent: boolean };

/** The lines to check: those of the main thread, else of the one sub-agent whose file this is. */
function conversation(all: readonly Node[], file: Remembered): Conversation | 'none' | 'sidechains' {
	const main = all.filter((node) => node.agent === undefined);
	if (main.some((node) => node.isMessage)) return { nodes: main, ofAgent: false };
	const agents = new Set(all.filter((node) => node.isMessage).map((node) => node.agent));
	const [agent] = agents;
	if (agents.size === 1 && agent !== '') return { nodes: all, ofAgent: true };
	if (agents.size > 0) return 'sidechains';
	return file.loose.length > 0 ? { nodes: main, ofAgent: false } : 'none';
}

function reportNoConversation(found: 'none' | 'sidechains', all: readonly Node[], report: Report): void {
	if (found === 'none') {
		const message = 'the file holds no message: Claude Code says "No conversation found"';
		report('claude-code/no-messages', message, { at: null });
		return;
	}
	const message =
		'every message is marked `isSidechain`, as if a sub-agent had written it: Claude Code refuses the file';
	report('claude-code/all-sidechain', message, { at: all.find((node) => node.isMessage)?.at ?? null });
}

/** Reports lines without ids. A single one is harmless, because it cannot be mixed up with another. */
function reportLoose({ loose, anonymous }: Remembered, report: Report): void {
	const tell = (lines: readonly Position[], rule: string, path: string, message: string): void => {
		if (lines.length < 2) return;
		for (const at of lines) report(`claude-code/${rule}`, `${lines.length} ${message}`, { at, path });
	};
	tell(loose, 'message-uuid', 'uuid', 'messages have no `uuid`: Claude Code keeps only the last of them');
	const joined = 'lines of replies have no `message.id`: Claude Code joins them to one reply and destroys their order';
	tell(anonymous, 'message-id', 'message.id', joined);
}

/** The thread of a conversation. A missing parent, or one of unknown type, is replaced as 2.1.325 does it. */
function threadOf({ nodes, ofAgent }: Conversation, file: Remembered): Thread {
	if (ofAgent) return agentThread(nodes, file);
	const way = wayOf(file);
	const parentOf = (node: Node): Node | undefined => {
		const parent = node.parent === null ? undefined : file.nodes.get(node.parent);
		if (node.parent === null || (parent && isKnownType(parent.type))) return parent;
		return way.inPlaceOfParent(node);
	};
	const path = pathTo(way.leaf, parentOf);
	return { nodes, parentOf, path, onPath: new Set(path) };
}

/** The thread of a sub-agent's own file, which the client never continues: it ends at the last childless line. */
function agentThread(nodes: readonly Node[], file: Remembered): Thread {
	const before = new Map(nodes.map((node, index) => [node, nodes[index - 1]]));
	const parentOf = (node: Node): Node | undefined =>
		node.parent === null ? undefined : (file.nodes.get(node.parent) ?? before.get(node));
	const parents = new Set<Node | undefined>(nodes.map(parentOf));
	const path = pathTo(nodes.findLast((node) => !parents.has(node)) ?? nodes.at(-1), parentOf);
	return { nodes, parentOf, path, onPath: new Set(path) };
}

function pathTo(leaf: Node | undefined, parentOf: (node: Node) => Node | undefined): readonly Node[] {
	const seen = new Set<Node>();
	for (let node = leaf; node && !seen.has(node); node = parentOf(node)) seen.add(node);
	return [...seen].reverse();
}

function checkLinks(node: Node, thread: Thread, file: Remembered, report: Report): void {
	if (node.parent === null) return;
	const parent = file.nodes.get(node.parent);
	if (!parent) return;
	const where = { at: node.at, path: 'parentUuid' };
	if (parent.at.index > node.at.index) {
		report('claude-code/parent-order', `the parent of this line comes later, in line ${parent.at.line}`, where);
	}
	if (parent.type === 'progress' && node.type !== 'progress') {
		const message = `the parent is the progress line ${parent.at.line}, which the document keeps out of the graph`;
		report('claude-code/progress-parent', message, where);
	}
	if (!isKnownType(parent.type) && thread.onPath.has(node)) {
		const message = `the parent, line ${parent.at.line}, has the unknown type ${show(parent.type)}: Claude Code 2.1.29 and older lose everything before it; 2.1.325 goes on with what was written within five seconds before`;
		report('claude-code/unknown-link', message, where);
	}
}

function checkGaps(thread: Thread, file: Remembered, report: Report): void {
	for (const node of thread.nodes) {
		if (node.parent === null || file.nodes.has(node.parent)) continue;
		const where = { at: node.at, path: 'parentUuid' };
		const lost = file.unreadable.findLast((at) => at.index < node.at.index);
		if (lost) {
			const message = `this line cannot be read, and line ${node.at.line} follows a message that is not in the file: that message is lost`;
			report('claude-code/lost-record', message, { at: lost });
		}
		const message = `no line has the \`uuid\` ${show(node.parent)} that this line follows: Claude Code 2.1.29 and older lose everything before this line; 2.1.325 goes on with what was written within five seconds before. Claude Code 2.1.29 itself writes such gaps where it suggested a prompt`;
		report('claude-code/broken-parent', message, where);
	}
	checkCycles(thread, file, report);
}

function checkCycles(thread: Thread, file: Remembered, report: Report): void {
	const done = new Set<Node>();
	for (const start of thread.nodes) {
		const walked = new Set<Node>();
		let node: Node | undefined = start;
		while (node && !done.has(node) && !walked.has(node)) {
			walked.add(node);
			node = node.parent === null ? undefined : file.nodes.get(node.parent);
		}
		if (node && walked.has(node)) {
			const message =
				'following the parents of this line leads back to it: Claude Code 2.1.29 and older hang; 2.1.325 goes on with what was written within five seconds before';
			report('claude-code/cycle', message, { at: node.at, path: 'parentUuid' });
		}
		for (const seen of walked) done.add(seen);
	}
}

/**
 * Reports a path that begins at a line with others before it, which are no longer sent. It is only a warning, because
 * 2.1.29 itself writes such files.
 */
function checkBeginning(thread: Thread, report: Report): void {
	const [first] = thread.path;
	if (!first || first.parent === null) return;
	const lost = thread.nodes.filter((node) => node.isMessage && node.at.index < first.at.index).length;
	if (lost === 0) return;
	const message = `the line that this one follows is not there, and none was written within five seconds before it: Claude Code starts the conversation here and sends none of the ${lost} messages before`;
	report('claude-code/lost-history', message, { at: first.at, path: 'parentUuid' });
}

function checkRoots(thread: Thread, file: Remembered, report: Report): void {
	const first = thread.nodes.find((node) => node.type === 'user');
	if (first && first.parent !== null) {
		const message = 'the first user message should have `parentUuid: null`';
		report('claude-code/first-root', message, { at: first.at, path: 'parentUuid' });
	}
	const root = thread.path[0];
	if (!root || root.parent !== null) return; // a gap has its own rule
	const boundary = thread.nodes.findLast((node) => node.isBoundary && node.at.index <= root.at.index);
	const rewound = file.snapshots.has(root.uuid);
	for (const node of thread.nodes) {
		if (node.parent !== null || node === root || node.isBoundary || thread.onPath.has(node)) continue;
		if (boundary && node.at.index < boundary.at.index) continue;
		const where = { at: node.at, path: 'parentUuid' };
		if (rewound && node.at.index < root.at.index) {
			report('claude-code/rewound-root', `the conversation starts again at line ${root.at.line}`, where);
		} else if (node.isMessage) {
			const message = `this line has no parent, and the conversation that Claude Code continues starts at line ${root.at.line}: this message and what follows it are not sent`;
			report('claude-code/several-roots', message, where);
		}
	}
}

function checkLeaf(thread: Thread, report: Report): void {
	const last = thread.path.findLast((node) => node.isMessage);
	if (!last) return;
	if (Number.isNaN(last.time)) {
		const message =
			'the last message of the conversation has no time that can be read: Claude Code 2.1.325 says "No conversation found", 2.1.29 loses messages';
		report('claude-code/leaf-time', message, { at: last.at, path: 'timestamp' });
		return;
	}
	let latest: Node | undefined;
	for (const node of thread.nodes) {
		// Any known type counts; a time that cannot be read compares as false.
		if (isKnownType(node.type) && node.time > (latest?.time ?? Number.NEGATIVE_INFINITY)) latest = node;
	}
	if (!latest || latest === last) return;
	const seen = new Set(pathTo(latest, thread.parentOf));
	const unsent = thread.path.filter((node) => node.isMessage && !seen.has(node)).length;
	if (unsent === 0) return;
	const message = `Claude Code 2.1.29 and older continue after the first line with the latest time, which is this one: ${unsent} ${plural(unsent, 'message')} of the conversation that 2.1.325 continues ${plural(unsent, 'is', 'are')} not sent`;
	report('claude-code/leaf-choice', message, { at: latest.at, path: 'timestamp' });
}

/** Reports messages after the last pointer on another branch, which are lost: their writer did not move the pointer. */
function checkPointer(thread: Thread, file: Remembered, report: Report): void {
	const pointer = file.pointers.at(-1);
	const target = typeof pointer?.leaf === 'string' ? file.nodes.get(pointer.leaf) : undefined;
	if (!pointer || !target) return;
	if (thread.nodes.some((node) => node.isBoundary && node.at.index > pointer.at.index)) return; // it counts no longer
	if (target.agent !== undefined) {
		const message = `the \`last-prompt\` names a sub-agent's line, ${target.at.line}: Claude Code 2.1.325 says "No conversation found"`;
		report('claude-code/stale-pointer', message, { at: pointer.at, path: 'leafUuid' });
		return;
	}
	const lost = saidBeside(thread).filter((node) => node.at.index > pointer.at.index);
	const [first] = lost;
	if (!first) return;
	const message = `the \`last-prompt\` in line ${pointer.at.line} keeps Claude Code 2.1.325 on another branch: ${lost.length} later ${plural(lost.length, 'message is', 'messages are')} not sent`;
	report('claude-code/stale-pointer', message, { at: first.at });
}

/** Messages that are not on the path; other lines of a reply that is on it do not count. */
function saidBeside({ nodes, path, onPath }: Thread): readonly Node[] {
	const responses = new Set(path.map((node) => node.response));
	const said = (node: Node): boolean => node.isPrompt || (node.type === 'assistant' && !responses.has(node.response));
	return nodes.filter((node) => !onPath.has(node) && said(node));
}

function checkCompaction(thread: Thread, report: Report): void {
	const boundary = thread.nodes.findLast((node) => node.isBoundary);
	if (!boundary) return;
	// The client's own notes, such as the date, may be between boundary and summary.
	const behind = new Set([boundary.uuid]);
	for (const node of thread.nodes) {
		if (node.parent === null || !behind.has(node.parent)) continue;
		if (node.isCompactSummary) return;
		if (!node.isMessage) behind.add(node.uuid);
	}
	const message =
		'no `isCompactSummary` line follows this boundary: Claude Code sends neither what came before nor the text of a `summary` line';
	report('claude-code/compaction-summary', message, { at: boundary.at });
}

/** Reports prompts that were taken back and asked again, as information: they stay in the file and do no harm. */
function checkBranches(thread: Thread, report: Report): void {
	const parents = new Set(thread.nodes.map(thread.parentOf));
	const left = saidBeside(thread).filter((node) => !parents.has(node));
	const branches = left.filter(joins(thread));
	const [first] = branches;
	if (!first) return;
	const message = `the file holds ${branches.length + 1} branches; this line ends one that is not continued`;
	report('claude-code/branches', message, { at: first.at });
}

/** Tells whether a line's ancestors meet the path. Every line is visited once, however many branches there are. */
function joins(thread: Thread): (leaf: Node) => boolean {
	const known = new Map<Node, boolean>();
	return (leaf) => {
		const walked = new Set<Node>();
		let node: Node | undefined = leaf;
		while (node && !thread.onPath.has(node) && !known.has(node) && !walked.has(node)) {
			walked.add(node);
			node = thread.parentOf(node);
		}
		const found = node !== undefined && (thread.onPath.has(node) || known.get(node) === true);
		for (const seen of walked) known.set(seen, found);
		return found;
	};
}

function checkResponses(thread: Thread, report: Report): void {
	const lastBlock = new Map<string, Node>();
	const requests = new Map<string, Node>();
	for (const node of thread.nodes) {
		if (node.response === undefined) continue;
		const before = lastBlock.get(node.response);
		if (before) checkBlockChain(before, node, report);
		lastBlock.set(node.response, node);
		if (node.request === undefined) continue;
		const other = requests.get(node.request);
		if (other && other.response !== node.response) {
			const message = `the \`requestId\` is that of line ${other.at.line}, the \`message.id\` is not: Claude Code joins blocks by \`message.id\` and drops a reply of thinking alone`;
			report('claude-code/response-split', message, { at: node.at, path: 'message.id' });
		}
		requests.set(node.request, node);
	}
	for (const node of thread.nodes) {
		if (node.results.length === 0) continue;
		const parent = thread.parentOf(node);
		if (parent?.response === undefined || lastBlock.get(parent.response) === parent) continue;
		const message = `the result follows line ${parent.at.line}, which is not the last block of its reply`;
		report('claude-code/result-chain', message, { at: node.at, path: 'parentUuid' });
	}
}

function checkBlockChain(before: Node, node: Node, report: Report): void {
	if (node.parent !== before.uuid) {
		const message = `the block should follow the block before it, line ${before.at.line}`;
		report('claude-code/block-chain', message, { at: node.at, path: 'parentUuid' });
	}
	if (node.request !== before.request) {
		const message = `the \`message.id\` is that of line ${before.at.line}, the \`requestId\` is not`;
		report('claude-code/request-group', message, { at: node.at, path: 'requestId' });
	}
}
