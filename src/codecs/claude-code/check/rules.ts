/** Every rule of this format's validation, with what must hold and where that comes from. */
import type { Profile, Rule, Severity } from '../../../model/index.ts';
import { flawRules } from '../../shared/check/flaws.ts';
import { fieldRules } from './field-tables.ts';
import { flawEffects } from './flaw-effects.ts';

const client = 'Claude Code 2.1.29 and 2.1.325';
const api = "the model's API";
const section = (number: string): string => `session-protocol, §${number}`;

const rule = (id: string, severity: Severity, about: string, source: string, profile?: Profile): Rule => ({
	id: `claude-code/${id}`,
	severity,
	about,
	source,
	...(profile ? { profile } : {}),
});

const lineRules: readonly Rule[] = [
	rule('type', 'error', 'Every line has a `type`; Claude Code skips a line without one, message or not.', client),
	rule('unknown-type', 'warning', 'A line has a type that Claude Code up to 2.1.325 writes.', client),
	rule('newer-version', 'warning', 'The file was written by a version whose format is known (2.0 or 2.1).', client),
	rule('not-published', 'info', 'The document knows the line type.', section('4'), 'published'),
	rule('assistant-string', 'warning', 'The content of a reply is a list of blocks; 2.1.29 refuses a string.', client),
	rule('empty-content', 'warning', 'A message has content; Claude Code skips one that is empty.', client),
	rule('blank-text', 'warning', 'A text block of a reply is not blank: 2.1.29 sends it and the API rejects it.', api),
	rule('block-object', 'warning', 'Every content block is an object; 2.1.29 refuses the file otherwise.', client),
	rule('unknown-block', 'warning', 'A content block has a type that the API is known to accept.', api),
	rule('thinking-signature', 'warning', 'The signature of a thinking block is not empty.', api),
	rule('tool-id', 'error', 'A tool call id has at most 64 letters, digits, `_` and `-`.', api),
	rule('one-block', 'warning', 'A reply is written as one line per content block.', section('10'), 'published'),
	rule('one-result', 'warning', 'There is one line per tool result.', section('4.1.3'), 'published'),
	rule('stop-reason', 'info', 'A stop reason is one of the four that the document lists.', section('10'), 'published'),
	rule('sidechain-agent', 'warning', "A sub-agent's lines say which agent it is.", section('8'), 'published'),
	rule('boundary-root', 'warning', 'A compaction boundary has no parent.', section('9'), 'published'),
	rule('session-uuid', 'error', 'A session id is a UUID; `claude -p --resume` refuses others.', client, 'client'),
	rule('session-ids', 'warning', 'All lines of a file name the same session.', section('3'), 'published'),
];

const chainRules: readonly Rule[] = [
	rule('no-messages', 'error', 'A session has at least one message; Claude Code does not find it otherwise.', client),
	rule('all-sidechain', 'error', "A session has messages that are not a sub-agent's.", client),
	rule('message-uuid', 'error', 'Every message has a `uuid`; of several without one only the last is kept.', client),
	rule('message-id', 'error', 'Every reply has a `message.id`; replies without one are joined to one.', client),
	rule('duplicate-uuid', 'error', 'No two lines share a `uuid`; of two that do, the first is lost.', client),
	rule('repeated-line', 'warning', 'No line is written twice.', section('1')),
	rule('broken-parent', 'warning', 'The parent of a line is in the file; 2.1.29 loses what is before the gap.', client),
	rule(
		'lost-history',
		'warning',
		'The way back does not end at a missing parent; 2.1.325 finds another only within five seconds before.',
		client,
	),
	rule('lost-record', 'error', 'No message of the chain is in a line that cannot be read.', client),
	rule('cycle', 'warning', 'No line is its own ancestor; 2.1.29 hangs.', client),
	rule('several-roots', 'error', 'One conversation has one root; what hangs on another is not sent.', client),
	rule('rewound-root', 'info', 'The first prompt was taken back and asked again.', client),
	rule('first-root', 'warning', 'The first user message has `parentUuid: null`.', section('5'), 'published'),
	rule('parent-order', 'warning', 'A line comes after its parent.', section('5'), 'published'),
	rule('progress-parent', 'warning', 'Progress lines are no part of the graph.', section('4.5'), 'published'),
	rule('unknown-link', 'warning', 'No line of an unknown type is a parent; 2.1.29 loses what is before it.', client),
	rule('block-chain', 'warning', 'Each block of a reply follows the block before it.', section('5'), 'published'),
	rule('result-chain', 'warning', 'A tool result follows the last block or another result.', section('5'), 'published'),
	rule('parallel-results', 'warning', 'Results of parallel calls are chained; 2.1.29 sends one branch only.', client),
	rule('leaf-choice', 'warning', 'The last line has the latest time; 2.1.29 continues after the latest.', client),
	rule(
		'leaf-time',
		'error',
		'The last line of the conversation has a time; 2.1.325 refuses the file otherwise.',
		client,
	),
	rule(
		'stale-pointer',
		'error',
		'The last `last-prompt` names a line of the branch that goes on.',
		'Claude Code 2.1.325',
	),
	rule('branches', 'info', 'The file holds branches that are not continued.', section('5')),
	rule('request-group', 'warning', 'Lines with one `message.id` share a `requestId`.', section('10'), 'published'),
	rule(
		'response-split',
		'warning',
		'Lines with one `requestId` share a `message.id`, by which they are joined.',
		client,
	),
	rule('summary-leaf', 'info', 'A summary names a line of this file.', section('4.4'), 'published'),
	rule('compaction-summary', 'error', 'A boundary is followed by its summary as a user line.', client, 'client'),
	rule('unanswered-call', 'error', 'Every tool call has a result before the conversation goes on.', api),
	rule('interrupted', 'warning', 'The session does not end while tool calls are open.', client),
	rule('orphan-result', 'error', 'Every tool result answers a call; Claude Code drops others.', client),
	rule('repeated-result', 'warning', 'Every call has one result; 2.1.29 sends both and the API rejects them.', api),
	rule('repeated-call', 'error', 'No two calls of a conversation share an id.', api),
];

export const rules: readonly Rule[] = [
	...flawRules('claude-code', flawEffects),
	...fieldRules,
	...lineRules,
	...chainRules,
];
