/** Mends tool calls and results of Claude Code's files, so that the API takes the conversation. */
import { isObject, type Json, type JsonObject, objectAt, stringAt } from '../../../model/index.ts';
import { Edits, lineOf, type Note, type Remedy, textOfBlocks } from '../../shared/check/repair.ts';
import { brokenBlocks } from '../../shared/check/repair-blocks.ts';
import type { Link, Links } from '../../shared/check/repair-links.ts';
import { deriveHex, deriveUuid } from '../../shared/write/derive.ts';
import { stepsOf } from '../../shared/write/json-edit.ts';
import { unanswered } from '../context/unanswered.ts';
import { eachBlock } from './repair-ids.ts';
import { contentOf } from './repair-lines.ts';
import { allLinks, envelopeOf, isMessage, isoTime, lastSaid, threadLinks, timeOf } from './repair-thread.ts';

interface Ref {
	readonly id: string;
	readonly at: number;
}

function refs(value: JsonObject, type: 'tool_use' | 'tool_result'): readonly Ref[] {
	const content = isMessage(value) ? contentOf(value) : undefined;
	if (!Array.isArray(content)) return [];
	const key = type === 'tool_use' ? 'id' : 'tool_use_id';
	return (content as readonly Json[]).flatMap((block, at) => {
		const id = isObject(block) && block.type === type ? block[key] : undefined;
		return typeof id === 'string' ? [{ id, at }] : [];
	});
}

export const repeatedCallRemedy: Remedy = {
	rules: ['claude-code/repeated-call'],
	does: 'A second call with the id of another gets its own, and so does the result that follows it.',
	mend(file, problems) {
		const edits = new Edits(file);
		for (const { index = -1, path, rule } of problems) {
			const at = Number(stepsOf(path)[2]);
			const old = refs(edits.value(index) ?? {}, 'tool_use').find((ref) => ref.at === at)?.id;
			if (old === undefined) continue;
			const id = `toolu_${deriveHex(24, 'repaired call', file.options.id, old, String(index), String(at))}`;
			const note: Note = {
				rule,
				what: `gave the second call ${old} an id of its own`,
				lost: { path: `message.content[${at}].id`, how: 'invented', note: 'the id of a call' },
			};
			edits.set(index, ['message', 'content', at, 'id'], id, note);
			const answer = file.lines.find(
				(line) => line.index > index && refs(line.value ?? {}, 'tool_result').some((ref) => ref.id === old),
			);
			const result = answer && refs(answer.value ?? {}, 'tool_result').find((ref) => ref.id === old);
			if (!answer || !result) continue;
			const what = 'the result answers the call under its new id';
			edits.set(answer.index, ['message', 'content', result.at, 'tool_use_id'], id, { rule, what });
		}
		return edits.done();
	},
};

export const resultRemedy: Remedy = {
	rules: ['claude-code/repeated-result', 'claude-code/orphan-result'],
	does: 'A second result of a call is taken out; a result without its call becomes text, or goes where text may not stand.',
	mend(file, problems) {
		const edits = new Edits(file);
		const links = allLinks(edits);
		const gone = new Map<number, Note>();
		for (const { index, rule: first, blocks } of brokenBlocks(problems, (path) => Number(stepsOf(path)[2]))) {
			const crowded = amongResults(links, index, blocks.length);
			for (const [at, { rule }] of blocks) {
				const orphan = rule === 'claude-code/orphan-result';
				if (orphan && !crowded) toText(edits, index, at, rule);
				else cutResult(edits, index, at, rule, orphan ? 'a result without its call' : 'a second result of a call');
			}
			const content = contentOf(edits.value(index));
			if (Array.isArray(content) && content.length === 0) {
				gone.set(index, { rule: first, what: 'took out the line: nothing is left in it' });
			}
		}
		links.remove(gone);
		return edits.done();
	},
};

/** Results come first in a turn: a text between two would be rejected. */
function amongResults(links: Links, index: number, broken: number): boolean {
	const link = links.at(index);
	if (!link) return false;
	if (refs(link.value, 'tool_result').length > broken) return true;
	const near = [links.get(link.parent), ...links.childrenOf(link)];
	return near.some((other) => other?.value.type === 'user' && refs(other.value, 'tool_result').length > 0);
}

function cutResult(edits: Edits, index: number, at: number, rule: string, thing: string): void {
	const lost = { path: `message.content[${at}]`, how: 'dropped', note: thing } as const;
	edits.cut(index, ['message', 'content', at], { rule, what: `took out ${thing}`, lost });
}

function toText(edits: Edits, index: number, at: number, rule: string): void {
	eachBlock(edits, index, (block, position) => {
		if (position !== at) return;
		const text = textOfBlocks(block.content);
		const said = `[result of a tool call that is not in this session] ${text}`;
		edits.set(
			index,
			['message', 'content', at],
			{ type: 'text', text: said },
			{
				rule,
				what: 'turned a result without its call into text',
				lost: { path: `message.content[${at}]`, how: 'approximated', note: 'a tool result is text now' },
			},
		);
	});
}

export const openCallRemedy: Remedy = {
	rules: ['claude-code/unanswered-call', 'claude-code/interrupted'],
	does: 'A call without a result gets the one that Claude Code itself makes up.',
	mend(file, problems) {
		const edits = new Edits(file);
		const links = allLinks(edits);
		const done = new Set<number>();
		for (const { index = -1, rule } of problems) {
			const call = links.at(index);
			if (!call || done.has(index)) continue;
			const family = familyOf(links, call);
			for (const link of family) done.add(link.index);
			answer(edits, links, family, rule);
		}
		return edits.done();
	},
};

/** The lines of the reply that made the call, and the results that its calls have. */
function familyOf(links: Links, call: Link): readonly Link[] {
	const response = replyOf(call);
	const replies = links.all.filter((link) => link === call || (response !== undefined && replyOf(link) === response));
	const ids = new Set(replies.flatMap((link) => refs(link.value, 'tool_use').map((ref) => ref.id)));
	const results = links.all.filter((link) => refs(link.value, 'tool_result').some((ref) => ids.has(ref.id)));
	return [...replies, ...results].sort((a, b) => a.index - b.index);
}

function replyOf(link: Link): string | undefined {
	const message = link.value.type === 'assistant' ? objectAt(link.value, 'message') : undefined;
	return message && stringAt(message, 'id');
}

/** Puts results for the open calls after the last line of the family; what followed the family follows them. */
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
			edits.insertAfter(last.index, lineOf(line), {
				rule,
				what: `answered the call ${id} as Claude Code would: interrupted`,
				lost: { path: 'message.content[0]', how: 'invented', note: `a result for the call ${id}` },
			});
		}
	}
	for (const link of outside) links.setParent(link, parent, { rule, what: 'follows the result that was added' });
}

/** Of several ends of a family the one that the conversation goes on from, else the last in the file. */
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

/** 2.1.29 follows one branch only; chained results are sent whole by every version. */
export const parallelRemedy: Remedy = {
	rules: ['claude-code/parallel-results'],
	only: '2.1.29',
	does: 'For 2.1.29, the results of parallel calls are chained one after another.',
	mend(file) {
		const edits = new Edits(file);
		const links = threadLinks(edits);
		const replies = new Map<string, Link[]>();
		for (const link of links.all) {
			const reply = replyOf(link);
			if (reply !== undefined) replies.set(reply, [...(replies.get(reply) ?? []), link]);
		}
		const path = new Set<Link>();
		for (let link = lastSaid(links, edits); link && !path.has(link); link = links.get(link.parent)) path.add(link);
		for (const lines of replies.values()) chainResults(links, lines, path);
		return edits.done();
	},
};

function chainResults(links: Links, lines: readonly Link[], path: ReadonlySet<Link>): void {
	const rule = 'claude-code/parallel-results';
	const ids = new Set(lines.flatMap((link) => refs(link.value, 'tool_use').map((ref) => ref.id)));
	const results = links.all.filter((link) => refs(link.value, 'tool_result').some((ref) => ids.has(ref.id)));
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
