/** Responses of a pi or OpenClaw session: one line each, with the dollars that the client recorded. */
import { isObject } from '../../../model/index.ts';
import { dollars, type FieldRow, tokens, type UsageRules, type UsageSink } from '../../shared/places/usage.ts';
import { valueAt } from '../../shared/read/line-index.ts';

const counts = ['input', 'output', 'cacheRead', 'cacheWrite', 'cacheWrite1h', 'cost.total'];
const line = ['type', 'id', 'timestamp', 'cwd'];
/**
 * The fields of a message: under `message` in a line of the client, at the top of a bare one. The counts of a bare one are not
 * among them: such lines are rare, and what is looked for takes its time in every line.
 */
const message = ['role', 'provider', 'model', 'responseId', 'stopReason', 'usage'];
const fields = [...message, ...counts.map((name) => `usage.${name}`)].map((name) => `message.${name}`);

const type = 0;
const id = 1;
const timestamp = 2;
const cwd = 3;
const wrapped = line.length;
const messageTime = wrapped + fields.length;
const bare = messageTime + 1;
/** Offsets within either group. */
const role = 0;
const provider = 1;
const model = 2;
const responseId = 3;
const stopReason = 4;
const spent = 5;
const firstCount = 6;

export const usage: UsageRules = {
	fields: [...line, ...fields, 'message.timestamp', ...message],
	// Results of tools are most of a session, and seldom one of them has spent tokens of its own.
	gate: { path: 'message.role', values: ['assistant'], unless: '"usage"' },
	visitor: (sink) => ({
		visit(row) {
			if (row.is(type, 'message')) visitMessage(row, wrapped, sink);
			else if (row.is(type, 'session')) {
				const folder = row.text(cwd);
				if (folder) sink.cwd(folder);
			} else if (!row.has(type)) visitMessage(row, bare, sink);
			else if (row.has(bare + spent)) spend(row, bare, sink, 0);
		},
	}),
};

/** Replies count as responses; the tokens that a tool spent count without being one. */
function visitMessage(row: FieldRow, group: number, sink: UsageSink): void {
	if (row.is(group + role, 'assistant')) {
		if (row.is(group + stopReason, 'error')) {
			sink.rejected({ at: row.at, line: row.line, time: timeOfRow(row), why: 'error' });
		} else spend(row, group, sink, 1);
	} else if (row.is(group + role, 'toolResult') && row.has(group + spent)) spend(row, group, sink, 0);
}

function spend(row: FieldRow, group: number, sink: UsageSink, responses: 0 | 1): void {
	const time = timeOfRow(row);
	const told = group === wrapped ? (index: number) => row.number(wrapped + firstCount + index) : bareCounts(row);
	const count = (index: number) => tokens(told(index));
	const cacheWrite1h = count(4);
	const costUsd = dollars(told(5));
	const amounts = {
		input: count(0),
		output: count(1),
		cacheRead: count(2),
		cacheWrite5m: Math.max(0, count(3) - cacheWrite1h),
		cacheWrite1h,
	};
	sink.seen({
		key: keyOf(row, group, time, amounts),
		at: row.at,
		line: row.line,
		request: undefined,
		time,
		model: row.text(group + model),
		provider: row.text(group + provider),
		usage: amounts,
		// A client without a price for the model writes zero, which is not what the response cost.
		costUsd: costUsd || undefined,
		responses,
	});
}

function bareCounts(row: FieldRow): (index: number) => number | undefined {
	const usage = row.json(bare + spent);
	return (index) => {
		const value = isObject(usage) ? valueAt(usage, counts[index] ?? '') : undefined;
		return typeof value === 'number' ? value : undefined;
	};
}

/** Shorter ids are not unique: some local servers count to a thousand and begin again. */
const uniqueLength = 20;

/** A fork keeps the ids and times of the lines it copies. Ids of lines are short, so the time belongs to them. */
function keyOf(row: FieldRow, group: number, time: number | undefined, amounts: object): string {
	const response = row.text(group + responseId);
	if (response !== undefined && response.length >= uniqueLength) return response;
	const own = row.text(id);
	// As text where it is one: making millions of numbers into texts would take longer than all the rest.
	if (own !== undefined) return `line ${own} ${row.text(timestamp) ?? time}`;
	return `bare ${time} ${Object.values(amounts).join(' ')}`;
}

/** A line's own time is ISO; that of a message is in milliseconds, and a bare line has only that. */
function timeOfRow(row: FieldRow): number | undefined {
	return row.time(timestamp) ?? row.number(timestamp) ?? row.number(messageTime);
}
