/** Which messages pi and OpenClaw continue from, before any API's shape: what a compaction keeps, context edits, and which client wrote the file. */
import { compact, type EntryId, isObject, type Json, type JsonObject, stringAt } from '../../../model/index.ts';
import type { ContextOptions } from '../../shared/context/context.ts';
import { headSize, type LineIndex } from '../../shared/read/line-index.ts';
import type { Dialect } from '../lines.ts';
import { type Rules, rulesOf } from './clients.ts';
import { dialectIn, entryIdAt, isHeader, pathIn } from './path.ts';

/** An `AgentMessage` from the file, which may be damaged, with its entry. */
export interface Sourced {
	readonly message: JsonObject;
	readonly from: EntryId;
}

export interface ContextMessages {
	readonly rules: Rules;
	readonly messages: readonly Sourced[];
	/** The provider that answers when the session goes on. */
	readonly provider?: string;
	readonly model?: string;
	readonly api?: string;
	/** True when the leaf has no id that a next line could name: newer versions of pi then send none of the history. */
	readonly detached?: boolean;
	readonly refused?: string;
}

type Asked = Pick<ContextOptions, 'client' | 'at' | 'exact'>;

/** The messages from the index of a whole file, without side effects; whole lines are parsed only where needed. */
export function contextMessages(index: LineIndex, options: Asked): ContextMessages {
	const found = resumedMessages(index, options);
	if (found === 'more') throw new Error('all lines were there, and more were asked for');
	return found;
}

/** The messages, also from the end of a file; `more` where that is not enough. */
export function resumedMessages(index: LineIndex, options: Asked): ContextMessages | 'more' {
	const head = index.partial ? index.head?.() : index;
	if (!head || (index.partial && !isHeader(head))) return 'more';
	const writer = options.client ?? writerOf(index, head);
	if (writer === undefined) return 'more';
	const rules = rulesOf(writer);
	const dialect = dialectIn(head);
	const path = pathIn(index, { rules, dialect, at: options.at, all: options.exact === true && !rules.openclaw });
	if (path === 'more') return 'more';
	const refused = path.refused ?? messageFlaw(index, path.lines, dialect);
	if (refused !== undefined && dialect !== 'bare') return { rules, messages: [], refused };
	const lines = keptLines(index, path.lines, dialect, rules);
	const projected = project(index, lines, dialect, rules);
	if (typeof projected === 'string') return { rules, messages: [], refused: projected };
	return {
		rules,
		messages: projected,
		...answering(index, path.lines, dialect),
		...compact({ detached: isDetached(index, path.lines, dialect, rules) || undefined, refused }),
	};
}

function isDetached(index: LineIndex, path: readonly number[], dialect: Dialect, rules: Rules): boolean {
	const leaf = path.at(-1);
	if (leaf === undefined || dialect === 'v1' || dialect === 'bare') return false;
	return rules.modern && !rules.openclaw && !index.field(leaf, 'id');
}

/**
 * The client that wrote the file: OpenClaw leaves a mark in every run, pi none. Marks are searched at the start of the
 * file and behind its last compaction, so that the end of a long file is enough. Undefined where it is not.
 */
function writerOf(index: LineIndex, head: LineIndex): string | undefined {
	if (dialectIn(head) === 'v4') return '2026.9.6';
	let line = index.length - 1;
	for (; line >= 0; line--) {
		if (isMark(index, line)) return '2026.7.1';
		if (index.field(line, 'type') === 'compaction') break;
	}
	if (line < 0 && index.partial) return undefined;
	for (let first = 0; first < head.length && head.position(first).at < headSize; first++) {
		if (isMark(head, first)) return '2026.7.1';
	}
	return '0.87.1';
}

function isMark(index: LineIndex, line: number): boolean {
	const type = index.field(line, 'type');
	if (type === 'leaf' || index.field(line, 'appendMode') !== undefined) return true;
	const custom = type === 'custom' ? index.field(line, 'customType') : undefined;
	return custom === 'model-snapshot' || (typeof custom === 'string' && custom.startsWith('openclaw.'));
}

/** Why pi fails to load: it asks every message line on the path for its role. */
function messageFlaw(index: LineIndex, lines: readonly number[], dialect: Dialect): string | undefined {
	if (dialect === 'bare') return undefined;
	for (const line of lines) {
		if (index.field(line, 'type') !== 'message' || index.field(line, 'message.role') !== undefined) continue;
		const { message } = index.value(line);
		if (message === undefined || message === null) return `line ${index.position(line).line} holds no message`;
	}
	return undefined;
}

/** The lines that are sent: the last compaction on the path, what it keeps, and everything after it. */
function keptLines(index: LineIndex, path: readonly number[], dialect: Dialect, rules: Rules): readonly number[] {
	const at = path.findLastIndex((line) => index.field(line, 'type') === 'compaction');
	const compaction = path[at];
	if (compaction === undefined) return path;
	const first = firstKept(index, index.value(compaction), dialect);
	const kept = path.slice(0, at);
	const from = kept.findIndex((line) => isSame(index, line, first, dialect));
	const before = from === -1 ? [] : kept.slice(from);
	const dropsSystem = rules.modern && !rules.openclaw;
	return [
		compaction,
		...before.filter((line) => !dropsSystem || index.field(line, 'message.role') !== 'system'),
		...path.slice(at + 1),
	];
}

/** The id of the first kept line; a version 1 file counts its lines instead. */
function firstKept(index: LineIndex, compaction: JsonObject, dialect: Dialect): Json | undefined {
	const count = compaction.firstKeptEntryIndex;
	if (dialect !== 'v1' || typeof count !== 'number') return compaction.firstKeptEntryId;
	const counts = Number.isInteger(count) && count >= 0 && count < index.length;
	return counts && index.field(count, 'type') !== 'session' ? entryIdAt(index, count, dialect) : undefined;
}

function isSame(index: LineIndex, line: number, wanted: Json | undefined, dialect: Dialect): boolean {
	return (dialect === 'v1' ? entryIdAt(index, line, dialect) : index.field(line, 'id')) === wanted;
}

/** The messages of the lines, or why the client fails to make them. */
function project(
	index: LineIndex,
	lines: readonly number[],
	dialect: Dialect,
	rules: Rules,
): readonly Sourced[] | string {
	const edits = editsIn(index, lines, rules);
	const messages: Sourced[] = [];
	for (const [at, line] of lines.entries()) {
		const type = dialect === 'bare' ? 'bare' : index.field(line, 'type');
		// An older compaction in the kept part is skipped: the newer summary includes it.
		if (typeof type !== 'string' || !speaking.has(type) || (type === 'compaction' && at > 0)) continue;
		const value = index.value(line);
		const from = entryIdAt(index, line, dialect);
		const edit = edits.size === 0 ? undefined : edits.get(index.field(line, 'id'));
		if (edit === undefined) {
			for (const message of messagesOf(type, value, dialect, rules)) messages.push({ message, from });
			continue;
		}
		if (edit.replacement === null) continue;
		if (edit.replacement === undefined) return `a context_edit of ${from} has no replacement`;
		for (const message of messagesOf(type, value, dialect, rules)) {
			messages.push({ message: edited(message, edit.replacement), from });
		}
	}
	return messages;
}

const speaking: ReadonlySet<string> = new Set(['message', 'custom_message', 'branch_summary', 'compaction', 'bare']);

function editsIn(index: LineIndex, lines: readonly number[], rules: Rules): ReadonlyMap<Json | undefined, JsonObject> {
	const edits = new Map<Json | undefined, JsonObject>();
	if (!rules.modern || rules.openclaw) return edits;
	for (const line of lines) {
		if (index.field(line, 'type') === 'context_edit') edits.set(index.field(line, 'targetId'), index.value(line));
	}
	return edits;
}

const editable: ReadonlySet<Json | undefined> = new Set(['user', 'assistant', 'toolResult', 'custom']);

function edited(message: JsonObject, replacement: Json): JsonObject {
	if (!editable.has(message.role)) return message;
	const content = isObject(replacement) ? replacement.content : undefined;
	const inBlocks = message.role === 'assistant' || message.role === 'toolResult';
	return { ...message, content: inBlocks && typeof content === 'string' ? [{ type: 'text', text: content }] : content };
}

function messagesOf(type: string, line: JsonObject, dialect: Dialect, rules: Rules): readonly JsonObject[] {
	switch (type) {
		case 'bare':
			return [line];
		case 'message':
			return isObject(line.message) ? [plainMessage(line.message, dialect, rules)] : [];
		case 'custom_message':
			return [
				{
					role: 'custom',
					customType: line.customType,
					content: line.content ?? (rules.modern && !rules.openclaw ? [] : line.content),
					display: line.display,
					details: line.details,
					timestamp: milliseconds(line.timestamp),
				},
			];
		case 'branch_summary':
			if (!line.summary) return [];
			return [
				{
					role: 'branchSummary',
					summary: line.summary,
					fromId: line.fromId,
					timestamp: milliseconds(line.timestamp),
				},
			];
		default: {
			const summary = {
				role: 'compactionSummary',
				summary: line.summary,
				tokensBefore: line.tokensBefore,
				timestamp: milliseconds(line.timestamp),
			};
			const prompt = rules.modern && !rules.openclaw ? line.systemMessage : undefined;
			return isObject(prompt) ? [prompt, summary] : [summary];
		}
	}
}

const filled: ReadonlySet<Json | undefined> = new Set(['user', 'assistant', 'toolResult']);

function plainMessage(message: JsonObject, dialect: Dialect, rules: Rules): JsonObject {
	const old = dialect === 'v1' || dialect === 'v2';
	if (old && message.role === 'hookMessage') return { ...message, role: 'custom' };
	if (rules.openclaw) return message;
	if (!rules.modern || (message.content ?? undefined) !== undefined) return message;
	if (message.role === 'system') return { ...message, content: '' };
	return filled.has(message.role) ? { ...message, content: [] } : message;
}

/** A time as JavaScript reads it; `null` where it cannot, as in JSON. */
function milliseconds(value: Json | undefined): number | null {
	if (typeof value !== 'string' && typeof value !== 'number') return value === null ? 0 : null;
	const time = new Date(value).getTime();
	return Number.isNaN(time) ? null : time;
}

/** Who answers: by the last model change or reply on the path; only replies state the API. */
function answering(
	index: LineIndex,
	path: readonly number[],
	dialect: Dialect,
): Pick<ContextMessages, 'provider' | 'model' | 'api'> {
	const role = dialect === 'bare' ? 'role' : 'message.role';
	const replyAt = path.findLastIndex((line) => index.field(line, role) === 'assistant');
	const changeAt = path.findLastIndex((line) => index.field(line, 'type') === 'model_change');
	const reply = replyOf(index, path[replyAt], dialect);
	const change = path[changeAt];
	const chosen = change !== undefined && changeAt > replyAt ? index.value(change) : undefined;
	const source = chosen ?? reply;
	if (source === undefined) return {};
	return compact({
		provider: stringAt(source, 'provider'),
		model: stringAt(source, chosen ? 'modelId' : 'model'),
		api: reply?.provider === source.provider && reply ? stringAt(reply, 'api') : undefined,
	});
}

function replyOf(index: LineIndex, line: number | undefined, dialect: Dialect): JsonObject | undefined {
	if (line === undefined) return undefined;
	const value = index.value(line);
	if (dialect === 'bare') return value;
	return isObject(value.message) ? value.message : undefined;
}
