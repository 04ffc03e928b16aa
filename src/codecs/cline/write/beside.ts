/** The files beside the messages: the manifest that Cline finds a session by, and the compaction it sends from. */
import {
	type CompactionEntry,
	type Entry,
	type Header,
	isObject,
	type Json,
	type JsonObject,
	type Usage,
} from '../../../model/index.ts';
import type { ClineManifest } from '../lines.ts';
import { messageKey, prefixHash, sentMessages } from '../read/compaction.ts';
import type { Account } from './account.ts';
import type { DocumentParts } from './document.ts';
import type { Draft } from './messages.ts';

export interface ManifestInput {
	readonly id: string;
	readonly path: string;
	readonly header: Header;
	readonly title: string | undefined;
	readonly cwd: string;
	readonly account: Account;
	readonly startedAt: string;
	readonly endedAt: string;
	readonly compactionPath: string | undefined;
}

/** The longest title that Cline keeps. */
export const longestTitle = 120;

/** A session that has ended: Cline marks any other as failed when it finds nobody running it. */
export function manifestOf(input: ManifestInput): ClineManifest {
	const { header } = input;
	const { prompt, modelInfo: last } = input.account;
	const origin = isObject(header.extra?.origin) ? header.extra.origin : undefined;
	return {
		version: 1,
		session_id: input.id,
		source: typeof origin?.source === 'string' && origin.source !== '' ? origin.source : 'cli',
		pid: 0,
		started_at: input.startedAt,
		ended_at: input.endedAt,
		exit_code: 0,
		status: 'completed',
		interactive: false,
		provider: text(last?.provider) ?? text(header.provider) ?? 'unknown',
		model: text(last?.id) ?? text(header.model) ?? 'unknown',
		cwd: input.cwd,
		workspace_root: input.cwd,
		enable_tools: true,
		enable_spawn: true,
		enable_teams: true,
		...(prompt === undefined ? {} : { prompt }),
		metadata: metadataOf(input),
		messages_path: input.path,
		...(input.compactionPath === undefined ? {} : { compaction_path: input.compactionPath }),
	};
}

function text(value: Json | undefined): string | undefined {
	return typeof value === 'string' && value !== '' ? value : undefined;
}

/** What a manifest says was used: cached tokens are part of the input here. */
export function sessionUsage(total: Usage, totalCost: number) {
	const cacheWriteTokens = total.cacheWrite5m + total.cacheWrite1h;
	return {
		inputTokens: total.input + total.cacheRead + cacheWriteTokens,
		outputTokens: total.output,
		cacheReadTokens: total.cacheRead,
		cacheWriteTokens,
		totalCost,
	};
}

function metadataOf(input: ManifestInput): JsonObject {
	const { usage: total, costUsd: totalCost } = input.account;
	const usage = sessionUsage(total, totalCost);
	const branch = input.header.gitBranch;
	return {
		sessionHistoryOrigin: { mode: 'user' },
		...(branch === undefined ? {} : { git: { branch } }),
		...(input.title === undefined ? {} : { title: input.title.slice(0, longestTitle) }),
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
		...(sessionId === undefined || sessionId === '' ? {} : { conversation_id: sessionId }),
		...replacedBy(cut),
		...(system_prompt === undefined ? {} : { system_prompt }),
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
	const tokens = entry.tokensBefore === undefined ? {} : { tokensBefore: entry.tokensBefore };
	const time = Date.parse(entry.time ?? '');
	const metadata = {
		kind: 'compaction_summary',
		displayRole: 'system',
		userRunSpan: 1,
		summary: entry.summary,
		...tokens,
		...(Number.isNaN(time) ? {} : { generatedAt: time }),
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
