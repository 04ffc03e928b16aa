/** Says what a tool call was about and what it changed, from the names that clients' tools use. */
import { createTwoFilesPatch } from 'diff';
import {
	isObject,
	type Json,
	type JsonObject,
	jsonText,
	type ToolCallBlock,
	type ToolResultBlock,
} from '../model/index.ts';

const subjectKeys = [
	'file_path',
	'path',
	'notebook_path',
	'subject',
	'command',
	'pattern',
	'query',
	'url',
	'description',
	'prompt',
	'task',
];

/** The most telling argument of a call, on one line. */
export function subjectOf(call: ToolCallBlock): string {
	const { input } = call;
	if (!isObject(input)) return oneLine(jsonText(input));
	for (const key of subjectKeys) {
		const value = input[key];
		if (typeof value === 'string' && value !== '') return oneLine(value);
	}
	const { taskId, status } = input;
	if (typeof taskId === 'string') return oneLine(`#${taskId}${typeof status === 'string' ? ` ${status}` : ''}`);
	return oneLine(jsonText(input));
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
