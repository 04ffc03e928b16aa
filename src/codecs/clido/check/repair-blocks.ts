/** Mends blocks that Clido refuses when it resumes a session. */
import { isObject, type Json, type JsonObject, objectAt, stringAt } from '../../../model/index.ts';
import {
	asText,
	Edits,
	type Problem,
	type Remedy,
	type RepairFile,
	removal,
	textOfBlocks,
} from '../../shared/check/repair.ts';
import { brokenBlocks, thinkingOnRequest } from '../../shared/check/repair-blocks.ts';
import { type Path, stepsOf } from '../../shared/write/json-edit.ts';
import { blockIndex } from './repair-lines.ts';
import { blockTables } from './rules.ts';

export const blockRemedy: Remedy = {
	rules: ['clido/block-type', ...Object.values(blockTables).flatMap((table) => table.rules.map(({ id }) => id))],
	does: 'A block that Clido does not know becomes one that it does, text at worst; missing fields are added.',
	mend: mendBlocks,
};

export const thinkingRemedy = thinkingOnRequest({
	rule: 'clido/block.thinking/thinking',
	types: ['thinking'],
	contentOf: (value) => value?.content,
	path: 'content',
	mend: mendBlocks,
});

function blocksOf(value: JsonObject | undefined): readonly Json[] {
	return Array.isArray(value?.content) ? (value.content as readonly Json[]) : [];
}

function mendBlocks(file: RepairFile, problems: readonly Problem[]) {
	const edits = new Edits(file);
	for (const { index, rule, blocks } of brokenBlocks(problems, blockIndex)) {
		for (const [at, problem] of blocks) mendBlock(edits, index, at, problem);
		if (blocksOf(edits.value(index)).length === 0) {
			edits.remove(index, removal(rule, 'a message in which nothing is left'));
		}
	}
	return edits.done();
}

function mendBlock(edits: Edits, index: number, at: number, { rule, path }: Problem): void {
	const block = blocksOf(edits.value(index))[at];
	const field = stepsOf(path)[2];
	if (isObject(block) && typeof field === 'string') {
		const value = fieldFor(block, field);
		if (value !== undefined) {
			const lost = {
				path,
				how: block[field] === undefined ? 'invented' : 'approximated',
				note: `\`${field}\``,
			} as const;
			edits.set(index, ['content', at, field], value, { rule, what: `\`${field}\` of a block is mended`, lost });
			return;
		}
	}
	replaceBlock(
		edits,
		index,
		['content', at],
		rule,
		isObject(block) ? known(block, edits.file) : textBlock(asText(block)),
	);
}

/** Undefined where the block cannot be kept as what it is. */
function fieldFor(block: JsonObject, field: string): Json | undefined {
	if (block.type === 'tool_use' && field === 'input') return {};
	if (block.type === 'tool_result' && field === 'is_error') return block.is_error === 'true';
	if (block.type === 'tool_result' && field === 'content') return textOfBlocks(block.content);
	return undefined;
}

function replaceBlock(edits: Edits, index: number, path: Path, rule: string, block: JsonObject | undefined): void {
	const place = `content[${path[1]}]`;
	if (block) {
		const what = `a block is ${asText(block.type)} now`;
		edits.set(index, path, block, { rule, what, lost: { path: place, how: 'approximated', note: what } });
	} else {
		const what = 'took out a block that says nothing Clido can send';
		edits.cut(index, path, { rule, what, lost: { path: place, how: 'dropped', note: 'a block' } });
	}
}

function textBlock(text: string): JsonObject | undefined {
	return text.trim() === '' ? undefined : { text, type: 'text' };
}

/** The nearest block that Clido knows. */
function known(block: JsonObject, { options }: RepairFile): JsonObject | undefined {
	switch (block.type) {
		case 'redacted_thinking':
			return undefined;
		case 'thinking':
			return options.thinking === 'drop' ? undefined : textBlock(asText(block.thinking));
		case 'image':
			return image(block) ?? textBlock('[image]');
		case 'tool_use':
			return textBlock(`[tool call ${asText(block.name)} ${asText(block.input)}]`);
		case 'tool_result':
			return textBlock(`[result of a tool call that is not in this session] ${textOfBlocks(block.content)}`);
		case 'document':
			return textBlock('[document]');
		default:
			return textBlock(typeof block.text === 'string' ? block.text : JSON.stringify(block));
	}
}

/** The API's image has the same substance under other names. */
function image(block: JsonObject): JsonObject | undefined {
	const source = objectAt(block, 'source') ?? block;
	const media = stringAt(source, 'media_type') ?? stringAt(source, 'mimeType') ?? stringAt(source, 'mediaType');
	const data = stringAt(source, 'data') ?? stringAt(source, 'base64_data');
	return media === undefined || data === undefined
		? undefined
		: { base64_data: data, media_type: media, type: 'image' };
}
