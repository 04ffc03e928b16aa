/** Checks tool calls and their results in Claude Code's files: unanswered, orphaned, repeated, or beside the path, and what each client version does then. */
import type { Report } from '../../codec.ts';
import { show } from '../../shared/check/fields.ts';
import type { Thread } from './chain.ts';
import type { Node } from './nodes.ts';

/** Checks a thread. `all` has the lines of every thread: a result may answer a call on another line of the file. */
export function checkTools(thread: Thread, all: readonly Node[], report: Report): void {
	const calls = new Map<string, Node>();
	const results = new Set<string>();
	for (const node of all) {
		for (const call of node.calls) calls.set(call.id, node);
		for (const result of node.results) results.add(result.id);
	}
	checkPath(thread, calls, report);
	checkAnswers(thread, results, report);
	checkParallel(thread, calls, report);
}

function checkPath(thread: Thread, calls: ReadonlyMap<string, Node>, report: Report): void {
	const called = new Set<string>();
	const answered = new Set<string>();
	for (const node of thread.path) {
		for (const { id, path } of node.calls) {
			if (called.has(id)) {
				const message = `two calls have the id ${show(id)}: the API rejects them, and Claude Code 2.1.325 replaces the second`;
				report('claude-code/repeated-call', message, { at: node.at, path: `${path}.id` });
			}
			called.add(id);
		}
		for (const { id, path } of node.results) {
			const where = { at: node.at, path: `${path}.tool_use_id` };
			if (!calls.has(id)) {
				const message = `no call has the id ${show(id)}: Claude Code drops this result`;
				report('claude-code/orphan-result', message, where);
			} else if (answered.has(id)) {
				const message = `the call ${show(id)} has a result already: Claude Code 2.1.29 sends both and the API rejects them; 2.1.325 keeps the first`;
				report('claude-code/repeated-result', message, where);
			}
			answered.add(id);
		}
	}
}

function checkAnswers(thread: Thread, results: ReadonlySet<string>, report: Report): void {
	thread.path.forEach((node, index) => {
		const open = node.calls.filter((call) => !results.has(call.id));
		if (open.length === 0) return;
		const goesOn = thread.path
			.slice(index + 1)
			.some((later) => later.isPrompt || (later.type === 'assistant' && later.response !== node.response));
		for (const { id, path } of open) {
			const message = goesOn
				? `the call ${show(id)} has no result, but the conversation goes on: Claude Code 2.1.325 leaves the whole reply out, 2.1.29 the call`
				: `the session ends before the call ${show(id)} has a result: Claude Code 2.1.325 adds one that says so, 2.1.29 leaves the call out`;
			const rule = goesOn ? 'claude-code/unanswered-call' : 'claude-code/interrupted';
			report(rule, message, { at: node.at, path: `${path}.id` });
		}
	});
}

/** Reports results that hang on their own calls, as a tree: 2.1.325 collects such branches, 2.1.29 follows one. */
function checkParallel(thread: Thread, calls: ReadonlyMap<string, Node>, report: Report): void {
	const responses = new Set<string>();
	const answered = new Set<string>();
	for (const node of thread.path) {
		if (node.response !== undefined) responses.add(node.response);
		for (const result of node.results) answered.add(result.id);
	}
	const beside = thread.nodes.filter((node) => {
		if (thread.onPath.has(node)) return false;
		return node.results.some((result) => {
			const response = calls.get(result.id)?.response;
			return response !== undefined && responses.has(response) && !answered.has(result.id);
		});
	});
	const [first] = beside;
	if (!first) return;
	const message =
		beside.length === 1
			? 'the result of a parallel call hangs beside the chain: Claude Code 2.1.29 sends neither it nor its call; 2.1.325 sends both'
			: `${beside.length} results of parallel calls hang beside the chain: Claude Code 2.1.29 sends neither them nor their calls; 2.1.325 sends all`;
	report('claude-code/parallel-results', message, { at: first.at, path: 'parentUuid' });
}
