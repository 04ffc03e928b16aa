/** Responses of a pi or OpenClaw session: one line each, with the dollars that the client recorded. */
import { type Row, rowReader } from '../rows.ts';
import { type CostSink, dollars, type ReadCosts, timeOf, tokens } from './sighting.ts';

const counts = ['input', 'output', 'cacheRead', 'cacheWrite', 'cacheWrite1h', 'cost.total'];
const line = ['type', 'id', 'timestamp', 'cwd'];
/** The fields of a message: under `message` in a line of the client, at the top of a bare one. */
const message = ['role', 'provider', 'model', 'responseId', 'stopReason', 'usage'];
const fields = [...message, ...counts.map((name) => `usage.${name}`)];
const paths = [...line, ...fields.map((name) => `message.${name}`), 'message.timestamp', ...fields];

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
const usage = 5;
const firstCount = 6;

export function openclawCosts(): ReadCosts {
	const rows = rowReader(paths);
	return (source, sink, from = { at: 0 }) => {
		const visit = (row: Row): void => {
			if (row.is(type, 'message')) visitMessage(row, wrapped, sink);
			else if (row.is(type, 'session')) {
				const folder = row.text(cwd);
				if (folder) sink.cwd(folder);
			} else if (!row.has(type)) visitMessage(row, bare, sink);
			else if (row.has(bare + usage)) spend(row, bare, sink, 0);
		};
		return { at: rows.read(source, visit, { from: from.at }) };
	};
}

/** Replies count as responses; the tokens that a tool spent count without being one. */
function visitMessage(row: Row, group: number, sink: CostSink): void {
	if (row.is(group + role, 'assistant')) {
		if (row.is(group + stopReason, 'error')) {
			sink.rejected({ at: row.at, line: row.line, time: timeOfRow(row), why: 'error' });
		} else spend(row, group, sink, 1);
	} else if (row.is(group + role, 'toolResult') && row.has(group + usage)) spend(row, group, sink, 0);
}

function spend(row: Row, group: number, sink: CostSink, responses: 0 | 1): void {
	const time = timeOfRow(row);
	const count = (index: number) => tokens(row.number(group + firstCount + index));
	const cacheWrite1h = count(4);
	const costUsd = dollars(row.number(group + firstCount + 5));
	const spent = {
		input: count(0),
		output: count(1),
		cacheRead: count(2),
		cacheWrite5m: Math.max(0, count(3) - cacheWrite1h),
		cacheWrite1h,
	};
	sink.seen({
		key: keyOf(row, group, time, spent),
		at: row.at,
		line: row.line,
		request: undefined,
		time,
		model: row.text(group + model),
		provider: row.text(group + provider),
		usage: spent,
		// A client without a price for the model writes zero, which is not what the response cost.
		costUsd: costUsd || undefined,
		responses,
	});
}

/** Shorter ids are not unique: some local servers count to a thousand and begin again. */
const uniqueLength = 20;

/** A fork keeps the ids and times of the lines it copies. Ids of lines are short, so the time belongs to them. */
function keyOf(row: Row, group: number, time: number | undefined, spent: object): string {
	const response = row.text(group + responseId);
	if (response !== undefined && response.length >= uniqueLength) return response;
	const own = row.text(id);
	if (own !== undefined) return `line ${own} ${time}`;
	return `bare ${time} ${Object.values(spent).join(' ')}`;
}

/** A line's own time is ISO; that of a message is in milliseconds, and a bare line has only that. */
function timeOfRow(row: Row): number | undefined {
	return timeOf(row.text(timestamp)) ?? row.number(timestamp) ?? row.number(messageTime);
}
