/** Tasks of the VS Code extension before it shared its sessions with the command line: how they look, and what lies beside them. */
import {
	arrayAt,
	type Header,
	isObject,
	type Json,
	type JsonObject,
	numberAt,
	objectAt,
	stringAt,
} from '../../../model/index.ts';
import { parseRecord } from '../../shared/read/parse.ts';

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
	/** First and last of the messages that are no longer sent. */
	readonly conversationHistoryDeletedRange?: readonly [number, number];
	readonly isFavorited?: boolean;
	readonly modelId?: string;
}

/**
 * True for a message that only the extension writes: the model's name in its own words, or one of the wrappings that it
 * puts around prompts. The messages are Anthropic's otherwise, so other arrays of messages look much the same.
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

/** Who gave a reply, by either of the names that Cline has used. */
export function modelOf(message: JsonObject): { readonly model: string; readonly provider?: string } | undefined {
	const info = objectAt(message, 'modelInfo');
	const model = (info && (stringAt(info, 'id') ?? stringAt(info, 'modelId'))) ?? stringAt(message, 'modelId');
	const provider =
		(info && (stringAt(info, 'provider') ?? stringAt(info, 'providerId'))) ?? stringAt(message, 'providerId');
	if (model === undefined) return undefined;
	return provider === undefined ? { model } : { model, provider };
}

/** The task with that id, with whatever fields it has. */
export function historyItem(bytes: Uint8Array, id: string): JsonObject | undefined {
	const { other } = parseRecord(bytes, true);
	return arrayOf(other)
		.filter(isObject)
		.find((item) => item.id === id);
}

const named = new Set(['id', 'task', 'cwdOnTaskInitialization', 'modelId']);

/** What the list of tasks says about one of them. Costs and the like have no neutral name. */
export function historyHeader(bytes: Uint8Array, id: string | undefined): Header {
	const item = id === undefined ? undefined : historyItem(bytes, id);
	if (!item) return {};
	const title = stringAt(item, 'task');
	const cwd = stringAt(item, 'cwdOnTaskInitialization');
	const model = stringAt(item, 'modelId');
	const rest = Object.entries(item).filter(([key]) => !named.has(key));
	return {
		...(title ? { title } : {}),
		...(cwd ? { cwd } : {}),
		...(model ? { model } : {}),
		...(rest.length > 0 ? { extra: Object.fromEntries(rest) } : {}),
	};
}

/** `task_metadata.json`: the models that were used, and by which version of the extension. */
export function taskHeader(value: JsonObject): Header {
	const used = lastObject(value, 'model_usage');
	const environment = lastObject(value, 'environment_history');
	const model = used && stringAt(used, 'model_id');
	const provider = used && stringAt(used, 'model_provider_id');
	const version = environment && stringAt(environment, 'cline_version');
	return {
		...(model === undefined ? {} : { model }),
		...(provider === undefined ? {} : { provider }),
		...(version === undefined ? {} : { version }),
	};
}

function lastObject(value: JsonObject, key: string): JsonObject | undefined {
	return arrayAt(value, key)?.filter(isObject).at(-1);
}

/** `ui_messages.json` begins with the task as it was typed. */
export function displayHeader(bytes: Uint8Array): Header {
	const first = arrayOf(parseRecord(bytes, true).other).find(isObject);
	if (first?.type !== 'say') return {};
	const title = stringAt(first, 'text')?.trim();
	const ts = numberAt(first, 'ts');
	return {
		...(title ? { title } : {}),
		...(ts !== undefined && Math.abs(ts) <= 8.64e15 ? { created: new Date(ts).toISOString() } : {}),
	};
}
