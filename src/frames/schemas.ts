/** The shapes of all frames, as liberal as the documents ask for: what is named must fit, and whatever else is there may stay. */
import { z } from 'zod';
import { block, count, flag, json, loose, object, text, word } from './shapes.ts';

const named = { uuid: text, session_id: text };
const system = <N extends string, S extends z.ZodRawShape>(subtype: N, shape: S) =>
	loose({ type: z.literal('system'), subtype: z.literal(subtype), ...shape, ...named });
const usage = loose({ input_tokens: count, output_tokens: count });
const parent = text.nullable();
const agent = { agent_id: text.optional(), subagent_type: text.optional(), task_description: text.optional() };
const taskUsage = loose({ total_tokens: count, tool_uses: count, duration_ms: count });
const task = { task_id: text, run_id: text.optional(), tool_use_id: text.optional() };
const denial = loose({ tool_name: text, tool_use_id: text, tool_input: json });

const control = <N extends string, S extends z.ZodRawShape>(subtype: N, shape: S) =>
	loose({
		type: z.literal('control_request'),
		request_id: text,
		request: loose({ subtype: z.literal(subtype), ...shape }),
	});

/** One schema for each family of frames, by its name: the subtype where there is one, else the type. */
export const frameSchemas = {
	init: system('init', {
		cwd: text,
		tools: z.array(text),
		mcp_servers: z.array(loose({ name: text, status: text })),
		model: text,
		permissionMode: text,
		slash_commands: z.array(text),
		apiKeySource: text,
		claude_code_version: text,
		output_style: text,
		agents: z.array(text).optional(),
		skills: z.array(text).optional(),
		plugins: z.array(object).optional(),
		capabilities: z.array(text).optional(),
	}),
	assistant: loose({
		type: z.literal('assistant'),
		message: loose({ id: text, role: z.literal('assistant'), model: text, content: z.array(block), usage }),
		parent_tool_use_id: parent,
		request_id: text.optional(),
		timestamp: text.optional(),
		...agent,
		...named,
	}),
	user: loose({
		type: z.literal('user'),
		message: loose({ role: z.literal('user'), content: z.union([text, z.array(block)]) }),
		parent_tool_use_id: parent.optional(),
		tool_use_result: json.optional(),
		isReplay: flag.optional(),
		timestamp: text.optional(),
		...agent,
		uuid: text.optional(),
		session_id: text.optional(),
	}),
	result: loose({
		type: z.literal('result'),
		subtype: word(
			...(['success', 'error_during_execution', 'error_max_turns', 'error_max_budget_usd'] as const),
			'error_max_structured_output_retries',
		),
		is_error: flag,
		duration_ms: count,
		duration_api_ms: count,
		num_turns: count,
		result: text.optional(),
		errors: z.array(text).optional(),
		stop_reason: text.nullable(),
		terminal_reason: text.optional(),
		total_cost_usd: count,
		usage,
		modelUsage: z.record(text, object),
		permission_denials: z.array(denial),
		...named,
	}),
	stream_event: loose({
		type: z.literal('stream_event'),
		event: loose({ type: text }),
		parent_tool_use_id: parent,
		...named,
	}),
	status: system('status', { status: text.nullable(), permissionMode: text.optional() }),
	session_state_changed: system('session_state_changed', { state: z.enum(['idle', 'running', 'requires_action']) }),
	compact_boundary: system('compact_boundary', {
		compact_metadata: loose({ trigger: text, pre_tokens: count, post_tokens: count.optional() }),
	}),
	conversation_reset: loose({
		type: z.literal('conversation_reset'),
		new_conversation_id: text,
		trigger: text.optional(),
		...named,
	}),
	task_started: system('task_started', {
		...task,
		description: text,
		task_type: text.optional(),
		is_backgrounded: flag.optional(),
		spawn_depth: count.optional(),
		prompt: text.optional(),
		subagent_type: text.optional(),
	}),
	task_progress: system('task_progress', {
		...task,
		description: text,
		usage: taskUsage,
		last_tool_name: text.optional(),
	}),
	task_updated: system('task_updated', {
		...task,
		patch: loose({
			status: text.optional(),
			end_time: count.optional(),
			is_backgrounded: flag.optional(),
		}),
	}),
	task_notification: system('task_notification', {
		...task,
		status: z.enum(['completed', 'failed', 'stopped']),
		output_file: text,
		summary: text,
		usage: taskUsage.optional(),
	}),
	background_tasks_changed: system('background_tasks_changed', {
		tasks: z.array(loose({ task_id: text, task_type: text, description: text })),
	}),
	permission_denied: system('permission_denied', {
		tool_name: text,
		tool_use_id: text,
		message: text,
		decision_reason_type: text.optional(),
		decision_reason: text.optional(),
		agent_id: text.optional(),
	}),
	api_retry: system('api_retry', {
		attempt: count,
		max_retries: count,
		retry_delay_ms: count,
		error_status: count.nullable(),
		error: text,
	}),
	rate_limit_event: loose({
		type: z.literal('rate_limit_event'),
		rate_limit_info: loose({
			status: z.enum(['allowed', 'allowed_warning', 'rejected']),
			resetsAt: count.optional(),
			rateLimitType: text.optional(),
			utilization: count.optional(),
		}),
		...named,
	}),
	prompt_suggestion: loose({ type: z.literal('prompt_suggestion'), suggestion: text, ...named }),
	memory_recall: system('memory_recall', {
		mode: text,
		memories: z.array(loose({ path: text, scope: text, content: text.optional() })),
	}),
	elicitation_complete: system('elicitation_complete', { mcp_server_name: text, elicitation_id: text }),
	hook_started: system('hook_started', { hook_id: text, hook_name: text, hook_event: text }),
	hook_response: system('hook_response', {
		hook_id: text,
		hook_name: text,
		hook_event: text,
		output: text,
		stdout: text,
		stderr: text,
		exit_code: count.optional(),
		outcome: z.enum(['success', 'error', 'cancelled']),
	}),
	informational: system('informational', { content: text, level: text, tag: text.optional() }),
	thinking_tokens: system('thinking_tokens', {
		estimated_tokens: count,
		estimated_tokens_delta: count,
		user_message_uuid: text.optional(),
	}),
	tool_use_summary: loose({
		type: z.literal('tool_use_summary'),
		summary: text,
		preceding_tool_use_ids: z.array(text),
		...named,
	}),
	tool_progress: loose({
		type: z.literal('tool_progress'),
		tool_use_id: text,
		tool_name: text,
		parent_tool_use_id: parent,
		elapsed_time_seconds: count,
		task_id: text.optional(),
		heartbeat: flag.optional(),
		...named,
	}),
	control_request_progress: system('control_request_progress', {
		request_id: text,
		status: z.enum(['started', 'api_retry']),
		attempt: count.optional(),
		max_retries: count.optional(),
		retry_delay_ms: count.optional(),
		error_status: count.nullable().optional(),
	}),
	model_refusal_no_fallback: system('model_refusal_no_fallback', {
		original_model: text,
		request_id: text.nullable(),
		content: text,
	}),
	model_refusal_fallback: system('model_refusal_fallback', {
		trigger: text,
		direction: text,
		original_model: text,
		fallback_model: text,
		request_id: text.nullable(),
		content: text,
	}),
	mirror_error: system('mirror_error', {
		error: text,
		key: loose({ projectKey: text, sessionId: text, subpath: text.optional() }),
	}),
	hook_progress: system('hook_progress', {
		hook_id: text,
		hook_name: text,
		hook_event: text,
		output: text,
		stdout: text,
		stderr: text,
	}),
	local_command_output: system('local_command_output', { content: text }),
	commands_changed: system('commands_changed', { commands: z.array(loose({ name: text })) }),
	notification: system('notification', { key: text, text, priority: text, timeout_ms: count.optional() }),
	files_persisted: system('files_persisted', {
		files: z.array(loose({ filename: text, file_id: text })),
		failed: z.array(loose({ filename: text, error: text })),
		processed_at: text,
	}),
	plugin_install: system('plugin_install', { status: text, name: text.optional(), error: text.optional() }),
	worker_shutting_down: system('worker_shutting_down', { reason: text }),
	session_writes_lost: system('session_writes_lost', { error_code: text, lost: z.array(text) }),
	auth_status: loose({
		type: z.literal('auth_status'),
		isAuthenticating: flag,
		output: z.array(text),
		error: text.optional(),
		...named,
	}),
	active_goal: loose({ type: z.literal('active_goal'), value: object.nullable(), ...named }),
	session_title_changed: system('session_title_changed', { title: text }),
	bridge_state: system('bridge_state', { state: text, detail: text.optional() }),
	command_lifecycle: loose({
		type: z.literal('command_lifecycle'),
		command_uuid: text,
		state: text,
		...named,
	}),
	transcript_mirror: loose({
		type: z.literal('transcript_mirror'),
		filePath: text,
		entries: z.array(loose({ type: text })),
	}),
	control_request: loose({
		type: z.literal('control_request'),
		request_id: text,
		request: loose({ subtype: text }),
	}),
	can_use_tool: control('can_use_tool', {
		tool_name: text,
		input: json,
		tool_use_id: text,
		display_name: text.optional(),
		description: text.optional(),
		blocked_path: text.optional(),
		permission_suggestions: z.array(object).optional(),
		decision_reason: text.optional(),
		decision_reason_type: text.optional(),
		agent_id: text.optional(),
	}),
	hook_callback: control('hook_callback', {
		callback_id: text,
		input: loose({ session_id: text, transcript_path: text, cwd: text, hook_event_name: text }),
		tool_use_id: text.optional(),
	}),
	request_user_dialog: control('request_user_dialog', {
		dialog_kind: text,
		payload: json,
		tool_use_id: text.optional(),
	}),
	mcp_message: control('mcp_message', { server_name: text, message: object }),
	elicitation: control('elicitation', {
		mcp_server_name: text,
		message: text,
		mode: text.optional(),
		url: text.optional(),
		elicitation_id: text.optional(),
		requested_schema: object.optional(),
	}),
	control_response: loose({
		type: z.literal('control_response'),
		response: loose({
			subtype: z.enum(['success', 'error']),
			request_id: text,
			response: json.optional(),
			error: text.optional(),
		}),
	}),
	control_cancel_request: loose({ type: z.literal('control_cancel_request'), request_id: text }),
	permission_response: loose({
		type: z.literal('permission_response'),
		request_id: text,
		allowed: flag,
		target_device_id: text.optional(),
	}),
	tool_call: loose({
		type: z.literal('tool_call'),
		tool_use_id: text,
		client_type: text,
		tool: text,
		args: json,
		target_device_id: text.optional(),
		permission_mode: text.optional(),
		allowed_domains: z.array(text).optional(),
		handle_permission_prompts: flag.optional(),
		session_scope: json.optional(),
	}),
	keep_alive: loose({ type: z.literal('keep_alive') }),
} as const;

/** The name of a family of frames. */
export type FrameFamily = keyof typeof frameSchemas;

/** A frame of that family. */
export type FrameOf<F extends FrameFamily> = z.infer<(typeof frameSchemas)[F]>;

/** What an agent may ask its host, by the subtype of the request. */
export type Question = {
	readonly [F in FrameFamily]: FrameOf<F> extends { readonly request: { readonly subtype: F } } ? F : never;
}[FrameFamily];

/** What the host is told with it. */
export type Asked<Q extends Question> = FrameOf<Q> extends { readonly request: infer R } ? R : never;
