/** Every family of frames: who sends it, where its shape comes from, and what makes Reprise send it. */
import type { FrameFamily } from './schemas.ts';

/** What is known of a family of frames. */
export interface FamilyFacts {
	readonly direction: 'runtime to host' | 'host to runtime' | 'both';
	/** `captured`: from Claude Code 2.1.325; `typed`: from the SDK's declarations; `document`: from the data-models document alone. */
	readonly source: 'captured' | 'typed' | 'document';
	/** What makes Reprise send it, or what it does with it. */
	readonly producer: string;
	/** Optional fields that Reprise does not send, and why. */
	readonly leftOut?: string;
}

const out = { direction: 'runtime to host', source: 'captured' } as const;
const typed = { direction: 'runtime to host', source: 'typed' } as const;
const both = { direction: 'both', source: 'captured' } as const;
const noRuns = 'run_id: a task has one run here';

/** The facts of each family. */
export const frameFamilies: { readonly [F in FrameFamily]: FamilyFacts } = {
	init: {
		...out,
		producer: 'every turn begins with it',
		leftOut: 'fields of features that Reprise does not have (plugins, fast mode, effort)',
	},
	assistant: {
		...out,
		producer: 'a block of a reply is written',
		leftOut: 'thinking_display, tool_use_meta: for Claude Code’s own screens',
	},
	user: {
		...both,
		producer: 'a result is written; with --replay-user-messages also what the host said',
	},
	result: {
		...out,
		producer: 'a turn is over, or the client cannot start (errors says why)',
		leftOut:
			'timings but ttft_ms, subagent_stats, safety_stops; contextWindow and maxOutputTokens are 0 where nobody knows them',
	},
	stream_event: { ...out, producer: 'a piece of a reply, with --include-partial-messages', leftOut: 'ttft_ms' },
	status: { ...out, producer: 'a request or a compaction begins, a mode changes' },
	session_state_changed: {
		...out,
		producer: 'work begins, waits for somebody, ends; where the host’s variable asks for it',
	},
	compact_boundary: {
		...out,
		producer: 'a compaction was made',
		leftOut: 'preserved_segment: the session’s own line has it',
	},
	conversation_reset: { ...out, producer: '/clear' },
	task_started: {
		...out,
		producer: 'a sub-agent starts; a command goes to the background or takes 3 s',
		leftOut: noRuns,
	},
	task_progress: { ...out, producer: 'a sub-agent calls a tool', leftOut: noRuns },
	task_updated: { ...out, producer: 'a task ends', leftOut: noRuns },
	task_notification: { ...out, producer: 'a task ends', leftOut: noRuns },
	background_tasks_changed: { ...out, producer: 'a task in the background starts or ends; a second initialize' },
	permission_denied: { ...out, producer: 'a call is denied although nobody was asked' },
	api_retry: { ...out, producer: 'a request failed and is sent again' },
	rate_limit_event: {
		...out,
		producer: 'headers or a 429 of any provider say that a limit is near or reached',
		leftOut: 'overage fields: of subscriptions',
	},
	prompt_suggestion: { ...out, producer: 'after a turn, where initialize asks for promptSuggestions' },
	memory_recall: {
		...out,
		source: 'typed',
		producer: 'a file is read that instructions of its folder, or a rule with paths, hold for',
	},
	elicitation_complete: { ...out, producer: 'an MCP server says that the visit of an address is over' },
	hook_started: { ...out, producer: 'a command or address of a hook is called, with --include-hook-events' },
	hook_response: { ...out, producer: 'it has answered' },
	informational: {
		...out,
		producer:
			'a line of the host is no frame; a flag or a field of initialize has no effect; an attachment is not shown; a grant is not kept; an empty prompt; another model answers (--fallback-model); a hook of the host failed, or has a message; whatever else is noted on stderr',
	},
	thinking_tokens: {
		...out,
		producer: 'a model thinks: every 50 tokens or so, and when it is done thinking; estimated from the text',
	},
	tool_use_summary: {
		...out,
		producer:
			'calls of a reply are done, where CLAUDE_CODE_EMIT_TOOL_USE_SUMMARIES is 1: the model is asked for a line about them, beside the conversation',
	},
	tool_progress: {
		...typed,
		producer: 'a call has taken 30 s, and every 30 s from then on',
		leftOut: 'task_id, subagent_retry: frames of tasks tell that',
	},
	control_request_progress: {
		...out,
		producer: 'the request side_question is taken up',
		leftOut: 'api_retry: such a question is asked once',
	},
	model_refusal_no_fallback: { ...typed, producer: 'a model refuses to answer' },
	model_refusal_fallback: { ...typed, producer: 'none: no other model is asked what one has refused' },
	mirror_error: {
		...out,
		producer: 'none: the SDK makes it for whoever uses it, when a store fails; no runtime sends it',
	},
	hook_progress: {
		...typed,
		producer: 'none: what a hook prints is read when it has ended, and told by hook_response',
	},
	local_command_output: { ...typed, producer: 'none: what a command says is an assistant frame, as it was captured' },
	commands_changed: { ...typed, producer: 'none: hosts ask with reload_skills' },
	notification: {
		...typed,
		producer: 'none: it is for the screen of Claude Code; informational has what a user should see',
	},
	files_persisted: { ...typed, producer: 'none: no files are uploaded' },
	plugin_install: { ...typed, producer: 'none: there are no plugins' },
	worker_shutting_down: { ...typed, producer: 'none: it is for a remote bridge' },
	session_writes_lost: { ...typed, producer: 'none: a line that cannot be written ends the turn with an error' },
	auth_status: { ...typed, producer: 'none: there is no login; keys are in the environment' },
	active_goal: { ...typed, producer: 'none: there are no goals' },
	session_title_changed: { ...out, producer: 'the request rename_session' },
	bridge_state: {
		...out,
		producer: 'the request remote_control: failed, because there is no bridge',
		leftOut: 'other states: they come with the server',
	},
	command_lifecycle: { ...out, producer: 'a prompt with a uuid is queued, started, completed or cancelled' },
	transcript_mirror: { ...out, producer: 'a line was written, with --session-mirror' },
	control_request: { ...both, producer: 'any request; the subtypes below are sent by Reprise' },
	can_use_tool: {
		...out,
		producer: 'a call has to be allowed, with --permission-prompt-tool stdio',
		leftOut: 'fields of Claude Code’s classifier; blocked_path of shell commands',
	},
	hook_callback: {
		...out,
		producer: 'a hook that initialize has named is called',
		leftOut: 'effort where no thinking level is set',
	},
	request_user_dialog: { ...typed, producer: 'none: no dialog but permissions and elicitations' },
	mcp_message: { ...both, producer: 'a message to or from an MCP server of the host' },
	elicitation: { ...out, producer: 'an MCP server asks its user' },
	control_response: { ...both, producer: 'every request is answered once' },
	control_cancel_request: { ...both, producer: 'a question is taken back' },
	permission_response: {
		direction: 'host to runtime',
		source: 'document',
		producer: 'read here; it comes with the server',
	},
	tool_call: { direction: 'runtime to host', source: 'document', producer: 'read here; it comes with the server' },
	keep_alive: { direction: 'host to runtime', source: 'captured', producer: 'taken, and nothing is done' },
};
