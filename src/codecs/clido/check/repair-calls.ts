/** Mends calls and results of Clido's files, and the line that must come first. */
import { isObject, type JsonObject } from '../../../model/index.ts';
import {
	type Edits,
	each,
	lossNote,
	type Problem,
	type Remedy,
	type RepairFile,
	removal,
} from '../../shared/check/repair.ts';
import {
	type BrokenBlock,
	blockAt,
	blocksIn,
	brokenBlock,
	type Ref,
	refsIn,
	unknownResult,
} from '../../shared/check/repair-blocks.ts';
import { repeatedCalls } from '../../shared/check/repair-calls.ts';
import { deriveHex } from '../../shared/write/derive.ts';
import type { Path } from '../../shared/write/json-edit.ts';
import { unanswered } from '../context/unanswered.ts';
import { inContent, resultToText } from './repair-lines.ts';

export const metaRemedy: Remedy = {
	rules: ['clido/meta-first'],
	does: 'The `meta` line goes to the top; where there is none, one is made.',
	mend(edits) {
		const { lines, options } = edits.file;
		const first = lines.find((line) => line.part === 'item');
		const meta = lines.find((line) => line.value?.type === 'meta');
		if (!first) return;
		const rule = 'clido/meta-first';
		if (meta) {
			edits.insertBefore(first.index, meta.bytes, { rule, what: 'moved the `meta` line to the top' });
			edits.remove(meta.index, { rule, what: 'moved the `meta` line away from here' });
			return;
		}
		const { id, time, cwd } = options;
		const line = { type: 'meta', session_id: id, schema_version: 1, start_time: time, project_path: cwd };
		const what = 'added a `meta` line, without which Clido does not list the session';
		edits.insertBefore(first.index, line, lossNote(rule, what, 'invented', 'start time and project of the session'));
	},
};

export const repeatedCallRemedy = repeatedCalls({
	rules: ['clido/call-repeated'],
	does: 'A second call with the id of another gets its own, and so do its result and index line.',
	content: inContent,
	newId: (...parts) => `toolu_${deriveHex(24, ...parts)}`,
	callsOf,
	fromLast: false,
	follows: 'belongs to the call under its new id',
	answersIn:
		({ file }) =>
		(index, old) =>
			answersAfter(file, index, old),
});

/** The ids in the index line and in the result right after the call. */
function* answersAfter(file: RepairFile, from: number, id: string): Generator<readonly [number, Path]> {
	for (const { index, value } of file.lines.slice(from + 1)) {
		if (value?.type === 'assistant_message') return;
		if ((value?.type === 'tool_call' || value?.type === 'tool_result') && value.tool_use_id === id) {
			yield [index, ['tool_use_id']];
			if (value.type === 'tool_result') return;
		}
		const inside = refsIn(blocksIn(value, inContent), 'tool_result', 'tool_use_id').find((ref) => ref.id === id);
		if (!inside) continue;
		yield [index, [...inContent, inside.at, 'tool_use_id']];
		return;
	}
}

function callsOf(value: JsonObject | undefined): readonly Ref[] {
	return value?.type === 'assistant_message' ? refsIn(blocksIn(value, inContent), 'tool_use', 'id') : [];
}

export const resultRemedy: Remedy = {
	rules: ['clido/result-repeated', 'clido/result-orphan'],
	does: 'A second result of a call is taken out; a result without its call becomes text of the user.',
	mend(edits, problems) {
		// From the last to the first: removing a block moves those behind it.
		for (const problem of problems.toReversed()) {
			const { index, rule } = problem;
			const value = edits.value(index);
			if (!value) continue;
			const again = rule === 'clido/result-repeated';
			if (value.type !== 'tool_result') mendInside(brokenBlock(edits, problem, inContent), again);
			else if (again) edits.remove(index, removal(rule, 'a second result of a call'));
			else resultToText(edits, index, value, rule);
		}
	},
};

function mendInside(result: BrokenBlock, again: boolean): void {
	const { edits, index, rule, value: block } = result;
	const thing = 'a second result of a call';
	if (!isObject(block)) return;
	if (!again) {
		const text = `${unknownResult} ${String(block.content ?? '')}`;
		result.put({ text, type: 'text' }, 'turned a result into text', 'a tool result is text now');
	} else if (blocksIn(edits.value(index), inContent).length === 1) edits.remove(index, removal(rule, thing));
	else result.cut(`took out ${thing}`, thing);
}

/** The index where results of the calls in line `index` belong: after the lines of the same reply. */
function endOfReply(edits: Edits, index: number): number {
	let last = index;
	for (const line of edits.file.lines.slice(index + 1)) {
		const type = line.value?.type;
		if (line.part !== 'gap' && type !== 'tool_call' && type !== 'tool_result') break;
		if (line.part !== 'gap' && !edits.isRemoved(line.index)) last = line.index;
	}
	return last;
}

export const lateRemedy: Remedy = {
	rules: ['clido/result-late'],
	does: 'A result that comes too late is moved to its call.',
	mend(edits, problems) {
		// One at a time: each move changes which results are late.
		const problem = problems.find(({ index }) => edits.file.lines[index]?.value?.type === 'tool_result');
		if (problem) moveLine(edits, problem);
		else if (problems[0]) splitOff(edits, problems[0]);
	},
};

function callLine(file: RepairFile, id: string, before: number): number | undefined {
	return file.lines.findLast((line) => line.index < before && callsOf(line.value).some((call) => call.id === id))
		?.index;
}

function moveLine(edits: Edits, { index, rule }: Problem): void {
	const line = edits.file.lines[index];
	const call = callLine(edits.file, String(line?.value?.tool_use_id), index);
	if (!line || call === undefined) return;
	const target = endOfReply(edits, call);
	if (target >= index) {
		// It is in the right place; it is late only because a message answered the reply before.
		resultToText(edits, index, line.value ?? {}, rule);
		return;
	}
	edits.remove(index, { rule, what: 'moved a late result away from here' });
	edits.insertAfter(target, line.bytes, { rule, what: 'moved the result to its call' });
}

/** Moves a late result out of a message, into a line of its own after its call. */
function splitOff(edits: Edits, problem: Problem): void {
	const late = brokenBlock(edits, problem, inContent);
	const { index, rule, value: block } = late;
	const call = isObject(block) ? callLine(edits.file, String(block.tool_use_id), index) : undefined;
	const target = call === undefined ? -1 : endOfReply(edits, call);
	const moves = isObject(block) && call !== undefined && target < index;
	mendInside(late, moves);
	if (!moves) return;
	const { tool_use_id: id, content: text, is_error: isError } = block;
	const line = { type: 'tool_result', tool_use_id: id, content: String(text ?? ''), is_error: isError === true };
	edits.insertAfter(target, line, { rule, what: 'moved the result to its call, as a line' });
}

export const openCallRemedy: Remedy = {
	rules: ['clido/call-unanswered'],
	does: 'A call without a result gets the one that Clido itself makes up.',
	mend: each((edits, { index, path, rule }, value) => {
		const id = callsOf(value).find((one) => one.at === blockAt(path))?.id;
		if (id === undefined) return;
		const line = { type: 'tool_result', tool_use_id: id, content: unanswered, is_error: true };
		const what = `answered the call ${id} as Clido would: interrupted`;
		edits.insertAfter(endOfReply(edits, index), line, lossNote(rule, what, 'invented', `a result for the call ${id}`));
	}),
};
