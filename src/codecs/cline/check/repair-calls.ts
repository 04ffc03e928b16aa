/** Mends tool calls and results of Cline's documents, so that the model's API takes the conversation. */
import { isObject, type Json, type JsonObject, numberAt, stringAt } from '../../../model/index.ts';
import {
	byRecord,
	type Note,
	type Problem,
	type Remedy,
	type RepairFile,
	textOfBlocks,
} from '../../shared/check/repair.ts';
import { deriveHex } from '../../shared/write/derive.ts';
import { unanswered } from '../context/unanswered.ts';
import { DocumentEdits } from './repair-document.ts';
import { blockAt, contentOf, toolName } from './repair-messages.ts';

function isResult(block: Json | undefined): block is JsonObject {
	return isObject(block) && block.type === 'tool_result';
}

export const repeatedCallRemedy: Remedy = {
	rules: ['cline/pair/repeated-call'],
	does: 'A second call with the id of another gets its own, and so does the result that follows it.',
	mend(file, problems) {
		const edits = new DocumentEdits(file);
		for (const { index = -1, path, rule } of [...problems].reverse()) {
			const at = blockAt(path);
			const block = contentOf(edits.value(index))[at];
			const old = isObject(block) ? stringAt(block, 'id') : undefined;
			if (old === undefined) continue;
			const id = `call_${deriveHex(16, 'repaired call', file.options.id, old, String(index), String(at))}`;
			const lost = { path: `content[${at}].id`, how: 'invented', note: 'the id of a call' } as const;
			edits.set(index, ['content', at, 'id'], id, { rule, what: `gave the second call ${old} an id of its own`, lost });
			const answer = file.lines.find((line) => line.index > index && resultAt(edits.value(line.index), old) !== -1);
			if (!answer) continue;
			const place = ['content', resultAt(edits.value(answer.index), old), 'tool_use_id'];
			edits.set(answer.index, place, id, { rule, what: 'the result answers the call under its new id' });
		}
		return edits.done();
	},
};

function resultAt(value: JsonObject | undefined, id: string): number {
	return contentOf(value).findIndex((block) => isResult(block) && block.tool_use_id === id);
}

export const resultRemedy: Remedy = {
	rules: ['cline/pair/repeated-result', 'cline/pair/orphan'],
	does: 'A second result of a call is taken out; a result without its call becomes text, or goes where text may not stand.',
	mend(file, problems) {
		const edits = new DocumentEdits(file);
		for (const [index, found] of byRecord(problems)) {
			const byBlock = new Map<number, Problem>();
			for (const problem of found) byBlock.set(blockAt(problem.path), problem);
			for (const [at, { rule }] of [...byBlock].sort(([a], [b]) => b - a)) {
				const text = rule === 'cline/pair/orphan' && !beforeResults(file, index, at);
				if (text) toText(edits, index, at, rule);
				else cutResult(edits, index, at, rule);
			}
		}
		return edits.done();
	},
};

/** Results come first in a turn: a text before one would be rejected. */
function beforeResults(file: RepairFile, index: number, at: number): boolean {
	if (
		contentOf(file.lines[index]?.value)
			.slice(at + 1)
			.some(isResult)
	)
		return true;
	const next = file.lines.find((line) => line.index > index && line.value);
	return next?.value?.role === 'user' && contentOf(next.value).some(isResult);
}

function cutResult(edits: DocumentEdits, index: number, at: number, rule: string): void {
	const thing = 'a result that the API rejects';
	const lost = { path: `content[${at}]`, how: 'dropped', note: thing } as const;
	takeOut(edits, index, at, { rule, what: `took out ${thing}`, lost });
}

/** A message in which nothing is left goes with its last block. */
function takeOut(edits: DocumentEdits, index: number, at: number, note: Note): void {
	if (contentOf(edits.value(index)).length <= 1) edits.remove(index, note);
	else edits.cut(index, ['content', at], note);
}

function toText(edits: DocumentEdits, index: number, at: number, rule: string): void {
	const block = contentOf(edits.value(index))[at];
	const said = isObject(block) ? textOfBlocks(block.content) : '';
	const text = `[result of a tool call that is not in this session] ${said}`;
	edits.set(
		index,
		['content', at],
		{ type: 'text', text },
		{
			rule,
			what: 'turned a result without its call into text',
			lost: { path: `content[${at}]`, how: 'approximated', note: 'a tool result is text now' },
		},
	);
}

export const lateRemedy: Remedy = {
	rules: ['cline/pair/late'],
	does: 'A result that comes too late is moved to its call.',
	mend(file, problems) {
		const edits = new DocumentEdits(file);
		// One at a time: each move changes what is late.
		const problem = problems[0];
		const index = problem?.index ?? -1;
		const at = problem ? blockAt(problem.path) : -1;
		const block = contentOf(file.lines[index]?.value)[at];
		if (!problem || !isResult(block)) return edits.done();
		const { rule } = problem;
		const call = file.lines.findLast((line) => line.index < index && holdsCall(line.value, block.tool_use_id));
		if (!call) {
			toText(edits, index, at, rule);
			return edits.done();
		}
		takeOut(edits, index, at, { rule, what: 'moved a late result away from here' });
		const id = `msg_${deriveHex(8, 'moved result', file.options.id, String(index), String(at))}`;
		const message = { id, role: 'user', content: [block], ...timeOf(call.value) };
		edits.insertAfter(call.index, edits.element(message), { rule, what: 'moved the result to its call' });
		return edits.done();
	},
};

function holdsCall(value: JsonObject | undefined, id: Json | undefined): boolean {
	return (
		value?.role === 'assistant' &&
		contentOf(value).some((block) => isObject(block) && block.type === 'tool_use' && block.id === id)
	);
}

function timeOf(value: JsonObject | undefined): { readonly ts?: number } {
	const ts = value && numberAt(value, 'ts');
	return ts === undefined ? {} : { ts };
}

export const openCallRemedy: Remedy = {
	rules: ['cline/pair/unanswered'],
	does: 'A call without a result gets the one that Cline itself makes up.',
	mend(file, problems) {
		const edits = new DocumentEdits(file);
		for (const [index, found] of byRecord(problems)) {
			const rule = 'cline/pair/unanswered';
			const blocks = found.flatMap(({ path }) => resultFor(file, contentOf(file.lines[index]?.value)[blockAt(path)]));
			if (blocks.length === 0) continue;
			const id = `msg_${deriveHex(8, 'repaired result', file.options.id, String(index))}`;
			const message = { id, role: 'user', content: blocks, ...timeOf(file.lines[index]?.value) };
			edits.insertAfter(index, edits.element(message), {
				rule,
				what: `answered ${blocks.length === 1 ? 'a call' : `${blocks.length} calls`} as Cline would: interrupted`,
				lost: { path: 'content', how: 'invented', note: 'results of calls' },
			});
		}
		return edits.done();
	},
};

/** What Cline says in place of a result that never came. */
function resultFor(file: RepairFile, call: Json | undefined): readonly JsonObject[] {
	const id = isObject(call) ? stringAt(call, 'id') : undefined;
	if (id === undefined) return [];
	const name = toolName(file, id);
	const text = unanswered(name);
	return [{ type: 'tool_result', tool_use_id: id, name, content: [{ type: 'text', text }], is_error: true }];
}
