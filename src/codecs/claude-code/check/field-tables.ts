/** Which fields Claude Code's lines and blocks need, of which type, by the document and by newer clients; and whose absence is an error. */
import type { Rule } from '../../../model/index.ts';
import { type CompiledTable, type Field, may, need, oneOf, tablesOf, vital } from '../../shared/check/fields.ts';

const table = tablesOf('claude-code');
const byName = (tables: { readonly [name: string]: CompiledTable }): ReadonlyMap<string, CompiledTable> =>
	new Map(Object.entries(tables));
const appendixA = 'session-protocol, appendix A';
const section = (number: string): string => `session-protocol, §${number}`;

const lost = 'Claude Code 2.1.29 refuses the file and 2.1.325 drops the message';
const rejected = "the model's API rejects it, or Claude Code drops the block";

/** §3: the fields that most lines share. */
const envelope: readonly Field[] = [
	{ ...need('uuid', 'string'), effect: 'without it the line is no part of the conversation' },
	need('parentUuid', 'string', 'null'),
	{ ...need('sessionId', 'string'), effect: 'Claude Code 2.1.29 does not list a session without it' },
	need('timestamp', 'time'),
	need('isSidechain', 'boolean'),
	oneOf('userType', 'external'),
	need('cwd', 'string'),
	need('version', 'string'),
	may('gitBranch', 'string'),
	may('slug', 'string'),
	may('agentId', 'string'),
];

const optional = (fields: readonly Field[]): readonly Field[] => fields.map((field) => ({ ...field, required: false }));

const user = table('user', appendixA, [
	oneOf('type', 'user'),
	...envelope,
	vital(need('message', 'object'), lost),
	oneOf('message.role', 'user'),
	vital(need('message.content', 'string', 'array'), lost),
	may('isMeta', 'boolean'),
	may('permissionMode', 'string'),
	may('toolUseResult', 'object'),
]);

const assistant = table('assistant', appendixA, [
	oneOf('type', 'assistant'),
	...envelope.map((field) => (field.path === 'parentUuid' ? need('parentUuid', 'string') : field)),
	need('requestId', 'string'),
	vital(need('message', 'object'), lost),
	need('message.model', 'string'),
	{ ...need('message.id', 'string'), effect: 'Claude Code puts the blocks of a reply together by it' },
	oneOf('message.role', 'assistant'),
	vital(need('message.content', 'array', 'string'), lost),
	need('message.stop_reason', 'string', 'null'),
	need('message.usage', 'object'),
	may('message.usage.input_tokens', 'number'),
	may('message.usage.output_tokens', 'number'),
	may('message.usage.cache_creation_input_tokens', 'number'),
	may('message.usage.cache_read_input_tokens', 'number'),
]);

const system = table('system', section('4.3'), [
	oneOf('type', 'system'),
	need('subtype', 'string'),
	...envelope,
	may('isMeta', 'boolean'),
]);

const boundary = table('system.compact_boundary', section('4.3.1'), [
	need('logicalParentUuid', 'string'),
	need('content', 'string'),
	need('level', 'string'),
	need('compactMetadata', 'object'),
	oneOf('compactMetadata.trigger', 'auto', 'manual'),
	need('compactMetadata.preTokens', 'number'),
]);

const turnDuration = table('system.turn_duration', section('4.3.2'), [need('durationMs', 'number')]);

const localCommand = table('system.local_command', section('4.3.3'), [
	need('content', 'string'),
	need('level', 'string'),
]);

const summary = table('summary', section('4.4'), [need('summary', 'string'), need('leafUuid', 'string')]);

const progress = table('progress', section('4.5'), [
	need('data', 'object'),
	need('data.type', 'string'),
	may('toolUseID', 'string'),
	may('parentToolUseID', 'string'),
	...optional(envelope),
]);

const progressOf = (type: string, number: string, fields: readonly Field[]): CompiledTable =>
	table(`progress.${type}`, section(number), fields);

export const progressTables = byName({
	bash_progress: progressOf('bash_progress', '4.5.1', [
		need('data.output', 'string'),
		need('data.fullOutput', 'string'),
	]),
	agent_progress: progressOf('agent_progress', '4.5.2', [need('data.message', 'object')]),
	hook_progress: progressOf('hook_progress', '4.5.3', [
		need('data.hookEvent', 'string'),
		need('data.hookName', 'string'),
		need('data.command', 'string'),
	]),
	query_update: progressOf('query_update', '4.5.4', [need('data.query', 'string')]),
	search_results_received: progressOf('search_results_received', '4.5.4', [
		need('data.resultCount', 'number'),
		need('data.query', 'string'),
	]),
	waiting_for_task: progressOf('waiting_for_task', '4.5.5', [
		need('data.taskDescription', 'string'),
		need('data.taskType', 'string'),
	]),
});

const snapshot = table('file-history-snapshot', section('4.6'), [
	need('messageId', 'string'),
	need('snapshot', 'object'),
	need('snapshot.messageId', 'string'),
	need('snapshot.trackedFileBackups', 'object'),
	need('snapshot.timestamp', 'time'),
	need('isSnapshotUpdate', 'boolean'),
]);

const queueOperation = table('queue-operation', section('4.7'), [
	need('operation', 'string'),
	need('timestamp', 'time'),
	need('sessionId', 'string'),
]);

const prLink = table('pr-link', section('4.8'), [
	need('sessionId', 'string'),
	need('prNumber', 'integer'),
	need('prUrl', 'string'),
	need('prRepository', 'string'),
	need('timestamp', 'time'),
]);

/** The table for a newer kind of line, from what the client itself writes. */
const newer = (of: string, fields: readonly Field[]): CompiledTable =>
	table(
		of,
		'Claude Code 2.1.325',
		fields.map((field) => ({ ...field, profile: 'client' as const })),
	);

const newerTables: { readonly [type: string]: CompiledTable } = {
	attachment: newer('attachment', [need('attachment', 'object'), need('attachment.type', 'string')]),
	'last-prompt': newer('last-prompt', [need('leafUuid', 'string', 'null')]),
	'cost-state': newer('cost-state', [need('totalCostUSD', 'number'), need('modelUsage', 'object')]),
	'custom-title': newer('custom-title', [need('customTitle', 'string')]),
	'ai-title': newer('ai-title', [need('aiTitle', 'string')]),
	'agent-name': newer('agent-name', [need('agentName', 'string')]),
	'agent-color': newer('agent-color', [need('agentColor', 'string')]),
	tag: newer('tag', [need('tag', 'string', 'null')]),
	mode: newer('mode', [need('mode', 'string')]),
	'permission-mode': newer('permission-mode', [need('permissionMode', 'string')]),
	'tools-used': newer('tools-used', [need('tools', 'array')]),
	'atis-latch': newer('atis-latch', [need('atis', 'string')]),
	'api-request-shape': newer('api-request-shape', [need('shapeHash', 'string'), need('shape', 'object')]),
	'api-request-blob': newer('api-request-blob', [need('hash', 'string'), need('message', 'object')]),
	'api-request': newer('api-request', [need('id', 'string'), need('shapeHash', 'string'), need('tail', 'array')]),
	'file-history-delta': newer('file-history-delta', [
		need('messageId', 'string'),
		need('snapshotMessageId', 'string'),
		need('trackingPath', 'string'),
		need('backup', 'object'),
	]),
};

const blockOf = (type: string, fields: readonly Field[]): CompiledTable =>
	table(`block.${type}`, `${appendixA}, content block types`, fields);

export const blockTables = byName({
	text: blockOf('text', [vital(need('text', 'string'), rejected)]),
	tool_use: blockOf('tool_use', [
		vital(need('id', 'string'), rejected),
		vital(need('name', 'string'), rejected),
		vital(need('input', 'object'), rejected),
	]),
	tool_result: blockOf('tool_result', [
		vital(need('tool_use_id', 'string'), rejected),
		need('content', 'string', 'array'),
	]),
	thinking: blockOf('thinking', [
		vital(need('thinking', 'string'), rejected),
		vital(
			need('signature', 'string'),
			'Claude Code sends it as it is and the API rejects thinking without a signature',
		),
	]),
	redacted_thinking: blockOf('redacted_thinking', [vital(need('data', 'string'), rejected)]),
});

export const lineTables = byName({
	user,
	assistant,
	system,
	summary,
	progress,
	'file-history-snapshot': snapshot,
	'queue-operation': queueOperation,
	'pr-link': prLink,
	...newerTables,
});

export const systemTables = byName({
	compact_boundary: boundary,
	turn_duration: turnDuration,
	local_command: localCommand,
});

export const fieldRules: readonly Rule[] = [lineTables, systemTables, progressTables, blockTables].flatMap((tables) =>
	[...tables.values()].flatMap((table) => table.rules),
);
