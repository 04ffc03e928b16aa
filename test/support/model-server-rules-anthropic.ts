/** What Anthropic's Messages API refuses. */
import { isObject, type Json, type JsonObject, objectAt, stringAt } from '../../src/model/index.ts';
import { halfCharacters } from './model-server-rules.ts';
import { list } from './model-server-wires.ts';

export function* anthropicProblems(body: JsonObject): Generator<string> {
	yield* halfCharacters(body);
	if (typeof body.model !== 'string') yield 'model: Field required';
	if (!Number.isInteger(body.max_tokens) || Number(body.max_tokens) < 1) yield 'max_tokens: Field required';
	yield* settings(body);
	const marks = [...cacheMarks(body)].length;
	if (marks > 4) yield `A maximum of 4 blocks with cache_control may be provided. Found ${marks}.`;
	const messages = list(body.messages);
	if (messages.length === 0) yield 'messages: at least one message is required';
	for (const [at, message] of messages.entries()) yield* messageProblems(message, `messages.${at}`);
	yield* turnProblems(messages, objectAt(body, 'thinking')?.type === 'enabled');
}

function* settings(body: JsonObject): Generator<string> {
	const thinking = objectAt(body, 'thinking');
	const budget = Number(thinking?.budget_tokens);
	if (thinking?.type === 'enabled' && !(budget >= 1024))
		yield 'thinking.enabled.budget_tokens: Input should be greater than or equal to 1024';
	if (thinking?.type === 'enabled' && budget >= Number(body.max_tokens))
		yield '`max_tokens` must be greater than `thinking.budget_tokens`';
	for (const [at, block] of list(body.system).entries()) yield* text(block.text, `system.${at}`);
	const names = new Set<string>();
	for (const [at, tool] of list(body.tools).entries()) {
		const name = stringAt(tool, 'name') ?? '';
		if (!/^[a-zA-Z0-9_-]{1,128}$/.test(name)) yield `tools.${at}.custom.name: String should match pattern`;
		if (names.has(name)) yield 'tools: Tool names must be unique.';
		if (objectAt(tool, 'input_schema')?.type !== 'object') yield `tools.${at}.custom.input_schema.type: Field required`;
		names.add(name);
	}
}

function* cacheMarks(value: Json | undefined): Generator<true> {
	if (Array.isArray(value)) for (const one of value as readonly Json[]) yield* cacheMarks(one);
	if (!isObject(value)) return;
	for (const [key, one] of Object.entries(value)) {
		if (key === 'cache_control') yield true;
		else yield* cacheMarks(one);
	}
}

function* messageProblems(message: JsonObject, where: string): Generator<string> {
	if (message.role !== 'user' && message.role !== 'assistant')
		yield `messages: Unexpected role "${String(message.role)}"`;
	yield* extra(message, ['role', 'content'], where);
	if (typeof message.content === 'string') return yield* text(message.content, where);
	const blocks = list(message.content);
	if (blocks.length === 0) yield `${where}: all messages must have non-empty content`;
	for (const [at, block] of blocks.entries())
		yield* blockProblems(block, `${where}.content.${at}`, String(message.role));
}

const fields: { readonly [type: string]: readonly string[] } = {
	text: ['type', 'text', 'cache_control'],
	image: ['type', 'source', 'cache_control'],
	thinking: ['type', 'thinking', 'signature'],
	redacted_thinking: ['type', 'data'],
	tool_use: ['type', 'id', 'name', 'input', 'cache_control'],
	tool_result: ['type', 'tool_use_id', 'content', 'is_error', 'cache_control'],
};
const byAssistant: ReadonlySet<string> = new Set(['thinking', 'redacted_thinking', 'tool_use']);

function* blockProblems(block: JsonObject, where: string, role: string): Generator<string> {
	const type = String(block.type);
	const known = fields[type];
	if (known === undefined) return yield `${where}: Input tag '${type}' does not match any of the expected tags`;
	yield* extra(block, known, `${where}.${type}`);
	if (byAssistant.has(type) && role !== 'assistant')
		yield `${where}: \`${type}\` blocks can only be in \`assistant\` messages`;
	if (type === 'tool_result' && role !== 'user')
		yield `${where}: \`tool_result\` blocks can only be in \`user\` messages`;
	switch (type) {
		case 'text':
			return yield* text(block.text, where);
		case 'image':
			return yield* image(block, where);
		case 'thinking':
			if (typeof block.thinking !== 'string') yield `${where}.thinking.thinking: Field required`;
			if (typeof block.signature !== 'string' || block.signature === '')
				yield `${where}.thinking.signature: Field required`;
			return;
		case 'redacted_thinking':
			if (typeof block.data !== 'string' || block.data === '') yield `${where}.redacted_thinking.data: Field required`;
			return;
		case 'tool_use':
			yield* identifier(block.id, `${where}.tool_use.id`);
			if (typeof block.name !== 'string' || !/^.{1,200}$/s.test(block.name))
				yield `${where}.tool_use.name: wrong length`;
			if (!isObject(block.input)) yield `${where}.tool_use.input: Input should be a valid dictionary`;
			return;
		case 'tool_result':
			yield* identifier(block.tool_use_id, `${where}.tool_result.tool_use_id`);
			yield* resultContent(block, `${where}.tool_result.content`);
	}
}

function* resultContent(block: JsonObject, where: string): Generator<string> {
	if (block.content === undefined || typeof block.content === 'string') return;
	for (const [at, part] of list(block.content).entries()) {
		if (part.type !== 'text' && part.type !== 'image') yield `${where}.${at}: Input tag does not match`;
		if (block.is_error === true && part.type !== 'text')
			yield `${where}: all content must be type text if \`is_error\` is true`;
		yield* blockProblems(part, `${where}.${at}`, 'user');
	}
}

function* image(block: JsonObject, where: string): Generator<string> {
	const source = objectAt(block, 'source');
	if (!/^image\/(jpeg|png|gif|webp)$/.test(String(source?.media_type)))
		yield `${where}.image.source.base64.media_type: not a known type`;
	if (!source?.data) yield `${where}.image.source.base64.data: image cannot be empty`;
}

function* text(value: Json | undefined, where: string): Generator<string> {
	if (typeof value !== 'string') yield `${where}.text: Input should be a valid string`;
	else if (value.trim() === '') yield `${where}: text content blocks must contain non-whitespace text`;
}

function* identifier(id: Json | undefined, where: string): Generator<string> {
	if (typeof id !== 'string' || !/^[a-zA-Z0-9_-]{1,64}$/.test(id))
		yield `${where}: String should match pattern '^[a-zA-Z0-9_-]+$'`;
}

function* extra(value: JsonObject, known: readonly string[], where: string): Generator<string> {
	for (const key of Object.keys(value))
		if (!known.includes(key)) yield `${where}.${key}: Extra inputs are not permitted`;
}

interface Turn {
	readonly role: string;
	readonly blocks: JsonObject[];
}

/** The API joins messages of one role that follow each other; calls and results are matched after that. */
function turnsOf(messages: readonly JsonObject[]): readonly Turn[] {
	const turns: Turn[] = [];
	for (const message of messages) {
		const { content } = message;
		const role = String(message.role);
		const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : list(content);
		const last = turns.at(-1);
		if (last?.role === role) last.blocks.push(...blocks);
		else turns.push({ role, blocks: [...blocks] });
	}
	return turns;
}

function* turnProblems(messages: readonly JsonObject[], fixedBudget: boolean): Generator<string> {
	const turns = turnsOf(messages);
	if (turns[0]?.role !== 'user') yield 'messages: first message must use the "user" role';
	const seen = new Set<unknown>();
	for (const [at, turn] of turns.entries()) {
		if (turn.role === 'user') yield* answers(turn, turns[at - 1]);
		const calls = idsIn(turn, 'tool_use', 'id');
		const answered = new Set(turns[at + 1] ? idsIn(turns[at + 1] as Turn, 'tool_result', 'tool_use_id') : []);
		for (const id of calls) {
			if (seen.has(id)) yield 'messages: `tool_use` ids must be unique';
			if (!answered.has(id))
				yield `messages: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${String(id)}`;
			seen.add(id);
		}
		if (turn.role === 'assistant' && /thinking/.test(String(turn.blocks.at(-1)?.type))) {
			yield 'messages: The final block in an assistant message cannot be `thinking`.';
		}
	}
	const last = turns.at(-1);
	const end = last?.role === 'assistant' ? last.blocks.at(-1) : undefined;
	if (/\s$/.test(stringAt(end ?? {}, 'text') ?? '')) {
		yield 'messages: final assistant content cannot end with trailing whitespace';
	}
	const loops = last?.role === 'user' && last.blocks.every((block) => block.type === 'tool_result');
	const opener = loops ? turns.at(-2)?.blocks[0]?.type : 'thinking';
	if (fixedBudget && !/thinking/.test(String(opener)))
		yield 'messages: Expected `thinking` or `redacted_thinking`, when `thinking` is enabled';
}

function idsIn(turn: Turn, type: string, key: string): readonly (Json | undefined)[] {
	return turn.blocks.filter((block) => block.type === type).map((block) => block[key]);
}

function* answers(turn: Turn, before: Turn | undefined): Generator<string> {
	const calls = new Set(before ? idsIn(before, 'tool_use', 'id') : []);
	let spoken = false;
	for (const block of turn.blocks) {
		if (block.type !== 'tool_result') spoken = true;
		else if (!calls.delete(block.tool_use_id)) {
			yield `messages: unexpected or repeated \`tool_use_id\` found in \`tool_result\` blocks: ${String(block.tool_use_id)}`;
		} else if (spoken) yield 'messages: `tool_result` blocks must come first in the user message';
	}
}
