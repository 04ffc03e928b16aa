/** Mends single lines of Clido's files: types, fields with the value that says least, repeated keys, and what its reader cannot take (numbers, nesting). */
import { isObject, type Json, type JsonObject } from '../../../model/index.ts';
import {
	asText,
	type Edits,
	each,
	eachRecord,
	lossNote,
	type Remedy,
	type RepairFile,
	removal,
	textOfBlocks,
} from '../../shared/check/repair.ts';
import { unknownResult } from '../../shared/check/repair-blocks.ts';
import { stringEnd, valueEnd } from '../../shared/read/json-spans.ts';
import { type Path, withoutRepeats } from '../../shared/write/json-edit.ts';
import { deepest } from '../context/strict.ts';
import { isLineType, type LineType } from '../lines.ts';
import { lineTables } from './rules.ts';

export const typeRemedy: Remedy = {
	rules: ['clido/line-type'],
	does: 'A line of unknown type gets the type that it means, or is taken out: Clido refuses the whole file because of it.',
	mend: each((edits, { index, rule }, value) => {
		const type = value && meantType(value);
		if (type) edits.set(index, ['type'], type, { rule, what: `\`type\` is ${type} now` });
		else edits.remove(index, removal(rule, `a line of type ${JSON.stringify(value?.type ?? null)}`));
	}),
};

/** The type that was meant: `userMessage` is `user_message`; a message without a type is told by its role. */
function meantType(value: JsonObject): LineType | undefined {
	const type = typeof value.type === 'string' ? value.type : '';
	const snake = type
		.replace(/[A-Z]/g, (letter, at: number) => `${at === 0 ? '' : '_'}${letter.toLowerCase()}`)
		.replaceAll('-', '_');
	if (isLineType(snake)) return snake;
	if (!Array.isArray(value.content) && typeof value.content !== 'string') return undefined;
	if (value.role === 'user' || type === 'user') return 'user_message';
	return value.role === 'assistant' || type === 'assistant' ? 'assistant_message' : undefined;
}

export const duplicateKeyRemedy: Remedy = {
	rules: ['clido/duplicate-key'],
	does: 'Of a field given twice the last value stays.',
	mend: eachRecord((edits, { index, rule }) => {
		const what = 'kept the last of a field that was given twice';
		const note = lossNote(rule, what, 'dropped', 'the earlier value of a field');
		edits.change(index, (bytes) => withoutRepeats(bytes, []), note);
	}),
};

export const textRemedy: Remedy = {
	rules: ['clido/lone-surrogate', 'clido/number-range', 'clido/too-deep'],
	does: 'Half of a surrogate pair becomes U+FFFD, a number beyond the doubles the largest, what is nested too deep its JSON text.',
	mend: each((edits, { index, rule }) => {
		const [mend, what] = textMends[rule] ?? [(text: string) => text, ''];
		const change = (bytes: Uint8Array) => Buffer.from(mend(Buffer.from(bytes).toString('utf8')), 'utf8');
		edits.change(index, change, lossNote(rule, what, 'approximated', what));
	}),
};

const textMends: { readonly [rule: string]: readonly [(text: string) => string, string] } = {
	'clido/lone-surrogate': [wellFormed, 'put U+FFFD in place of half a surrogate pair'],
	'clido/number-range': [inRange, 'put the largest double in place of a larger number'],
	'clido/too-deep': [shallow, 'wrote what is nested too deep as text'],
};

/** The text with U+FFFD for half surrogate pairs. Escaped backslashes are matched too, and skipped. */
function wellFormed(text: string): string {
	const half = /\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[dD][89a-fA-F][0-9a-fA-F]{2}|\\./gs;
	return text.replace(half, (unit) => (/^\\u[dD][89a-fA-F]/.test(unit) && unit.length === 6 ? '\\ufffd' : unit));
}

function inRange(text: string): string {
	return text.replace(/"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/gs, (token) => {
		if (token[0] === '"' || Number.isFinite(Number(token))) return token;
		return token[0] === '-' ? String(-Number.MAX_VALUE) : String(Number.MAX_VALUE);
	});
}

function shallow(text: string): string {
	const bytes = Buffer.from(text, 'utf8');
	let depth = 0;
	for (let at = 0; at < bytes.length; at += 1) {
		const byte = bytes[at];
		if (byte === 0x22) at = (stringEnd(bytes, at) ?? bytes.length) - 1;
		else if (byte === 0x7b || byte === 0x5b) {
			depth += 1;
			if (depth <= deepest) continue;
			const end = valueEnd(bytes, at) ?? bytes.length;
			const inner = JSON.stringify(bytes.subarray(at, end).toString('utf8'));
			return shallow(bytes.subarray(0, at).toString('utf8') + inner + bytes.subarray(end).toString('utf8'));
		} else if (byte === 0x7d || byte === 0x5d) depth -= 1;
	}
	return text;
}

export const fieldRemedy: Remedy = {
	rules: Object.values(lineTables).flatMap((table) => table.rules.map(({ id }) => id)),
	does: 'A missing field gets the value that says least; a line without its substance is taken out.',
	mend: each((edits, { index, rule, path }) => {
		const value = edits.value(index);
		if (value) mendField(edits, index, value, path, rule);
	}),
};

/** Fields without which their lines say nothing. */
const substance = new Set(['tool_call.tool_use_id', 'title.title']);
const optional = new Set(['duration_ms', 'path', 'content_hash', 'mtime_nanos', 'message']);

function mendField(edits: Edits, index: number, value: JsonObject, name: string, rule: string): void {
	const type = String(value.type);
	if (substance.has(`${type}.${name}`)) {
		edits.remove(index, removal(rule, `a \`${type}\` line without \`${name}\``));
		return;
	}
	if (type === 'tool_result' && name === 'tool_use_id') {
		resultToText(edits, index, value, rule);
		return;
	}
	if (optional.has(name) && !(type === 'result' && name === 'duration_ms')) {
		const what = `took out \`${name}\`, which may be absent but not wrong`;
		edits.cut(index, [name], lossNote(rule, what, 'dropped', `\`${name}\` was ${asText(value[name])}`));
		return;
	}
	const put = (fallbacks[name] ?? asText)(value[name], type, edits.file, index);
	if (put === undefined) {
		edits.remove(index, removal(rule, 'a message without content'));
		return;
	}
	const how = value[name] === undefined ? 'invented' : 'approximated';
	const what = `\`${name}\` is ${JSON.stringify(put).slice(0, 60)} now`;
	edits.set(index, [name], put, lossNote(rule, what, how, `\`${name}\``));
}

/** The content for a message line; undefined where it says nothing. */
function contentFor(type: string, content: Json | undefined): Json | undefined {
	if (type === 'tool_result') return textOfBlocks(content);
	if (isObject(content) && typeof content.type === 'string') return [content];
	const text = asText(content);
	return text.trim() === '' ? undefined : [{ text, type: 'text' }];
}

type Fallback = (given: Json | undefined, type: string, file: RepairFile, index: number) => Json | undefined;

/** Fallbacks by field name, each the value that says least; any other field gets the given value as text. */
const fallbacks: { readonly [name: string]: Fallback } = {
	session_id: (_given, _type, { options }) => options.id,
	schema_version: () => 1,
	start_time: (_given, _type, { options }) => options.time,
	project_path: (_given, _type, { options }) => options.cwd,
	role: () => 'user',
	content: (given, type) => contentFor(type, given),
	is_error: (given) => given === 'true' || given === 1,
	num_turns: (given, _type, file, index) => wholeNumber(given) ?? promptsBefore(file, index),
	total_cost_usd: (given) =>
		typeof given === 'string' && given !== '' && Number.isFinite(Number(given)) ? Number(given) : 0,
	duration_ms: (given) => wholeNumber(given) ?? 0,
	exit_status: () => 'error',
	subtype: () => 'info',
	input: (_given, type) => (type === 'tool_call' ? null : {}),
};

function promptsBefore({ lines }: RepairFile, index: number): number {
	return lines.filter((line) => line.index < index && line.value?.type === 'user_message').length;
}

/** The whole number in a value of another form. */
function wholeNumber(value: Json | undefined): number | undefined {
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	if (typeof number !== 'number' || !(number >= 0 && number <= 0xffff_ffff)) return undefined;
	return Math.floor(number);
}

/** Turns a result that answers nothing into text, so that the model still learns what it said. */
export function resultToText(edits: Edits, index: number, value: JsonObject, rule: string): void {
	const text = `${unknownResult} ${textOfBlocks(value.content)}`;
	const line = { type: 'user_message', role: 'user', content: [{ text, type: 'text' }] };
	const [what, note] = ['turned a result without its call into text', 'a tool result is a text of the user now'];
	edits.change(
		index,
		() => Buffer.from(`${JSON.stringify(line)}\n`, 'utf8'),
		lossNote(rule, what, 'approximated', note),
	);
}

export const emptyRemedy: Remedy = {
	rules: ['clido/empty-message'],
	does: 'A message without content is taken out.',
	mend: each((edits, { index, rule }) => edits.remove(index, removal(rule, 'an empty message'))),
};

/** The path of a message's blocks in a line. */
export const inContent: Path = ['content'];
