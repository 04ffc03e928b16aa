/** Finds the responses of a pi or OpenClaw session: one line each, with the dollars that the client recorded. */
import { isObject } from '../../../model/index.ts';
import { dollars, type FieldRow, tokens, type UsageRules, type UsageSink } from '../../shared/places/usage.ts';
import { valueAt } from '../../shared/read/line-index.ts';

const counts = ['input', 'output', 'cacheRead', 'cacheWrite', 'cacheWrite1h', 'cost.total'];
const line = ['type', 'id', 'timestamp', 'cwd'];
/**
 * The fields of a message: under `message` in a client's line, at the top of a bare one. The counts of a bare one are
 * left out: such lines are rare, and every field costs time in every line.
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
/** Offsets of fields within either group. */
const role = 0;
const provider = 1;
const model = 2;
const responseId = 3;
const stopReason = 4;
const spent = 5;
const firstCount = 6;

export const usage: UsageRules = {
	fields: [...line, ...fields, 'message.timestamp', ...message],
	// Tool results are most of a session, and few have spent tokens of their own.
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

/** Visits a message. Replies count as responses; tokens that a tool spent count without being one. */
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
		// A client without a price for the model writes zero, which is not the real cost.
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

/** The key of a response. A fork keeps ids and times of its lines; ids are short, so the time is part of the key. */
function keyOf(row: FieldRow, group: number, time: number | undefined, amounts: object): string {
	const response = row.text(group + responseId);
	if (response !== undefined && response.length >= uniqueLength) return response;
	const own = row.text(id);
	// The time as text where possible: converting millions of numbers would take longer than all the rest.
	if (own !== undefined) return `line ${own} ${row.text(timestamp) ?? time}`;
	return `bare ${time} ${Object.values(amounts).join(' ')}`;
}

/** The time of a row: a line's is ISO, a message's is in milliseconds, and a bare line has only the latter. */
function timeOfRow(row: FieldRow): number | undefined {
	return row.time(timestamp) ?? row.number(timestamp) ?? row.number(messageTime);
}
