/** Mends single messages of Cline's documents: roles, content, ids, blocks. */
import { isObject, type Json, type JsonObject, objectAt, stringAt } from '../../../model/index.ts';
import {
	asText,
	byRecord,
	type Problem,
	type Remedy,
	type RepairFile,
	removal,
	textOfBlocks,
} from '../../shared/check/repair.ts';
import { brokenBlocks, thinkingOnRequest } from '../../shared/check/repair-blocks.ts';
import { deriveHex } from '../../shared/write/derive.ts';
import { stepsOf } from '../../shared/write/json-edit.ts';
import { DocumentEdits } from './repair-document.ts';

export function contentOf(value: JsonObject | undefined): readonly Json[] {
	return Array.isArray(value?.content) ? (value.content as readonly Json[]) : [];
}

export function blockAt(path: string): number {
	return Number(stepsOf(path)[1]);
}

export const roleRemedy: Remedy = {
	rules: ['cline/message/role'],
	does: 'A role other than user and assistant becomes the nearer of the two; a system message is sent as the user’s.',
	mend(file, problems) {
		const edits = new DocumentEdits(file);
		for (const { index = -1, rule } of problems) {
			const value = file.lines[index]?.value;
			if (!value) continue;
			const role = meantRole(value);
			const lost = {
				path: 'role',
				how: 'approximated',
				note: `the role was ${asText(value.role) || 'absent'}`,
			} as const;
			edits.set(index, ['role'], role, { rule, what: `the role is ${role} now`, lost });
		}
		return edits.done();
	},
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
	mend(file, problems) {
		const edits = new DocumentEdits(file);
		for (const [index, [problem]] of byRecord(problems)) {
			const rule = problem?.rule ?? '';
			const content = file.lines[index]?.value?.content;
			const text = Array.isArray(content) ? '' : asText(content);
			const blocks = isObject(content) && typeof content.type === 'string' ? [content] : [{ type: 'text', text }];
			if (text.trim() === '') edits.remove(index, removal(rule, 'a message without content'));
			else edits.set(index, ['content'], blocks, { rule, what: 'content is now a list of blocks' });
		}
		return edits.done();
	},
};

export const idRemedy: Remedy = {
	rules: ['cline/message/id', 'cline/assistant/id', 'cline/message/duplicate-id'],
	does: 'A message without an id, or with that of another, gets one.',
	mend(file, problems) {
		const edits = new DocumentEdits(file);
		const taken = new Set(file.lines.flatMap(({ value }) => stringAt(value ?? {}, 'id') ?? []));
		for (const [index, [problem]] of byRecord(problems)) {
			let id = '';
			for (let turn = 0; id === '' || taken.has(id); turn += 1) {
				id = `msg_${deriveHex(8, 'repaired message', file.options.id, String(index), String(turn))}`;
			}
			taken.add(id);
			const lost = { path: 'id', how: 'invented', note: 'the id of the message' } as const;
			edits.set(index, ['id'], id, { rule: problem?.rule ?? '', what: 'gave the message an id', lost });
		}
		return edits.done();
	},
};

export const blockRemedy: Remedy = {
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
	mend: mendBlocks,
};

export const thinkingRemedy = thinkingOnRequest({
	rule: 'cline/thinking/signature',
	types: ['thinking', 'redacted_thinking'],
	contentOf,
	path: 'content',
	mend: mendBlocks,
});

function mendBlocks(file: RepairFile, problems: readonly Problem[]) {
	const edits = new DocumentEdits(file);
	for (const { index, rule, blocks } of brokenBlocks(problems, blockAt)) {
		for (const [at, problem] of blocks) mendBlock(edits, index, at, problem);
		if (!edits.isRemoved(index) && contentOf(edits.value(index)).length === 0) {
			edits.remove(index, removal(rule, 'a message in which nothing is left'));
		}
	}
	return edits.done();
}

function mendBlock(edits: DocumentEdits, index: number, at: number, { rule, path }: Problem): void {
	const block = contentOf(edits.value(index))[at];
	const field = stepsOf(path)[2];
	const added =
		isObject(block) && typeof field === 'string' ? fieldFor(edits.file, index, at, block, field) : undefined;
	if (isObject(block) && typeof field === 'string' && added !== undefined) {
		const lost = { path, how: block[field] === undefined ? 'invented' : 'approximated', note: `\`${field}\`` } as const;
		edits.set(index, ['content', at, field], added, {
			rule,
			what: `\`${field}\` of a block is ${JSON.stringify(added)} now`,
			lost,
		});
		return;
	}
	const image = isObject(block) && rule === 'cline/image/source' ? imageFrom(block) : undefined;
	if (image) {
		edits.set(index, ['content', at], image, { rule, what: 'gave an image the shape that Cline sends' });
		return;
	}
	const drop = isObject(block) && block.type === 'thinking' && edits.file.options.thinking === 'drop';
	const text = drop ? '' : textFor(block);
	if (text.trim() === '') {
		const lost = { path, how: 'dropped', note: 'a block' } as const;
		edits.cut(index, ['content', at], { rule, what: 'took out a block that says nothing', lost });
		return;
	}
	const lost = { path, how: 'approximated', note: 'a block is text now' } as const;
	edits.set(index, ['content', at], { type: 'text', text }, { rule, what: 'turned a block into text', lost });
}

/** Undefined where the block cannot be kept as what it is. */
function fieldFor(file: RepairFile, index: number, at: number, block: JsonObject, field: string): Json | undefined {
	if (block.type === 'tool_use' && field === 'id' && typeof block.name === 'string') {
		return `call_${deriveHex(16, 'repaired call', file.options.id, String(index), String(at))}`;
	}
	if (block.type !== 'tool_result' || typeof block.tool_use_id !== 'string') return undefined;
	if (field === 'content') return '';
	return field === 'name' ? toolName(file, block.tool_use_id) : undefined;
}

/** The name of the tool that was called under this id. */
export function toolName(file: RepairFile, id: string): string {
	for (const { value } of file.lines) {
		for (const block of contentOf(value)) {
			if (isObject(block) && block.type === 'tool_use' && block.id === id) return stringAt(block, 'name') ?? 'unknown';
		}
	}
	return 'unknown';
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
			return `[result of a tool call that is not in this session] ${textOfBlocks(block.content)}`;
		case 'file':
			return `[file ${asText(block.path)}]`;
		case 'image':
			return '[image]';
		default:
			return asText(block.text);
	}
}
