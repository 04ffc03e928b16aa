/** Which lines of a Claude Code session count as responses with costs: one per message id, without API errors; cache writes, fast mode, sub-agents. */

import { providerOf } from '../../../wires/index.ts';
import { dollars, type FieldRow, tokens, type UsageRules, type UsageSink } from '../../shared/places/usage.ts';

const type = 0;
const uuid = 1;
const timestamp = 2;
const requestId = 3;
const apiError = 4;
const recordedCost = 5;
const cwd = 6;
const messageId = 7;
const model = 8;
const stopReason = 9;
const input = 10;
const output = 11;
const cacheRead = 12;
const cacheWritten = 13;
const written5m = 14;
const written1h = 15;
const sidechain = 16;
const speed = 17;
/** Progress lines repeat the replies of sub-agents; if their own files were deleted, these lines are all there is. */
const repeated = 18;

const collapsed = 'context-collapse-commit';

export const usage: UsageRules = {
	fields: [
		'type',
		'uuid',
		'timestamp',
		'requestId',
		'isApiErrorMessage',
		'costUSD',
		'cwd',
		'message.id',
		'message.model',
		'message.stop_reason',
		'message.usage.input_tokens',
		'message.usage.output_tokens',
		'message.usage.cache_read_input_tokens',
		'message.usage.cache_creation_input_tokens',
		'message.usage.cache_creation.ephemeral_5m_input_tokens',
		'message.usage.cache_creation.ephemeral_1h_input_tokens',
		'isSidechain',
		'message.usage.speed',
		'data.message',
	],
	gate: { path: 'type', values: ['assistant', 'progress', collapsed] },
	visitor(sink) {
		let placed = false;
		return {
			visit(row) {
				if (!placed && row.has(cwd)) {
					const folder = row.text(cwd);
					if (folder) sink.cwd(folder);
					placed = folder !== undefined;
				}
				if (row.is(type, 'assistant')) visitReply(row, sink);
				else if (row.is(type, 'progress')) visitProgress(row, sink);
				// What a compaction's summary used, where a run of ours has noted that.
				else if (row.is(type, collapsed) && row.has(stopReason)) visitReply(row, sink);
			},
		};
	},
};

/** Visits a repeated reply. One without an id is skipped, since the sub-agent's file may hold it too. */
function visitProgress(row: FieldRow, sink: UsageSink): void {
	const reply = row.inside(repeated);
	if (reply?.is(type, 'assistant') && reply.text(messageId)) visitReply(reply, sink, row);
}

/** Visits a reply. `around` is the progress line that repeats it, if any. */
function visitReply(row: FieldRow, sink: UsageSink, around?: FieldRow): void {
	const { at, line } = row;
	const time = row.time(timestamp) ?? around?.time(timestamp);
	const failed = row.is(apiError, true);
	const name = modelOf(row);
	if (failed || row.is(model, '<synthetic>')) {
		sink.rejected({ at, line, time, why: failed ? 'error' : 'synthetic' });
		return;
	}
	sink.seen({
		key: row.text(messageId) ?? `entry ${row.text(uuid) ?? `${at} ${time}`}`,
		// A sidechain may begin with replies of its session, repeated under another request id.
		request: around !== undefined || row.is(sidechain, true) ? undefined : row.text(requestId),
		at,
		line,
		time,
		model: name,
		provider: providerOf(name) ?? 'anthropic',
		usage: usageOf(row),
		costUsd: dollars(row.number(recordedCost)),
		responses: 1,
		// Versions up to 2.1.29 write each block with the counts from the start of the stream, never the final ones.
		unfinished: row.text(stopReason) === undefined,
	});
}

/** The model; replies of the fast mode have their own price and the name that price tables use. */
function modelOf(row: FieldRow): string | undefined {
	const name = row.text(model);
	return name !== undefined && row.is(speed, 'fast') ? `${name}-fast` : name;
}

/** The usage. Cache writes for one hour are separate where the client separates them; all others last five minutes. */
function usageOf(row: FieldRow) {
	const cacheWrite1h = tokens(row.number(written1h));
	return {
		input: tokens(row.number(input)),
		output: tokens(row.number(output)),
		cacheRead: tokens(row.number(cacheRead)),
		cacheWrite5m: Math.max(tokens(row.number(written5m)), tokens(row.number(cacheWritten)) - cacheWrite1h),
		cacheWrite1h,
	};
}
