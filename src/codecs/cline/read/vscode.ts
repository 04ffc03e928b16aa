/** Tasks of the VS Code extension from before it shared sessions with the command line, and their side files. */
import {
	arrayAt,
	compact,
	type Header,
	isObject,
	type Json,
	type JsonObject,
	objectAt,
	stringAt,
} from '../../../model/index.ts';
import { leftovers } from '../../shared/read/leftovers.ts';
import { parseRecord } from '../../shared/read/parse.ts';
import { isoTime } from '../../shared/times.ts';

/** One of the tasks in `state/taskHistory.json`. */
export interface HistoryItem {
	readonly id: string;
	/** When it was last used, in milliseconds since the epoch. */
	readonly ts: number;
	/** The first prompt. */
	readonly task: string;
	readonly tokensIn: number;
	readonly tokensOut: number;
	readonly cacheWrites?: number;
	readonly cacheReads?: number;
	readonly totalCost: number;
	readonly size?: number;
	readonly cwdOnTaskInitialization?: string;
	/** The first and last index of messages that are no longer sent. */
	readonly conversationHistoryDeletedRange?: readonly [number, number];
	readonly isFavorited?: boolean;
	readonly modelId?: string;
}

/**
 * True for a message that only the extension writes: with the model's name in its own fields, or with its tags around a
 * prompt. Otherwise the messages are Anthropic's, so other arrays of messages look much the same.
 */
export function looksLegacy(message: Json): boolean {
	if (!isObject(message)) return false;
	const info = objectAt(message, 'modelInfo');
	if (info && stringAt(info, 'modelId') !== undefined && stringAt(info, 'providerId') !== undefined) return true;
	const metrics = objectAt(message, 'metrics');
	if (metrics && objectAt(metrics, 'tokens')) return true;
	if (message.role !== 'user') return false;
	const content = message.content;
	const blocks: readonly Json[] = typeof content === 'string' ? [{ type: 'text', text: content }] : arrayOf(content);
	return blocks.some((block) => isObject(block) && block.type === 'text' && isWrapped(block.text));
}

function arrayOf(value: Json | undefined): readonly Json[] {
	return Array.isArray(value) ? value : [];
}

function isWrapped(text: Json | undefined): boolean {
	return typeof text === 'string' && (text.startsWith('<task>\n') || text.startsWith('<environment_details>\n'));
}

interface Answerer {
	readonly model: string | undefined;
	readonly provider: string | undefined;
}

/** The model and provider of a reply. Older files have both on the message, older tasks under other names. */
export function answeredBy(message: JsonObject): Answerer {
	const info = objectAt(message, 'modelInfo') ?? {};
	return {
		model: stringAt(info, 'id') ?? stringAt(info, 'modelId') ?? stringAt(message, 'modelId'),
		provider: stringAt(info, 'provider') ?? stringAt(info, 'providerId') ?? stringAt(message, 'providerId'),
	};
}

/** The task with that id, with whatever fields it has. */
export function historyItem(bytes: Uint8Array, id: string): JsonObject | undefined {
	const { other } = parseRecord(bytes, true);
	return arrayOf(other)
		.filter(isObject)
		.find((item) => item.id === id);
}

const named = new Set(['id', 'task', 'cwdOnTaskInitialization', 'modelId']);

/** The header from the list of tasks. Costs and the like have no neutral name. */
export function historyHeader(bytes: Uint8Array, id: string | undefined): Header {
	const item = id === undefined ? undefined : historyItem(bytes, id);
	if (!item) return {};
	return compact({
		title: stringAt(item, 'task') || undefined,
		cwd: stringAt(item, 'cwdOnTaskInitialization') || undefined,
		model: stringAt(item, 'modelId') || undefined,
		extra: leftovers(item, named),
	});
}

/** `task_metadata.json`: the models that were used, and by which version of the extension. */
export function taskHeader(value: JsonObject): Header {
	const used = lastObject(value, 'model_usage');
	return compact({
		model: stringAt(used, 'model_id'),
		provider: stringAt(used, 'model_provider_id'),
		version: stringAt(lastObject(value, 'environment_history'), 'cline_version'),
	});
}

function lastObject(value: JsonObject, key: string): JsonObject {
	return arrayAt(value, key)?.filter(isObject).at(-1) ?? {};
}

/** `ui_messages.json` begins with the task as it was typed. */
export function displayHeader(bytes: Uint8Array): Header {
	const first = arrayOf(parseRecord(bytes, true).other).find(isObject);
	if (first?.type !== 'say') return {};
	return compact({ title: stringAt(first, 'text')?.trim() || undefined, created: isoTime(first.ts) });
}
