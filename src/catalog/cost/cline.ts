/** Responses of a Cline session: messages of one document, whose input counts what came from a cache as well. */
import { elementLines } from '../documents.ts';
import { type Row, rowReader } from '../rows.ts';
import { type CostSink, dollars, type ReadCosts, tokens } from './sighting.ts';

const role = 0;
const id = 1;
const ts = 2;
const displayOnly = 3;
const displayRole = 4;
const models = [5, 6, 7];
const providers = [8, 9, 10];
const input = 11;
const output = 12;
const cacheRead = 13;
const cacheWrite = 14;
const cost = 15;
const metrics = 16;

const paths = [
	'role',
	'id',
	'ts',
	'metadata.displayOnly',
	'metadata.displayRole',
	'modelInfo.id',
	'modelInfo.modelId',
	'modelId',
	'modelInfo.provider',
	'modelInfo.providerId',
	'providerId',
	'metrics.inputTokens',
	'metrics.outputTokens',
	'metrics.cacheReadTokens',
	'metrics.cacheWriteTokens',
	'metrics.cost',
	'metrics',
];

export function clineCosts(): ReadCosts {
	const rows = rowReader(paths);
	return (document, sink) => {
		const { source, from } = elementLines(document, 'messages');
		rows.read(source, (row) => visitMessage(row, sink), { from });
		return { at: 0 };
	};
}

function visitMessage(row: Row, sink: CostSink): void {
	if (!row.is(role, 'assistant')) return;
	const time = row.number(ts);
	const place = { at: row.at, line: row.line, time };
	if (row.isTrue(displayOnly) || row.is(displayRole, 'error')) {
		sink.rejected({ ...place, why: row.is(displayRole, 'error') ? 'error' : 'synthetic' });
		return;
	}
	const model = firstText(row, models);
	const provider = firstText(row, providers);
	// Nothing says that a model wrote it: a message that somebody put there by hand.
	if (model === undefined && provider === undefined && !row.has(metrics)) return;
	const costUsd = dollars(row.number(cost));
	const own = row.text(id);
	const usage = usageOf(row);
	sink.seen({
		...place,
		// A copy keeps both; without an id the time and the counts have to do.
		key: own === undefined ? `message ${time} ${Object.values(usage).join(' ')}` : `message ${own} ${time}`,
		request: undefined,
		model,
		provider,
		usage,
		costUsd: costUsd || undefined,
		responses: 1,
	});
}

function firstText(row: Row, fields: readonly number[]): string | undefined {
	for (const field of fields) {
		const text = row.text(field);
		if (text !== undefined) return text;
	}
	return undefined;
}

/** An input that is smaller than what came from the cache cannot include it: importers of other agents write such. */
function usageOf(row: Row) {
	const whole = tokens(row.number(input));
	const read = tokens(row.number(cacheRead));
	const written = tokens(row.number(cacheWrite));
	return {
		input: whole >= read + written ? whole - read - written : whole,
		output: tokens(row.number(output)),
		cacheRead: read,
		cacheWrite5m: written,
		cacheWrite1h: 0,
	};
}
