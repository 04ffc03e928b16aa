/** Mends single messages of pi's files: roles, content, blocks. */
import { isObject, type Json, type JsonObject, objectAt, stringAt } from '../../../model/index.ts';
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
import { objectFrom, thinkingOnRequest } from '../../shared/check/repair-blocks.ts';
import { deriveHex } from '../../shared/write/derive.ts';
import { type Path, stepsOf, valueText } from '../../shared/write/json-edit.ts';
import { linksOf } from './repair-thread.ts';

export const roleRemedy: Remedy = {
	rules: [
		'openclaw/message-missing',
		'openclaw/role-missing',
		'openclaw/hook-message',
		'openclaw/context_edit/replacement',
	],
	does: 'A message gets the role that its fields tell; a line that says nothing without them is taken out.',
	mend(file, problems) {
		const edits = new Edits(file);
		const gone = new Map<number, Note>();
		for (const { index = -1, rule } of problems) {
			const message = objectAt(file.lines[index]?.value ?? {}, 'message');
			const role = rule === 'openclaw/hook-message' ? 'custom' : message && meantRole(message);
			if (message && role) {
				const lost = {
					path: 'message.role',
					how: 'approximated',
					note: `the role was ${asText(message.role)}`,
				} as const;
				edits.set(index, ['message', 'role'], role, { rule, what: `the role is ${role} now`, lost });
			} else gone.set(index, removal(rule, 'a line without its message'));
		}
		linksOf(edits).remove(gone);
		return edits.done();
	},
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
	mend(file, problems) {
		const edits = new Edits(file);
		for (const { index = -1, rule, path } of problems) {
			const steps = stepsOf(path);
			const content = valueIn(edits.value(index), steps);
			const blocks = isObject(content) && typeof content.type === 'string' ? [content] : textBlocks(asText(content));
			edits.set(index, steps, blocks, { rule, what: 'content is now a list of blocks' });
		}
		return edits.done();
	},
};

function textBlocks(text: string): readonly JsonObject[] {
	return text.trim() === '' ? [] : [{ type: 'text', text }];
}

function valueIn(value: Json | undefined, path: Path): Json | undefined {
	let at: Json | undefined = value;
	for (const step of path) {
		if (typeof step === 'number') at = Array.isArray(at) ? (at as readonly Json[])[step] : undefined;
		else at = isObject(at) ? at[step] : undefined;
	}
	return at;
}

export const blockRemedy: Remedy = {
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
	mend: mendBlocks,
};

export const thinkingRemedy = thinkingOnRequest({
	rule: 'openclaw/signature-json',
	types: ['thinking'],
	contentOf: (value) => value && objectAt(value, 'message')?.content,
	path: 'message.content',
	mend: mendBlocks,
});

function mendBlocks(file: RepairFile, problems: readonly Problem[]) {
	const edits = new Edits(file);
	for (const [index, found] of byRecord(problems)) {
		const byBlock = new Map<string, Problem>();
		for (const problem of found) byBlock.set(blockPath(problem.path).join('.'), problem);
		// From the last to the first: taking one out moves those after it.
		const ordered = [...byBlock.values()].sort(
			(a, b) => Number(blockPath(b.path).at(-1)) - Number(blockPath(a.path).at(-1)),
		);
		for (const problem of ordered) mendBlock(edits, index, problem);
	}
	return edits.done();
}

/** `message.content[3].id` is about the block `message.content[3]`. */
function blockPath(path: string): Path {
	const steps = stepsOf(path);
	return steps.slice(0, steps.findIndex((step) => typeof step === 'number') + 1);
}

function mendBlock(edits: Edits, index: number, { rule, path }: Problem): void {
	const place = blockPath(path);
	const block = valueIn(edits.value(index), place);
	const field = stepsOf(path).at(-1);
	if (isObject(block) && block.type === 'toolCall' && field === 'arguments') {
		const lost = { path, how: 'approximated', note: 'the arguments were no object' } as const;
		edits.set(index, [...place, 'arguments'], objectFrom(block.arguments), {
			rule,
			what: 'arguments are an object now',
			lost,
		});
		return;
	}
	if (isObject(block) && block.type === 'toolCall' && field === 'id' && typeof block.name === 'string') {
		const id = `call_${deriveHex(16, 'repaired call', edits.file.options.id, String(index), path)}`;
		const lost = { path, how: 'invented', note: 'the id of a call' } as const;
		edits.set(index, [...place, 'id'], id, { rule, what: 'gave the call an id', lost });
		return;
	}
	if (rule === 'openclaw/signature-json' && edits.file.options.thinking === undefined) {
		const what = 'took out a signature that is no reasoning item: the thinking stays, without its proof';
		edits.cut(index, [...place, 'thinkingSignature'], {
			rule,
			what,
			lost: { path, how: 'dropped', note: 'a signature' },
		});
		return;
	}
	const drop = isObject(block) && block.type === 'thinking' && edits.file.options.thinking === 'drop';
	const text = drop ? '' : textFor(block);
	if (text.trim() === '') {
		edits.cut(index, place, { rule, what: 'took out a block', lost: { path, how: 'dropped', note: 'a block' } });
		return;
	}
	const lost = { path, how: 'approximated', note: 'a block is text now' } as const;
	edits.set(index, place, { type: 'text', text }, { rule, what: 'turned a block into text', lost });
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
	mend(file, problems) {
		const edits = new Edits(file);
		for (const { index = -1, rule } of problems) toUser(edits, index, rule);
		return edits.done();
	},
};

/** The message keeps its content and says first what it was. */
export function toUser(edits: Edits, index: number, rule: string): void {
	const message = objectAt(edits.value(index) ?? {}, 'message');
	if (!message) return;
	const name = stringAt(message, 'toolName');
	const text = `[result of a tool call that is not in this session${name === undefined ? '' : `: ${name}`}]`;
	const said = JSON.stringify({ type: 'text', text });
	const bytes = edits.bytes(index);
	const raw = bytes && valueText(bytes, ['message', 'content']);
	const rest = raw?.startsWith('[') ? raw.slice(1).trimStart() : ']';
	const content = rest.startsWith(']') ? `[${said}]` : `[${said},${rest}`;
	edits.setText(index, ['message', 'content'], content, {
		rule,
		what: 'turned a result without its call into text',
		lost: { path: 'message', how: 'approximated', note: 'a tool result is a text of the user now' },
	});
	edits.set(index, ['message', 'role'], 'user', { rule, what: 'the role is user now' });
}
