/** What a host may send with each request, and what it gets. A request without a row, or a row without a request, ends `npm run docs`. */
import { controlNames } from '../src/cli/driven/controls.ts';

/** By name: its fields (`?`: may be missing), and the fields of its answer. Nothing: the answer says `success` alone. */
const requests: { readonly [name: string]: readonly [fields: string, answer: string, about?: string] } = {
	initialize: [
		'systemPrompt?, appendSystemPrompt?, hooks?, agents?, sdkMcpServers?, sdkMcpServerConfigs?, jsonSchema?, title?, promptSuggestions?',
		'commands, agents, models, account, pid, claude_code_version, reprise_version, session_state, current_permission_mode, hooks_applied?, capabilities …; beside it pending_permission_requests',
		'a field that has no effect here is named by an `informational` frame',
	],
	interrupt: ['cancel_queued?', 'still_queued, cancelled?', 'ends the turn; prompts that wait stay, unless asked'],
	set_permission_mode: ['mode', 'mode', '`bypassPermissions` only where the process was started so'],
	set_model: ['model?', 'model', 'without one, or `default`: the one it was started with'],
	set_max_thinking_tokens: ['max_thinking_tokens?', ''],
	apply_flag_settings: ['settings', '', 'as if they had been given with `--settings`'],
	cancel_async_message: ['message_uuid', 'cancelled', 'takes back a prompt that waits'],
	end_session: ['', '', 'what runs ends, and the process with it'],
	rewind_files: [
		'user_message_id, dry_run?',
		'canRewind, error?, filesChanged?, insertions?, deletions?, skippedLinks?',
	],
	rename_session: ['title, session_id?', ''],
	stop_task: ['task_id', '', 'a task that is unknown or over counts as stopped'],
	background_tasks: ['tool_use_id?', 'backgrounded', 'what a call waits for goes on in the background'],
	get_task_output: ['task_id', 'output, total_bytes, truncated', 'its last 8 KiB'],
	side_question: ['question', 'response, synthetic', 'the model is asked beside the conversation'],
	generate_session_title: ['description?', 'title'],
	export_conversation: ['', 'text, default_filename', 'Markdown'],
	get_plan: ['', 'plan'],
	reload_skills: ['', 'skills'],
	seed_read_state: ['path, mtime?', '', 'the host has shown this file: it may be edited without being read again'],
	set_mcp_permission_mode_override: ['serverName, mode', '', '`bypassPermissions`: its calls are allowed'],
	remote_control: ['enabled?', '', 'a `bridge_state` frame says that there is none'],
	mcp_status: ['', 'mcpServers'],
	mcp_message: ['server_name, message', '', 'from a server that lives in the host'],
	mcp_set_servers: ['servers', 'added, removed, errors', 'replaces those that were set so before'],
	mcp_reconnect: ['serverName', ''],
	mcp_toggle: ['serverName, enabled?', ''],
	mcp_call: ['tool, arguments?', 'content …', 'what the server’s tool answers'],
	mcp_read_resource: ['server, uri', 'contents …'],
	get_context_usage: ['', 'totalTokens, maxTokens, percentage, categories …'],
	get_usage: ['', 'session, rate_limits …'],
	get_session_cost: ['', 'text', 'as `/cost` says it'],
	list_models: ['', 'models'],
	get_binary_version: ['', 'version, reprise_version'],
	get_status: ['', 'session_id, cwd, model, permission_mode, version, session_state, transcript_path'],
	get_settings: ['', 'effective, sources, applied'],
	list_permission_rules: ['', 'state'],
	get_hooks_listing: ['', 'events, hooks, eventCatalog, policy'],
	file_suggestions: ['query', 'suggestions, cwd', 'at most 20'],
	read_file: [
		'path, max_bytes?, encoding?',
		'contents, absPath, requested_path, truncated?, lossy?',
		'deny rules hold',
	],
	get_workspace_diff: ['', 'diff', 'against the last commit'],
};

export function requestRows(): readonly string[] {
	const rowless = controlNames.filter((name) => !Object.hasOwn(requests, name));
	const gone = Object.keys(requests).filter((name) => !controlNames.includes(name));
	if (rowless.length + gone.length > 0)
		throw new Error(`scripts/frames-requests.ts: requests without a row: ${rowless}; rows without a request: ${gone}`);
	return Object.entries(requests).map(
		([name, [fields, answer, about = '']]) => `| \`${name}\` | ${fields} | ${answer} | ${about} |`,
	);
}
