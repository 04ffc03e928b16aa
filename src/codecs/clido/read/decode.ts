/** Decodes Clido's lines. They have neither ids nor parents: each message follows the one before it. */
import type {
	Block,
	Entry,
	EntryBase,
	EntryId,
	FileState,
	Json,
	JsonObject,
	MessageEntry,
	ToolResultBlock,
} from '../../../model/index.ts';
import { compact, isObject, numberAt, stringAt } from '../../../model/index.ts';
import type { DecodeSink, LineDecoder } from '../../codec.ts';
import { reportFlaws } from '../../shared/check/flaws.ts';
import { leftovers } from '../../shared/read/leftovers.ts';
import type { Line } from '../../shared/read/line.ts';
import { isTold } from '../../shared/read/prompt-words.ts';
import { flawEffects } from '../check/rules.ts';
import { dialectOf, isLineType, type LineType, lineFields } from '../lines.ts';
import { rawFields, rawText } from './raw-fields.ts';

export function decoder(state?: Json): LineDecoder {
	let { last, metas, reply } = restore(state);

	/** Makes an entry follow the last one of the conversation. */
	function follow(id: EntryId): EntryId | null {
		const parent = last;
		last = id;
		return parent;
	}

	return {
		visit(line, sink) {
			if (line.flaws.length > 0) reportFlaws('clido', flawEffects, line, sink.issue);
			const value = line.value;
			if (!value) return '';
			const type = value.type;
			const id = `line:${line.line}`;
			if (!isLineType(type)) {
				const name = typeof type === 'string' ? type : '';
				sink.entry({ kind: 'opaque', id, parent: follow(id), records: [line.index], type: name });
				return name;
			}
			const base = baseOf(id, line, value, type);
			const content = contentOf(value, type, line);
			if (content) {
				sink.entry(messageOf({ ...base, parent: follow(id) }, type, content));
				if (type === 'assistant_message') reply = id;
			} else if (type === 'user_message' || type === 'assistant_message') {
				sink.entry({ kind: 'opaque', id, parent: follow(id), records: [line.index], type });
			} else if (type === 'meta') {
				sink.entry(startOf(base, value));
				metas += 1;
				headerOf(value, metas, sink);
			} else {
				sink.entry(besideOf(base, value, type, reply));
				if (type === 'title' && typeof value.title === 'string') sink.header({ title: value.title });
			}
			return type;
		},
		state: () => ({ last, metas, reply }),
	};
}

interface State {
	last: EntryId | null;
	/** The last reply, which a compaction of ours keeps. */
	reply: EntryId | null;
	metas: number;
}

function restore(state: Json | undefined): State {
	if (state === undefined || !isObject(state)) return { last: null, reply: null, metas: 0 };
	const [last = null, reply = null] = [stringAt(state, 'last'), stringAt(state, 'reply')];
	return { last, reply, metas: numberAt(state, 'metas') ?? 0 };
}

function baseOf(id: EntryId, line: Line, value: JsonObject, type: LineType): EntryBase {
	const extra = leftovers(value, lineFields[type], true);
	const base = { id, records: [line.index] };
	return extra ? { ...base, extra } : base;
}

function messageOf(base: EntryBase, type: LineType, content: readonly Block[]): MessageEntry {
	const role = type === 'assistant_message' ? 'assistant' : 'user';
	const message: MessageEntry = { ...base, kind: 'message', role, content };
	return role === 'user' && isTold(content) ? { ...message, audience: 'model' } : message;
}

/** The blocks of a message line; undefined when it is none, or cannot be read. */
function contentOf(value: JsonObject, type: LineType, line: Line): readonly Block[] | undefined {
	if (type === 'tool_result') return [resultLine(value, line)];
	if (type !== 'user_message' && type !== 'assistant_message') return undefined;
	const content = value.content;
	if (Array.isArray(content)) return content.map(blockOf);
	// The client refuses the whole file then, but the text is still there.
	return typeof content === 'string' ? [{ type: 'text', text: content }] : undefined;
}

function blockOf(value: Json): Block {
	if (!isObject(value)) return { type: 'opaque', of: '', value };
	switch (value.type) {
		case 'text':
			if (typeof value.text === 'string') return { type: 'text', text: value.text };
			break;
		case 'thinking':
			if (typeof value.thinking === 'string') return { type: 'thinking', text: value.thinking };
			break;
		case 'tool_use':
			if (typeof value.id === 'string' && typeof value.name === 'string')
				return { type: 'tool_call', id: value.id, name: value.name, input: value.input ?? null };
			break;
		case 'tool_result':
			if (typeof value.tool_use_id === 'string') return resultOf(value, value.tool_use_id);
			break;
		case 'image':
			if (typeof value.media_type === 'string' && typeof value.base64_data === 'string')
				return { type: 'image', mime: value.media_type, data: { base64: value.base64_data } };
			break;
	}
	return { type: 'opaque', of: stringAt(value, 'type') ?? '', value };
}

function resultOf(value: JsonObject, call: string): ToolResultBlock {
	return { type: 'tool_result', call, content: resultContent(value.content), isError: value.is_error === true };
}

/** The blocks of a result: a string by document and client; with a list of blocks the client refuses the file. */
function resultContent(content: Json | undefined): readonly Block[] {
	if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
	if (Array.isArray(content)) return content.map(innerBlock);
	return content === undefined || content === null ? [] : [{ type: 'data', value: content }];
}

/** A block in a result. A result inside another could nest without end, so it is kept as it is. */
function innerBlock(value: Json): Block {
	return isObject(value) && value.type === 'tool_result'
		? { type: 'opaque', of: 'tool_result', value }
		: blockOf(value);
}

function resultLine(value: JsonObject, line: Line): Block {
	const block = resultOf(value, stringAt(value, 'tool_use_id') ?? '');
	return { ...block, ...compact({ durationMs: numberAt(value, 'duration_ms'), file: fileOf(value, line) }) };
}

function fileOf(value: JsonObject, line: Line): FileState | undefined {
	const path = stringAt(value, 'path');
	if (path === undefined) return undefined;
	const sha256 = stringAt(value, 'content_hash')?.replace(/^sha256:/, '');
	const mtime = numberAt(value, 'mtime_nanos');
	return { path, ...compact({ sha256, mtimeNs: mtime === undefined ? undefined : exactDigits(mtime, line) }) };
}

/** The digits as the bytes have them: a double cannot hold today's nanoseconds. */
function exactDigits(mtime: number, line: Line): string | undefined {
	const text = Number.isSafeInteger(mtime) ? String(mtime) : rawText(line.bytes, rawFields(line.bytes), 'mtime_nanos');
	return text !== undefined && /^\d+$/.test(text) ? text : undefined;
}

function startOf(base: EntryBase, value: JsonObject): Entry {
	return {
		...base,
		kind: 'start',
		session: stringAt(value, 'session_id') ?? '',
		...compact({
			time: stringAt(value, 'start_time'),
			cwd: stringAt(value, 'project_path'),
			version: numberAt(value, 'schema_version'),
		}),
	};
}

/** Header fields: the first meta line is the session's own, a second one names the session that it was forked from. */
function headerOf(value: JsonObject, metas: number, sink: DecodeSink): void {
	const id = stringAt(value, 'session_id');
	if (metas === 2 && id !== undefined) sink.header({ from: { how: 'fork', session: id } });
	if (metas > 1) return;
	const version = numberAt(value, 'schema_version');
	sink.header({
		dialect: dialectOf(value),
		...compact({
			id,
			cwd: stringAt(value, 'project_path'),
			created: stringAt(value, 'start_time'),
			version: version === undefined ? undefined : String(version),
		}),
	});
}

type BesideType = Exclude<LineType, 'meta' | 'user_message' | 'assistant_message' | 'tool_result'>;

/** The entry of a line that a resume ignores. */
function besideOf(base: EntryBase, value: JsonObject, type: string, reply: EntryId | null): Entry {
	switch (type as BesideType) {
		case 'title':
			return { ...base, kind: 'setting', set: { title: stringAt(value, 'title') ?? null } };
		case 'result':
			return outcomeOf(base, value);
		case 'tool_call': {
			const [call = '', name = ''] = [stringAt(value, 'tool_use_id'), stringAt(value, 'tool_name')];
			return { ...base, kind: 'event', event: { type: 'call', call, name, input: value.input ?? null } };
		}
		case 'system':
			return systemOf(base, value, reply);
	}
}

function systemOf(base: EntryBase, value: JsonObject, reply: EntryId | null): Entry {
	const message = stringAt(value, 'message');
	const subtype = stringAt(value, 'subtype') ?? '';
	if (subtype === 'compaction') return compactionOf(base, value, reply);
	if (subtype === 'error') return { ...base, kind: 'event', event: { type: 'error', message: message ?? '' } };
	return { ...base, kind: 'event', event: { type: 'notice', level: subtype, ...compact({ message }) } };
}

/** What a run of ours notes of a compaction stands in a field that Clido ignores, and its summary behind the remark. */
function compactionOf(base: EntryBase, value: JsonObject, reply: EntryId | null): Entry {
	const summary = stringAt(value, 'message')?.replace(/^Context compacted: [^\n]*\n\n/, '');
	const noted = isObject(value.reprise) ? value.reprise : {};
	return {
		...base,
		kind: 'compaction',
		...compact({
			summary,
			keptFrom: noted.kept === true ? (reply ?? undefined) : undefined,
			trigger: stringAt(noted, 'trigger'),
			tokensBefore: numberAt(noted, 'tokens_before'),
			tokensAfter: numberAt(noted, 'tokens_after'),
		}),
	};
}

function outcomeOf(base: EntryBase, value: JsonObject): Entry {
	return {
		...base,
		kind: 'outcome',
		status: stringAt(value, 'exit_status') ?? '',
		...compact({
			costUsd: numberAt(value, 'total_cost_usd'),
			turns: numberAt(value, 'num_turns'),
			durationMs: numberAt(value, 'duration_ms'),
		}),
	};
}
