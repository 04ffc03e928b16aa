/** Frames of a run for another process: `init`, the messages, a compaction and `result`, with the words for how a turn ended; one JSON object per line, as users of Claude Code's SDK know them. */

import type { AgentNamed, Denial, LoopEvent, RunResult } from '../agent/config.ts';
import type { Failure } from '../agent/contracts.ts';
import { codecs } from '../codecs/index.ts';
import {
	type Block,
	compact,
	type Entry,
	type Json,
	type JsonObject,
	type MessageEntry,
	type Usage,
} from '../model/index.ts';
import { neutralToAnthropic } from './anthropic-blocks.ts';
import { failureFields, failureWord } from './news.ts';
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
	/** Folders beside the project that may be worked in. */
	readonly dirs?: readonly string[];
	/** The tokens that the model can take, where that is known. */
	readonly window?: () => number | undefined;
}

/** What hosts may count on, by the names that they look for. */
export const capabilities: readonly string[] = [
	...['interrupt_receipt_v1', 'interrupt_cancel_queued_v1', 'msg_lifecycle_v1', 'mcp_read_resource_v1'],
];

/** The version that our frames state: consumers look at it to know which frames to expect. */
export const framesOf = '2.1.325';

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
		capabilities,
		original_cwd: facts.cwd,
		additional_directories: facts.dirs ?? [],
		uuid,
	};
}

export interface FrameFacts {
	readonly sessionId: string;
	/** The id of the reply that is being written, for formats that do not keep it. */
	readonly reply?: string | undefined;
	/** The call whose sub-agent the entry is of. */
	readonly parentCall?: string | undefined;
	/** That sub-agent. */
	readonly agent?: AgentNamed | undefined;
	/** Why the request failed, for a reply that says so. */
	readonly failure?: Failure | undefined;
	/** What a reply says of the prompt that it answers. */
	readonly turn?: JsonObject | undefined;
}

/** The frames of an entry: one per block of a reply, one per message with tool results, none for all else. */
export function entryFrames(entry: Entry, facts: FrameFacts): readonly Frame[] {
	if (entry.kind !== 'message' || entry.audience === 'user') return [];
	if (entry.role === 'assistant') return replyFrames(entry, facts);
	// What a sub-agent was told is a part of its conversation that no call shows.
	const isTold = facts.parentCall !== undefined || entry.content.some(isShown);
	return entry.role === 'user' && isTold ? [userFrame(entry, facts)] : [];
}

/** A result, or the words that stand for an interruption: what somebody has typed is not said again to whoever sent it. */
function isShown(block: Block): boolean {
	return (
		block.type === 'tool_result' || (block.type === 'text' && block.text.startsWith('[Request interrupted by user'))
	);
}

/** Whose entry it is. */
function placeOf({ sessionId, parentCall, agent }: FrameFacts): JsonObject {
	return {
		parent_tool_use_id: parentCall ?? null,
		session_id: sessionId,
		...compact({ agent_id: agent?.id, subagent_type: agent?.type, task_description: agent?.description }),
	};
}

function replyFrames(entry: MessageEntry, facts: FrameFacts): readonly Frame[] {
	const { id, model, usage, request, error } = entry.response ?? {};
	const isFailure = error !== undefined;
	return entry.content.map((block, index) => ({
		type: 'assistant',
		message: {
			id: id ?? facts.reply ?? entry.id,
			type: 'message',
			role: 'assistant',
			model: isFailure ? '<synthetic>' : (model ?? 'unknown'),
			content: [neutralToAnthropic(block)],
			stop_reason: isFailure ? 'stop_sequence' : null,
			stop_sequence: isFailure ? '' : null,
			usage: usageFields(usage),
		},
		...placeOf(facts),
		...compact({ request_id: request, timestamp: entry.time }),
		...(isFailure ? failedFields(facts.failure) : {}),
		...(facts.parentCall === undefined ? userNames(facts.turn) : {}),
		uuid: index === 0 ? entry.id : `${entry.id}:${index}`,
	}));
}

function failedFields(failure: Failure | undefined): JsonObject {
	const told = failure ? failureFields(failure) : {};
	return { error: failure ? failureWord(failure.code) : 'unknown', is_api_error_message: true, ...told };
}

/** What a built-in command says, in the shape of a reply that no model gave. */
export function commandFrame(text: string, sessionId: string, uuid: string, timestamp: string): Frame {
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
		timestamp,
		local_command_source: `<local-command-stdout>${text}</local-command-stdout>`,
		uuid,
	};
}

/** The prompts that a reply answers, by the names that their sender gave them. */
function userNames(turn: JsonObject = {}): JsonObject {
	return compact({ user_message_uuid: turn.user_message_uuid, user_message_uuids: turn.user_message_uuids });
}

function userFrame(entry: MessageEntry, facts: FrameFacts): Frame {
	const [details] = entry.content.flatMap((block) =>
		block.type === 'tool_result' && block.details !== undefined ? [block.details] : [],
	);
	return {
		type: 'user',
		message: { role: 'user', content: entry.content.map(neutralToAnthropic) },
		...placeOf(facts),
		// What a tool tells beside its result is for the session's own screen, not for that of a sub-agent.
		...compact({ tool_use_result: facts.parentCall === undefined ? details : undefined, timestamp: entry.time }),
		...metaOf(entry),
		uuid: entry.id,
	};
}

/** Who let each call run, where the line of its result says so. */
function metaOf({ content, extra = {} }: MessageEntry): JsonObject {
	const calls = content.flatMap((block) => (block.type === 'tool_result' ? [block.call] : []));
	const [facts] = codecs.flatMap(({ live }) => live.permissionOf?.(extra as JsonObject) ?? []);
	if (!facts || calls.length === 0) return {};
	const { decision, source, reasonType, scope } = facts;
	const user = decision === 'reject' ? 'user_reject' : scope === 'session' ? 'user_permanent' : 'user_temporary';
	const told = { decision, source: source === 'user' ? user : source, ...compact({ reason_type: reasonType }) };
	const kind = source === 'user' ? 'user-rejected' : 'permission-rule';
	const not = decision === 'reject' ? { non_execution_kind: kind } : {};
	return { tool_result_meta: calls.map((id) => ({ id, permission_decision: told, ...not })) };
}

/** That a compaction has begun, and what came of it. */
export function compactionFrames(
	event: CompactionNews,
	sessionId: string,
	newId: () => string,
	lastedMs?: number,
): readonly Frame[] {
	const frame = (fields: JsonObject): Frame => ({ type: 'system', ...fields, session_id: sessionId, uuid: newId() });
	if (event.type === 'compacting') return [frame({ subtype: 'status', status: 'compacting' })];
	const { problem, trigger, tokensBefore, tokensAfter } = event;
	const outcome =
		problem === undefined ? { compact_result: 'success' } : { compact_result: 'failed', compact_error: problem };
	const status = frame({ subtype: 'status', status: null, ...outcome });
	if (problem !== undefined) return [status];
	const metadata = {
		trigger,
		pre_tokens: tokensBefore,
		...compact({ post_tokens: tokensAfter, duration_ms: lastedMs }),
	};
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
export function resultFrame(result: RunResult, sessionId: string, uuid: string, usage: Usage = result.usage): Frame {
	const { outcome, text, problem, structured, failure, hookStopped } = result;
	// What a hook has ended is no error in the words of hosts. One that has stopped a prompt is all that there is to tell.
	const ok = outcome === 'success' || hookStopped !== undefined;
	return {
		type: 'result',
		subtype: subtypeOf(result),
		is_error: !ok,
		duration_ms: result.durationMs,
		duration_api_ms: result.apiMs,
		num_turns: result.turns,
		result: ok && hookStopped !== 'prompt' ? text : (problem ?? text),
		...(ok || failure ? {} : { errors: [problem ?? outcome] }),
		...(failure ? failureFields(failure) : { api_error_status: null }),
		...compact({ terminal_reason: terminalReason(result) }),
		stop_reason: stopOf(result),
		session_id: sessionId,
		total_cost_usd: result.costUsd,
		usage: usageFields(usage),
		modelUsage: modelUsage(result.models),
		permission_denials: result.denials.map(denialFields),
		...(structured && 'value' in structured ? { structured_output: structured.value } : {}),
		...(result.deferred ? deferredFields(result.deferred) : {}),
		uuid,
	};
}

/** A request that failed has an answer, which says so: that is no error of the run in the words of hosts. */
function subtypeOf({ outcome, failure, structured, hookStopped }: RunResult): string {
	if (hookStopped) return subtypes.success;
	if (structured && 'tries' in structured) return 'error_max_structured_output_retries';
	return outcome === 'error' && failure ? subtypes.success : subtypes[outcome];
}

/** Why the turn is over, in the words of hosts; they have none for one in which no model has answered, and none has failed. */
function terminalReason({ outcome, failure, message, structured, turns, hookStopped }: RunResult): string | undefined {
	if (hookStopped) return hookStopped === 'run' ? 'hook_stopped' : undefined;
	switch (outcome) {
		case 'success':
			return turns === 0 ? undefined : 'completed';
		case 'interrupted':
			return message?.stopReason === 'toolUse' ? 'aborted_tools' : 'aborted_streaming';
		case 'max_turns':
			return 'max_turns';
		case 'max_budget':
			return 'budget_exhausted';
		case 'error':
			if (structured) return 'structured_output_retry_exhausted';
			if (failure) return failure.code === 'context-overflow' ? 'prompt_too_long' : 'api_error';
			return turns === 0 ? undefined : 'model_error';
	}
}

/** A hook has put a call off: whoever drives the client answers it later. */
function deferredFields({ callId, tool, input }: NonNullable<RunResult['deferred']>): Omit<Frame, 'type'> {
	const stop = 'tool_deferred';
	return { stop_reason: stop, terminal_reason: stop, deferred_tool_use: { id: callId, name: tool, input } };
}

function stopOf({ message, failure }: RunResult): string | null {
	if (failure) return 'stop_sequence';
	return message ? stopReasons[message.stopReason] : null;
}

function denialFields({ tool, callId, input }: Denial): Json {
	return { tool_name: tool, tool_use_id: callId, tool_input: input };
}

/** The tokens in the words of hosts. */
export function usageFields(usage: Usage | undefined): JsonObject {
	return {
		input_tokens: usage?.input ?? 0,
		cache_creation_input_tokens: (usage?.cacheWrite5m ?? 0) + (usage?.cacheWrite1h ?? 0),
		cache_read_input_tokens: usage?.cacheRead ?? 0,
		output_tokens: usage?.output ?? 0,
		server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
		service_tier: null,
		cache_creation: {
			ephemeral_1h_input_tokens: usage?.cacheWrite1h ?? 0,
			ephemeral_5m_input_tokens: usage?.cacheWrite5m ?? 0,
		},
	};
}

/** What each model used. */
export function modelUsage(
	models: RunResult['models'],
	windows: ReadonlyMap<string, () => number | undefined> = new Map(),
): JsonObject {
	// A model that has never answered has used nothing.
	const used = [...models].filter(([, { usage, costUsd }]) => costUsd > 0 || usage.input + usage.output > 0);
	return Object.fromEntries(
		used.map(([model, use]) => [model, modelFields(use.usage, use.costUsd, windows.get(model)?.())]),
	);
}

/** 0 stands for a number that nobody knows: hosts count on all of them. */
function modelFields(usage: Usage, costUSD: number, contextWindow = 0): JsonObject {
	return {
		inputTokens: usage.input,
		outputTokens: usage.output,
		cacheReadInputTokens: usage.cacheRead,
		cacheCreationInputTokens: usage.cacheWrite5m + usage.cacheWrite1h,
		webSearchRequests: 0,
		costUSD,
		contextWindow,
		maxOutputTokens: 0,
	};
}
