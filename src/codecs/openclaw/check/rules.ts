/** Every rule that files of pi and OpenClaw are checked against, with severity and source; and how bad unreadable lines are to the clients. */
import type { Rule, Severity } from '../../../model/index.ts';
import type { FlawEffects, Report } from '../../codec.ts';
import { flawRules, reportFlaws } from '../../shared/check/flaws.ts';
import { rulesOf } from '../../shared/check/rules.ts';
import type { Line } from '../../shared/read/line.ts';
import { tableRules } from './field-tables.ts';

/** The effect of each flaw on pi and OpenClaw. */
const flawEffects: FlawEffects = {
	torn: {
		severity: 'error',
		effect:
			'the client skips it; pi before 0.84.4 also loses the next line, which it writes onto the end of this one. Finish or remove the line',
	},
	'not-json': { severity: 'error', effect: 'the client skips it without a word, so what it held is lost' },
	'not-utf8': { severity: 'warning', effect: 'the client reads such bytes as replacement characters' },
	'not-object': {
		severity: 'error',
		effect:
			'pi takes it for an entry without id: as the last line it hides the whole conversation, and a file of version 1 fails to load. Remove the line',
	},
	bom: { severity: 'error', effect: 'the client cannot read the first line, so it refuses the file. Remove the mark' },
	'too-long': { severity: 'error', effect: 'the client cannot load the file' },
};

/** Reports the flaws of a line. `null`, `false`, `0` and `""` do no harm: unlike other values, pi ignores them. */
export function reportLine(line: Line, report: Report): void {
	if (line.flaws.length === 0) return;
	const harmless = line.value === undefined && line.other !== undefined && !line.other;
	if (!harmless) {
		reportFlaws('openclaw', flawEffects, line, report);
		return;
	}
	reportFlaws('openclaw', flawEffects, { ...line, flaws: line.flaws.filter((flaw) => flaw !== 'not-object') }, report);
	report('openclaw/empty-value', 'this line holds no object but an empty value: the client skips it', { at: line });
}

const rule = rulesOf('openclaw');
/** A rule that matters to the clients alone. */
const client = (id: string, severity: Severity, about: string): Rule => rule(id, severity, about, 'client', 'client');

const fileRules: readonly Rule[] = [
	client('bare', 'error', 'The clients need a header line; a file of bare messages alone they refuse.'),
	rule(
		'bare-line',
		'error',
		'Below a header every message is wrapped in a line of its own type; bare ones are ignored.',
		'client',
	),
	client('header-first', 'error', 'The first line that can be read is the session header.'),
	client('header-id', 'error', 'The session header has an `id`.'),
	rule('header-repeated', 'warning', 'A file has one session header.', 'client'),
	rule('header-version', 'warning', 'The version of the header is one that Reprise knows (1 to 4).', 'client'),
	client('header-old', 'info', 'pi rewrites files of versions 1 and 2 in place when it opens them.'),
	client('header-far', 'warning', 'The session header ends within the first megabyte, or pi does not list the file.'),
	rule(
		'wrapped',
		'warning',
		'The document describes bare `AgentMessage` lines, without header and entry tree.',
		'document 6',
		'published',
	),
	client('line-type', 'info', 'The type of a line is one that the clients know.'),
];

const lineRules: readonly Rule[] = [
	rule('empty-value', 'warning', 'A line is a JSON object, not `null` or another empty value.', 'client'),
];

const chainRules: readonly Rule[] = [
	client('id-missing', 'error', 'From version 2 on every line has an `id`.'),
	client('id-repeated', 'error', 'No two lines share an `id`.'),
	client('parent-invalid', 'error', '`parentId` is the id of a line, or null for the first one.'),
	client('parent-missing', 'error', 'The line that `parentId` names is in the file.'),
	client('first-parent', 'warning', 'The first line of the conversation follows none.'),
	client('parent-cycle', 'error', 'Following `parentId` ends at a first line.'),
	client(
		'compaction-kept',
		'error',
		'`firstKeptEntryId` names a line on the way to the compaction, or the compaction itself.',
	),
	client('target-unknown', 'warning', 'The line that `targetId` names is in the file.'),
];

const messageRules: readonly Rule[] = [
	rule('message-missing', 'error', 'A line of type `message` has a `message` object.', 'client'),
	rule('role-missing', 'error', 'A message has a `role`.', 'document 1'),
	rule(
		'role-unknown',
		'warning',
		'A role that only an application knows is not sent to a model.',
		'document 1',
		'client',
	),
	client('hook-message', 'error', 'The role `hookMessage` exists only in files of versions 1 and 2.'),
	rule('content-shape', 'error', "`content` is an array of blocks; a user's may be a string.", 'document 3'),
	rule('block-object', 'error', 'Every content block is an object.', 'document 2'),
	rule('block-type', 'warning', 'A block of a reply has a type of the document.', 'document 2'),
	rule('block-unsendable', 'error', 'User messages and tool results have only text and images.', 'document 3'),
	rule(
		'block-place',
		'warning',
		'A reply has text, thinking and tool calls, and nothing else.',
		'document 3.2',
		'published',
	),
	client('signature-json', 'error', 'With OpenAI Responses a thinking signature is a reasoning item in JSON.'),
	rule('usage-total', 'warning', '`totalTokens` is input and output, or all four counts together.', 'document 4'),
	rule('usage-cost', 'warning', '`cost.total` is the sum of the parts, where there are parts.', 'document 4'),
];

const pairRules: readonly Rule[] = [
	rule('call-unanswered', 'warning', 'Every tool call has a result before the conversation goes on.', "model's API"),
	rule('call-repeated', 'error', "No two tool calls share an `id` where Anthropic's API is used.", "model's API"),
	rule('call-reused', 'warning', 'No two tool calls of a conversation share an `id`.', "model's API"),
	rule('result-orphan', 'error', 'Every tool result answers a call before it.', 'document 3.3'),
	rule('result-late', 'error', 'A tool result comes right after the reply that made the call.', "model's API"),
	rule('result-repeated', 'error', 'A tool call has one result.', "model's API"),
];

export const rules: readonly Rule[] = [
	...flawRules('openclaw', flawEffects),
	...lineRules,
	...fileRules,
	...chainRules,
	...messageRules,
	...pairRules,
	...tableRules,
];
