/** Mends blocks that Clido refuses when it resumes a session: missing fields are added, unknown blocks become text. */
import { isObject, type Json, type JsonObject, objectAt, stringAt } from '../../../model/index.ts';
import { asText, type RepairFile, textOfBlocks } from '../../shared/check/repair.ts';
import { type BrokenBlock, blockRemedies, unknownResult } from '../../shared/check/repair-blocks.ts';
import { inContent } from './repair-lines.ts';
import { resumeRules } from './rules.ts';

export const [blockRemedy, thinkingRemedy] = blockRemedies({
	rules: [...resumeRules],
	does: 'A block that Clido does not know becomes one that it does, text at worst; missing fields are added.',
	content: inContent,
	thinking: { rule: 'clido/block.thinking/thinking', types: ['thinking'] },
	emptied: 'removed',
	mendBlock,
});

function mendBlock(broken: BrokenBlock): void {
	const { field, value: block } = broken;
	const value = isObject(block) && field ? fieldFor(block, field) : undefined;
	if (isObject(block) && field && value !== undefined) {
		const how = block[field] === undefined ? 'invented' : 'approximated';
		broken.set(field, value, `\`${field}\` of a block is mended`, how, `\`${field}\``);
		return;
	}
	const put = isObject(block) ? known(block, broken.edits.file) : textBlock(asText(block));
	const what = `a block is ${asText(put?.type)} now`;
	if (put) broken.put(put, what, what);
	else broken.cut('took out a block that says nothing Clido can send', 'a block');
}

/** The value for a broken field; undefined where the block cannot stay what it is. */
function fieldFor(block: JsonObject, field: string): Json | undefined {
	if (block.type === 'tool_use' && field === 'input') return {};
	if (block.type === 'tool_result' && field === 'is_error') return block.is_error === 'true';
	if (block.type === 'tool_result' && field === 'content') return textOfBlocks(block.content);
	return undefined;
}

function textBlock(text: string): JsonObject | undefined {
	return text.trim() === '' ? undefined : { text, type: 'text' };
}

/** The nearest block of a type that Clido knows. */
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
			return textBlock(`${unknownResult} ${textOfBlocks(block.content)}`);
		case 'document':
			return textBlock('[document]');
		default:
			return textBlock(typeof block.text === 'string' ? block.text : JSON.stringify(block));
	}
}

/** Clido's image for one of the API, which has the same content under other names. */
function image(block: JsonObject): JsonObject | undefined {
	const source = objectAt(block, 'source') ?? block;
	const media = stringAt(source, 'media_type') ?? stringAt(source, 'mimeType') ?? stringAt(source, 'mediaType');
	const data = stringAt(source, 'data') ?? stringAt(source, 'base64_data');
	return media === undefined || data === undefined
		? undefined
		: { base64_data: data, media_type: media, type: 'image' };
}
