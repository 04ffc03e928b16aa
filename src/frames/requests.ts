/** What a host may ask of the client: the fields of each request and of its answer. */
import { z } from 'zod';
import { count, flag, json, loose, object, text } from './shapes.ts';

const list = <S extends z.ZodType>(of: S) => z.array(of).readonly();
const named = loose({ name: text });

/** `about`: what a host should know beside the names. */
const request = <B extends z.ZodRawShape, A extends z.ZodRawShape>(body: B, answer: A, about = '') => ({
	body: loose(body),
	answer: loose(answer),
	about,
});

/** The schemas of each request, by its subtype. */
export const requestSchemas = {
	initialize: request(
		{
			systemPrompt: z.union([text, list(text)]).optional(),
			appendSystemPrompt: text.optional(),
			hooks: z
				.record(
					text,
					list(
						loose({
							matcher: text.optional(),
							hookCallbackIds: list(text),
							timeout: count.optional(),
							onFailure: text.optional(),
						}),
					),
				)
				.optional(),
			agents: z.record(text, loose({ description: text, prompt: text })).optional(),
			sdkMcpServers: list(text).optional(),
			sdkMcpServerConfigs: z.record(text, object).optional(),
			jsonSchema: object.optional(),
			title: text.optional(),
			promptSuggestions: flag.optional(),
		},
		{
			commands: list(named),
			agents: list(named),
			models: list(object),
			account: object,
			pid: count,
			claude_code_version: text,
			reprise_version: text.optional(),
			session_state: text,
			current_permission_mode: text,
			hooks_applied: flag.optional(),
			capabilities: list(text).optional(),
		},
		'a field that has no effect here is named by an `informational` frame; beside the answer stands `pending_permission_requests`',
	),
	interrupt: request(
		{ cancel_queued: flag.optional() },
		{ still_queued: list(text), cancelled: list(text).optional() },
		'ends the turn; prompts that wait stay, unless asked',
	),
	set_permission_mode: request(
		{ mode: text },
		{ mode: text },
		'`bypassPermissions` only where the process was started so',
	),
	set_model: request(
		{ model: text.nullable().optional() },
		{ model: text },
		'without one, or `default`: the one it was started with',
	),
	set_max_thinking_tokens: request({ max_thinking_tokens: count.nullable().optional() }, {}),
	apply_flag_settings: request({ settings: object }, {}, 'as if they had been given with `--settings`'),
	cancel_async_message: request({ message_uuid: text }, { cancelled: flag }, 'takes back a prompt that waits'),
	end_session: request(
		{},
		{},
		'what runs ends, and the process with it; `SessionEnd` hooks of the host are waited for',
	),
	rewind_files: request(
		{ user_message_id: text, dry_run: flag.optional() },
		{
			canRewind: flag,
			error: text.optional(),
			filesChanged: list(text).optional(),
			insertions: count.optional(),
			deletions: count.optional(),
			skippedLinks: count.optional(),
		},
	),
	rename_session: request({ title: text, session_id: text.optional() }, {}),
	stop_task: request({ task_id: text }, {}, 'a task that is unknown or over counts as stopped'),
	background_tasks: request(
		{ tool_use_id: text.optional() },
		{ backgrounded: flag },
		'what a call waits for goes on in the background',
	),
	get_task_output: request({ task_id: text }, { output: text, total_bytes: count, truncated: flag }, 'its last 8 KiB'),
	side_question: request(
		{ question: text },
		{ response: text, synthetic: flag },
		'the model is asked beside the conversation',
	),
	generate_session_title: request({ description: text.optional() }, { title: text }),
	export_conversation: request({}, { text, default_filename: text }, 'Markdown'),
	get_plan: request({}, { plan: text.nullable() }),
	reload_skills: request({}, { skills: list(named) }),
	seed_read_state: request(
		{ path: text, mtime: count.optional() },
		{},
		'the host has shown this file: it may be edited without being read again',
	),
	set_mcp_permission_mode_override: request(
		{ serverName: text, mode: text.nullable() },
		{ warning: text.optional() },
		'`default` or `auto`: in the mode `bypassPermissions` calls of that server are asked about (no classifier decides here); `null` takes it back; any other is refused, because nobody is made freer so',
	),
	remote_control: request({ enabled: flag.optional() }, {}, 'a `bridge_state` frame says that there is none'),
	mcp_status: request(
		{},
		{ mcpServers: list(loose({ name: text, status: text, tools: list(named).optional() })) },
		'`pending`: a server has not said yet which tools it has',
	),
	mcp_message: request({ server_name: text, message: object }, {}, 'from a server that lives in the host'),
	mcp_set_servers: request(
		{ servers: z.record(text, object) },
		{ added: list(text), removed: list(text), errors: z.record(text, text) },
		'replaces those that were set so before',
	),
	mcp_reconnect: request({ serverName: text }, {}),
	mcp_toggle: request({ serverName: text, enabled: flag.optional() }, {}),
	mcp_call: request(
		{ tool: text, arguments: object.optional() },
		{ content: list(object) },
		'what the server’s tool answers',
	),
	mcp_read_resource: request(
		{ server: text.optional(), serverName: text.optional(), uri: text },
		{ contents: list(object) },
	),
	get_context_usage: request(
		{},
		{ totalTokens: count, maxTokens: count, percentage: count, categories: list(loose({ name: text, tokens: count })) },
	),
	get_usage: request({}, { session: loose({ total_cost_usd: count }), rate_limits: json }),
	get_session_cost: request({}, { text }, 'as `/cost` says it'),
	list_models: request({}, { models: list(object) }),
	get_binary_version: request(
		{},
		{ version: text, reprise_version: text.optional() },
		'`version`: of Claude Code, whose frames these are; in `init` and `initialize` it is `claude_code_version`',
	),
	get_status: request(
		{},
		{
			session_id: text,
			cwd: text,
			model: text,
			permission_mode: text,
			version: text,
			reprise_version: text,
			session_state: text,
			transcript_path: text,
		},
		'`version` is that of `get_binary_version`',
	),
	get_settings: request({}, { effective: object, sources: list(object), applied: object }),
	list_permission_rules: request({}, { state: loose({ rules: list(object) }) }),
	get_hooks_listing: request(
		{},
		{ events: list(object), hooks: list(object), eventCatalog: list(object), policy: object },
	),
	file_suggestions: request(
		{ query: text },
		{ suggestions: list(loose({ displayText: text, path: text })), cwd: text },
		'at most 20',
	),
	read_file: request(
		{ path: text, max_bytes: count.optional(), encoding: text.optional() },
		{
			contents: text,
			absPath: text,
			requested_path: text,
			truncated: flag.optional(),
			lossy: flag.optional(),
		},
		'deny rules hold',
	),
	get_workspace_diff: request(
		{},
		{ diff: text, omitted: list(text).optional(), noDiffReason: text.optional() },
		'against the last commit (`noDiffReason` is `no-repository` where there is none); deny rules hold: files that they keep from being read are `omitted`',
	),
} as const;

/** The subtype of a request that a host may make. */
export type RequestName = keyof typeof requestSchemas;

/** What stands in that request. */
export type RequestBody<N extends RequestName> = z.infer<(typeof requestSchemas)[N]['body']>;

/** What it is answered with. */
export type RequestAnswer<N extends RequestName> = z.infer<(typeof requestSchemas)[N]['answer']>;
