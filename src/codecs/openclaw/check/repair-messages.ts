/** Mends single messages of pi's files: roles, content, blocks that cannot be sent, results without their call. */
import { isObject, type Json, type JsonObject, objectAt, stringAt } from '../../../model/index.ts';
import { asText, type Edits, each, lossNote, type Remedy, removal, textOfBlocks } from '../../shared/check/repair.ts';
import {
	type BrokenBlock,
	blockRemedies,
	blocksFrom,
	objectFrom,
	unknownResult,
	valueIn,
} from '../../shared/check/repair-blocks.ts';
import { mendOrRemove } from '../../shared/check/repair-graph.ts';
import { deriveHex } from '../../shared/write/derive.ts';
import { stepsOf, valueText } from '../../shared/write/json-edit.ts';
import { inMessage, linksOf } from './repair-thread.ts';

export const roleRemedy: Remedy = {
	rules: [
		'openclaw/message-missing',
		'openclaw/role-missing',
		'openclaw/hook-message',
		'openclaw/context_edit/replacement',
	],
	does: 'A message gets the role that its fields tell; a line that says nothing without them is taken out.',
	mend: mendOrRemove(linksOf, (edits, { index, rule }, value) => {
		const message = objectAt(value, 'message');
		const role = rule === 'openclaw/hook-message' ? 'custom' : message && meantRole(message);
		if (!message || !role) return removal(rule, 'a line without its message');
		const was = `the role was ${asText(message.role)}`;
		edits.set(index, ['message', 'role'], role, lossNote(rule, `the role is ${role} now`, 'approximated', was));
		return undefined;
	}),
};

function meantRole(message: JsonObject): string | undefined {
	if (typeof message.toolCallId === 'string') return 'toolResult';
	if (message.stopReason !== undefined || message.usage !== undefined || message.model !== undefined)
		return 'assistant';
	const { content } = message;
	const says = typeof content === 'string' ? content !== '' : Array.isArray(content) && content.length > 0;
	return says ? 'user' : undefined;
}

export const contentRemedy: Remedy = {
	rules: ['openclaw/content-shape'],
	does: 'Content becomes a list of blocks.',
	mend: each((edits, { index, rule, path }) => {
		const steps = stepsOf(path);
		const blocks = blocksFrom(valueIn(edits.value(index), steps)) ?? [];
		edits.set(index, steps, blocks, { rule, what: 'content is now a list of blocks' });
	}),
};

export const [blockRemedy, thinkingRemedy] = blockRemedies({
	rules: [
		'openclaw/block-object',
		'openclaw/block-unsendable',
		'openclaw/signature-json',
		'openclaw/text/text',
		'openclaw/image/data',
		'openclaw/image/mimeType',
		'openclaw/toolCall/id',
		'openclaw/toolCall/name',
		'openclaw/toolCall/arguments',
	],
	does: 'Blocks that cannot be sent become text; a signature that is no reasoning item goes.',
	content: inMessage,
	thinking: { rule: 'openclaw/signature-json', types: ['thinking'] },
	emptied: 'kept',
	mendBlock,
});

function mendBlock(broken: BrokenBlock): void {
	const { edits, index, rule, path, field, value: block } = broken;
	const { options } = edits.file;
	if (isObject(block) && block.type === 'toolCall' && field === 'arguments') {
		const input = objectFrom(block.arguments);
		broken.set(field, input, 'arguments are an object now', 'approximated', 'the arguments were no object');
		return;
	}
	if (isObject(block) && block.type === 'toolCall' && field === 'id' && typeof block.name === 'string') {
		const id = `call_${deriveHex(16, 'repaired call', options.id, String(index), path)}`;
		broken.set(field, id, 'gave the call an id', 'invented', 'the id of a call');
		return;
	}
	if (rule === 'openclaw/signature-json' && options.thinking === undefined) {
		const what = 'took out a signature that is no reasoning item: the thinking stays, without its proof';
		edits.cut(index, stepsOf(path), lossNote(rule, what, 'dropped', 'a signature'));
		return;
	}
	const drop = isObject(block) && block.type === 'thinking' && options.thinking === 'drop';
	broken.toText(drop ? '' : textFor(block), 'a block', path);
}

function textFor(block: Json | undefined): string {
	if (!isObject(block)) return asText(block);
	switch (block.type) {
		case 'thinking':
			return block.redacted === true ? '' : asText(block.thinking);
		case 'image':
			return '[image]';
		case 'toolCall':
			return `[tool call ${asText(block.name)} ${asText(block.arguments)}]`;
		case 'text':
			return asText(block.text);
		default:
			return textOfBlocks([block]);
	}
}

export const resultIdRemedy: Remedy = {
	rules: ['openclaw/toolResult/toolCallId', 'openclaw/result-orphan'],
	does: 'A result without its call becomes a text of the user.',
	mend: each((edits, { index, rule }) => toUser(edits, index, rule)),
};

/** Turns a message into the user's, which keeps its content and says first what it was. */
export function toUser(edits: Edits, index: number, rule: string): void {
	const message = objectAt(edits.value(index) ?? {}, 'message');
	if (!message) return;
	const name = stringAt(message, 'toolName');
	const text = name === undefined ? unknownResult : `${unknownResult.slice(0, -1)}: ${name}]`;
	const said = JSON.stringify({ type: 'text', text });
	const bytes = edits.bytes(index);
	const raw = bytes && valueText(bytes, inMessage);
	const rest = raw?.startsWith('[') ? raw.slice(1).trimStart() : ']';
	const content = rest.startsWith(']') ? `[${said}]` : `[${said},${rest}`;
	const [what, note] = ['turned a result without its call into text', 'a tool result is a text of the user now'];
	edits.setText(index, inMessage, content, lossNote(rule, what, 'approximated', note, 'message'));
	edits.set(index, ['message', 'role'], 'user', { rule, what: 'the role is user now' });
}
