/** What happens inside a run, and which frame tells it (denials, retries, tasks, hooks …): each still lacks the session and an id of its own. */
import type { Denial, LoopEvent } from '../agent/config.ts';
import type { Failure, HookRan, RateLimits } from '../agent/contracts.ts';
import type { TaskNews, TaskUsage } from '../agent/tasks.ts';
import { compact, type JsonObject } from '../model/index.ts';
import type { Frame } from './frames.ts';

/** The frames of an event; none for what other frames tell, or nobody. */
export function newsFrames(event: LoopEvent): readonly Frame[] {
	switch (event.type) {
		case 'retry':
			return [retryFrame(event)];
		case 'denied':
			return deniedFrames(event.denial);
		case 'hook-called':
			return [system('hook_started', hookFields(event))];
		case 'hook-answered':
			return [system('hook_response', { ...hookFields(event), ...ranFields(event.ran) })];
		case 'hook':
			return [informational(event.message, 'notice')];
		case 'task':
			return taskFrames(event.task);
		case 'limits':
			return [{ type: 'rate_limit_event', rate_limit_info: limitFields(event.limits) }];
		case 'recalled': {
			const memories = event.memories.map(({ path, content }) => ({ path, scope: scopeOf(path), content }));
			return [system('memory_recall', { mode: 'select', memories })];
		}
		default:
			return [];
	}
}

export function system(subtype: string, fields: JsonObject): Frame {
	return { type: 'system', subtype, ...fields };
}

export type Level = 'info' | 'notice' | 'suggestion' | 'warning';

export function informational(content: string, level: Level, tag?: string): Frame {
	return system('informational', { content, level, ...compact({ tag }) });
}

/** The words of hosts for why a request failed. */
const failures: { readonly [C in Failure['code']]: string } = {
	auth: 'authentication_failed',
	'rate-limit': 'rate_limit',
	overloaded: 'overloaded',
	server: 'server_error',
	network: 'unknown',
	cut: 'unknown',
	'context-overflow': 'invalid_request',
	script: 'invalid_request',
	'unknown-model': 'model_not_found',
	'bad-request': 'invalid_request',
	aborted: 'unknown',
};

/** Whose instructions they are, in the words of hosts: a project's are those of all who work on it. */
function scopeOf(path: string): 'personal' | 'team' {
	return path.endsWith('.local.md') ? 'personal' : 'team';
}

/** Anthropic's names for what a status says. */
const statusTypes: { readonly [status: number]: string } = {
	400: 'invalid_request_error',
	401: 'authentication_error',
	403: 'permission_error',
	404: 'not_found_error',
	413: 'request_too_large',
	429: 'rate_limit_error',
	529: 'overloaded_error',
};

/** How a failure stands in a result, and in the reply that tells of it. */
export function failureFields({ status }: Failure): JsonObject {
	if (status === undefined) return { api_error_status: null };
	return { api_error_status: status, api_error_type: statusTypes[status] ?? 'api_error' };
}

export function failureWord(code: Failure['code']): string {
	return failures[code];
}

function retryFrame({ failure, attempt, of, waitMs }: Extract<LoopEvent, { type: 'retry' }>): Frame {
	return system('api_retry', {
		attempt,
		max_retries: of,
		retry_delay_ms: Math.round(waitMs),
		error_status: failure.status ?? null,
		error: failureWord(failure.code),
	});
}

/** Only what was denied although no person was asked: whoever was asked knows, and the word of a hook before the call is in the result. */
function deniedFrames({ tool, callId, text, reason, facts, agent }: Denial): readonly Frame[] {
	if (facts?.source !== 'config' && facts?.hook !== 'PermissionRequest') return [];
	const told = { tool_name: tool, tool_use_id: callId, message: text ?? reason };
	const why = compact({ decision_reason_type: facts.reasonType, decision_reason: facts.reason, agent_id: agent?.id });
	return [system('permission_denied', { ...told, ...why })];
}

function hookFields({
	id,
	point,
	name,
}: {
	readonly id: string;
	readonly point: string;
	readonly name: string;
}): JsonObject {
	return { hook_id: id, hook_name: name, hook_event: point };
}

function ranFields({ stdout, stderr, exitCode, outcome }: HookRan): JsonObject {
	const words = { success: 'success', blocked: 'error', failed: 'error', cancelled: 'cancelled' } as const;
	const exit = exitCode === null ? {} : { exit_code: exitCode };
	return { output: `${stdout}${stderr}`, stdout, stderr, ...exit, outcome: words[outcome] };
}

function taskFrames(task: TaskNews): readonly Frame[] {
	switch (task.is) {
		case 'started': {
			const { id, call, description, agentType, background, depth, kind, prompt } = task;
			const named = { task_id: id, tool_use_id: call, description, ...compact({ subagent_type: agentType }) };
			const how = {
				is_backgrounded: background,
				...compact({ spawn_depth: depth }),
				task_type: `local_${kindWords[kind]}`,
			};
			return [system('task_started', { ...named, ...how, ...compact({ prompt }) })];
		}
		case 'progress': {
			const { id, call, agentType, usage, tool } = task;
			const description = doing(tool, task.description);
			const named = { task_id: id, tool_use_id: call, description, subagent_type: agentType };
			return [system('task_progress', { ...named, usage: usageFields(usage), last_tool_name: tool })];
		}
		case 'left':
			return [system('task_updated', { task_id: task.id, patch: { is_backgrounded: true } })];
		case 'ended':
			return endFrames(task);
	}
}

const doingWords: { readonly [tool: string]: string } = {
	...{ Read: 'Reading', Write: 'Writing', Edit: 'Editing', NotebookEdit: 'Editing', Bash: 'Running' },
	...{ Grep: 'Searching for', Glob: 'Finding', WebFetch: 'Fetching', WebSearch: 'Searching the web for' },
};

/** What a sub-agent does, as hosts show it: a file by its name alone. */
function doing(tool: string, line: string): string {
	const word = Object.hasOwn(doingWords, tool) ? doingWords[tool] : undefined;
	if (word === undefined) return line;
	const subject = line.slice(tool.length).trim();
	return `${word} ${/^\/\S+$/.test(subject) ? subject.slice(subject.lastIndexOf('/') + 1) : subject}`.trim();
}

const kindWords = { agent: 'agent', shell: 'bash' } as const;

function endFrames(task: Extract<TaskNews, { is: 'ended' }>): readonly Frame[] {
	const { id, call, status, time, outputFile, summary, usage, problem } = task;
	const patch = { status, end_time: time, ...compact({ error: problem }) };
	const named = { task_id: id, tool_use_id: call, status: status === 'killed' ? 'stopped' : status };
	const told = { ...named, output_file: outputFile, summary, ...(usage ? { usage: usageFields(usage) } : {}) };
	return [
		// A command that somebody waits for has a result of its own, and no state that changes.
		...(task.kind === 'shell' && !task.background ? [] : [system('task_updated', { task_id: id, patch })]),
		system('task_notification', told),
	];
}

function usageFields({ tokens, toolUses, durationMs }: TaskUsage): JsonObject {
	return { total_tokens: tokens, tool_uses: toolUses, duration_ms: durationMs };
}

function limitFields({ status, resetsAt, kind, utilization, surpassedThreshold }: RateLimits): JsonObject {
	return { status, ...compact({ resetsAt, rateLimitType: kind, utilization, surpassedThreshold }) };
}
