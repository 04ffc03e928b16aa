/** Responses and what they cost in tokens, counted once per response however many lines it was written as. */
import type { Entry } from './entry.ts';

/** One reply of a model. Claude Code writes it as several lines that share `id`. */
export interface ModelResponse {
	/** The provider's id of the reply. */
	readonly id?: string;
	/** The id of the request that brought it. */
	readonly request?: string;
	readonly provider?: string;
	/** The API, where the format records it. */
	readonly api?: string;
	readonly model?: string;
	readonly stop?: StopReason;
	/** The stop sequence that ended it, if one did. */
	readonly stopSequence?: string;
	readonly usage?: Usage;
	readonly costUsd?: number;
	readonly error?: string;
	/** True for a text by the client and not by a model, which is never counted. */
	readonly synthetic?: boolean;
}

export type StopReason =
	| 'end'
	| 'tool'
	| 'length'
	| 'stop_sequence'
	| 'refusal'
	| 'pause'
	| 'error'
	| 'aborted'
	| (string & {});

/** Tokens. `input` never includes what was read from or written to a cache. */
export interface Usage {
	readonly input: number;
	readonly output: number;
	readonly cacheRead: number;
	readonly cacheWrite5m: number;
	readonly cacheWrite1h: number;
	/** A part of `output`, where the provider states it. */
	readonly reasoning?: number;
}

/** No tokens, to begin a sum with. */
export const noUsage: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 };

/** The tokens of both together. */
export function addUsage(a: Usage, b: Usage): Usage {
	const sum = {
		input: a.input + b.input,
		output: a.output + b.output,
		cacheRead: a.cacheRead + b.cacheRead,
		cacheWrite5m: a.cacheWrite5m + b.cacheWrite5m,
		cacheWrite1h: a.cacheWrite1h + b.cacheWrite1h,
	};
	const reasoning = (a.reasoning ?? 0) + (b.reasoning ?? 0);
	return reasoning > 0 ? { ...sum, reasoning } : sum;
}

export interface CountedResponse {
	readonly key: string;
	readonly response: ModelResponse;
	readonly usage: Usage;
	readonly entries: readonly string[];
}

/**
 * Every response with its usage, once. Lines of one response repeat its usage, some of them with the count so far; the
 * largest output is the final one.
 */
export function responses(entries: Iterable<Entry>): readonly CountedResponse[] {
	const byKey = new Map<string, { response: ModelResponse; usage: Usage; entries: string[] }>();
	for (const entry of entries) {
		if (entry.kind !== 'message' || entry.role !== 'assistant') continue;
		const response = entry.response;
		if (!response || response.synthetic) continue;
		const key = responseKey(response) ?? `entry:${entry.id}`;
		const seen = byKey.get(key);
		const usage = response.usage ?? noUsage;
		if (!seen) {
			byKey.set(key, { response, usage, entries: [entry.id] });
			continue;
		}
		seen.entries.push(entry.id);
		if (usage.output >= seen.usage.output) {
			seen.usage = usage;
			seen.response = response;
		}
	}
	return [...byKey].map(([key, counted]) => ({ key, ...counted }));
}

/** The key that the lines of one response share; undefined when the source gives no id. */
export function responseKey(response: ModelResponse): string | undefined {
	if (response.id === undefined) return undefined;
	return response.request === undefined ? response.id : `${response.id}\n${response.request}`;
}

/** Total tokens of these entries, once per response, events that carry usage included. */
export function usageOf(entries: Iterable<Entry>): Usage {
	const list = [...entries];
	let total = noUsage;
	for (const counted of responses(list)) total = addUsage(total, counted.usage);
	for (const entry of list) {
		if (entry.kind === 'event' && entry.event.type === 'usage') total = addUsage(total, entry.event.usage);
	}
	return total;
}
