/** Finds the responses of a VS Code extension's task, which counts requests in what it shows, not in what it sends. */
import { isObject, type Json, type JsonObject, numberAt, stringAt } from '../../../model/index.ts';
import {
	dollars,
	type FieldRow,
	firstText,
	tokens,
	type UsageRules,
	type UsageSink,
} from '../../shared/places/usage.ts';
import { displayFile } from './locate.ts';

const type = 0;
const say = 1;
const text = 2;
const ts = 3;
const models = [4, 5];
const providers = [6, 7];

/** The counts are JSON in the text of the notes that the extension shows about a request. */
const rules: UsageRules = {
	fields: [
		'type',
		'say',
		'text',
		'ts',
		'modelInfo.modelId',
		'modelInfo.id',
		'modelInfo.providerId',
		'modelInfo.provider',
	],
	elements: '',
	visitor: (sink) => ({ visit: (row) => visitNote(row, sink) }),
};

export function requestUsage(path: string): ReturnType<NonNullable<UsageRules['beside']>> {
	const display = displayFile(path);
	return display === undefined ? undefined : { path: display, rules };
}

/** Notes with counts: early versions had two per request. Sums of deleted requests and of sub-agents are no replies. */
const notes: readonly (readonly [name: string, responses: 0 | 1])[] = [
	['api_req_started', 1],
	['api_req_finished', 1],
	['deleted_api_reqs', 0],
	['subagent_usage', 0],
];

function visitNote(row: FieldRow, sink: UsageSink): void {
	if (!row.is(type, 'say')) return;
	const note = notes.find(([name]) => row.is(say, name));
	if (note === undefined) return;
	const [name, responses] = note;
	const counts = parsed(row.text(text));
	const time = row.number(ts);
	const place = { at: row.at, line: row.line, time };
	if (counts === undefined) return;
	const count = (key: string) => tokens(numberAt(counts, key));
	// Unlike in newer sessions, the input excludes tokens from or to a cache.
	const usage = {
		input: count('tokensIn'),
		output: count('tokensOut'),
		cacheRead: count('cacheReads'),
		cacheWrite5m: count('cacheWrites'),
		cacheWrite1h: 0,
	};
	const costUsd = dollars(numberAt(counts, 'cost')) || undefined;
	const amounts = Object.values(usage);
	if (costUsd === undefined && amounts.every((amount) => amount === 0)) {
		// Without any count the note is about a request that failed or has only begun.
		if (hasFailed(counts)) sink.rejected({ ...place, why: 'error' });
		return;
	}
	sink.seen({
		...place,
		key: `${name} ${time} ${amounts.join(' ')}`,
		request: undefined,
		model: firstText(row, models),
		provider: firstText(row, providers),
		usage,
		costUsd,
		responses,
	});
}

function hasFailed(counts: JsonObject): boolean {
	return stringAt(counts, 'cancelReason') !== undefined || stringAt(counts, 'streamingFailedMessage') !== undefined;
}

function parsed(json: string | undefined): JsonObject | undefined {
	if (json === undefined) return undefined;
	try {
		const value = JSON.parse(json) as Json;
		return isObject(value) ? value : undefined;
	} catch (error) {
		if (error instanceof SyntaxError) return undefined; // the note is torn
		throw error;
	}
}
