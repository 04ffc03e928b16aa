/** Mends single lines of Claude Code's files: their type, their content, their blocks. */
import { isObject, type Json, type JsonObject, objectAt } from '../../../model/index.ts';
import { asText, byRecord, type Note, type Remedy, removal, textOfBlocks } from '../../shared/check/repair.ts';
import {
	type BrokenBlock,
	blockRemedies,
	blocksFrom,
	mendBlocks,
	objectFrom,
} from '../../shared/check/repair-blocks.ts';
import { allLinks, inMessage } from './repair-thread.ts';

export const typeRemedy: Remedy = {
	rules: ['claude-code/type'],
	does: 'A message without a type gets that of its role; another line without one is taken out.',
	mend(edits, problems) {
		const gone = new Map<number, Note>();
		for (const { index, rule } of problems) {
			const role = objectAt(edits.file.lines[index]?.value ?? {}, 'message')?.role;
			if (role === 'user' || role === 'assistant') {
				edits.set(index, ['type'], role, { rule, what: `\`type\` is ${role}, as the message's role is` });
			} else gone.set(index, removal(rule, 'a line without a type, which Claude Code skips'));
		}
		allLinks(edits).remove(gone);
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
	mend(edits, problems) {
		const gone = new Map<number, Note>();
		for (const [index, [problem]] of byRecord(problems)) {
			const rule = problem?.rule ?? '';
			const blocks = blocksFrom(contentOf(edits.file.lines[index]?.value));
			if (!blocks) gone.set(index, removal(rule, 'a message without content'));
			else edits.set(index, inMessage, blocks, { rule, what: 'content is now a list of blocks' });
		}
		allLinks(edits).remove(gone);
	},
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
	mend(edits, problems) {
		const emptied = new Map<number, Note>();
		mendBlocks(edits, problems, inMessage, mendBlock, (index, rule) => emptied.set(index, nothingLeft(rule)));
		allLinks(edits).remove(emptied);
	},
});

export function nothingLeft(rule: string): Note {
	return { rule, what: 'took out the line: nothing is left in it' };
}

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
