/** Messages in the form that Cline has while it runs: no notes, separate results, only fields that it knows. */
import { compact, isObject, type Json, type JsonObject } from '../../../model/index.ts';
import { isDisplayOnly } from '../lines.ts';

/** Cline's text where there is nothing to send. */
export const emptyContent = 'ERROR: EMPTY CONTENT';

export interface Held {
	/** `tool` for a result, in whichever message it was. */
	readonly role: Json | undefined;
	readonly content: readonly JsonObject[];
	/** The message that it comes from. */
	readonly of: JsonObject;
	readonly id?: string;
	readonly metadata?: Json;
}

/** The running form of messages. Saving converts it back, so a sidecar counts and hashes these, not the file's. */
export function heldMessages(messages: readonly Json[]): readonly Held[] {
	const held: Held[] = [];
	for (const message of messages) {
		if (isObject(message) && !isDisplayOnly(message)) for (const part of split(message)) held.push(part);
	}
	return held;
}

/** How many running messages Cline makes of this one. */
export function heldCount(message: JsonObject): number {
	if (isDisplayOnly(message)) return 0;
	let count = 0;
	let open = false;
	for (const block of blocksOf(message.content)) {
		if (isObject(block) && block.type === 'tool_result') {
			count += open ? 2 : 1;
			open = false;
		} else open = true;
	}
	return open || count === 0 ? count + 1 : count;
}

function split(message: JsonObject): readonly Held[] {
	const blocks = blocksOf(message.content);
	const id = typeof message.id === 'string' ? message.id : undefined;
	const span = spans(message);
	const base = { role: message.role, of: message };
	if (blocks.length === 0) {
		return [{ ...base, content: [{ type: 'text', text: emptyContent }], ...identity(id, span.own) }];
	}
	const parts: Held[] = [];
	let own: (JsonObject | undefined)[] = [];
	let segments = 0;
	const flush = (): void => {
		if (own.length === 0) return;
		const name = segments === 0 ? id : id && `${id}_part_${segments}`;
		// A part with only unknown blocks still counts, as an empty one.
		parts.push({ ...base, content: own.filter((block) => block !== undefined), ...identity(name, span.next()) });
		segments += 1;
		own = [];
	};
	for (const block of blocks) {
		const kept = isObject(block) ? heldBlock(block) : undefined;
		if (kept?.type !== 'tool_result') {
			own.push(kept);
			continue;
		}
		flush();
		const suffix = `_tool_${String(kept.tool_use_id)}`;
		const name = blocks.length === 1 || id?.endsWith(suffix) ? id : id && id + suffix;
		parts.push({ ...base, role: 'tool', content: [kept], ...identity(name, span.other) });
	}
	flush();
	return parts;
}

function identity(id: string | undefined, metadata: Json | undefined): Pick<Held, 'id' | 'metadata'> {
	return compact({ id, metadata });
}

/** Gives the span of a run to the first part of a user's message only, so that it is counted once. */
function spans(message: JsonObject) {
	const own = message.metadata;
	const runs = isObject(own) && message.role === 'user' ? own.userRunSpan : undefined;
	const counted = isObject(own) && typeof runs === 'number' && Number.isInteger(runs) && runs >= 0;
	const other = counted ? { ...own, userRunSpan: 0 } : own;
	let given = false;
	return {
		own,
		other,
		next(): Json | undefined {
			const metadata = given ? other : own;
			given = true;
			return metadata;
		},
	};
}

function blocksOf(content: Json | undefined): readonly Json[] {
	if (typeof content === 'string') return content.trim() === '' ? [] : [{ type: 'text', text: content }];
	return Array.isArray(content) ? content : [];
}

/** The block with the fields that Cline keeps, in its order; undefined for one that it leaves out. */
function heldBlock(block: JsonObject): JsonObject | undefined {
	switch (block.type) {
		case 'text':
			return { type: 'text', text: block.text };
		case 'thinking':
			return {
				type: 'thinking',
				thinking: block.thinking,
				signature: block.signature || undefined,
				details: block.details || undefined,
			};
		case 'redacted_thinking':
			return { type: 'redacted_thinking', data: block.data ?? '' };
		case 'image':
			if (typeof block.data !== 'string') return undefined;
			return { type: 'image', data: block.data, mediaType: block.mediaType ?? 'image/png' };
		case 'media':
			return { type: 'media', media: block.media };
		case 'file':
			return { type: 'file', path: block.path, content: block.content };
		case 'tool_use':
			return {
				type: 'tool_use',
				id: block.id,
				name: block.name,
				input: block.input ?? {},
				signature: block.signature || undefined,
			};
		case 'tool_result':
			return {
				type: 'tool_result',
				tool_use_id: block.tool_use_id,
				name: block.name,
				content: resultContent(block.content),
				is_error: block.is_error,
			};
		default:
			return undefined;
	}
}

/** A result's content: texts and lists stay, everything else becomes text. */
function resultContent(content: Json | undefined): Json | undefined {
	return content === undefined || typeof content === 'string' || Array.isArray(content)
		? content
		: JSON.stringify(content);
}

/** The message as Cline would save it. */
export function savedMessage(held: Held): JsonObject {
	const { of } = held;
	const reply = held.role !== 'tool';
	return {
		...(held.id === undefined ? {} : { id: held.id }),
		role: held.role === 'tool' ? 'user' : (held.role ?? null),
		content: held.content,
		ts: of.ts,
		metadata: held.metadata,
		modelInfo: reply ? of.modelInfo : undefined,
		metrics: reply && isObject(of.metrics) ? savedMetrics(of.metrics) : undefined,
	};
}

function savedMetrics(metrics: JsonObject): JsonObject {
	return {
		inputTokens: metrics.inputTokens ?? 0,
		outputTokens: metrics.outputTokens ?? 0,
		cacheReadTokens: metrics.cacheReadTokens ?? 0,
		cacheWriteTokens: metrics.cacheWriteTokens ?? 0,
		cost: metrics.cost,
	};
}
