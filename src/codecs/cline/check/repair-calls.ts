/** Mends tool calls and results of Cline's documents, so that the model's API takes the conversation. */
import { isObject, type Json, type JsonObject, numberAt, stringAt } from '../../../model/index.ts';
import { byRecord, type Edits, lossNote, type Note, type Remedy, type RepairFile } from '../../shared/check/repair.ts';
import { blockAt, brokenBlock, mendBlocks, refsIn } from '../../shared/check/repair-blocks.ts';
import { repeatedCalls } from '../../shared/check/repair-calls.ts';
import { deriveHex } from '../../shared/write/derive.ts';
import { unanswered } from '../context/unanswered.ts';
import { callsOf, contentOf, inContent, toolName } from './repair-messages.ts';

function isResult(block: Json | undefined): block is JsonObject {
	return isObject(block) && block.type === 'tool_result';
}

export const repeatedCallRemedy = repeatedCalls({
	rules: ['cline/pair/repeated-call'],
	does: 'A second call with the id of another gets its own, and so does the result that follows it.',
	content: inContent,
	newId: (...parts) => `call_${deriveHex(16, ...parts)}`,
	callsOf,
	fromLast: true,
	answersIn: (edits) => (index, old) => {
		for (const line of edits.file.lines.slice(index + 1)) {
			const results = refsIn(contentOf(edits.value(line.index)), 'tool_result', 'tool_use_id');
			const result = results.find((ref) => ref.id === old);
			if (result) return [[line.index, [...inContent, result.at, 'tool_use_id']]];
		}
		return [];
	},
});

export const resultRemedy: Remedy = {
	rules: ['cline/pair/repeated-result', 'cline/pair/orphan'],
	does: 'A second result of a call is taken out; a result without its call becomes text, or goes where text may not stand.',
	mend(edits, problems) {
		const thing = 'a result that the API rejects';
		mendBlocks(edits, problems, inContent, 'kept', (block) => {
			const { index, at, rule } = block;
			if (rule === 'cline/pair/orphan' && !beforeResults(edits.file, index, at)) block.resultToText();
			else takeOut(edits, index, at, lossNote(rule, `took out ${thing}`, 'dropped', thing, `content[${at}]`));
		});
	},
};

/** True where results follow in the turn: they come first, so a text before one would be refused. */
function beforeResults(file: RepairFile, index: number, at: number): boolean {
	const after = contentOf(file.lines[index]?.value).slice(at + 1);
	if (after.some(isResult)) return true;
	const next = file.lines.find((line) => line.index > index && line.value);
	return next?.value?.role === 'user' && contentOf(next.value).some(isResult);
}

/** Removes a block, and with the last block its message. */
function takeOut(edits: Edits, index: number, at: number, note: Note): void {
	if (contentOf(edits.value(index)).length <= 1) edits.remove(index, note);
	else edits.cut(index, [...inContent, at], note);
}

export const lateRemedy: Remedy = {
	rules: ['cline/pair/late'],
	does: 'A result that comes too late is moved to its call.',
	mend(edits, [problem]) {
		// One at a time: each move changes which results are late.
		if (!problem) return;
		const late = brokenBlock(edits, problem, inContent);
		const { index, at, rule, value: block } = late;
		if (!isResult(block)) return;
		const { lines, options } = edits.file;
		const call = lines.findLast((line) => line.index < index && holdsCall(line.value, block.tool_use_id));
		if (!call) {
			late.resultToText();
			return;
		}
		takeOut(edits, index, at, { rule, what: 'moved a late result away from here' });
		const id = `msg_${deriveHex(8, 'moved result', options.id, String(index), String(at))}`;
		const message = { id, role: 'user', content: [block], ...timeOf(call.value) };
		edits.insertAfter(call.index, message, { rule, what: 'moved the result to its call' });
	},
};

function holdsCall(value: JsonObject | undefined, id: Json | undefined): boolean {
	return value?.role === 'assistant' && callsOf(value).some((call) => call.id === id);
}

function timeOf(value: JsonObject | undefined): { readonly ts?: number } {
	const ts = value && numberAt(value, 'ts');
	return ts === undefined ? {} : { ts };
}

export const openCallRemedy: Remedy = {
	rules: ['cline/pair/unanswered'],
	does: 'A call without a result gets the one that Cline itself makes up.',
	mend(edits, problems) {
		const { file } = edits;
		for (const [index, found] of byRecord(problems)) {
			const value = file.lines[index]?.value;
			const blocks = found.flatMap(({ path }) => resultFor(file, contentOf(value)[blockAt(path)]));
			if (blocks.length === 0) continue;
			const id = `msg_${deriveHex(8, 'repaired result', file.options.id, String(index))}`;
			const message = { id, role: 'user', content: blocks, ...timeOf(value) };
			const what = `answered ${blocks.length === 1 ? 'a call' : `${blocks.length} calls`} as Cline would: interrupted`;
			const note = lossNote('cline/pair/unanswered', what, 'invented', 'results of calls', 'content');
			edits.insertAfter(index, message, note);
		}
	},
};

/** The result that Cline makes up where none came. */
function resultFor(file: RepairFile, call: Json | undefined): readonly JsonObject[] {
	const id = isObject(call) ? stringAt(call, 'id') : undefined;
	if (id === undefined) return [];
	const name = toolName(file, id);
	const text = unanswered(name);
	return [{ type: 'tool_result', tool_use_id: id, name, content: [{ type: 'text', text }], is_error: true }];
}
