/** All rules about Cline sessions: field tables and guarantees of the contract, and what the client refuses. */
import type { Rule } from '../../../model/index.ts';
import type { FlawEffects } from '../../codec.ts';
import { type Field, may, need, oneOf, tablesOf, vital } from '../../shared/check/fields.ts';
import { flawRules } from '../../shared/check/flaws.ts';
import { rulesOf } from '../../shared/check/rules.ts';
import { clineStatuses } from '../lines.ts';

const empty = 'Cline reads the whole file as an empty session and overwrites it at the next turn';

/** The effect of each flaw on Cline, which reads a document as a whole or not at all. */
export const flawEffects: FlawEffects = {
	torn: { severity: 'error', effect: empty },
	'not-json': { severity: 'error', effect: empty },
	'not-utf8': {
		severity: 'warning',
		effect: 'Cline puts U+FFFD in their place and loses the bytes when it next saves',
	},
	'not-object': { severity: 'error', effect: 'Cline fails the next turn on it' },
	bom: { severity: 'warning', effect: 'Cline skips it and saves without it' },
	'too-long': { severity: 'error', effect: empty },
};

const contract = 'messages contract v1';
const table = tablesOf('cline');
/** A field outside the contract, too: a warning in every profile. */
const anyway = (field: Field, effect?: string): Field => ({ ...field, profile: 'any', effect });
const client = (field: Field): Field => ({ ...field, profile: 'client' });

export const headerTable = table('header', `${contract}, top level`, [
	need('version', 'number'),
	need('updated_at', 'time'),
	oneOf('agent', 'lead', 'subagent', 'teammate'),
	need('sessionId', 'string'),
	may('taskType', 'string'),
	may('system_prompt', 'string'),
]);

const id = anyway(
	need('id', 'string'),
	'Cline makes up another one each time it reads the file, and may move notes that are only shown to the top',
);

/** The fields of a user's message, and of notes that are only shown. */
export const messageTable = table('message', `${contract}, messages`, [
	id,
	may('ts', 'number'),
	client(may('metadata', 'object')),
]);

export const assistantTable = table('assistant', `${contract}, assistant guarantees`, [
	id,
	need('ts', 'number'),
	client(may('metadata', 'object')),
	need('modelInfo', 'object'),
	need('modelInfo.id', 'string'),
	need('modelInfo.provider', 'string'),
	may('modelInfo.family', 'string'),
	may('metrics', 'object'),
	need('metrics.inputTokens', 'number'),
	need('metrics.outputTokens', 'number'),
	need('metrics.cacheReadTokens', 'number'),
	need('metrics.cacheWriteTokens', 'number'),
	need('metrics.cost', 'number'),
]);

const inBlocks = `${contract}, blocks`;
const failsTurn = 'Cline fails the next turn on it';
const rejected = "the model's API rejects the request";
const nameless =
	'the command line client (3.0.65) fails every further turn of this session; add the name of the tool that was called (@cline/core 0.0.86 accepts it)';

export const blockTables = {
	text: table('text', inBlocks, [vital(need('text', 'string'), failsTurn), client(may('signature', 'string'))]),
	thinking: table('thinking', inBlocks, [
		vital(need('thinking', 'string'), failsTurn),
		client(may('signature', 'string')),
	]),
	redacted_thinking: table('redacted_thinking', 'client', [anyway(need('data', 'string'))]),
	tool_use: table('tool_use', inBlocks, [
		vital(need('id', 'string'), rejected),
		vital(need('name', 'string'), failsTurn),
		anyway(need('input', 'object'), 'Cline sends an empty input, or text under `rawInvalidInput`'),
	]),
	tool_result: table('tool_result', inBlocks, [
		vital(need('tool_use_id', 'string'), rejected),
		vital(need('content', 'any'), failsTurn),
		anyway(may('is_error', 'boolean'), 'Cline sends any other value as an error'),
		client(vital(need('name', 'string'), nameless)),
	]),
	image: table('image', 'client', [
		anyway(need('data', 'string'), 'Cline does not send this image and erases it when it next saves'),
		anyway(need('mediaType', 'string'), 'Cline takes it for image/png'),
	]),
	file: table('file', 'client', [anyway(need('path', 'string')), vital(need('content', 'string'), failsTurn)]),
	media: table('media', 'client', [vital(need('media', 'object'), failsTurn)]),
} as const;

const texts = ['session_id', 'source', 'started_at', 'provider', 'model', 'cwd', 'workspace_root'];
const listed: readonly Field[] = [
	...texts.map((path) => need(path, 'string')),
	{ ...need('version', 'number'), values: [1] },
	need('pid', 'integer'),
	oneOf('status', ...clineStatuses),
	...['interactive', 'enable_tools', 'enable_spawn', 'enable_teams'].map((path) => need(path, 'boolean')),
	...['ended_at', 'team_name', 'prompt', 'compaction_path'].map((path) => may(path, 'string')),
	may('exit_code', 'integer', 'null'),
	may('metadata', 'object'),
];
const emptied = 'Cline loads the session as empty and overwrites its messages at the next turn';

export const manifestTable = table('manifest', 'client', [
	...listed.map((field) => vital(field, 'Cline does not list the session')),
	vital(need('messages_path', 'string'), emptied),
]);

const ofCompaction: readonly Field[] = [
	{ ...need('version', 'number'), values: [1] },
	need('updated_at', 'time'),
	may('conversation_id', 'string'),
	need('source_message_count', 'integer'),
	may('source_prefix_hash', 'string'),
	may('source_last_message_key', 'string'),
	need('messages', 'array'),
	may('system_prompt', 'string'),
];
const unused = 'Cline does not use the compaction and sends the whole history';

export const compactionTable = table(
	'compaction',
	'client',
	ofCompaction.map((field) => anyway(field, unused)),
);

const rule = rulesOf('cline');
/** A rule about a deviation from the contract that has no other effect. */
const published = (id: string, about: string): Rule => rule(id, 'warning', about, contract, 'published');

const own: readonly Rule[] = [
	rule('messages', 'error', 'The document has an array of messages.', 'client'),
	published('bare-array', 'The document is an object around its messages.'),
	rule('legacy-task', 'info', 'A session is not one of the old tasks of the VS Code extension.', 'client'),
	rule('version', 'warning', 'The version is 1, the only one there is a contract for.', contract),
	published('task-type', 'A file of a sub-agent or team run has a `taskType`.'),
	rule('session-id', 'warning', 'The id of a session of its own has no `__` in it.', 'client'),
	rule('message/role', 'error', 'The role of a message is user or assistant.', contract),
	rule('message/tool-role', 'warning', 'Tool results are messages of the user: there is no role tool.', contract),
	rule('message/content', 'error', 'A message has content: an array of blocks, or a text.', 'client'),
	published('message/string-content', 'Content is always an array.'),
	rule('message/empty-content', 'warning', 'A message has something in it.', 'client'),
	rule('message/duplicate-id', 'warning', 'Ids of messages are different from each other.', contract),
	published('message/user-model', '`modelInfo` and `metrics` are on assistant messages only.'),
	rule('block/not-object', 'error', 'A block is an object.', 'client'),
	rule('block/type', 'warning', 'The type of a block is one that Cline knows.', 'client'),
	published('block/contract-type', 'The type of a block is text, thinking, tool_use or tool_result.'),
	rule('block/thinking-role', 'error', 'Thinking is in assistant messages only.', contract),
	rule('block/tool_use-role', 'warning', 'Tool calls are in assistant messages only.', contract),
	rule('block/tool_result-role', 'warning', 'Tool results are in user messages only.', contract),
	rule(
		'image/source',
		'warning',
		"An image has `data` and `mediaType`, not the `source` of Anthropic's API.",
		'client',
	),
	rule('pair/unanswered', 'warning', 'Every tool call has a result.', 'API'),
	rule(
		'pair/orphan',
		'error',
		'Every tool result answers a call of an assistant message before it.',
		`${contract}; API`,
	),
	rule('pair/repeated-result', 'error', 'A tool call has one result.', 'API'),
	rule('pair/repeated-call', 'error', 'Ids of tool calls are different from each other.', `${contract}; API`),
	rule('pair/late', 'error', 'The result of a tool call comes before anybody says something.', 'client; API'),
	published('turn/metrics', 'The last assistant message of a completed turn has metrics.'),
	published('turn/early-metrics', 'Only the last assistant message of a turn has metrics.'),
	published('turn/error-message', 'A turn that fails leaves no assistant message.'),
	rule('turn/fabricated-metrics', 'warning', 'The note about a failed turn has no metrics.', contract),
	rule('compaction/count', 'warning', 'A compaction stands for messages that exist.', 'client'),
	rule('compaction/hash', 'warning', 'A compaction fits the messages that it stands for.', 'client'),
	rule('compaction/message', 'warning', 'The messages of a compaction have a role and content.', 'client'),
	rule('manifest/running', 'warning', 'A session that nobody runs has a status that says it has ended.', 'client'),
];

export const rules: readonly Rule[] = [
	...flawRules('cline', flawEffects),
	...headerTable.rules,
	...messageTable.rules,
	...assistantTable.rules,
	...Object.values(blockTables).flatMap((one) => one.rules),
	...manifestTable.rules,
	...compactionTable.rules,
	...own,
];
