/** What is shown of a tool call: which argument says what it was about, how long that may be, and the diff of what it changed. */
import { createTwoFilesPatch } from 'diff';
import {
	isObject,
	type Json,
	type JsonObject,
	jsonText,
	type ToolCallBlock,
	type ToolResultBlock,
} from '../model/index.ts';

/** What is looked for says more than where. */
const searchKeys = ['pattern', 'regex'];
const subjectKeys = [
	'file_path',
	'path',
	'notebook_path',
	'subject',
	'command',
	'query',
	'url',
	'description',
	'prompt',
	'task',
	'plan',
	'skill',
	'task_id',
	'shell_id',
	'bash_id',
];

/** The most telling argument of a call, on one line. */
export function subjectOf({ input }: Pick<ToolCallBlock, 'input'>): string {
	return isObject(input) ? inputSubject(input) : oneLine(jsonText(input));
}

export function inputSubject(input: JsonObject): string {
	const sought = said(input, searchKeys);
	if (sought !== undefined) return oneLine(isPlace(input.path) ? `${sought} in ${input.path}` : sought);
	const value = said(input, subjectKeys);
	// A plan is told by its first line, which usually is a heading.
	if (value !== undefined)
		return oneLine(
			value === input.plan
				? value
						.trim()
						.replace(/^#+ */, '')
						.replace(/\n[\s\S]*/, '')
				: value,
		);
	const { taskId, status, questions } = input;
	if (typeof taskId === 'string') return oneLine(`#${taskId}${typeof status === 'string' ? ` ${status}` : ''}`);
	const asked = (Array.isArray(questions) ? questions : []).flatMap((one) =>
		isObject(one) && typeof one.question === 'string' ? [one.question] : [],
	);
	return oneLine(asked.length === 0 ? jsonText(input) : asked.join(' '));
}

function said(input: JsonObject, keys: readonly string[]): string | undefined {
	return keys.map((key) => input[key]).find((value) => typeof value === 'string' && value !== '') as string | undefined;
}

function isPlace(path: Json | undefined): boolean {
	return typeof path === 'string' && path !== '' && path !== '.';
}

/** What a tool said of its failure: the tags around it are for the model. */
export function withoutErrorTags(output: string): string {
	return /^<tool_use_error>([\s\S]*)<\/tool_use_error>$/.exec(output)?.[1] ?? output;
}

const longestSubject = 1 << 12;

function oneLine(text: string): string {
	return text.slice(0, longestSubject).replace(/\s+/g, ' ').trim();
}

/** A call's change to a file: from the patch that the client kept, else from the old and new text of the call. */
export function changeOf(call: ToolCallBlock, result: ToolResultBlock | undefined): string | undefined {
	const kept = isObject(result?.details) ? patchText(result.details.structuredPatch) : undefined;
	if (kept !== undefined) return kept;
	if (!isObject(call.input)) return undefined;
	const edits = Array.isArray(call.input.edits) ? call.input.edits.filter(isObject) : [call.input];
	const changes = edits.flatMap((edit) => editDiff(edit) ?? []);
	return changes.length === 0 ? undefined : changes.join('\n');
}

/** The lines of a patch's hunks, as sessions keep them; undefined where there are none. */
export function patchText(hunks: Json | undefined): string | undefined {
	if (!Array.isArray(hunks) || hunks.length === 0) return undefined;
	return hunks
		.filter(isObject)
		.flatMap((hunk) => [
			`@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`,
			...(Array.isArray(hunk.lines) ? hunk.lines.filter((line) => typeof line === 'string') : []),
		])
		.join('\n');
}

const oldKeys = ['old_string', 'oldText', 'old_text'];
const newKeys = ['new_string', 'newText', 'new_text'];

function editDiff(edit: JsonObject): string | undefined {
	const before = firstString(edit, oldKeys);
	const after = firstString(edit, newKeys);
	if (before === undefined || after === undefined) return undefined;
	return textDiff(before, after);
}

/** A unified diff of two texts without its header. */
function textDiff(before: string, after: string): string {
	const patch = createTwoFilesPatch('', '', ended(before), ended(after), '', '', { context: 3 });
	return patch.split('\n').slice(4).join('\n').trimEnd();
}

/** The text with a newline at its end: without one the diff would say that the file lacks it. */
function ended(text: string): string {
	return text.endsWith('\n') || text === '' ? text : `${text}\n`;
}

function firstString(object: JsonObject, keys: readonly string[]): string | undefined {
	for (const key of keys) {
		const value = object[key];
		if (typeof value === 'string') return value;
	}
	return undefined;
}
