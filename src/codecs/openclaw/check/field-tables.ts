/** Which fields messages, blocks and lines of pi and OpenClaw need, of which type, by the document (sections 2 to 4) and by the clients. */
import { type Field, may, need, oneOf, tablesOf, vital } from '../../shared/check/fields.ts';

const table = tablesOf('openclaw');

const fails = 'every later request of the session fails';
const refused = "the model's API refuses the conversation";

/** Section 2: content blocks. A block without its content breaks the request that it is sent in. */
export const blockTables = {
	text: table('text', 'document 2.1', [vital(need('text', 'string'), fails), may('textSignature', 'string')]),
	thinking: table('thinking', 'document 2.2', [
		{ ...need('thinking', 'string'), effect: 'the client leaves the block out' },
		may('thinkingSignature', 'string'),
	]),
	image: table('image', 'document 2.3', [
		vital(need('data', 'string'), refused),
		vital(need('mimeType', 'string'), refused),
	]),
	toolCall: table('toolCall', 'document 2.4', [
		vital(need('id', 'string'), refused),
		vital(need('name', 'string'), refused),
		vital(need('arguments', 'object'), refused),
		may('thoughtSignature', 'string'),
	]),
};

/** Section 3: messages. pi resumes without most of these fields, so a missing one is only a deviation. */
export const messageTables = {
	user: table('user', 'document 3.1', [need('content', 'string', 'array'), need('timestamp', 'number')]),
	assistant: table('assistant', 'document 3.2', [
		need('content', 'array'),
		need('api', 'string'),
		need('provider', 'string'),
		need('model', 'string'),
		need('usage', 'object'),
		oneOf('stopReason', 'stop', 'length', 'toolUse', 'error', 'aborted'),
		may('errorMessage', 'string'),
		need('timestamp', 'number'),
	]),
	toolResult: table('toolResult', 'document 3.3', [
		vital(need('toolCallId', 'string'), `it answers no call, so ${refused}`),
		need('toolName', 'string'),
		need('content', 'array'),
		need('isError', 'boolean'),
		need('timestamp', 'number'),
	]),
};

/** Section 4: usage. */
export const usageTable = table('usage', 'document 4', [
	need('input', 'number'),
	need('output', 'number'),
	need('cacheRead', 'number'),
	need('cacheWrite', 'number'),
	need('totalTokens', 'number'),
	need('cost', 'object'),
	need('cost.input', 'number'),
	need('cost.output', 'number'),
	need('cost.cacheRead', 'number'),
	need('cost.cacheWrite', 'number'),
	need('cost.total', 'number'),
]);

const client = (field: Field): Field => ({ ...field, profile: 'client' });
const lineTable = (of: string, fields: readonly Field[]) => table(of, 'client', fields.map(client));

/** The header, and the fields of each line type beside `type`, `id` and `parentId`. */
export const headerTable = lineTable('session', [
	may('version', 'number'),
	{ ...need('timestamp', 'time'), effect: 'the client cannot tell how old the session is' },
	{ ...need('cwd', 'string'), effect: 'pi takes the current folder instead' },
	may('parentSession', 'string'),
]);

export const timeTable = lineTable('line', [need('timestamp', 'time')]);

export const lineTables: { readonly [type: string]: ReturnType<typeof lineTable> | undefined } = {
	model_change: lineTable('model_change', [need('provider', 'string'), need('modelId', 'string')]),
	thinking_level_change: lineTable('thinking_level_change', [need('thinkingLevel', 'string')]),
	active_tools_change: lineTable('active_tools_change', [need('activeToolNames', 'array')]),
	compaction: lineTable('compaction', [
		{ ...need('summary', 'string'), effect: 'the model gets no summary of what was cut' },
		need('tokensBefore', 'number'),
	]),
	branch_summary: lineTable('branch_summary', [
		need('fromId', 'string'),
		{
			...need('summary', 'string'),
			effect: 'the client leaves the line out',
		},
	]),
	custom: lineTable('custom', [need('customType', 'string')]),
	custom_message: lineTable('custom_message', [need('customType', 'string'), need('display', 'boolean')]),
	label: lineTable('label', [need('targetId', 'string'), may('label', 'string')]),
	session_info: lineTable('session_info', [need('name', 'string')]),
	usage: lineTable('usage_line', [
		need('kind', 'string'),
		need('provider', 'string'),
		need('model', 'string'),
		need('usage', 'object'),
	]),
	context_edit: lineTable('context_edit', [
		need('targetId', 'string'),
		vital(need('replacement', 'object', 'null'), fails),
	]),
	leaf: lineTable('leaf', [need('targetId', 'string', 'null')]),
};

/** Roles that pi adds to those of the document. */
export const roleTables: { readonly [role: string]: ReturnType<typeof lineTable> | undefined } = {
	system: lineTable('system', [
		need('content', 'string', 'array'),
		may('sections', 'object'),
		need('timestamp', 'number'),
	]),
	bashExecution: lineTable('bashExecution', [
		need('command', 'string'),
		need('output', 'string'),
		may('exitCode', 'number', 'null'),
		need('cancelled', 'boolean'),
		need('truncated', 'boolean'),
	]),
	custom: lineTable('custom_role', [need('customType', 'string'), need('display', 'boolean')]),
	branchSummary: lineTable('branchSummary', [need('summary', 'string')]),
	compactionSummary: lineTable('compactionSummary', [need('summary', 'string')]),
};

export const tableRules = [
	...Object.values(blockTables),
	...Object.values(messageTables),
	usageTable,
	headerTable,
	timeTable,
	...Object.values(lineTables),
	...Object.values(roleTables),
].flatMap((compiled) => compiled?.rules ?? []);
