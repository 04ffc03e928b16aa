/** Mends single lines of Claude Code's files: their type, their content, and blocks that the API rejects, such as thinking without a signature. */
import { isObject, type Json, type JsonObject, objectAt } from '../../../model/index.ts';
import { asText, type Remedy, removal, textOfBlocks } from '../../shared/check/repair.ts';
import { type BrokenBlock, blockRemedies, blocksFrom, objectFrom } from '../../shared/check/repair-blocks.ts';
import { mendOrRemove } from '../../shared/check/repair-graph.ts';
import { allLinks, inMessage } from './repair-thread.ts';

export const typeRemedy: Remedy = {
	rules: ['claude-code/type'],
	does: 'A message without a type gets that of its role; another line without one is taken out.',
	mend: mendOrRemove(allLinks, (edits, { index, rule }, value) => {
		const role = objectAt(value, 'message')?.role;
		if (role !== 'user' && role !== 'assistant') return removal(rule, 'a line without a type, which Claude Code skips');
		edits.set(index, ['type'], role, { rule, what: `\`type\` is ${role}, as the message's role is` });
		return undefined;
	}),
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
	mend: mendOrRemove(allLinks, (edits, { index, rule }, value) => {
		const blocks = blocksFrom(contentOf(value));
		if (!blocks) return removal(rule, 'a message without content');
		edits.set(index, inMessage, blocks, { rule, what: 'content is now a list of blocks' });
		return undefined;
	}),
};

export function contentOf(value: JsonObject | undefined): Json | undefined {
	return value && objectAt(value, 'message')?.content;
}

export const [blockRemedy, thinkingRemedy] = blockRemedies({
	rules: [
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
	],
	does: 'Blocks that the API rejects become text where they say something and are taken out where they do not.',
	content: inMessage,
	thinking: { rule: 'claude-code/thinking-signature', types: ['thinking', 'redacted_thinking'] },
	emptied: allLinks,
	mendBlock,
});

function mendBlock(broken: BrokenBlock): void {
	const block = broken.value;
	const cut = (thing: string): void => broken.cut(`took out ${thing}`, thing);
	if (!isObject(block)) broken.toText(asText(block), 'a block that is no object');
	else if (block.type === 'text' && typeof block.text === 'string') cut('a blank text');
	else if (block.type === 'text') broken.toText(asText(block.text), 'a text block without text');
	else if (block.type === 'thinking' && broken.edits.file.options.thinking === 'drop') cut('thinking');
	else if (block.type === 'thinking') {
		broken.toText(asText(block.thinking), block.signature ? 'thinking' : 'thinking without a signature');
	} else if (block.type === 'redacted_thinking') cut('redacted thinking');
	else if (block.type !== 'tool_use') broken.toText(textOfBlocks(block.content), 'a tool result that names no call');
	else if (typeof block.id !== 'string' || typeof block.name !== 'string') {
		broken.toText(`[tool call ${asText(block.name)} ${asText(block.input)}]`, 'a tool call without id or name');
	} else {
		const what = 'the input of a tool call is an object now';
		broken.set('input', objectFrom(block.input), what, 'approximated', 'the input was no object');
	}
}
