/** Mends calls and results of Clido's files, and the line that must come first. */
import { isObject, type Json, type JsonObject, stringAt } from '../../../model/index.ts';
import { Edits, lineOf, type Problem, type Remedy, type RepairFile, removal } from '../../shared/check/repair.ts';
import { deriveHex } from '../../shared/write/derive.ts';
import { unanswered } from '../context/unanswered.ts';
import { blockIndex, resultToText } from './repair-lines.ts';

export const metaRemedy: Remedy = {
	rules: ['clido/meta-first'],
	does: 'The `meta` line goes to the top; where there is none, one is made.',
	mend(file) {
		const edits = new Edits(file);
		const first = file.lines.find((line) => line.part === 'item');
		const meta = file.lines.find((line) => line.value?.type === 'meta');
		if (!first) return edits.done();
		const rule = 'clido/meta-first';
		if (meta) {
			edits.insertBefore(first.index, meta.bytes, { rule, what: 'moved the `meta` line to the top' });
			edits.remove(meta.index, { rule, what: 'moved the `meta` line away from here' });
			return edits.done();
		}
		const { id, time, cwd } = file.options;
		const line = { type: 'meta', session_id: id, schema_version: 1, start_time: time, project_path: cwd };
		edits.insertBefore(first.index, lineOf(line), {
			rule,
			what: 'added a `meta` line, without which Clido does not list the session',
			lost: { path: '', how: 'invented', note: 'start time and project of the session' },
		});
		return edits.done();
	},
};

export const repeatedCallRemedy: Remedy = {
	rules: ['clido/call-repeated'],
	does: 'A second call with the id of another gets its own, and so do its result and index line.',
	mend(file, problems) {
		const edits = new Edits(file);
		for (const { index = -1, path, rule } of problems) {
			const at = blockIndex(path);
			const old = callsOf(edits.value(index)).find((call) => call.at === at)?.id;
			if (old === undefined) continue;
			const id = `toolu_${deriveHex(24, 'repaired call', file.options.id, old, String(index), String(at))}`;
			const what = `gave the second call ${old} an id of its own`;
			const lost = { path: `content[${at}].id`, how: 'invented', note: 'the id of a call' } as const;
			edits.set(index, ['content', at, 'id'], id, { rule, what, lost });
			renameAnswer(edits, file, index, old, id, rule);
		}
		return edits.done();
	},
};

/** The index line and the result right after the call. */
function renameAnswer(edits: Edits, file: RepairFile, from: number, old: string, id: string, rule: string): void {
	const what = 'belongs to the call under its new id';
	for (const { index, value } of file.lines.slice(from + 1)) {
		if (value?.type === 'assistant_message') return;
		if ((value?.type === 'tool_call' || value?.type === 'tool_result') && value.tool_use_id === old) {
			edits.set(index, ['tool_use_id'], id, { rule, what });
			if (value.type === 'tool_result') return;
		}
		const inside = resultsOf(value).find((result) => result.id === old);
		if (!inside) continue;
		edits.set(index, ['content', inside.at, 'tool_use_id'], id, { rule, what });
		return;
	}
}

interface Ref {
	readonly id: string;
	readonly at: number;
	readonly name: string;
}

function callsOf(value: JsonObject | undefined): readonly Ref[] {
	return value?.type === 'assistant_message' ? refs(value, 'tool_use', 'id') : [];
}

function resultsOf(value: JsonObject | undefined): readonly Ref[] {
	return value ? refs(value, 'tool_result', 'tool_use_id') : [];
}

function refs(value: JsonObject, type: string, key: string): readonly Ref[] {
	if (!Array.isArray(value.content)) return [];
	return (value.content as readonly Json[]).flatMap((block, at) => {
		const id = isObject(block) && block.type === type ? block[key] : undefined;
		return isObject(block) && typeof id === 'string' ? [{ id, at, name: stringAt(block, 'name') ?? '' }] : [];
	});
}

export const resultRemedy: Remedy = {
	rules: ['clido/result-repeated', 'clido/result-orphan'],
	does: 'A second result of a call is taken out; a result without its call becomes text of the user.',
	mend(file, problems) {
		const edits = new Edits(file);
		// From the last to the first: taking a block out moves those after it.
		for (const { index = -1, path, rule } of [...problems].reverse()) {
			const value = edits.value(index);
			if (!value) continue;
			const again = rule === 'clido/result-repeated';
			if (value.type === 'tool_result') {
				if (again) edits.remove(index, removal(rule, 'a second result of a call'));
				else resultToText(edits, index, value, rule);
			} else mendInside(edits, index, blockIndex(path), rule, again);
		}
		return edits.done();
	},
};

function mendInside(edits: Edits, index: number, at: number, rule: string, again: boolean): void {
	const value = edits.value(index);
	const content = Array.isArray(value?.content) ? (value.content as readonly Json[]) : [];
	const block = content[at];
	if (!isObject(block)) return;
	if (!again) {
		const text = `[result of a tool call that is not in this session] ${String(block.content ?? '')}`;
		const lost = { path: `content[${at}]`, how: 'approximated', note: 'a tool result is text now' } as const;
		edits.set(index, ['content', at], { text, type: 'text' }, { rule, what: 'turned a result into text', lost });
	} else if (content.length === 1) edits.remove(index, removal(rule, 'a second result of a call'));
	else {
		const lost = { path: `content[${at}]`, how: 'dropped', note: 'a second result of a call' } as const;
		edits.cut(index, ['content', at], { rule, what: 'took out a second result of a call', lost });
	}
}

/** Where results of the calls in line `index` belong: after the lines that belong to the same reply. */
function endOfReply(file: RepairFile, index: number, edits: Edits): number {
	let last = index;
	for (const line of file.lines.slice(index + 1)) {
		const type = line.value?.type;
		if (line.part !== 'gap' && type !== 'tool_call' && type !== 'tool_result') break;
		if (line.part !== 'gap' && !edits.isRemoved(line.index)) last = line.index;
	}
	return last;
}

export const lateRemedy: Remedy = {
	rules: ['clido/result-late'],
	does: 'A result that comes too late is moved to its call.',
	mend(file, problems) {
		const edits = new Edits(file);
		// One at a time: each move changes what is late.
		const problem = problems.find(({ index = -1 }) => file.lines[index]?.value?.type === 'tool_result');
		if (problem) moveLine(edits, file, problem);
		else if (problems[0]) splitOff(edits, file, problems[0]);
		return edits.done();
	},
};

function callLine(file: RepairFile, id: string, before: number): number | undefined {
	return file.lines.findLast((line) => line.index < before && callsOf(line.value).some((call) => call.id === id))
		?.index;
}

function moveLine(edits: Edits, file: RepairFile, { index = -1, rule }: Problem): void {
	const line = file.lines[index];
	const call = callLine(file, String(line?.value?.tool_use_id), index);
	if (!line || call === undefined) return;
	const target = endOfReply(file, call, edits);
	if (target >= index) {
		// It stands where it should: what makes it late is that the reply was answered before by a message.
		resultToText(edits, index, line.value ?? {}, rule);
		return;
	}
	edits.remove(index, { rule, what: 'moved a late result away from here' });
	edits.insertAfter(target, line.bytes, { rule, what: 'moved the result to its call' });
}

/** A late result inside a message becomes a line of its own after its call. */
function splitOff(edits: Edits, file: RepairFile, { index = -1, path, rule }: Problem): void {
	const at = blockIndex(path);
	const content = file.lines[index]?.value?.content;
	const block = Array.isArray(content) ? (content as readonly Json[])[at] : undefined;
	const call = isObject(block) ? callLine(file, String(block.tool_use_id), index) : undefined;
	const target = call === undefined ? -1 : endOfReply(file, call, edits);
	if (!isObject(block) || call === undefined || target >= index) {
		mendInside(edits, index, at, rule, false);
		return;
	}
	mendInside(edits, index, at, rule, true);
	const { tool_use_id: id, content: text, is_error: isError } = block;
	const line = { type: 'tool_result', tool_use_id: id, content: String(text ?? ''), is_error: isError === true };
	edits.insertAfter(target, lineOf(line as JsonObject), { rule, what: 'moved the result to its call, as a line' });
}

export const openCallRemedy: Remedy = {
	rules: ['clido/call-unanswered'],
	does: 'A call without a result gets the one that Clido itself makes up.',
	mend(file, problems) {
		const edits = new Edits(file);
		for (const { index = -1, path, rule } of problems) {
			const call = callsOf(file.lines[index]?.value).find((one) => one.at === blockIndex(path));
			if (!call) continue;
			const line = { type: 'tool_result', tool_use_id: call.id, content: unanswered, is_error: true };
			edits.insertAfter(endOfReply(file, index, edits), lineOf(line), {
				rule,
				what: `answered the call ${call.id} as Clido would: interrupted`,
				lost: { path: '', how: 'invented', note: `a result for the call ${call.id}` },
			});
		}
		return edits.done();
	},
};
