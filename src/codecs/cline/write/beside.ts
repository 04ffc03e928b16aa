/** Makes Cline's side files: the manifest by which it finds a session (status, costs, a title of 120 characters), and the compaction sidecar. */
import {
	type CompactionEntry,
	type Entry,
	type Json,
	type JsonObject,
	objectAt,
	stringAt,
	type Usage,
} from '../../../model/index.ts';
import type { EncodeInput } from '../../codec.ts';
import { fileName } from '../../shared/places/file-name.ts';
import { messageKey, prefixHash, sentMessages } from '../read/compaction.ts';
import type { Account } from './account.ts';
import type { DocumentParts } from './document.ts';
import type { Draft } from './messages.ts';

/** What entries beside the conversation say about the session as a whole. */
export interface Facts {
	title?: string;
	cwd?: string;
	systemPrompt?: string;
}

/** What is known once everything is written. */
export interface Written {
	readonly facts: Facts;
	readonly account: Account;
	readonly parts: DocumentParts;
	readonly updatedAt: string;
}

/** The common beginning of the names of side files, by which they are found. */
export function stemOf(path: string | undefined, id: string): string {
	return /([^/\\]+)\.messages\.json$/.exec(path ?? '')?.[1] ?? fileName(id);
}

export function jsonFile(value: JsonObject): Uint8Array {
	return Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
}

/** The longest title that Cline keeps. */
export const longestTitle = 120;

/** The manifest of a session that has ended: Cline marks any other as failed when no process runs it. */
export function manifestOf(
	{ id, path, header }: EncodeInput,
	{ facts, account, updatedAt }: Written,
	compactionPath: string | undefined,
): JsonObject {
	const { modelInfo: last = {} } = account;
	const cwd = facts.cwd ?? header.cwd ?? '/';
	return {
		version: 1,
		session_id: id,
		source: stringAt(objectAt(header.extra ?? {}, 'origin') ?? {}, 'source') || 'cli',
		pid: 0,
		started_at: header.created ?? updatedAt,
		ended_at: updatedAt,
		exit_code: 0,
		status: 'completed',
		interactive: false,
		provider: stringAt(last, 'provider') || header.provider || 'unknown',
		model: stringAt(last, 'id') || header.model || 'unknown',
		cwd,
		workspace_root: cwd,
		enable_tools: true,
		enable_spawn: true,
		enable_teams: true,
		prompt: account.prompt,
		metadata: metadataOf(header.gitBranch, facts.title ?? header.title, account),
		messages_path: path,
		compaction_path: compactionPath,
	};
}

/** Usage in Cline's terms, where the input includes cached tokens. */
export function tokensOf(usage: Usage) {
	const cacheWriteTokens = usage.cacheWrite5m + usage.cacheWrite1h;
	return {
		inputTokens: usage.input + usage.cacheRead + cacheWriteTokens,
		outputTokens: usage.output,
		cacheReadTokens: usage.cacheRead,
		cacheWriteTokens,
	};
}

function metadataOf(branch: string | undefined, title: string | undefined, account: Account): JsonObject {
	const { usage: total, costUsd: totalCost } = account;
	const usage = { ...tokensOf(total), totalCost };
	return {
		sessionHistoryOrigin: { mode: 'user' },
		git: branch === undefined ? undefined : { branch },
		title: title?.slice(0, longestTitle),
		totalCost,
		aggregatedAgentsCost: totalCost,
		usage,
		aggregateUsage: usage,
	};
}

/** A compaction, after so many drafts. */
export interface Cut {
	readonly entry: CompactionEntry;
	readonly after: number;
	/** Where the kept messages end, as a number of drafts: the message with the summary is not one of them. */
	readonly kept: number;
}

/** A compaction with its messages: `drafts` are the last of them, `held` is what the file had before. */
export interface CutIn {
	readonly cut: Cut;
	readonly messages: readonly Json[];
	readonly drafts: readonly Draft[];
	readonly held: readonly Entry[];
	/** How many counted messages come before those that are here. */
	readonly counted: number;
}

/** The sidecar with what Cline sends in place of all messages before the compaction. */
export function sidecarOf({ sessionId, system_prompt }: DocumentParts, cut: CutIn, updatedAt: string): JsonObject {
	return {
		version: 1,
		updated_at: updatedAt,
		conversation_id: sessionId || undefined,
		...replacedBy(cut),
		system_prompt,
	};
}

/**
 * The replacement. Where the summary is a message of its own and nothing was kept, that message follows anyway and the
 * replacement is empty. The last replaced message is named by its key: the hash that the client accepts too would take
 * reading everything once more.
 */
function replacedBy({ cut, messages, drafts, held, counted }: CutIn): JsonObject {
	const before = sentMessages(messages.slice(0, messages.length - drafts.length + cut.after));
	const keepable = sentMessages(messages.slice(0, messages.length - drafts.length + cut.kept));
	const kept = keptFrom(keepable, cut.entry.keptFrom, drafts, held);
	const last = before.at(-1);
	return {
		source_message_count: counted + before.length,
		...(last ? { source_last_message_key: messageKey(last) } : { source_prefix_hash: prefixHash([], 0) }),
		messages: [...summaryMessage(cut.entry), ...kept],
	};
}

function summaryMessage(entry: CompactionEntry): readonly JsonObject[] {
	if (entry.summary === undefined) return [];
	const time = Date.parse(entry.time ?? '');
	const metadata = {
		kind: 'compaction_summary',
		displayRole: 'system',
		userRunSpan: 1,
		summary: entry.summary,
		tokensBefore: entry.tokensBefore,
		generatedAt: Number.isNaN(time) ? undefined : time,
	};
	return [{ role: 'user', content: [{ type: 'text', text: `Context summary:\n\n${entry.summary}` }], metadata }];
}

/** The messages from the first kept one on. Its entry is among the new ones or among those that the file had. */
function keptFrom(
	before: readonly JsonObject[],
	first: string | undefined,
	drafts: readonly Draft[],
	held: readonly Entry[],
): readonly JsonObject[] {
	if (first === undefined) return [];
	const id = drafts.find((draft) => draft.entry.id === first)?.id ?? held.find((entry) => entry.id === first)?.id;
	const at = id === undefined ? -1 : before.findIndex((message) => message.id === id);
	return at === -1 ? [] : before.slice(at);
}
