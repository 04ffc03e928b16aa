/** Every rule that Claude Code's files are checked against, with severity and source; and how bad torn or unreadable lines are to its client. */
import type { Rule, Severity } from '../../../model/index.ts';
import type { FlawEffects } from '../../codec.ts';
import { flawRules } from '../../shared/check/flaws.ts';
import { rulesOf } from '../../shared/check/rules.ts';
import { fieldRules } from './field-tables.ts';

/** The effect of each flaw on Claude Code. */
export const flawEffects: FlawEffects = {
	torn: {
		severity: 'error',
		effect:
			'Claude Code drops the unfinished line, so its message is lost; end the file with a newline before appending',
	},
	'not-json': {
		severity: 'warning',
		effect: 'Claude Code skips the line; if it held a message, that message is lost',
	},
	'not-utf8': {
		severity: 'warning',
		effect: 'Claude Code reads replacement characters in place of these bytes',
	},
	'not-object': {
		severity: 'warning',
		effect: 'Claude Code 2.1.29 and older refuse the file or stop reading here; 2.1.325 skips the line',
	},
	bom: { severity: 'warning', effect: 'Claude Code ignores it' },
	'too-long': { severity: 'error', effect: 'Claude Code cannot read the line, so its message is lost' },
};

const client = 'Claude Code 2.1.29 and 2.1.325';
const api = "the model's API";
const section = (number: string): string => `session-protocol, §${number}`;

const rule = rulesOf('claude-code');
/** A rule about what the client itself does. */
const byClient = (id: string, severity: Severity, about: string): Rule => rule(id, severity, about, client);
/** A rule about a deviation from the document that has no other effect. */
const published = (id: string, about: string, number: string): Rule =>
	rule(id, 'warning', about, section(number), 'published');

const lineRules: readonly Rule[] = [
	byClient('type', 'error', 'Every line has a `type`; Claude Code skips a line without one, message or not.'),
	byClient('unknown-type', 'warning', 'A line has a type that Claude Code up to 2.1.325 writes.'),
	byClient('newer-version', 'warning', 'The file was written by a version whose format is known (2.0 or 2.1).'),
	rule('not-published', 'info', 'The document knows the line type.', section('4'), 'published'),
	byClient('assistant-string', 'warning', 'The content of a reply is a list of blocks; 2.1.29 refuses a string.'),
	byClient('empty-content', 'warning', 'A message has content; Claude Code skips one that is empty.'),
	rule('blank-text', 'warning', 'A text block of a reply is not blank: 2.1.29 sends it and the API rejects it.', api),
	byClient('block-object', 'warning', 'Every content block is an object; 2.1.29 refuses the file otherwise.'),
	rule('unknown-block', 'warning', 'A content block has a type that the API is known to accept.', api),
	rule('thinking-signature', 'warning', 'The signature of a thinking block is not empty.', api),
	rule('tool-id', 'error', 'A tool call id has at most 64 letters, digits, `_` and `-`.', api),
	published('one-block', 'A reply is written as one line per content block.', '10'),
	published('one-result', 'There is one line per tool result.', '4.1.3'),
	rule('stop-reason', 'info', 'A stop reason is one of the four that the document lists.', section('10'), 'published'),
	published('sidechain-agent', "A sub-agent's lines say which agent it is.", '8'),
	published('boundary-root', 'A compaction boundary has no parent.', '9'),
	rule('session-uuid', 'error', 'A session id is a UUID; `claude -p --resume` refuses others.', client, 'client'),
	published('session-ids', 'All lines of a file name the same session.', '3'),
];

const chainRules: readonly Rule[] = [
	byClient('no-messages', 'error', 'A session has at least one message; Claude Code does not find it otherwise.'),
	byClient('all-sidechain', 'error', "A session has messages that are not a sub-agent's."),
	byClient('message-uuid', 'error', 'Every message has a `uuid`; of several without one only the last is kept.'),
	byClient('message-id', 'error', 'Every reply has a `message.id`; replies without one are joined to one.'),
	byClient('duplicate-uuid', 'error', 'No two lines share a `uuid`; of two that do, the first is lost.'),
	rule('repeated-line', 'warning', 'No line is written twice.', section('1')),
	byClient('broken-parent', 'warning', 'The parent of a line is in the file; 2.1.29 loses what is before the gap.'),
	byClient(
		'lost-history',
		'warning',
		'The way back does not end at a missing parent; 2.1.325 finds another only within five seconds before.',
	),
	byClient('lost-record', 'error', 'No message of the chain is in a line that cannot be read.'),
	byClient('cycle', 'warning', 'No line is its own ancestor; 2.1.29 hangs.'),
	byClient('several-roots', 'error', 'One conversation has one root; what hangs on another is not sent.'),
	byClient('rewound-root', 'info', 'The first prompt was taken back and asked again.'),
	published('first-root', 'The first user message has `parentUuid: null`.', '5'),
	published('parent-order', 'A line comes after its parent.', '5'),
	published('progress-parent', 'Progress lines are no part of the graph.', '4.5'),
	byClient('unknown-link', 'warning', 'No line of an unknown type is a parent; 2.1.29 loses what is before it.'),
	published('block-chain', 'Each block of a reply follows the block before it.', '5'),
	published('result-chain', 'A tool result follows the last block or another result.', '5'),
	byClient('parallel-results', 'warning', 'Results of parallel calls are chained; 2.1.29 sends one branch only.'),
	byClient('leaf-choice', 'warning', 'The last line has the latest time; 2.1.29 continues after the latest.'),
	byClient('leaf-time', 'error', 'The last line of the conversation has a time; 2.1.325 refuses the file otherwise.'),
	rule(
		'stale-pointer',
		'error',
		'The last `last-prompt` names a line of the branch that goes on.',
		'Claude Code 2.1.325',
	),
	rule('branches', 'info', 'The file holds branches that are not continued.', section('5')),
	published('request-group', 'Lines with one `message.id` share a `requestId`.', '10'),
	byClient('response-split', 'warning', 'Lines with one `requestId` share a `message.id`, by which they are joined.'),
	rule('summary-leaf', 'info', 'A summary names a line of this file.', section('4.4'), 'published'),
	rule('compaction-summary', 'error', 'A boundary is followed by its summary as a user line.', client, 'client'),
	rule('unanswered-call', 'error', 'Every tool call has a result before the conversation goes on.', api),
	byClient('interrupted', 'warning', 'The session does not end while tool calls are open.'),
	byClient('orphan-result', 'error', 'Every tool result answers a call; Claude Code drops others.'),
	rule('repeated-result', 'warning', 'Every call has one result; 2.1.29 sends both and the API rejects them.', api),
	rule('repeated-call', 'error', 'No two calls of a conversation share an id.', api),
];

export const rules: readonly Rule[] = [
	...flawRules('claude-code', flawEffects),
	...fieldRules,
	...lineRules,
	...chainRules,
];
