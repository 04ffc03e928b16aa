/** Every rule that Clido's files are checked against: fields with their types and largest numbers, severities, and how bad unreadable lines are to its client. */
import type { Rule } from '../../../model/index.ts';
import type { FlawEffects } from '../../codec.ts';
import { type CompiledTable, type Field, type Kind, may, need, tablesOf, vital } from '../../shared/check/fields.ts';
import { flawRules } from '../../shared/check/flaws.ts';
import { rulesOf } from '../../shared/check/rules.ts';
import type { ContentBlock, LineType } from '../lines.ts';

/** Clido loads all lines or none. */
export const refuses = 'Clido refuses to load the whole session because of this line';
const strictly = 'Clido loads the session but refuses to resume it';
const refused = { severity: 'error', effect: refuses } as const;

export const flawEffects: FlawEffects = {
	torn: { severity: 'error', effect: `${refuses}; remove the unfinished line` },
	'not-json': { severity: 'error', effect: `${refuses}; remove or mend it` },
	'not-utf8': refused,
	'not-object': refused,
	bom: { severity: 'error', effect: `${refuses}; save the file without the mark` },
	'too-long': { severity: 'warning', effect: 'Clido may load it; Reprise keeps its bytes and cannot look inside' },
};

const required = (path: string, ...is: readonly Kind[]): Field => vital(need(path, ...is), refuses);
const optional = (path: string, is: Kind): Field => vital(may(path, is, 'null'), refuses);
const inBlock = (path: string, is: Kind): Field => vital(need(path, is), strictly);

const clidoTable = tablesOf('clido');
const table = (of: string, section: string, fields: readonly Field[]): CompiledTable =>
	clidoTable(of, `${section}; the client`, fields);

export const lineTables: { readonly [T in LineType]: CompiledTable } = {
	meta: table('meta', 'document, meta', [
		required('session_id', 'string'),
		required('schema_version', 'integer'),
		required('start_time', 'string'),
		required('project_path', 'string'),
	]),
	user_message: table('user_message', 'document, user_message', [
		required('role', 'string'),
		required('content', 'array'),
	]),
	assistant_message: table('assistant_message', 'document, assistant_message', [required('content', 'array')]),
	tool_call: table('tool_call', 'document, tool_call', [
		required('tool_use_id', 'string'),
		required('tool_name', 'string'),
		required('input', 'any'),
	]),
	tool_result: table('tool_result', 'document, tool_result', [
		required('tool_use_id', 'string'),
		required('content', 'string'),
		required('is_error', 'boolean'),
		optional('duration_ms', 'integer'),
		optional('path', 'string'),
		optional('content_hash', 'string'),
		optional('mtime_nanos', 'integer'),
	]),
	system: table('system', 'document, system', [required('subtype', 'string'), optional('message', 'string')]),
	result: table('result', 'document, result', [
		required('exit_status', 'string'),
		required('total_cost_usd', 'number'),
		required('num_turns', 'integer'),
		required('duration_ms', 'integer'),
	]),
	title: table('title', 'the client alone', [required('title', 'string')]),
};

export const blockTables: { readonly [T in ContentBlock['type']]: CompiledTable } = {
	text: table('block.text', 'document, content blocks', [inBlock('text', 'string')]),
	tool_use: table('block.tool_use', 'document, content blocks', [
		inBlock('id', 'string'),
		inBlock('name', 'string'),
		inBlock('input', 'any'),
	]),
	tool_result: table('block.tool_result', 'document, content blocks', [
		inBlock('tool_use_id', 'string'),
		inBlock('content', 'string'),
		inBlock('is_error', 'boolean'),
	]),
	thinking: table('block.thinking', 'the client alone', [inBlock('thinking', 'string')]),
	image: table('block.image', 'the client alone', [inBlock('media_type', 'string'), inBlock('base64_data', 'string')]),
};

/** Rules that the client applies only on resume; it loads and lists a session that breaks them. */
export const resumeRules: ReadonlySet<string> = new Set([
	'clido/block-type',
	...Object.values(blockTables).flatMap((compiled) => compiled.rules.map(({ id }) => id)),
]);

/** The fields that must be whole numbers, with the largest value that the client takes. */
export const integerFields: { readonly [T in LineType]?: readonly (readonly [string, bigint])[] } = {
	meta: [['schema_version', 0xffff_ffffn]],
	tool_result: [
		['duration_ms', 0xffff_ffff_ffff_ffffn],
		['mtime_nanos', 0xffff_ffff_ffff_ffffn],
	],
	result: [
		['num_turns', 0xffff_ffffn],
		['duration_ms', 0xffff_ffff_ffff_ffffn],
	],
};

const rule = rulesOf('clido');
/** A rule about a deviation from the document that has no other effect. */
const published = (id: string, about: string, of: string): Rule =>
	rule(`published/${id}`, 'warning', about, `document, ${of}`, 'published');

const clientRules: readonly Rule[] = [
	rule('line-type', 'error', 'Every line has a `type` that the client knows.', 'the client'),
	rule('schema-version', 'error', 'A file of a newer schema than 1 is not loaded.', 'the client'),
	rule('duplicate-key', 'error', 'No known field of a line is given twice.', 'the client'),
	rule('lone-surrogate', 'error', 'No text has half of a surrogate pair as an escape.', 'the client'),
	rule('number-range', 'error', 'Every number fits a double.', 'the client'),
	rule('too-deep', 'error', 'A line is nested at most 127 levels deep.', 'the client'),
	rule('block-type', 'error', 'Every content block has a type that the client knows.', 'the client'),
	rule('meta-first', 'warning', 'The first line is `meta`; other files are not listed.', 'document, meta; the client'),
	rule('call-unanswered', 'warning', 'Every tool call has a result.', 'the client; the model API'),
	rule('call-repeated', 'warning', 'No two tool calls share an id.', 'the model API'),
	rule(
		'result-orphan',
		'warning',
		'Every tool result answers a call before it.',
		'document, tool_result; the model API',
	),
	rule('result-repeated', 'warning', 'Every tool call has one result.', 'the model API'),
	rule('result-late', 'warning', 'A tool result comes before the next message.', 'the client; the model API'),
	rule('empty-message', 'warning', 'A message says something.', 'the model API'),
	rule('not-listed', 'warning', 'A session has a turn; the client lists no other.', 'the client', 'client'),
	rule('hash-bare', 'warning', '`content_hash` is 64 hex digits without a prefix.', 'the client', 'client'),
	rule('path-resolved', 'warning', '`path` of a result is absolute.', 'the client', 'client'),
	rule('stale-fields', 'info', 'With `content_hash` come `path` and `mtime_nanos`.', 'the client', 'client'),
	rule('exit-word', 'warning', '`exit_status` is a word of the client.', 'the client', 'client'),
];

const publishedRules: readonly Rule[] = [
	published('session-id', '`session_id` is 32 hex digits, no hyphens.', 'meta'),
	published('schema-version', '`schema_version` is 1.', 'meta'),
	published('start-time', '`start_time` is ISO 8601 in UTC, with `Z`.', 'meta'),
	published('project-path', '`project_path` is absolute.', 'meta'),
	published('meta-once', 'Only the first line is `meta`.', 'meta'),
	published('role', '`role` is "user".', 'user_message'),
	published('null-field', 'A field without a value is left out.', 'tool_result'),
	published('hash', '`content_hash` is `sha256:<hex>`.', 'tool_result'),
	published('subtype', '`subtype` is one of the four words.', 'system'),
	published('exit-status', '`exit_status` is one of the five words.', 'result'),
	published('result-last', 'A `result` is the last line; a session that went on has one per run.', 'result'),
	published('title', 'There are seven types of lines; `title` is none.', 'line types'),
	published('block-type', 'Blocks are text, tool_use, tool_result.', 'content blocks'),
	published(
		'block-place',
		'`tool_use` stands in assistant messages only, `tool_result` in user messages only.',
		'content blocks',
	),
	published('call-indexed', 'Each tool use has its `tool_call` line.', 'tool_call'),
	published('call-known', 'Each `tool_call` repeats a tool use.', 'tool_call'),
];

export const rules: readonly Rule[] = [
	...flawRules('clido', flawEffects),
	...clientRules,
	...Object.values(lineTables).flatMap((compiled) => compiled.rules),
	...Object.values(blockTables).flatMap((compiled) => compiled.rules),
	...publishedRules,
];
