/** The files beside the messages: the manifest that Cline finds a session by, and the compaction it sends from. */
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

/** What entries beside the conversation say about all of it. */
export interface Facts {
	title?: string;
	cwd?: string;
	systemPrompt?: string;
}

/** What has been written, when all of it has. */
export interface Written {
	readonly facts: Facts;
	readonly account: Account;
	readonly parts: DocumentParts;
	readonly updatedAt: string;
}

/** Files beside the messages are named like them; that is how they are found. */
export function stemOf(path: string | undefined, id: string): string {
	return /([^/\\]+)\.messages\.json$/.exec(path ?? '')?.[1] ?? fileName(id);
}

export function jsonFile(value: JsonObject): Uint8Array {
	return Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
}

/** The longest title that Cline keeps. */
export const longestTitle = 120;

/** A session that has ended: Cline marks any other as failed when it finds nobody running it. */
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

/** What was used, in Cline's words: cached tokens are part of the input here. */
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

/** Where the conversation was cut: after so many drafts. */
export interface Cut {
	readonly entry: CompactionEntry;
	readonly after: number;
	/** What is kept ends after so many: the message with the summary stands for itself. */
	readonly kept: number;
}

/** The messages that a cut is among: `drafts` are the last of them, `held` is what the file had before. */
export interface CutIn {
	readonly cut: Cut;
	readonly messages: readonly Json[];
	readonly drafts: readonly Draft[];
	readonly held: readonly Entry[];
	/** Messages that Cline counts and that are not here: they come before. */
	readonly counted: number;
}

/** What Cline sends in place of all messages before the cut. */
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
 * Where the summary is a message of its own and nothing was kept, that message follows the cut anyway, and nothing is sent. The
 * last message before the cut is named by its key; the hash of all of them, which the client takes too, would go through
 * everything that was said once more.
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

/** The messages from the first one that stays. Its entry is among the new ones or among those the file held before. */
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
