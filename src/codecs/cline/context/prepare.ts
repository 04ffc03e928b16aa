/** What Cline does to its messages before each request: results for open calls, plain prompts, shorter outputs. */
import { isObject, type Json, type JsonObject, stringAt } from '../../../model/index.ts';
import { sentText } from '../read/prompt.ts';
import { type MediaBudget, mediaBudget, omitted } from './media.ts';
import { type Stale, withoutStale } from './stale-reads.ts';
import { isImage, mapped, mappedObject, shortFile, shortReply, shortResult, shortTexts } from './truncate.ts';
import { isAnswer, type Part, type Turn } from './turns.ts';
import { unanswered } from './unanswered.ts';

export function prepareTurns(turns: readonly Turn[], stale: Stale): readonly Turn[] {
	const budget = mediaBudget();
	return answered(turns).map((turn) => ({
		...turn,
		parts: turn.parts.map((part) => ({ ...part, block: withinBudget(plain(part.block, turn.role, stale), budget) })),
	}));
}

type Open = Map<Json | undefined, Json | undefined>;

/** Gives every call a result, except one that has its result anywhere, even too late. */
function answered(turns: readonly Turn[]): readonly Turn[] {
	const given = new Set<Json | undefined>();
	for (const turn of turns) {
		for (const { block } of turn.parts) if (block.type === 'tool_result') given.add(block.tool_use_id);
	}
	const open: Open = new Map();
	const out: Turn[] = [];
	for (const turn of turns) {
		if (isAnswer(turn)) {
			add(out, { ...turn, parts: [...turn.parts, ...interruptions(open)] });
			continue;
		}
		const missing = interruptions(open);
		if (missing.length > 0) add(out, { role: 'user', parts: missing });
		add(out, turn);
		if (turn.role !== 'assistant') continue;
		for (const { block } of turn.parts) {
			if (block.type === 'tool_use' && !given.has(block.id)) open.set(block.id, block.name);
		}
	}
	const missing = interruptions(open);
	if (missing.length > 0) add(out, { role: 'user', parts: missing });
	return out;
}

/** Adds a turn; what the user says right after results joins their turn. */
function add(out: Turn[], turn: Turn): void {
	const last = out.at(-1);
	if (last && turn.role === 'user' && turn.parts.length > 0 && isAnswer(last)) {
		out[out.length - 1] = { role: 'user', parts: [...last.parts, ...turn.parts] };
	} else out.push(turn);
}

/** Clears the open calls and returns the results that Cline makes up for them. */
function interruptions(open: Open): readonly Part[] {
	const parts = [...open].map(([id, name]) => {
		const content = [{ type: 'text', text: unanswered(name ? String(name) : '') }];
		return { block: { type: 'tool_result', tool_use_id: id, name, content, is_error: true } };
	});
	open.clear();
	return parts;
}

function plain(block: JsonObject, role: string, stale: Stale): JsonObject {
	const text = block.type === 'text' ? stringAt(block, 'text') : undefined;
	if (text !== undefined && role === 'user') return { ...block, text: sentText(text) };
	if (text !== undefined && role === 'assistant') return { ...block, text: shortReply(text) };
	if (block.type === 'file') return { ...block, content: shortFile(stringAt(block, 'content') ?? '') };
	if (block.type !== 'tool_result') return block;
	const keys = stale.get(block.tool_use_id);
	const content = keys && block.is_error !== true ? withoutStale(block.content, keys) : block.content;
	return { ...block, content: shortContent(content) };
}

function shortContent(content: Json | undefined): Json | undefined {
	if (typeof content === 'string') return shortResult(content);
	if (!Array.isArray(content)) return content;
	const parts: readonly Json[] = content;
	return parts.map((part) => {
		if (typeof part === 'string' || (isObject(part) && part.type === 'image')) return part;
		if (!isObject(part) || (part.type !== 'text' && part.type !== 'file')) return shortTexts(part) as Json;
		const field = part.type === 'text' ? 'text' : 'content';
		return { ...part, [field]: shortResult(stringAt(part, field) ?? '') };
	});
}

function withinBudget(block: JsonObject, budget: MediaBudget): JsonObject {
	if (block.type === 'image') return limited(block, budget);
	if (block.type !== 'tool_result' || !Array.isArray(block.content)) return block;
	const parts: readonly Json[] = block.content;
	return { ...block, content: parts.map((part) => (isObject(part) ? limitedPart(part, budget) : part)) };
}

function limitedPart(part: JsonObject, budget: MediaBudget): Json {
	if (part.type === 'image') return limited(part, budget);
	return part.type === 'text' || part.type === 'file' ? part : (nestedLimits(part, budget) as Json);
}

/** The value with a bare text for each image beyond the budget, as inside a tool's result. */
function nestedLimits(value: Json | undefined, budget: MediaBudget): Json | undefined {
	if (Array.isArray(value)) {
		return mapped(value as readonly Json[], (item) => nestedLimits(item, budget) as Json);
	}
	if (!isObject(value)) return value;
	if (value.type !== 'image') return mappedObject(value, (item) => nestedLimits(item, budget));
	const image = limited(value, budget);
	return image.type === 'text' ? omitted : image;
}

function limited(image: JsonObject, budget: MediaBudget): JsonObject {
	const sound = isImage(image) ? budget.image(String(image.mediaType), String(image.data)) : undefined;
	return sound ? { ...image, ...sound } : { type: 'text', text: omitted };
}
