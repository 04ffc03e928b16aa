/** Makes frames of a run for another process: one JSON object per line, as users of Claude Code's SDK know them. */

import type { Denial, LoopEvent, RunResult } from '../agent/config.ts';
import { compact, type Entry, type Json, type JsonObject, type MessageEntry, type Usage } from '../model/index.ts';
import { neutralToAnthropic } from './anthropic-blocks.ts';
import { stopReasons } from './stream-events.ts';

export type Frame = JsonObject & { readonly type: string };

export interface InitFacts {
	readonly sessionId: string;
	readonly cwd: string;
	readonly model: string;
	readonly tools: readonly string[];
	readonly permissionMode: string;
	readonly slashCommands: readonly string[];
	/** The kinds of sub-agents that may be started. */
	readonly agents?: readonly string[];
	readonly skills?: readonly string[];
	readonly mcpServers?: readonly { readonly name: string; readonly status: string }[];
	/** The variable that the API key comes from, or `none`. */
	readonly apiKeySource: string;
	readonly version: string;
}

/** The version that our frames state: consumers look at it to know which frames to expect. */
const framesOf = '2.1.325';

export function initFrame(facts: InitFacts, uuid: string): Frame {
	return {
		type: 'system',
		subtype: 'init',
		cwd: facts.cwd,
		session_id: facts.sessionId,
		tools: facts.tools,
		mcp_servers: (facts.mcpServers ?? []).map(({ name, status }) => ({ name, status })),
		model: facts.model,
		permissionMode: facts.permissionMode,
		slash_commands: facts.slashCommands,
		apiKeySource: facts.apiKeySource,
		claude_code_version: framesOf,
		reprise_version: facts.version,
		output_style: 'default',
		agents: facts.agents ?? [],
		skills: facts.skills ?? [],
		plugins: [],
		uuid,
	};
}

export interface FrameFacts {
	readonly sessionId: string;
	/** The id of the reply that is being written, for formats that do not keep it. */
	readonly reply?: string | undefined;
	/** The call whose sub-agent the entry is of. */
	readonly parentCall?: string | undefined;
}

/** The frames of an entry: one per block of a reply, one per message with tool results, none for all else. */
export function entryFrames(entry: Entry, { sessionId, reply, parentCall }: FrameFacts): readonly Frame[] {
	if (entry.kind !== 'message' || entry.audience === 'user') return [];
	const call = parentCall ?? null;
	if (entry.role === 'assistant') return replyFrames(entry, sessionId, reply, call);
	// What a sub-agent was told is a part of its conversation that no call shows.
	const isTold = entry.content.some((block) => block.type === 'tool_result') || call !== null;
	return entry.role === 'user' && isTold ? [userFrame(entry, sessionId, call)] : [];
}

function replyFrames(
	entry: MessageEntry,
	sessionId: string,
	reply: string | undefined,
	parentCall: string | null,
): readonly Frame[] {
	const { id, model, usage, request, error } = entry.response ?? {};
	return entry.content.map((block, index) => ({
		type: 'assistant',
		message: {
			id: id ?? reply ?? entry.id,
			type: 'message',
			role: 'assistant',
			model: model ?? 'unknown',
			content: [neutralToAnthropic(block)],
			stop_reason: null,
			stop_sequence: null,
			usage: usageFields(usage),
		},
		parent_tool_use_id: parentCall,
		session_id: sessionId,
		...compact({ request_id: request, error, timestamp: entry.time }),
		uuid: index === 0 ? entry.id : `${entry.id}:${index}`,
	}));
}

/** What a built-in command says, in the shape of a reply that no model gave. */
export function commandFrame(text: string, sessionId: string, uuid: string): Frame {
	return {
		type: 'assistant',
		message: {
			id: uuid,
			type: 'message',
			role: 'assistant',
			model: '<synthetic>',
			content: [{ type: 'text', text }],
			stop_reason: 'end_turn',
			stop_sequence: null,
			usage: usageFields(undefined),
		},
		parent_tool_use_id: null,
		session_id: sessionId,
		uuid,
	};
}

function userFrame(entry: MessageEntry, sessionId: string, parentCall: string | null): Frame {
	const [details] = entry.content.flatMap((block) =>
		block.type === 'tool_result' && block.details !== undefined ? [block.details] : [],
	);
	return {
		type: 'user',
		message: { role: 'user', content: entry.content.map(neutralToAnthropic) },
		parent_tool_use_id: parentCall,
		session_id: sessionId,
		...compact({ tool_use_result: details, timestamp: entry.time }),
		uuid: entry.id,
	};
}

/** That a compaction has begun, and what came of it. */
export function compactionFrames(event: CompactionNews, sessionId: string, newId: () => string): readonly Frame[] {
	const frame = (fields: JsonObject): Frame => ({ type: 'system', ...fields, session_id: sessionId, uuid: newId() });
	if (event.type === 'compacting') return [frame({ subtype: 'status', status: 'compacting' })];
	const { problem, trigger, tokensBefore, tokensAfter } = event;
	const outcome =
		problem === undefined ? { compact_result: 'success' } : { compact_result: 'failed', compact_error: problem };
	const status = frame({ subtype: 'status', status: null, ...outcome });
	if (problem !== undefined) return [status];
	const metadata = { trigger, pre_tokens: tokensBefore, ...compact({ post_tokens: tokensAfter }) };
	return [status, frame({ subtype: 'compact_boundary', compact_metadata: metadata })];
}

type CompactionNews = Extract<LoopEvent, { readonly type: 'compacting' | 'compacted' }>;

const subtypes: { readonly [O in RunResult['outcome']]: string } = {
	success: 'success',
	max_turns: 'error_max_turns',
	max_budget: 'error_max_budget_usd',
	error: 'error_during_execution',
	interrupted: 'error_during_execution',
};

/** The last frame of a turn, and the document of `--output-format json`. */
export function resultFrame(result: RunResult, sessionId: string, uuid: string): Frame {
	const { outcome, text, problem, usage } = result;
	const ok = outcome === 'success';
	return {
		type: 'result',
		subtype: subtypes[outcome],
		is_error: !ok,
		duration_ms: result.durationMs,
		duration_api_ms: result.apiMs,
		num_turns: result.turns,
		result: ok ? text : (problem ?? text),
		...(ok ? {} : { errors: [problem ?? outcome], terminal_reason: outcome }),
		stop_reason: stopOf(result),
		session_id: sessionId,
		total_cost_usd: result.costUsd,
		usage: usageFields(usage),
		modelUsage: Object.fromEntries(
			[...result.models].map(([model, use]) => [model, modelFields(use.usage, use.costUsd)]),
		),
		permission_denials: result.denials.map(denialFields),
		...(result.deferred ? deferredFields(result.deferred) : {}),
		uuid,
	};
}

/** A hook has put a call off: whoever drives the client answers it later. */
function deferredFields({ callId, tool, input }: NonNullable<RunResult['deferred']>): Omit<Frame, 'type'> {
	const stop = 'tool_deferred';
	return { stop_reason: stop, terminal_reason: stop, deferred_tool_use: { id: callId, name: tool, input } };
}

function stopOf({ message }: RunResult): string | null {
	return message ? stopReasons[message.stopReason] : null;
}

function denialFields({ tool, callId, input }: Denial): Json {
	return { tool_name: tool, tool_use_id: callId, tool_input: input };
}

function usageFields(usage: Usage | undefined): JsonObject {
	return {
		input_tokens: usage?.input ?? 0,
		cache_creation_input_tokens: (usage?.cacheWrite5m ?? 0) + (usage?.cacheWrite1h ?? 0),
		cache_read_input_tokens: usage?.cacheRead ?? 0,
		output_tokens: usage?.output ?? 0,
	};
}

function modelFields(usage: Usage, costUSD: number): JsonObject {
	return {
		inputTokens: usage.input,
		outputTokens: usage.output,
		cacheReadInputTokens: usage.cacheRead,
		cacheCreationInputTokens: usage.cacheWrite5m + usage.cacheWrite1h,
		costUSD,
	};
}
