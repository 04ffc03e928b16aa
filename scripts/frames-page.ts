/** The page about frames: every family with what makes Reprise send it, from the table in the code. */
import type { z } from 'zod';
import { frameFamilies } from '../src/frames/families.ts';
import { frameSchemas } from '../src/frames/schemas.ts';
import { fieldsOf } from './frames-fields.ts';
import { requestRows } from './frames-requests.ts';

const cell = (text: string): string => text.replaceAll('|', '\\|');

function requiredOf(name: keyof typeof frameSchemas): string {
	const { type: _, subtype: __, ...shape }: { readonly [field: string]: z.ZodType } = frameSchemas[name].shape;
	return fieldsOf(shape);
}

/** What hosts of the real client meet otherwise here. */
const differences: readonly string[] = [
	'## Where Reprise differs on purpose',
	'',
	'- A line that is no frame is one line on stderr and an `informational` frame with the tag `bad_input`; the real client ends.',
	'- Hooks of `initialize` for events that Reprise does not call (`PreModelSwitch`, `Elicitation` …) are named in one `informational`',
	'  warning with the tag `hooks_not_called`, and everything else goes on. `PermissionDenied` is called for every denial without a',
	'  question; the real client calls it in its auto mode alone.',
	"- An empty prompt (`''`, `[]`, blanks) asks no model: its turn is an `informational` warning and a `result` that is no error. The",
	'  real client does so with blanks, and asks the model about `(no content)` for the others. A command that nobody knows is a `result`',
	'  with an error; the real client sends it to the model.',
	'- `SessionEnd` callbacks of `initialize` are called, and waited for as long as stdin is open (`/clear`, `end_session`); a host that closes stdin first, as',
	'  the official SDK does, is not asked. The real client was never seen to call any.',
	'- A mode that an answer to `can_use_tool` does not get, such as `bypassPermissions`, is told in an `informational` frame.',
	'- A hook that ends the run (`continue: false`) or stops a prompt leads to a `result` that is no error, with `hook_stopped` or without a `terminal_reason`, as in the',
	'  real client; the reason is an `informational` warning. A call at whose `PreToolUse` that is said does not run; the real client runs it first. A single prompt',
	'  (`-p`) that is stopped so ends with exit code 1.',
	'- A hook’s answer that is none is told with the tag `hook_callback_failed` and treated as empty, as the real client does. But a clear no in it (`deny`, `block`,',
	'  `continue: false`) holds, a `hookSpecificOutput` without its `hookEventName` is one for the event that was asked about, and a field that is null says nothing.',
	'- A `PreToolUse` callback that does not answer within its `timeout` keeps the call from running, as in the real client.',
	'- A picture whose first bytes are those of no picture is left out, and that is told: a provider would refuse it with every later request.',
	'- `set_mcp_permission_mode_override` with `auto` has calls of the server asked about, as with `default`: there is no classifier here.',
	'- `get_status` answers with fields; the real client’s `sections` are rows for its own screen.',
	'- `rate_limit_event` comes from the headers of any provider, not only of a subscription.',
	'- Rules that an answer to `can_use_tool` grants hold at once, until the session is left. Those with the destination `localSettings` are written to',
	'  `.claude/settings.local.json` as well, where the folder is trusted, and hold for good. No other file is written, and that is told.',
	'',
];

export function framesPage(): string {
	const rows = Object.entries(frameFamilies).map(([name, { direction, source, producer, leftOut = '' }]) => {
		const fields = requiredOf(name as keyof typeof frameSchemas);
		return `| \`${name}\` | ${direction} | ${source} | ${cell(producer)} | ${cell(fields)} | ${cell(leftOut)} |`;
	});
	const parts = [
		'# Frames',
		'',
		'A host (an editor, a bot, the official Agent SDK) drives Reprise with one JSON object per line:',
		'`reprise --input-format stream-json --output-format stream-json`. The frames are those of Claude Code 2.1.325, whatever model',
		'answers. `reprise/frames` has their types and schemas, a parser that passes what it does not know, and `driveProcess`, which',
		'drives Reprise or Claude Code: [examples/frames.ts](examples/frames.ts). This page is made from the code by `npm run docs`.',
		'',
		'## Order of a turn',
		'',
		'`session_state_changed` running, `command_lifecycle` started (for a prompt with a `uuid`), `init`, replies and results as they are',
		'written, `result`, `command_lifecycle` completed, `session_state_changed` idle, and what comes late (`prompt_suggestion`,',
		'`task_notification`). A task in the background that ends begins a turn by itself. With `--session-mirror` every line of a turn is',
		'shown before its `result`.',
		'',
		'Prompts that come while one is answered wait, and `queued_turn_count` of a `result` says how many do: idle is told when none is left. One',
		'with `"priority":"now"` ends the turn that goes on (its prompt is `cancelled`) and is answered first. With `"shouldQuery":false` nobody',
		'is asked: that turn is an `init` and an empty `result`, and what was said stands before the next prompt; in a new session it is written',
		'together with that. When stdin ends, prompts that wait are still answered, and what runs in the background is waited for: the model is',
		'told of its end. Whoever does not want that sends `end_session` first, or a signal.',
		'',
		'A second prompt with a `uuid` that was sent before is dropped without a word, as Claude Code does: whoever is not sure that a prompt',
		'has come may send it again. `terminal_reason` is left out of the `result` of a turn in which no model was asked (commands, an empty',
		'prompt, a client that cannot start), as the real client does. What the client notes for its user is a line on stderr and an',
		'`informational` frame.',
		'',
		'## How a host starts it',
		'',
		'One process is one session, until `/clear` or the end of stdin. Flags of Claude Code that a host passes and no person needs are',
		'taken too, though `--help` does not list them: `--effort`, `--max-thinking-tokens`, `--fallback-model`, `--agent`, `--json-schema`,',
		'`--no-session-persistence`, `--managed-settings`, `--permission-prompts`; one that has no effect here is named by an',
		'`informational` frame. Variables that a host may set to `1`:',
		'',
		'| variable | what comes |',
		'|---|---|',
		'| `CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS` | `session_state_changed`: running, requires_action, idle |',
		'| `CLAUDE_CODE_SDK_READS_SESSION_STATE` | the same with `sdk_host_only`: the official SDK sets it, reads them, and does not pass them on |',
		'| `CLAUDE_CODE_EMIT_TOOL_USE_SUMMARIES` | `tool_use_summary`: the model is asked for a line about the calls of a reply |',
		'',
		...differences,
		'## Families',
		'',
		'A field with `?` may be missing. `captured`: the shape was recorded from the real client; `typed`: it is in the SDK’s declarations;',
		'`document`: it is in the data-models document alone.',
		'',
		'| family | direction | source | producer | fields | left out |',
		'|---|---|---|---|---|---|',
		...rows,
		'',
		'## Requests that are answered',
		'',
		'A host sends `{"type":"control_request","request_id":ID,"request":{"subtype":NAME,…fields}}` and gets a `control_response` with the',
		'same id: `success` with the fields below, or `error` with a message; one that is not in this table has the code `unsupported_request`.',
		'',
		'| request | fields | answer | |',
		'|---|---|---|---|',
		...requestRows(),
	];
	return `${parts.join('\n')}\n`;
}
