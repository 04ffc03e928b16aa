/** The compaction sidecar `<id>.compaction.json`: what it says, and whether it still fits the messages. */
import { createHash } from 'node:crypto';
import { isObject, type Json, type JsonObject, stringAt } from '../../../model/index.ts';
import type { Report } from '../../codec.ts';
import { parseRecord } from '../../shared/read/parse.ts';
import { compactionTable } from '../check/rules.ts';
import { heldMessages, savedMessage } from '../context/runtime-messages.ts';
import type { ClineCompaction } from '../lines.ts';
import { displayText } from './prompt.ts';

/** The sidecar in these bytes; undefined when Cline itself would not take it. */
export function parseCompaction(bytes: Uint8Array): ClineCompaction | undefined {
	const { value } = parseRecord(bytes, true);
	return value && isCompaction(value) ? value : undefined;
}

/** True for a value with the form of a compaction file. */
export function isCompaction(value: Json): value is Json & ClineCompaction {
	if (!isObject(value)) return false;
	let sound = true;
	checkShape(value, () => {
		sound = false;
	});
	return sound;
}

/** The messages that Cline counts: without notes that are only shown, and with each tool result by itself. */
export function sentMessages(messages: readonly Json[]): readonly JsonObject[] {
	return heldMessages(messages).map(savedMessage);
}

/**
 * The hash that ties a sidecar to the first `count` messages. It leaves out ids and times, and takes user texts as they
 * are shown, so that a rewrite by the client changes nothing.
 */
export function prefixHash(messages: readonly JsonObject[], count: number): string {
	const hash = createHash('sha256');
	hash.update(`cline-session-compaction-source-v2\n${count}\n`);
	for (const message of messages.slice(0, count)) {
		hash.update(`${JSON.stringify(hashed(message))}\n`);
	}
	return `sha256:${hash.digest('hex')}`;
}

function hashed(message: JsonObject): Json {
	const content: Json = message.role === 'user' ? shown(message.content) : (message.content ?? null);
	const rest = ['agent', 'sessionId', 'metadata', 'modelInfo', 'metrics'].map((key) => [key, message[key] ?? null]);
	return [['role', message.role ?? null], ['content', content], ...rest];
}

function shown(content: Json | undefined): Json {
	if (typeof content === 'string') return displayText(content);
	if (!Array.isArray(content)) return content ?? null;
	const blocks: readonly Json[] = content;
	return blocks.map((block) => {
		if (!isObject(block) || block.type !== 'text' || typeof block.text !== 'string') return block;
		return { ...block, text: displayText(block.text) };
	});
}

/** The key by which a sidecar names the last message that it replaces. */
export function messageKey(message: JsonObject): string {
	const id = stringAt(message, 'id')?.trim();
	if (id) return `id:${id}`;
	if (typeof message.ts === 'number') return `ts:${stringAt(message, 'role') ?? ''}:${message.ts}`;
	return `content:${stringAt(message, 'role') ?? ''}:${JSON.stringify(shown(message.content))}`;
}

/** True when Cline would use the sidecar for these messages. */
export function compactionFits(value: ClineCompaction, messages: readonly Json[]): boolean {
	try {
		const sent = sentMessages(messages);
		const count = value.source_message_count;
		if (count > sent.length) return false;
		const last = sent[count - 1];
		if (value.source_prefix_hash) return prefixHash(sent, count) === value.source_prefix_hash;
		return last !== undefined && messageKey(last) === value.source_last_message_key;
	} catch (error) {
		// The messages are nested too deeply to be serialised; the client fails too.
		if (error instanceof RangeError) return false;
		throw error;
	}
}

/** Reports what is wrong with a sidecar, given the messages of its session. */
export function checkCompaction(value: Json, messages: readonly Json[], report: Report): void {
	if (!isObject(value)) {
		report('cline/compaction/messages', 'the sidecar is not an object: Cline does not use it', { at: null });
		return;
	}
	checkShape(value, report);
	if (!isCompaction(value)) return;
	const count = value.source_message_count;
	const there = countOf(messages);
	if (there !== undefined && count > there) {
		const message = `it stands for ${count} messages, but there are ${there}: Cline does not use it and sends the whole history`;
		report('cline/compaction/count', message, { at: null, path: 'source_message_count' });
	} else if (!compactionFits(value, messages)) {
		const message =
			'the first messages are not those that it was made of: Cline does not use it and sends the whole history (Cline 3.0.65 takes the hash too early in one-shot runs)';
		report('cline/compaction/hash', message, { at: null, path: 'source_prefix_hash' });
	}
}

function countOf(messages: readonly Json[]): number | undefined {
	try {
		return sentMessages(messages).length;
	} catch (error) {
		if (error instanceof RangeError) return undefined;
		throw error;
	}
}

function checkShape(value: JsonObject, report: Report): void {
	compactionTable.check(value, (rule, message, where) => report(rule, message, { ...where, at: null }));
	if (!Array.isArray(value.messages)) return;
	const messages: readonly Json[] = value.messages;
	messages.forEach((message, index) => {
		const role = isObject(message) ? message.role : undefined;
		const content = isObject(message) ? message.content : undefined;
		const sound = (role === 'user' || role === 'assistant') && (typeof content === 'string' || Array.isArray(content));
		if (!sound) {
			report('cline/compaction/message', 'no role or no content: Cline does not use the sidecar', {
				at: null,
				path: `messages[${index}]`,
			});
		}
	});
}
