/** Mends tool calls and results of Claude Code's files: open calls get the client's own text, orphaned results become text, second results go. */
import { type JsonObject, objectAt, stringAt } from '../../../model/index.ts';
import { type Edits, lossNote, type Remedy } from '../../shared/check/repair.ts';
import { type BrokenBlock, blocksIn, mendBlocks, type Ref, refsIn } from '../../shared/check/repair-blocks.ts';
import { repeatedCalls } from '../../shared/check/repair-calls.ts';
import type { Link, Links } from '../../shared/check/repair-links.ts';
import { deriveHex, deriveUuid } from '../../shared/write/derive.ts';
import { unanswered } from '../context/unanswered.ts';
import { allLinks, envelopeOf, inMessage, isMessage, isoTime, lastSaid, threadLinks, timeOf } from './repair-thread.ts';

function refs(value: JsonObject | undefined, type: 'tool_use' | 'tool_result'): readonly Ref[] {
	const blocks = value && isMessage(value) ? blocksIn(value, inMessage) : [];
	return refsIn(blocks, type, type === 'tool_use' ? 'id' : 'tool_use_id');
}

export const repeatedCallRemedy = repeatedCalls({
	rules: ['claude-code/repeated-call'],
	does: 'A second call with the id of another gets its own, and so does the result that follows it.',
	content: inMessage,
	newId: (...parts) => `toolu_${deriveHex(24, ...parts)}`,
	callsOf: (value) => refs(value, 'tool_use'),
	fromLast: false,
	answersIn: (edits) => (index, old) => {
		for (const line of edits.file.lines.slice(index + 1)) {
			const result = refs(line.value, 'tool_result').find((ref) => ref.id === old);
			if (result) return [[line.index, [...inMessage, result.at, 'tool_use_id']]];
		}
		return [];
	},
});

export const resultRemedy: Remedy = {
	rules: ['claude-code/repeated-result', 'claude-code/orphan-result'],
	does: 'A second result of a call is taken out; a result without its call becomes text, or goes where text may not stand.',
	mend(edits, problems) {
		const links = allLinks(edits);
		const mend = (block: BrokenBlock, broken: number): void => {
			const orphan = block.rule === 'claude-code/orphan-result';
			const thing = orphan ? 'a result without its call' : 'a second result of a call';
			if (orphan && !amongResults(links, block.index, broken)) block.resultToText();
			else block.cut(`took out ${thing}`, thing);
		};
		mendBlocks(edits, problems, inMessage, allLinks, mend);
	},
};

/** True where a result is among others: a text between two results would be refused, as results come first. */
function amongResults(links: Links, index: number, broken: number): boolean {
	const link = links.at(index);
	if (!link) return false;
	if (refs(link.value, 'tool_result').length > broken) return true;
	const near = [links.get(link.parent), ...links.childrenOf(link)];
	return near.some((other) => other?.value.type === 'user' && refs(other.value, 'tool_result').length > 0);
}

export const openCallRemedy: Remedy = {
	rules: ['claude-code/unanswered-call', 'claude-code/interrupted'],
	does: 'A call without a result gets the one that Claude Code itself makes up.',
	mend(edits, problems) {
		const links = allLinks(edits);
		const done = new Set<number>();
		for (const { index, rule } of problems) {
			const call = links.at(index);
			if (!call || done.has(index)) continue;
			const family = familyOf(links, call);
			for (const link of family) done.add(link.index);
			answer(edits, links, family, rule);
		}
	},
};

/** The lines of the reply that made the call, and the results of its calls. */
function familyOf(links: Links, call: Link): readonly Link[] {
	const response = replyOf(call);
	const replies = links.all.filter((link) => link === call || (response !== undefined && replyOf(link) === response));
	return [...replies, ...resultsFor(links, replies)].sort((a, b) => a.index - b.index);
}

function resultsFor(links: Links, replies: readonly Link[]): readonly Link[] {
	const ids = new Set(replies.flatMap((link) => refs(link.value, 'tool_use').map((ref) => ref.id)));
	return links.all.filter((link) => refs(link.value, 'tool_result').some((ref) => ids.has(ref.id)));
}

function replyOf(link: Link): string | undefined {
	const message = link.value.type === 'assistant' ? objectAt(link.value, 'message') : undefined;
	return message && stringAt(message, 'id');
}

/** Inserts results for the open calls after the last line of the family, whose children then follow them. */
function answer(edits: Edits, links: Links, family: readonly Link[], rule: string): void {
	const last = tailOf(links, family);
	if (last?.id === undefined) return;
	const answered = new Set(links.all.flatMap((link) => refs(link.value, 'tool_result').map((ref) => ref.id)));
	const outside = family.flatMap((link) => links.childrenOf(link)).filter((link) => !family.includes(link));
	let parent = last.id;
	let time = timeOf(last.value);
	for (const link of family) {
		for (const { id } of refs(link.value, 'tool_use')) {
			if (answered.has(id)) continue;
			answered.add(id);
			time = (Number.isNaN(time) ? Date.parse(edits.file.options.time) : time) + 1;
			const line = resultLine(link, id, parent, isoTime(time));
			parent = String(line.uuid);
			const what = `answered the call ${id} as Claude Code would: interrupted`;
			const note = lossNote(rule, what, 'invented', `a result for the call ${id}`, 'message.content[0]');
			edits.insertAfter(last.index, line, note);
		}
	}
	for (const link of outside) links.setParent(link, parent, { rule, what: 'follows the result that was added' });
}

/** The end of a family: of several the one that the conversation goes on from, else the last in the file. */
function tailOf(links: Links, family: readonly Link[]): Link | undefined {
	const inner = new Set(family.map((link) => link.parent));
	const ends = family.filter((link) => !inner.has(link.id ?? null));
	const used = ends.findLast((link) => links.childrenOf(link).length > 0);
	return used ?? ends.at(-1) ?? family.at(-1);
}

function resultLine(call: Link, id: string, parent: string, timestamp: string): JsonObject {
	return {
		parentUuid: parent,
		...envelopeOf(call.value),
		type: 'user',
		message: {
			role: 'user',
			content: [{ type: 'tool_result', content: unanswered, is_error: true, tool_use_id: id }],
		},
		uuid: deriveUuid('repaired result', call.id ?? '', id, parent),
		timestamp,
		toolUseResult: `Error: ${unanswered}`,
		...(call.id === undefined ? {} : { sourceToolAssistantUUID: call.id }),
	};
}

/** Puts parallel results on one path: 2.1.29 follows a single branch, and a path is sent whole by every version. */
export const parallelRemedy: Remedy = {
	rules: ['claude-code/parallel-results'],
	only: '2.1.29',
	does: 'For 2.1.29, the results of parallel calls are chained one after another.',
	mend(edits) {
		const links = threadLinks(edits);
		const replies = Map.groupBy(links.all, replyOf);
		replies.delete(undefined);
		const path = new Set<Link>();
		for (let link = lastSaid(links, edits); link && !path.has(link); link = links.get(link.parent)) path.add(link);
		for (const lines of replies.values()) chainResults(links, lines, path);
	},
};

function chainResults(links: Links, lines: readonly Link[], path: ReadonlySet<Link>): void {
	const rule = 'claude-code/parallel-results';
	const results = resultsFor(links, lines);
	if (results.length < 2 || !lines.some((link) => path.has(link)) || results.every((link) => path.has(link))) return;
	const after = results
		.flatMap((link) => links.childrenOf(link))
		.filter((link) => path.has(link) && !results.includes(link));
	let parent = lines.at(-1)?.id ?? null;
	for (const link of results) {
		links.setParent(link, parent, { rule, what: 'the result follows the one before it' });
		parent = link.id ?? parent;
	}
	for (const link of after) links.setParent(link, parent, { rule, what: 'follows the last of the results' });
}
