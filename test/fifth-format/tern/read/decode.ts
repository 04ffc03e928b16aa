/** Tern's lines to entries: each message follows the one before it. */
import {
	type Block,
	compact,
	type Entry,
	type EntryId,
	isObject,
	type Json,
	type JsonObject,
	type ModelResponse,
	numberAt,
	stringAt,
} from '../../../model/index.ts';
import type { LineDecoder } from '../../codec.ts';
import { reportFlaws } from '../../shared/check/flaws.ts';
import { flawEffects } from '../check/rules.ts';
import { kindOf, partsOf } from '../lines.ts';

export function decoder(state?: Json): LineDecoder {
	let last: EntryId | null = typeof state === 'string' ? state : null;
	return {
		visit(line, sink) {
			reportFlaws('tern', flawEffects, line, sink.issue);
			const { value } = line;
			if (!value) return '';
			const kind = kindOf(value);
			const time = stringAt(value, 'at');
			const base = { id: stringAt(value, 'id') ?? `line:${line.line}`, records: [line.index], ...compact({ time }) };
			const title = stringAt(value, 'title');
			if (kind === 'open') {
				const facts = { id: stringAt(value, 'session'), cwd: stringAt(value, 'cwd'), created: time, title };
				sink.header({ dialect: 'tern', ...compact(facts) });
			} else if (kind === 'title' && title !== undefined) {
				sink.entry({ ...base, kind: 'setting', set: { title } });
				sink.header({ title });
			} else if (kind === 'say' || kind === 'reply') {
				sink.entry(messageOf(base, last, kind, value));
				last = base.id;
			} else sink.entry({ ...base, kind: 'opaque', type: stringAt(value, 'tern') ?? '' });
			return stringAt(value, 'tern') ?? '';
		},
		state: () => last,
	};
}

function messageOf(
	base: Pick<Entry, 'id' | 'records' | 'time'>,
	parent: EntryId | null,
	kind: 'say' | 'reply',
	value: JsonObject,
): Entry {
	const content = partsOf(value).map(blockOf);
	if (kind === 'say') return { ...base, kind: 'message', parent, role: 'user', content };
	return { ...base, kind: 'message', parent, role: 'assistant', content, response: responseOf(value) };
}

function blockOf(part: JsonObject): Block {
	const { text, thought, call, result, tool } = part;
	if (typeof result === 'string') {
		const content: readonly Block[] = typeof text === 'string' && text !== '' ? [{ type: 'text', text }] : [];
		return { type: 'tool_result', call: result, content, isError: part.failed === true };
	}
	if (typeof call === 'string' && typeof tool === 'string')
		return { type: 'tool_call', id: call, name: tool, input: part.input ?? null };
	if (typeof thought === 'string') return { type: 'thinking', text: thought };
	if (typeof text === 'string') return { type: 'text', text };
	return { type: 'opaque', of: '', value: part };
}

function responseOf(value: JsonObject): ModelResponse {
	const tokens = isObject(value.tokens) ? value.tokens : undefined;
	const count = (name: string): number => (tokens && numberAt(tokens, name)) ?? 0;
	const reasoning = tokens && numberAt(tokens, 'reasoning');
	const usage = tokens && {
		input: count('in'),
		output: count('out'),
		cacheRead: count('read'),
		cacheWrite5m: count('kept'),
		cacheWrite1h: count('keptLong'),
		...compact({ reasoning }),
	};
	return {
		...compact({
			id: stringAt(value, 'answer'),
			request: stringAt(value, 'request'),
			model: stringAt(value, 'model'),
			provider: stringAt(value, 'by'),
			stop: stringAt(value, 'stop'),
			costUsd: numberAt(value, 'cost'),
		}),
		...(usage ? { usage } : {}),
	};
}
