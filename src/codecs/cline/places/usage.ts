/** Finds the responses of a Cline session: messages of a document, whose input includes cached tokens. */
import {
	dollars,
	type FieldRow,
	firstText,
	tokens,
	type UsageRules,
	type UsageSink,
} from '../../shared/places/usage.ts';
import { requestUsage } from './usage-requests.ts';

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
const prompt = 17;
const completion = 18;
const cached = 19;

export const usage: UsageRules = {
	fields: [
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
		'metrics.tokens.prompt',
		'metrics.tokens.completion',
		'metrics.tokens.cached',
	],
	elements: 'messages',
	visitor: (sink) => ({ visit: (row) => visitMessage(row, sink) }),
	beside: requestUsage,
};

function visitMessage(row: FieldRow, sink: UsageSink): void {
	if (!row.is(role, 'assistant')) return;
	const time = row.number(ts);
	const place = { at: row.at, line: row.line, time };
	if (row.is(displayOnly, true) || row.is(displayRole, 'error')) {
		sink.rejected({ ...place, why: row.is(displayRole, 'error') ? 'error' : 'synthetic' });
		return;
	}
	const model = firstText(row, models);
	const provider = firstText(row, providers);
	// Nothing shows that a model wrote this message: somebody inserted it by hand.
	if (model === undefined && provider === undefined && !row.has(metrics)) return;
	const costUsd = dollars(row.number(cost));
	const own = row.text(id);
	const amounts = usageOf(row);
	sink.seen({
		...place,
		// A copy keeps id and time; without an id the time and the counts identify the message.
		key: own === undefined ? `message ${time} ${Object.values(amounts).join(' ')}` : `message ${own} ${time}`,
		request: undefined,
		model,
		provider,
		usage: amounts,
		costUsd: costUsd || undefined,
		responses: 1,
	});
}

/** The usage. An input below the cached tokens cannot include them: importers of other agents write such. */
function usageOf(row: FieldRow) {
	const whole = tokens(row.number(input) ?? row.number(prompt));
	const read = tokens(row.number(cacheRead) ?? row.number(cached));
	const written = tokens(row.number(cacheWrite));
	return {
		input: whole >= read + written ? whole - read - written : whole,
		output: tokens(row.number(output) ?? row.number(completion)),
		cacheRead: read,
		cacheWrite5m: written,
		cacheWrite1h: 0,
	};
}
