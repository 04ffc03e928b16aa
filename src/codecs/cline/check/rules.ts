/** Every rule about Cline sessions: field tables of the contract, its guarantees, and what the client refuses or damages. */
import type { Profile, Rule, Severity } from '../../../model/index.ts';
import { compileFields, type Field, type FieldTable } from '../../shared/check/fields.ts';
import { flawRules } from '../../shared/check/flaws.ts';
import { clineStatuses } from '../lines.ts';
import { flawEffects } from './flaw-effects.ts';

const failsTurn = 'Cline fails the next turn on it';

function table(of: string, source: string, fields: readonly Field[]) {
	const described: FieldTable = { of, source, fields };
	return compileFields('cline', described);
}

const contract = 'messages contract v1';

export const headerTable = table('header', `${contract}, top level`, [
	{ path: 'version', is: ['number'], required: true },
	{ path: 'updated_at', is: ['time'], required: true },
	{ path: 'agent', is: ['string'], values: ['lead', 'subagent', 'teammate'], required: true },
	{ path: 'sessionId', is: ['string'], required: true },
	{ path: 'taskType', is: ['string'], required: false },
	{ path: 'system_prompt', is: ['string'], required: false },
]);

const id: Field = {
	path: 'id',
	is: ['string'],
	required: true,
	profile: 'any',
	effect: 'Cline makes up another one each time it reads the file, and may move notes that are only shown to the top',
};

/** Of a user's message, and of notes that are only shown. */
export const messageTable = table('message', `${contract}, messages`, [
	id,
	{ path: 'ts', is: ['number'], required: false },
	{ path: 'metadata', is: ['object'], required: false, profile: 'client' },
]);

export const assistantTable = table('assistant', `${contract}, assistant guarantees`, [
	id,
	{ path: 'ts', is: ['number'], required: true },
	{ path: 'metadata', is: ['object'], required: false, profile: 'client' },
	{ path: 'modelInfo', is: ['object'], required: true },
	{ path: 'modelInfo.id', is: ['string'], required: true },
	{ path: 'modelInfo.provider', is: ['string'], required: true },
	{ path: 'modelInfo.family', is: ['string'], required: false },
	{ path: 'metrics', is: ['object'], required: false },
	{ path: 'metrics.inputTokens', is: ['number'], required: true },
	{ path: 'metrics.outputTokens', is: ['number'], required: true },
	{ path: 'metrics.cacheReadTokens', is: ['number'], required: true },
	{ path: 'metrics.cacheWriteTokens', is: ['number'], required: true },
	{ path: 'metrics.cost', is: ['number'], required: true },
]);

const refused = { required: true, severity: 'error', profile: 'any', effect: failsTurn } as const;

export const blockTables = {
	text: table('text', `${contract}, blocks`, [
		{ path: 'text', is: ['string'], ...refused },
		{ path: 'signature', is: ['string'], required: false, profile: 'client' },
	]),
	thinking: table('thinking', `${contract}, blocks`, [
		{ path: 'thinking', is: ['string'], ...refused },
		{ path: 'signature', is: ['string'], required: false, profile: 'client' },
	]),
	redacted_thinking: table('redacted_thinking', 'client', [
		{ path: 'data', is: ['string'], required: true, profile: 'any' },
	]),
	tool_use: table('tool_use', `${contract}, blocks`, [
		{ path: 'id', is: ['string'], ...refused, effect: "the model's API rejects the request" },
		{ path: 'name', is: ['string'], ...refused },
		{
			path: 'input',
			is: ['object'],
			required: true,
			profile: 'any',
			effect: 'Cline sends an empty input, or text under `rawInvalidInput`',
		},
	]),
	tool_result: table('tool_result', `${contract}, blocks`, [
		{ path: 'tool_use_id', is: ['string'], ...refused, effect: "the model's API rejects the request" },
		{ path: 'content', is: ['any'], ...refused },
		{
			path: 'is_error',
			is: ['boolean'],
			required: false,
			profile: 'any',
			effect: 'Cline sends any other value as an error',
		},
		{
			path: 'name',
			is: ['string'],
			required: true,
			severity: 'error',
			profile: 'client',
			effect:
				'the command line client (3.0.65) fails every further turn of this session; add the name of the tool that was called (@cline/core 0.0.86 accepts it)',
		},
	]),
	image: table('image', 'client', [
		{
			path: 'data',
			is: ['string'],
			required: true,
			profile: 'any',
			effect: 'Cline does not send this image and erases it when it next saves',
		},
		{ path: 'mediaType', is: ['string'], required: true, profile: 'any', effect: 'Cline takes it for image/png' },
	]),
	file: table('file', 'client', [
		{ path: 'path', is: ['string'], required: true, profile: 'any' },
		{ path: 'content', is: ['string'], ...refused },
	]),
	media: table('media', 'client', [{ path: 'media', is: ['object'], ...refused }]),
} as const;

const ignored = 'Cline does not list the session';

export const manifestTable = table('manifest', 'client', [
	...(['session_id', 'source', 'started_at', 'provider', 'model', 'cwd', 'workspace_root'] as const).map(
		(path): Field => ({ path, is: ['string'], ...refused, effect: ignored }),
	),
	{ path: 'version', is: ['number'], values: [1], ...refused, effect: ignored },
	{ path: 'pid', is: ['integer'], ...refused, effect: ignored },
	{ path: 'status', is: ['string'], values: clineStatuses, ...refused, effect: ignored },
	...(['interactive', 'enable_tools', 'enable_spawn', 'enable_teams'] as const).map(
		(path): Field => ({ path, is: ['boolean'], ...refused, effect: ignored }),
	),
	...(['ended_at', 'team_name', 'prompt', 'compaction_path'] as const).map(
		(path): Field => ({ path, is: ['string'], ...refused, required: false, effect: ignored }),
	),
	{ path: 'exit_code', is: ['integer', 'null'], ...refused, required: false, effect: ignored },
	{ path: 'metadata', is: ['object'], ...refused, required: false, effect: ignored },
	{
		path: 'messages_path',
		is: ['string'],
		...refused,
		effect: 'Cline loads the session as empty and overwrites its messages at the next turn',
	},
]);

const unused = 'Cline does not use the compaction and sends the whole history';

export const compactionTable = table('compaction', 'client', [
	{ path: 'version', is: ['number'], values: [1], required: true, profile: 'any', effect: unused },
	{ path: 'updated_at', is: ['time'], required: true, profile: 'any', effect: unused },
	{ path: 'conversation_id', is: ['string'], required: false, profile: 'any', effect: unused },
	{ path: 'source_message_count', is: ['integer'], required: true, profile: 'any', effect: unused },
	{ path: 'source_prefix_hash', is: ['string'], required: false, profile: 'any', effect: unused },
	{ path: 'source_last_message_key', is: ['string'], required: false, profile: 'any', effect: unused },
	{ path: 'messages', is: ['array'], required: true, profile: 'any', effect: unused },
	{ path: 'system_prompt', is: ['string'], required: false, profile: 'any', effect: unused },
]);

function rule(name: string, severity: Severity, profile: Profile | 'any', about: string, source: string): Rule {
	const base = { id: `cline/${name}`, severity, about, source };
	return profile === 'any' ? base : { ...base, profile };
}

const own: readonly Rule[] = [
	rule('messages', 'error', 'any', 'The document has an array of messages.', 'client'),
	rule('bare-array', 'warning', 'published', 'The document is an object around its messages.', contract),
	rule('legacy-task', 'info', 'any', 'A session is not one of the old tasks of the VS Code extension.', 'client'),
	rule('version', 'warning', 'any', 'The version is 1, the only one there is a contract for.', contract),
	rule('task-type', 'warning', 'published', 'A file of a sub-agent or team run has a `taskType`.', contract),
	rule('session-id', 'warning', 'any', 'The id of a session of its own has no `__` in it.', 'client'),
	rule('message/role', 'error', 'any', 'The role of a message is user or assistant.', contract),
	rule(
		'message/tool-role',
		'warning',
		'any',
		'Tool results are messages of the user: there is no role tool.',
		contract,
	),
	rule('message/content', 'error', 'any', 'A message has content: an array of blocks, or a text.', 'client'),
	rule('message/string-content', 'warning', 'published', 'Content is always an array.', contract),
	rule('message/empty-content', 'warning', 'any', 'A message has something in it.', 'client'),
	rule('message/duplicate-id', 'warning', 'any', 'Ids of messages are different from each other.', contract),
	rule(
		'message/user-model',
		'warning',
		'published',
		'`modelInfo` and `metrics` are on assistant messages only.',
		contract,
	),
	rule('block/not-object', 'error', 'any', 'A block is an object.', 'client'),
	rule('block/type', 'warning', 'any', 'The type of a block is one that Cline knows.', 'client'),
	rule(
		'block/contract-type',
		'warning',
		'published',
		'The type of a block is text, thinking, tool_use or tool_result.',
		contract,
	),
	rule('block/thinking-role', 'error', 'any', 'Thinking is in assistant messages only.', contract),
	rule('block/tool_use-role', 'warning', 'any', 'Tool calls are in assistant messages only.', contract),
	rule('block/tool_result-role', 'warning', 'any', 'Tool results are in user messages only.', contract),
	rule(
		'image/source',
		'warning',
		'any',
		"An image has `data` and `mediaType`, not the `source` of Anthropic's API.",
		'client',
	),
	rule('pair/unanswered', 'warning', 'any', 'Every tool call has a result.', 'API'),
	rule(
		'pair/orphan',
		'error',
		'any',
		'Every tool result answers a call of an assistant message before it.',
		`${contract}; API`,
	),
	rule('pair/repeated-result', 'error', 'any', 'A tool call has one result.', 'API'),
	rule('pair/repeated-call', 'error', 'any', 'Ids of tool calls are different from each other.', `${contract}; API`),
	rule('pair/late', 'error', 'any', 'The result of a tool call comes before anybody says something.', 'client; API'),
	rule('turn/metrics', 'warning', 'published', 'The last assistant message of a completed turn has metrics.', contract),
	rule(
		'turn/early-metrics',
		'warning',
		'published',
		'Only the last assistant message of a turn has metrics.',
		contract,
	),
	rule('turn/error-message', 'warning', 'published', 'A turn that fails leaves no assistant message.', contract),
	rule('turn/fabricated-metrics', 'warning', 'any', 'The note about a failed turn has no metrics.', contract),
	rule('compaction/count', 'warning', 'any', 'A compaction stands for messages that exist.', 'client'),
	rule('compaction/hash', 'warning', 'any', 'A compaction fits the messages that it stands for.', 'client'),
	rule('compaction/message', 'warning', 'any', 'The messages of a compaction have a role and content.', 'client'),
	rule(
		'manifest/running',
		'warning',
		'any',
		'A session that nobody runs has a status that says it has ended.',
		'client',
	),
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
