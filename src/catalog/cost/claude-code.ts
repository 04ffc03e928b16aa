/** Responses of a Claude Code session: several lines each, found by scanning. */
import { type Row, rowReader } from '../rows.ts';
import { type CostSink, dollars, type ReadCosts, timeOf, tokens } from './sighting.ts';

const type = 0;
const uuid = 1;
const timestamp = 2;
const requestId = 3;
const apiError = 4;
const recordedCost = 5;
const cwd = 6;
const messageId = 7;
const model = 8;
const usage = 9;
const input = 10;
const output = 11;
const cacheRead = 12;
const cacheWritten = 13;
const written5m = 14;
const written1h = 15;

const paths = [
	'type',
	'uuid',
	'timestamp',
	'requestId',
	'isApiErrorMessage',
	'costUSD',
	'cwd',
	'message.id',
	'message.model',
	'message.usage',
	'message.usage.input_tokens',
	'message.usage.output_tokens',
	'message.usage.cache_read_input_tokens',
	'message.usage.cache_creation_input_tokens',
	'message.usage.cache_creation.ephemeral_5m_input_tokens',
	'message.usage.cache_creation.ephemeral_1h_input_tokens',
];

export function claudeCosts(): ReadCosts {
	const rows = rowReader(paths);
	return (source, sink, from = { at: 0 }) => {
		let placed = from.at > 0;
		const visit = (row: Row): void => {
			if (!placed && row.has(cwd)) {
				const folder = row.text(cwd);
				if (folder) sink.cwd(folder);
				placed = folder !== undefined;
			}
			if (row.is(type, 'assistant')) visitReply(row, sink);
		};
		return { at: rows.read(source, visit, { from: from.at }) };
	};
}

function visitReply(row: Row, sink: CostSink): void {
	const { at, line } = row;
	const time = timeOf(row.text(timestamp));
	const failed = row.isTrue(apiError);
	if (failed || row.is(model, '<synthetic>')) {
		sink.rejected({ at, line, time, why: failed ? 'error' : 'synthetic' });
		return;
	}
	sink.seen({
		key: row.text(messageId) ?? `entry ${row.text(uuid) ?? `${at} ${time}`}`,
		request: row.text(requestId),
		at,
		line,
		time,
		model: row.text(model),
		provider: 'anthropic',
		usage: usageOf(row),
		costUsd: dollars(row.number(recordedCost)),
		responses: 1,
	});
}

/** Writes of one hour are told apart where the client does; what it does not tell apart was kept for five minutes. */
function usageOf(row: Row) {
	if (!row.has(usage)) return { input: 0, output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 };
	const cacheWrite1h = tokens(row.number(written1h));
	return {
		input: tokens(row.number(input)),
		output: tokens(row.number(output)),
		cacheRead: tokens(row.number(cacheRead)),
		cacheWrite5m: Math.max(tokens(row.number(written5m)), tokens(row.number(cacheWritten)) - cacheWrite1h),
		cacheWrite1h,
	};
}
