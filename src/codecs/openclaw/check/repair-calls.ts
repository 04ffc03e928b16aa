/** Mends tool calls and results of pi's files, so that the model's API takes the conversation. */
import { type JsonObject, stringAt } from '../../../model/index.ts';
import { unanswered } from '../../../wires/texts.ts';
import { byRecord, type Edits, lossNote, type Problem, type Remedy, removal } from '../../shared/check/repair.ts';
import type { Ref } from '../../shared/check/repair-blocks.ts';
import { repeatedCalls } from '../../shared/check/repair-calls.ts';
import { mendOrRemove } from '../../shared/check/repair-graph.ts';
import type { Link, Links } from '../../shared/check/repair-links.ts';
import { deriveHex } from '../../shared/write/derive.ts';
import { withValue } from '../../shared/write/json-edit.ts';
import { timeOf } from './repair-header.ts';
import { toUser } from './repair-messages.ts';
import { callsOf, flowOf, goesOn, inMessage, isLinear, linksOf, messageOf, resultOf } from './repair-thread.ts';
import { freshId } from './repair-tree.ts';

export const repeatedCallRemedy = repeatedCalls({
	rules: ['openclaw/call-repeated'],
	does: 'A second call with the id of another gets its own, and so do its results.',
	content: inMessage,
	newId: (...parts) => `call_${deriveHex(16, ...parts)}`,
	callsOf,
	// From the last to the first, so that each result goes with the nearest call above it.
	fromLast: true,
	answersIn(edits) {
		const links = flowOf(edits);
		return (index, old) => {
			const call = links.at(index);
			const later = links.all.filter((link) => link.index > index && resultOf(edits.value(link.index)) === old);
			const below = later.filter((link) => call && links.isBelow(link, call));
			return below.map((link) => [link.index, ['message', 'toolCallId']]);
		};
	},
});

export const repeatedResultRemedy: Remedy = {
	rules: ['openclaw/result-repeated'],
	does: 'A second result of a call is taken out.',
	mend: mendOrRemove(linksOf, (_edits, { rule }) => removal(rule, 'a second result of a call')),
};

export const lateRemedy: Remedy = {
	rules: ['openclaw/result-late'],
	does: 'A result that comes too late is moved to its call.',
	mend(edits, [problem]) {
		// One at a time: each move changes which results are late.
		if (problem && !move(edits, flowOf(edits), problem)) toUser(edits, problem.index, problem.rule);
	},
};

/** Moves a result to its call; false where there is no place for it. */
function move(edits: Edits, links: Links, { index, rule }: Problem): boolean {
	const late = links.at(index);
	const id = resultOf(late?.value);
	if (!late || id === undefined) return false;
	const above = pathAbove(links, late);
	const made = above.findIndex((link) => callsOf(link.value).some((call) => call.id === id));
	if (made === -1) return false;
	let target = made;
	while (target > 0 && resultOf(above[target - 1]?.value) !== undefined) target -= 1;
	const after = above[target];
	const next = above[target - 1];
	const line = edits.file.lines[index];
	if (after?.id === undefined || !next || !line || late.id === undefined) return false;
	for (const child of links.childrenOf(late)) {
		links.setParent(child, late.parent, { rule, what: 'follows what the moved result followed' });
	}
	links.setParent(next, late.id, { rule, what: 'follows the moved result' });
	const bytes = isLinear(edits.file) ? line.bytes : withValue(line.bytes, ['parentId'], after.id);
	edits.remove(index, { rule, what: 'moved a late result away from here' });
	edits.insertAfter(after.index, bytes, { rule, what: 'moved the result to its call' });
	return true;
}

/** The lines from the parent up to the root. */
function pathAbove(links: Links, link: Link): readonly Link[] {
	const path = new Set<Link>();
	for (let at = links.get(link.parent); at && !path.has(at); at = links.get(at.parent)) path.add(at);
	return [...path];
}

export const openCallRemedy: Remedy = {
	rules: ['openclaw/call-unanswered'],
	does: 'A call without a result gets the one that pi itself makes up.',
	mend(edits, problems) {
		const links = flowOf(edits);
		for (const index of byRecord(problems).keys()) {
			const reply = links.at(index);
			if (reply) answer(edits, links, reply);
		}
	},
};

interface Gap {
	/** The line after which results are missing; `next` are the lines that follow it. */
	readonly after: Link;
	readonly open: readonly Ref[];
	readonly next: Link[];
}

function answer(edits: Edits, links: Links, reply: Link): void {
	const rule = 'openclaw/call-unanswered';
	const linear = isLinear(edits.file);
	for (const { after, open, next } of gapsBelow(reply, links)) {
		let parent = after.id;
		for (const call of open) {
			const key = `${reply.index} ${call.at} ${after.index}`;
			const id = freshId(edits.file.options.id, key, (one) => links.get(one) !== undefined);
			const what = `answered the call ${call.id} as pi would: ${unanswered}`;
			const note = lossNote(rule, what, 'invented', `a result for the call ${call.id}`, 'message');
			edits.insertAfter(after.index, resultLine(reply, call, linear ? {} : { id, parentId: parent ?? null }), note);
			parent = id;
		}
		if (parent === undefined) continue;
		for (const link of next) links.setParent(link, parent, { rule, what: 'follows the result that was added' });
	}
}

/** Every place below the reply where the conversation goes on or ends before all its calls are answered. */
function gapsBelow(reply: Link, links: Links): readonly Gap[] {
	const gaps = new Map<Link, Gap>();
	const todo: { readonly link: Link; readonly open: readonly Ref[] }[] = [{ link: reply, open: callsOf(reply.value) }];
	for (let step = todo.pop(); step; step = todo.pop()) {
		const { link, open } = step;
		const next = links.childrenOf(link);
		if (open.length > 0 && next.length === 0) gaps.set(link, { after: link, open, next: [] });
		for (const child of next) {
			if (!goesOn(child)) {
				const answered = resultOf(child.value);
				todo.push({ link: child, open: open.filter((call) => call.id !== answered) });
			} else if (open.length > 0) {
				const gap = gaps.get(link) ?? { after: link, open, next: [] };
				gap.next.push(child);
				gaps.set(link, gap);
			}
		}
	}
	return [...gaps.values()];
}

function resultLine(reply: Link, call: Ref, ids: JsonObject): JsonObject {
	const time = timeOf(reply.value);
	const own = messageOf(reply.value)?.timestamp;
	const ms = typeof own === 'number' ? own : Date.parse(stringAt(reply.value, 'timestamp') ?? '');
	return {
		type: 'message',
		...ids,
		...(time === undefined ? {} : { timestamp: time }),
		message: {
			role: 'toolResult',
			toolCallId: call.id,
			toolName: call.name ?? 'unknown',
			content: [{ type: 'text', text: unanswered }],
			isError: true,
			...(Number.isNaN(ms) ? {} : { timestamp: ms }),
		},
	};
}
