/** Writes neutral messages as Cline's: one per reply, with its model and usage. */
import {
	type Header,
	isObject,
	isPrompt,
	type JsonObject,
	type MessageEntry,
	type ModelResponse,
	objectAt,
	responseKey,
	type Usage,
} from '../../../model/index.ts';
import { isDeep } from '../../shared/read/deep.ts';
import { isTold } from '../../shared/read/prompt-words.ts';
import { deriveHex, deriveUuid } from '../../shared/write/derive.ts';
import { type Around, modes, unwrap, wrap } from '../read/prompt.ts';
import { type BlockContext, encodeBlock } from './blocks.ts';

export interface MessageContext extends BlockContext {
	readonly session: string;
	readonly header: Header;
	/** False in a sub-agent's file, whose prompts nobody typed. */
	readonly lead: boolean;
	ids: Set<string>;
	/** Names of fields without a place in Cline; each is reported once. */
	readonly unheld: Set<string>;
	/** The time of the last message, for a message without one. */
	time: number | undefined;
}

/** A message that may still get more blocks, or lose its metrics to a later one. */
export interface Draft {
	readonly entry: MessageEntry;
	readonly id: string;
	readonly role: 'user' | 'assistant';
	readonly content: JsonObject[];
	readonly ts: number | undefined;
	readonly metadata?: JsonObject | undefined;
	readonly modelInfo?: JsonObject | undefined;
	/** True when it starts a new turn. */
	readonly prompt: boolean;
	usage?: Usage | undefined;
	costUsd?: number | undefined;
}

/** Makes drafts of messages, in order. Lines of one reply become one message. */
export function draftMessages(context: MessageContext) {
	const drafts: Draft[] = [];
	const byResponse = new Map<string, Draft>();
	return {
		drafts,
		add(entry: MessageEntry): void {
			const shown = isShown(entry);
			if (shown && context.profile === 'published') {
				context.lose(entry.id, '', 'dropped', 'the contract has no messages that are only shown');
				return;
			}
			const content = contentOf(entry, context);
			if (content.length === 0 && entry.content.length > 0) return;
			const key = entry.response && !shown ? responseKey(entry.response) : undefined;
			const same = key === undefined ? undefined : byResponse.get(key);
			noteUnheld(entry, context);
			if (same && same === drafts.at(-1)) {
				same.content.push(...content);
				takeUsage(same, entry.response);
				return;
			}
			const draft = draftOf(entry, content, shown, context);
			drafts.push(draft);
			takeUsage(draft, shown ? undefined : entry.response);
			if (key === undefined) return;
			// Results came between the parts of this reply: only its last message has the metrics.
			if (same) moveUsage(same, draft);
			byResponse.set(key, draft);
		},
	};
}

/** True for the text of a failure, which is shown and never sent, unless calls were made before it. */
function isShown(entry: MessageEntry): boolean {
	if (entry.audience === 'user') return true;
	return entry.response?.error !== undefined && !entry.content.some((block) => block.type === 'tool_call');
}

function contentOf(entry: MessageEntry, context: MessageContext): JsonObject[] {
	const blocks = entry.content.flatMap((block, index): readonly JsonObject[] => {
		const made = encodeBlock(block, index, entry, context);
		return made ? [made] : [];
	});
	const error = entry.response?.error;
	if (blocks.length === 0 && error !== undefined) return [{ type: 'text', text: error }];
	if (entry.role !== 'user') return blocks;
	// A text before a result of the same message makes Cline fail every further turn.
	blocks.sort((a, b) => Number(b.type === 'tool_result') - Number(a.type === 'tool_result'));
	const first = blocks.findIndex((block) => block.type === 'text');
	const block = blocks[first];
	if (!block || typeof block.text !== 'string') return blocks;
	blocks[first] = { ...block, text: promptText(entry, block.text, context) };
	return blocks;
}

/** A typed prompt in its tags. A text that has such tags itself gets them too, or reading would remove its own. */
function promptText(entry: MessageEntry, text: string, context: MessageContext): string {
	const mode = entry.extra?.mode;
	const own = typeof mode === 'string' && modes.includes(mode) ? mode : undefined;
	const results = entry.content.some((block) => block.type === 'tool_result');
	const typed = context.profile === 'client' && (own !== undefined || (context.lead && isPrompt(entry) && !results));
	if (typed) return wrap(text, own ?? 'act', aroundOf(entry));
	if (own !== undefined && own !== 'act') context.lose(entry.id, 'mode', 'dropped', 'the contract has no modes');
	return text.startsWith('<') && unwrap(text) ? wrap(text, 'act') : text;
}

function aroundOf(entry: MessageEntry): Around | undefined {
	const around = entry.extra && objectAt(entry.extra, 'prompt');
	if (!around || typeof around.before !== 'string' || typeof around.after !== 'string') return undefined;
	return { before: around.before, after: around.after };
}

function draftOf(entry: MessageEntry, content: JsonObject[], shown: boolean, context: MessageContext): Draft {
	const role = entry.role === 'assistant' ? 'assistant' : 'user';
	if (entry.role === 'system') {
		context.lose(entry.id, 'role', 'approximated', 'Cline takes no system messages: written as one of the user');
	}
	if (entry.audience === 'model' && !isTold(entry.content)) {
		context.lose(entry.id, 'audience', 'approximated', 'Cline shows every message that it sends');
	}
	const prompt = role === 'user' && !shown && !entry.content.some((block) => block.type === 'tool_result');
	return {
		entry,
		id: messageId(entry, role, context),
		role,
		content,
		ts: timeOf(entry, context),
		metadata: metadataOf(entry, shown, context),
		modelInfo: role === 'assistant' ? modelInfoOf(entry, context) : undefined,
		prompt,
	};
}

const place = /^(line|message):\d+'*$/;

function messageId(entry: MessageEntry, role: string, context: MessageContext): string {
	let id = entry.id;
	const parts = [context.session, entry.id];
	while (id === '' || place.test(id) || context.ids.has(id)) {
		id = role === 'user' ? deriveUuid(...parts) : `msg_${deriveHex(8, ...parts)}`;
		parts.push(id);
	}
	context.ids.add(id);
	return id;
}

function timeOf(entry: MessageEntry, context: MessageContext): number | undefined {
	const time = Date.parse(entry.time ?? '');
	if (!Number.isNaN(time)) {
		context.time = time;
		return time;
	}
	if (entry.role === 'assistant') {
		const how = context.time === undefined ? 'the start of time is not known' : 'the time of the message before it';
		context.lose(entry.id, 'time', 'invented', how);
		return context.time ?? 0;
	}
	return undefined;
}

function metadataOf(entry: MessageEntry, shown: boolean, context: MessageContext): JsonObject | undefined {
	const compacted = entry.origin === 'compaction';
	if (entry.origin !== undefined && (!compacted || context.profile === 'published')) {
		context.lose(entry.id, 'origin', 'dropped', `Cline does not tell that it is "${entry.origin}"`);
	}
	const own = entry.extra && objectAt(entry.extra, 'metadata');
	if (context.profile === 'published') {
		if (own && !compacted) context.lose(entry.id, 'metadata', 'dropped', 'the contract has no metadata');
		return undefined;
	}
	const kept = own && !isDeep(own) ? own : undefined;
	if (!kept && !shown && !compacted) return undefined;
	return {
		...(shown ? { displayOnly: true } : {}),
		...(entry.response?.error === undefined ? {} : { displayRole: 'error' }),
		...(compacted ? { kind: 'compaction_summary', displayRole: 'system' } : {}),
		...kept,
	};
}

function modelInfoOf(entry: MessageEntry, context: MessageContext): JsonObject | undefined {
	const known = entry.response?.synthetic ? undefined : entry.response?.model;
	const id = known ?? context.header.model ?? entry.response?.model;
	const provider = entry.response?.provider ?? context.header.provider;
	if ((id === undefined || provider === undefined) && context.profile === 'client') {
		if (id !== undefined)
			context.lose(entry.id, 'response.model', 'dropped', 'Cline drops a model without its provider');
		return undefined;
	}
	if (id === undefined || provider === undefined) {
		context.lose(entry.id, 'response.model', 'invented', 'the contract wants a model and a provider');
	}
	const own = entry.extra && objectAt(entry.extra, 'modelInfo');
	const family = own && typeof own.family === 'string' ? { family: own.family } : {};
	const rest = context.profile === 'client' && isObject(own) && !isDeep(own) ? own : family;
	return { id: id ?? 'unknown', provider: provider ?? 'unknown', ...rest };
}

/** Takes the usage with the most output, which is the final one: lines of one reply repeat it. */
function takeUsage(draft: Draft, response: ModelResponse | undefined): void {
	if (!response?.usage || response.synthetic) return;
	if (draft.usage && draft.usage.output > response.usage.output) return;
	draft.usage = response.usage;
	draft.costUsd = response.costUsd;
}

function moveUsage(from: Draft, to: Draft): void {
	if (from.usage && (!to.usage || to.usage.output < from.usage.output)) {
		to.usage = from.usage;
		to.costUsd = from.costUsd;
	}
	from.usage = undefined;
	from.costUsd = undefined;
}

/** The names in `extra` that have a place here. */
const ownExtra = new Set(['metadata', 'mode', 'prompt', 'blocks', 'modelInfo', 'metrics']);

function noteUnheld(entry: MessageEntry, context: MessageContext): void {
	const response = entry.response;
	if (response?.stop !== undefined) {
		context.lose(entry.id, 'response.stop', 'dropped', 'Cline does not keep why a reply ended');
	}
	for (const key of ['id', 'request', 'api'] as const) {
		if (response?.[key] !== undefined) context.unheld.add(`response.${key}`);
	}
	if (response?.usage?.cacheWrite1h) {
		context.lose(entry.id, 'response.usage.cacheWrite1h', 'approximated', 'Cline has one count for all cache writes');
	}
	if (response?.usage?.reasoning !== undefined) {
		context.lose(entry.id, 'response.usage.reasoning', 'dropped', 'Cline counts reasoning as output');
	}
	for (const key in entry.extra) if (!ownExtra.has(key)) context.unheld.add(key);
}
