/** `getSessionMessages` and its like: a conversation as the SDK gives it, whichever agent had it. */
import {
	type Block,
	blockText,
	compact,
	type Entry,
	isObject,
	type Json,
	type JsonObject,
	type MessageEntry,
	parsedJson,
	path,
	rawBytes,
	type Session,
	stringAt,
} from '../../model/index.ts';
import { thisMachine } from '../../store/find/folders.ts';
import { subagentFiles } from '../../store/handle/subagents.ts';
import { openSession } from '../../store/reader/session-reader.ts';
import { listSubagents as listAgents } from '../../store/reader/subagent-list.ts';
import { agentIn } from '../transcripts.ts';
import { linesIn, localSession, type PlaceOptions, sessionFrom, storeKey } from './place.ts';
import { conversationLines, messageOfLine } from './sdk-messages.ts';

export interface SessionMessage {
	readonly type: 'user' | 'assistant' | 'system';
	readonly uuid: string;
	/** Absent where the line names none. */
	readonly session_id?: string;
	/** As Anthropic's API has it; absent for what the client noted. */
	readonly message?: unknown;
	readonly parent_tool_use_id: string | null;
	/** The sub-agent that started this one, where its metadata says so. */
	readonly parent_agent_id: string | null;
	readonly timestamp?: string;
	readonly is_meta?: boolean;
	readonly isCompactSummary?: boolean;
	/** A command of the client, or what it printed. */
	readonly isCompletedLocalCommand?: boolean;
	/** A prompt that came while the model worked. */
	readonly isQueuedCommand?: boolean;
	readonly origin?: unknown;
	/** Calls whose results these are and that were not run. */
	readonly tool_result_meta?: readonly unknown[];
}

export interface MessagesOptions extends PlaceOptions {
	/** The most that are told; 0 is no limit. */
	readonly limit?: number;
	/** Messages to skip at the beginning. */
	readonly offset?: number;
	/** Also what the client noted: compactions, notices. */
	readonly includeSystemMessages?: boolean;
}

/** The messages on the way to where the conversation goes on; none for a session that does not exist. */
export async function getSessionMessages(sessionId: string, options: MessagesOptions = {}): Promise<SessionMessage[]> {
	const { dir, sessionStore } = options;
	if (sessionStore) {
		const lines = await linesIn(sessionStore, storeKey(sessionId, dir));
		return messagesOf(lines ? sessionFrom(lines, sessionId) : undefined, sessionId, options);
	}
	const found = localSession(sessionId, dir);
	const session = found && (await openSession(found.path, { subagents: false }));
	return messagesOf(session, found?.id ?? sessionId, options);
}

/** The ids of a session's sub-agents that have transcripts of their own. */
export async function listSubagents(sessionId: string, options: PlaceOptions = {}): Promise<string[]> {
	const { dir, sessionStore } = options;
	if (sessionStore) {
		const keys = (await sessionStore.listSubkeys?.(storeKey(sessionId, dir))) ?? [];
		return keys.flatMap((subpath) => agentIn(subpath) ?? []);
	}
	const found = localSession(sessionId, dir);
	return found ? subagentFiles({ ...found, machine: thisMachine() }).map(({ id }) => id) : [];
}

/** What a sub-agent and its task said. */
export async function getSubagentMessages(
	sessionId: string,
	agentId: string,
	options: Omit<MessagesOptions, 'includeSystemMessages'> = {},
): Promise<SessionMessage[]> {
	const { dir, sessionStore } = options;
	if (sessionStore) {
		const keys = (await sessionStore.listSubkeys?.(storeKey(sessionId, dir))) ?? [];
		const subpath = keys.find((one) => agentIn(one) === agentId);
		if (subpath === undefined) return [];
		const lines = (await linesIn(sessionStore, storeKey(sessionId, dir, subpath))) ?? [];
		const said = lines.filter((line) => !line.startsWith('{"type":"agent_metadata"'));
		const noted = lines.findLast((line) => !said.includes(line));
		const about = noted === undefined ? undefined : parsedJson(noted);
		return messagesOf(
			sessionFrom(said, agentId),
			sessionId,
			options,
			isObject(about) ? stringAt(about, 'toolUseId') : null,
		);
	}
	const found = localSession(sessionId, dir);
	const file = found && subagentFiles({ ...found, machine: thisMachine() }).find(({ id }) => id === agentId);
	if (!found || !file) return [];
	const call = listAgents(found.path).find(({ id }) => id === agentId)?.call;
	return messagesOf(await openSession(file.path, { subagents: false }), sessionId, options, call);
}

function messagesOf(
	session: Session | undefined,
	sessionId: string,
	options: MessagesOptions,
	call: string | null = null,
): SessionMessage[] {
	if (!session) return [];
	const { offset = 0, limit, includeSystemMessages = false } = options;
	const own = nativeLines(session);
	const all = own
		? conversationLines(own, idsOn(session)).flatMap((line) => messageOfLine(line, includeSystemMessages) ?? [])
		: path(session).flatMap((entry) => neutralMessage(entry, sessionId, includeSystemMessages) ?? []);
	return all
		.slice(offset, limit ? offset + limit : undefined)
		.map((message) => ({ ...message, parent_tool_use_id: call }));
}

function idsOn(session: Session): readonly string[] {
	return path(session).map(({ id }) => id);
}

function neutralMessage(entry: Entry, sessionId: string, withSystem: boolean): SessionMessage | undefined {
	if (entry.kind !== 'message' && entry.kind !== 'compaction') return undefined;
	const type = entry.kind === 'message' ? entry.role : 'system';
	if (type === 'system' && !withSystem) return undefined;
	const message = entry.kind === 'message' ? { message: messageOf(entry) } : {};
	const place = { uuid: entry.id, session_id: sessionId, parent_tool_use_id: null, parent_agent_id: null };
	return { type, ...place, ...message, ...compact({ timestamp: entry.time }) };
}

/** The lines themselves, where they are the SDK's own: each has a `uuid` and a message. */
function nativeLines(session: Session): readonly JsonObject[] | undefined {
	const lines = session.entries.flatMap((entry) => {
		const [bytes, ...more] = rawBytes(session, entry);
		const value = bytes && more.length === 0 ? parsedJson(Buffer.from(bytes).toString('utf8')) : undefined;
		return isObject(value) && value.uuid === entry.id ? [value] : [];
	});
	return lines.some((line) => isObject(line.message)) ? lines : undefined;
}

function messageOf({ role, content, response }: MessageEntry): JsonObject {
	const blocks = content.map(blockOf);
	const { id, model } = response ?? {};
	return { role, content: blocks, ...(id === undefined ? {} : { id }), ...(model === undefined ? {} : { model }) };
}

function blockOf(block: Block): Json {
	switch (block.type) {
		case 'thinking':
			if (block.redacted !== undefined) return { type: 'redacted_thinking', data: block.redacted };
			return { type: 'thinking', thinking: block.text, signature: block.signature ?? '' };
		case 'tool_call':
			return { type: 'tool_use', id: block.id, name: block.name, input: block.input };
		case 'tool_result': {
			const base = { type: 'tool_result', tool_use_id: block.call, content: block.content.map(blockOf) };
			return block.isError ? { ...base, is_error: true } : base;
		}
		case 'image':
		case 'document': {
			const { data, mime } = block;
			if ('base64' in data)
				return { type: block.type, source: { type: 'base64', media_type: mime, data: data.base64 } };
			return { type: block.type, source: { type: 'url', url: 'url' in data ? data.url : data.file } };
		}
		case 'opaque':
			return block.value;
		default:
			return { type: 'text', text: blockText(block) };
	}
}
