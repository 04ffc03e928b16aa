/** Mends single lines of Claude Code's files: their type, their content, their blocks. */
import { isObject, type Json, type JsonObject, objectAt } from '../../../model/index.ts';
import {
	asText,
	byRecord,
	Edits,
	type Note,
	type Problem,
	type Remedy,
	type RepairFile,
	removal,
	textOfBlocks,
} from '../../shared/check/repair.ts';
import { brokenBlocks, objectFrom, thinkingOnRequest } from '../../shared/check/repair-blocks.ts';
import type { Path } from '../../shared/write/json-edit.ts';
import { stepsOf } from '../../shared/write/json-edit.ts';
import { allLinks } from './repair-thread.ts';

export const typeRemedy: Remedy = {
	rules: ['claude-code/type'],
	does: 'A message without a type gets that of its role; another line without one is taken out.',
	mend(file, problems) {
		const edits = new Edits(file);
		const gone = new Map<number, Note>();
		for (const { index = -1, rule } of problems) {
			const value = file.lines[index]?.value;
			const role = value && objectAt(value, 'message')?.role;
			if (role === 'user' || role === 'assistant') {
				edits.set(index, ['type'], role, { rule, what: `\`type\` is ${role}, as the message's role is` });
			} else gone.set(index, removal(rule, 'a line without a type, which Claude Code skips'));
		}
		allLinks(edits).remove(gone);
		return edits.done();
	},
};

export const contentRemedy: Remedy = {
	rules: [
		'claude-code/user/message',
		'claude-code/user/message.content',
		'claude-code/assistant/message',
		'claude-code/assistant/message.content',
		'claude-code/assistant-string',
	],
	does: 'Content becomes a list of blocks; a line that has none is taken out.',
	mend(file, problems) {
		const edits = new Edits(file);
		const gone = new Map<number, Note>();
		for (const [index, [problem]] of byRecord(problems)) {
			const rule = problem?.rule ?? '';
			const content = contentOf(file.lines[index]?.value);
			const blocks = blocksFor(content);
			if (!blocks) gone.set(index, removal(rule, 'a message without content'));
			else edits.set(index, ['message', 'content'], blocks, { rule, what: 'content is now a list of blocks' });
		}
		allLinks(edits).remove(gone);
		return edits.done();
	},
};

/** Undefined where nothing is said. */
function blocksFor(content: Json | undefined): readonly Json[] | undefined {
	if (isObject(content) && typeof content.type === 'string') return [content];
	const text = asText(content);
	return text.trim() === '' ? undefined : [{ type: 'text', text }];
}

export function contentOf(value: JsonObject | undefined): Json | undefined {
	return value && objectAt(value, 'message')?.content;
}

const blockRules = [
	'claude-code/block-object',
	'claude-code/blank-text',
	'claude-code/thinking-signature',
	'claude-code/block.text/text',
	'claude-code/block.tool_use/id',
	'claude-code/block.tool_use/name',
	'claude-code/block.tool_use/input',
	'claude-code/block.tool_result/tool_use_id',
	'claude-code/block.thinking/thinking',
	'claude-code/block.thinking/signature',
	'claude-code/block.redacted_thinking/data',
];

export const blockRemedy: Remedy = {
	rules: blockRules,
	does: 'Blocks that the API rejects become text where they say something and are taken out where they do not.',
	mend: mendBlocks,
};

export const thinkingRemedy = thinkingOnRequest({
	rule: 'claude-code/thinking-signature',
	types: ['thinking', 'redacted_thinking'],
	contentOf,
	path: 'message.content',
	mend: mendBlocks,
});

function mendBlocks(file: RepairFile, problems: readonly Problem[]) {
	const edits = new Edits(file);
	const gone = new Map<number, Note>();
	for (const { index, rule, blocks } of brokenBlocks(problems, (path) => Number(stepsOf(path)[2]))) {
		for (const [at, problem] of blocks) mendBlock(edits, index, at, problem.rule);
		const content = contentOf(edits.value(index));
		if (Array.isArray(content) && content.length === 0) {
			gone.set(index, { rule, what: 'took out the line: nothing is left in it' });
		}
	}
	allLinks(edits).remove(gone);
	return edits.done();
}

function mendBlock(edits: Edits, index: number, at: number, rule: string): void {
	const content = contentOf(edits.value(index));
	const block = Array.isArray(content) ? (content as readonly Json[])[at] : undefined;
	const path: Path = ['message', 'content', at];
	const lossPath = `message.content[${at}]`;
	const cut = (thing: string): void =>
		edits.cut(index, path, {
			rule,
			what: `took out ${thing}`,
			lost: { path: lossPath, how: 'dropped', note: thing },
		});
	const toText = (text: string, thing: string): void => {
		if (text.trim() === '') cut(thing);
		else
			edits.set(
				index,
				path,
				{ type: 'text', text },
				{
					rule,
					what: `turned ${thing} into text`,
					lost: { path: lossPath, how: 'approximated', note: `${thing} is text now` },
				},
			);
	};
	if (!isObject(block)) toText(asText(block), 'a block that is no object');
	else if (block.type === 'text' && typeof block.text === 'string') cut('a blank text');
	else if (block.type === 'text') toText(asText(block.text), 'a text block without text');
	else if (block.type === 'thinking' && edits.file.options.thinking === 'drop') cut('thinking');
	else if (block.type === 'thinking') {
		toText(asText(block.thinking), block.signature ? 'thinking' : 'thinking without a signature');
	} else if (block.type === 'redacted_thinking') cut('redacted thinking');
	else if (block.type === 'tool_use') mendCall(edits, index, path, block, rule, toText);
	else toText(textOfBlocks(block.content), 'a tool result that names no call');
}

function mendCall(
	edits: Edits,
	index: number,
	path: Path,
	block: JsonObject,
	rule: string,
	toText: (text: string, thing: string) => void,
): void {
	if (typeof block.id !== 'string' || typeof block.name !== 'string') {
		toText(`[tool call ${asText(block.name)} ${asText(block.input)}]`, 'a tool call without id or name');
		return;
	}
	const input = objectFrom(block.input);
	edits.set(index, [...path, 'input'], input, {
		rule,
		what: 'the input of a tool call is an object now',
		lost: { path: `${path.join('.')}.input`, how: 'approximated', note: 'the input was no object' },
	});
}
