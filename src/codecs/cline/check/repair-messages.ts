/** Mends single messages of Cline's documents: roles, content, ids, blocks. */
import { isObject, type Json, type JsonObject, objectAt, stringAt } from '../../../model/index.ts';
import {
	asText,
	each,
	eachRecord,
	lossNote,
	type Remedy,
	type RepairFile,
	removal,
	textOfBlocks,
} from '../../shared/check/repair.ts';
import {
	type BrokenBlock,
	blockRemedies,
	blocksFrom,
	blocksIn,
	type Ref,
	refsIn,
	unknownResult,
} from '../../shared/check/repair-blocks.ts';
import { deriveHex } from '../../shared/write/derive.ts';
import type { Path } from '../../shared/write/json-edit.ts';

/** The path of a message's blocks. */
export const inContent: Path = ['content'];

export function contentOf(value: JsonObject | undefined): readonly Json[] {
	return blocksIn(value, inContent);
}

export function callsOf(value: JsonObject | undefined): readonly Ref[] {
	return refsIn(contentOf(value), 'tool_use', 'id');
}

export const roleRemedy: Remedy = {
	rules: ['cline/message/role'],
	does: 'A role other than user and assistant becomes the nearer of the two; a system message is sent as the user’s.',
	mend: each((edits, { index, rule }, value = {}) => {
		const role = meantRole(value);
		const was = `the role was ${asText(value.role) || 'absent'}`;
		edits.set(index, ['role'], role, lossNote(rule, `the role is ${role} now`, 'approximated', was));
	}),
};

const replies = new Set(['model', 'ai', 'bot', 'Assistant']);

function meantRole(value: JsonObject): 'user' | 'assistant' {
	if (replies.has(String(value.role))) return 'assistant';
	if (typeof value.role === 'string') return 'user';
	const calls = contentOf(value).some(
		(block) => isObject(block) && (block.type === 'tool_use' || block.type === 'thinking'),
	);
	return calls || value.modelInfo !== undefined || value.metrics !== undefined ? 'assistant' : 'user';
}

export const contentRemedy: Remedy = {
	rules: ['cline/message/content', 'cline/message/empty-content'],
	does: 'Content becomes a list of blocks; a message that has none is taken out.',
	mend: eachRecord((edits, { index, rule }, value) => {
		const blocks = Array.isArray(value?.content) ? undefined : blocksFrom(value?.content);
		if (!blocks) edits.remove(index, removal(rule, 'a message without content'));
		else edits.set(index, inContent, blocks, { rule, what: 'content is now a list of blocks' });
	}),
};

export const idRemedy: Remedy = {
	rules: ['cline/message/id', 'cline/assistant/id', 'cline/message/duplicate-id'],
	does: 'A message without an id, or with that of another, gets one.',
	mend(edits, problems) {
		const { lines, options } = edits.file;
		const taken = new Set(lines.flatMap(({ value }) => stringAt(value ?? {}, 'id') ?? []));
		const give = eachRecord((_, { index, rule }) => {
			let id = '';
			for (let turn = 0; id === '' || taken.has(id); turn += 1) {
				id = `msg_${deriveHex(8, 'repaired message', options.id, String(index), String(turn))}`;
			}
			taken.add(id);
			edits.set(index, ['id'], id, lossNote(rule, 'gave the message an id', 'invented', 'the id of the message'));
		});
		give(edits, problems);
	},
};

export const [blockRemedy, thinkingRemedy] = blockRemedies({
	rules: [
		'cline/block/not-object',
		'cline/block/thinking-role',
		'cline/text/text',
		'cline/thinking/thinking',
		'cline/tool_use/id',
		'cline/tool_use/name',
		'cline/tool_result/tool_use_id',
		'cline/tool_result/content',
		'cline/tool_result/name',
		'cline/file/content',
		'cline/image/source',
	],
	does: 'Missing names and ids are added, images get Cline’s shape; a block that cannot be sent becomes text.',
	content: inContent,
	thinking: { rule: 'cline/thinking/signature', types: ['thinking', 'redacted_thinking'] },
	emptied: 'removed',
	mendBlock,
});

function mendBlock(broken: BrokenBlock): void {
	const { edits, index, at, rule, path, field, value: block } = broken;
	if (isObject(block)) {
		const added = field && fieldFor(edits.file, index, at, block, field);
		if (field && added !== undefined) {
			const how = block[field] === undefined ? 'invented' : 'approximated';
			broken.set(field, added, `\`${field}\` of a block is ${JSON.stringify(added)} now`, how, `\`${field}\``, path);
			return;
		}
		const image = rule === 'cline/image/source' && imageFrom(block);
		if (image) {
			edits.set(index, [...inContent, at], image, { rule, what: 'gave an image the shape that Cline sends' });
			return;
		}
	}
	const drop = isObject(block) && block.type === 'thinking' && edits.file.options.thinking === 'drop';
	broken.toText(drop ? '' : textFor(block), 'a block', path, 'took out a block that says nothing');
}

/** The value for a broken field; undefined where the block cannot stay what it is. */
function fieldFor(file: RepairFile, index: number, at: number, block: JsonObject, field: string): Json | undefined {
	if (block.type === 'tool_use' && field === 'id' && typeof block.name === 'string') {
		return `call_${deriveHex(16, 'repaired call', file.options.id, String(index), String(at))}`;
	}
	if (block.type !== 'tool_result' || typeof block.tool_use_id !== 'string') return undefined;
	if (field === 'content') return '';
	return field === 'name' ? toolName(file, block.tool_use_id) : undefined;
}

/** The name of the tool that was called under this id. */
export function toolName({ lines }: RepairFile, id: string): string {
	const called = lines.flatMap(({ value }) => callsOf(value).filter((call) => call.id === id));
	return called[0]?.name ?? 'unknown';
}

function imageFrom(block: JsonObject): JsonObject | undefined {
	const source = objectAt(block, 'source');
	const data = source && stringAt(source, 'data');
	if (!source || data === undefined) return undefined;
	return { type: 'image', data, mediaType: stringAt(source, 'media_type') ?? 'image/png' };
}

function textFor(block: Json | undefined): string {
	if (!isObject(block)) return asText(block);
	switch (block.type) {
		case 'thinking':
			return asText(block.thinking);
		case 'redacted_thinking':
			return '';
		case 'tool_use':
			return `[tool call ${asText(block.name)} ${asText(block.input)}]`;
		case 'tool_result':
			return `${unknownResult} ${textOfBlocks(block.content)}`;
		case 'file':
			return `[file ${asText(block.path)}]`;
		case 'image':
			return '[image]';
		default:
			return asText(block.text);
	}
}
