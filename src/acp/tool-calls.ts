/** Tool calls as editors show them: the title and its greatest length, the kind, places in files, and whether a result is a diff, a code block or text. */
import type { ContentBlock, ToolCallContent, ToolCallLocation, ToolKind } from '@agentclientprotocol/sdk';
import { inputSubject, withoutErrorTags } from '../export/tool-words.ts';
import { type FormatId, isObject, type Json, type JsonObject, stringAt } from '../model/index.ts';
import { translateCall } from '../move/index.ts';
import { absolutePath } from '../tools/files.ts';
import { changedPlaces, resultDiffs } from './diffs.ts';

/** Where a call is made: what its names and paths mean. */
export interface CallPlace {
	readonly format: FormatId;
	readonly cwd: string;
}

export interface MadeCall {
	readonly id: string;
	readonly name: string;
	readonly input: Json;
}

/** What a call has come to, live or read from a session. */
export interface CallResult {
	readonly content: readonly ContentBlock[];
	readonly isError: boolean;
	readonly details?: Json | undefined;
}

export interface CallFields {
	readonly toolCallId: string;
	readonly title: string;
	readonly name: string;
	readonly kind: ToolKind;
	readonly locations: ToolCallLocation[];
	readonly rawInput: Json;
	readonly content?: ToolCallContent[];
}

export interface ResultFields {
	readonly toolCallId: string;
	readonly status: 'completed' | 'failed';
	readonly content: ToolCallContent[];
	readonly rawOutput: Json;
	readonly locations?: ToolCallLocation[];
}

const kinds: { readonly [name: string]: ToolKind } = {
	Read: 'read',
	Write: 'edit',
	Edit: 'edit',
	MultiEdit: 'edit',
	NotebookEdit: 'edit',
	Glob: 'search',
	Grep: 'search',
	Bash: 'execute',
	BashOutput: 'execute',
	TaskOutput: 'execute',
	TaskStop: 'execute',
	KillShell: 'execute',
	Task: 'think',
	Agent: 'think',
	TodoWrite: 'think',
	WebFetch: 'fetch',
	WebSearch: 'fetch',
	EnterPlanMode: 'switch_mode',
	ExitPlanMode: 'switch_mode',
};

export function callFields(call: MadeCall, place: CallPlace): CallFields {
	const { name, input } = meant(call, place);
	const plan = name === 'ExitPlanMode' ? stringAt(input, 'plan') : undefined;
	return {
		toolCallId: call.id,
		title: titleOf(name, input),
		name: call.name,
		kind: Object.hasOwn(kinds, name) ? (kinds[name] ?? 'other') : 'other',
		locations: placesIn(input, place.cwd),
		rawInput: call.input,
		...(plan === undefined ? {} : { content: [said(plan)] }),
	};
}

export function resultFields(call: MadeCall, result: CallResult, place: CallPlace): ResultFields {
	const { details, isError } = result;
	const diffs = isError ? [] : resultDiffs(details);
	const places = diffs.length === 0 ? [] : changedPlaces(details);
	return {
		toolCallId: call.id,
		status: isError ? 'failed' : 'completed',
		content: diffs.length > 0 ? diffs : saidBy(meant(call, place).name, result),
		rawOutput: rawOf(result),
		...(places.length === 0 ? {} : { locations: places }),
	};
}

/** Text that a command has printed so far, or in all, with nothing in it that would be taken for Markdown. */
export function printed(text: string): ToolCallContent {
	return said(fenced(text.replace(/\n+$/, ''), 'console'));
}

export function said(text: string): ToolCallContent {
	return { type: 'content', content: { type: 'text', text } };
}

/** The call in our own words, where its agent has others for it. */
function meant(
	{ name, input }: MadeCall,
	{ format }: CallPlace,
): { readonly name: string; readonly input: JsonObject } {
	const fields = isObject(input) ? input : {};
	return translateCall({ name, input: fields }, format, 'claude-code') ?? { name, input: fields };
}

const longestTitle = 200;

function titleOf(name: string, input: JsonObject): string {
	const subject = Object.keys(input).length === 0 || name === 'TodoWrite' ? '' : inputSubject(input);
	const [, server, tool] = /^mcp__(.+?)__(.+)$/s.exec(name) ?? [];
	const shown = tool === undefined ? name : `${server}: ${tool}`;
	const title = name === 'Bash' && subject !== '' ? subject : `${shown} ${subject}`.trim();
	return title.length <= longestTitle ? title : `${title.slice(0, longestTitle - 1)}…`;
}

function placesIn(input: JsonObject, cwd: string): ToolCallLocation[] {
	const path = stringAt(input, 'file_path') ?? stringAt(input, 'notebook_path') ?? stringAt(input, 'path');
	if (path === undefined || path === '' || path.includes('\0')) return [];
	const { offset } = input;
	const line = typeof offset === 'number' && Number.isInteger(offset) && offset > 0 ? { line: offset } : {};
	return [{ path: absolutePath(path, cwd), ...line }];
}

function saidBy(name: string, { content, isError }: CallResult): ToolCallContent[] {
	return content
		.filter((block) => block.type !== 'text' || block.text !== '')
		.map((block): ToolCallContent => {
			if (block.type !== 'text') return { type: 'content', content: block };
			const text = isError ? withoutErrorTags(block.text) : block.text;
			if (kinds[name] === 'execute') return printed(text);
			return said(isError || asTyped.has(name) ? fenced(text) : text);
		});
}

/** What these say is a part of files, and no Markdown. */
const asTyped: ReadonlySet<string> = new Set(['Read', 'Glob', 'Grep']);

/** The text as it is, whatever Markdown would make of it. */
export function fenced(text: string, language = ''): string {
	let fence = '```';
	while (text.includes(fence)) fence += '`';
	return `${fence}${language}\n${text}\n${fence}`;
}

/** The whole text of a file that was changed is left out: the editor has it. */
function rawOf({ details, content }: CallResult): Json {
	if (isObject(details)) {
		const { originalFile: _, ...rest } = details;
		return rest as JsonObject;
	}
	return details ?? content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}
