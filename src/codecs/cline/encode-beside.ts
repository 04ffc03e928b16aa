/** The files beside the messages: the manifest that Cline finds a session by, and the compaction it sends from. */
import {
	addUsage,
	blockText,
	type CompactionEntry,
	type Entry,
	type Header,
	isObject,
	isPrompt,
	type Json,
	type JsonObject,
	noUsage,
	type Session,
	type Usage,
	type Whole,
} from '../../model/index.ts';
import { messageKey, prefixHash, sentMessages, wholeMessage } from './compaction.ts';
import type { DocumentParts } from './encode-document.ts';
import type { Draft } from './encode-message.ts';
import type { ClineManifest } from './lines.ts';

export interface ManifestInput {
	readonly id: string;
	readonly path: string;
	readonly header: Header;
	readonly title: string | undefined;
	readonly cwd: string;
	readonly drafts: readonly Draft[];
	readonly startedAt: string;
	readonly endedAt: string;
	readonly compactionPath: string | undefined;
}

/** The longest title that Cline keeps. */
export const longestTitle = 120;

/** A session that has ended: Cline marks any other as failed when it finds nobody running it. */
export function manifestOf(input: ManifestInput): ClineManifest {
	const { header, drafts } = input;
	const replies = drafts.filter((draft) => draft.modelInfo);
	const last = replies.at(-1)?.modelInfo;
	const origin = isObject(header.extra?.origin) ? header.extra.origin : undefined;
	const prompt = firstPrompt(drafts);
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

function firstPrompt(drafts: readonly Draft[]): string | undefined {
	for (const { entry } of drafts) {
		if (isPrompt(entry))
			return entry.content
				.filter((block) => block.type === 'text')
				.map(blockText)
				.join('\n');
	}
	return undefined;
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
	let total = noUsage;
	let totalCost = 0;
	for (const draft of input.drafts) {
		if (draft.usage) total = addUsage(total, draft.usage);
		totalCost += draft.costUsd ?? 0;
	}
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

/**
 * The sidecar for the last cut: Cline sends its messages in place of all before the cut. Where the summary is a message of
 * its own and nothing was kept, that message follows the cut anyway, and the sidecar holds nothing.
 */
export function sidecarOf(
	{ messages: found, sessionId, system_prompt }: DocumentParts,
	cut: Cut,
	drafts: readonly Draft[],
	held: Session | undefined,
	updatedAt: string,
	whole: Whole | undefined,
): JsonObject | undefined {
	if (!found) return undefined;
	const sent = sentMessages(found);
	const before = sentMessages(found.slice(0, found.length - drafts.length + cut.after));
	const keepable = sentMessages(found.slice(0, found.length - drafts.length + cut.kept));
	const kept = keptFrom(keepable, cut.entry.keptFrom, drafts, held?.entries ?? []);
	const last = before.at(-1);
	return {
		version: 1,
		updated_at: updatedAt,
		...(sessionId === undefined || sessionId === '' ? {} : { conversation_id: sessionId }),
		source_message_count: before.length,
		source_prefix_hash: prefixHash(sent, before.length, whole),
		...(last ? { source_last_message_key: messageKey(whole ? wholeMessage(last, whole) : last) } : {}),
		messages: [...summaryMessage(cut.entry), ...kept],
		...(system_prompt === undefined ? {} : { system_prompt }),
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
