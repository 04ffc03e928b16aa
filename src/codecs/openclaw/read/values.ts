/** Small readings of foreign values that decoding, encoding and validation share. */
import { isObject, type Json, type JsonObject, type Usage } from '../../../model/index.ts';
import { isoTime } from '../../shared/times.ts';

/** What an entry keeps of its line beyond the neutral model, under a name of our own so that nobody else writes it. */
export interface Kept {
	/** Fields of the line. */
	readonly line?: JsonObject;
	/** Fields of the message; the whole message where its role has no neutral counterpart. */
	readonly message?: JsonObject;
	/** Fields of content blocks, by index. */
	readonly blocks?: { readonly [index: string]: JsonObject };
	/** The entry repeats a part of another entry's line and is written with that one. */
	readonly part?: true;
}

export function keep(kept: Kept): JsonObject | undefined {
	for (const key in kept) if (kept[key as keyof Kept] !== undefined) return { openclaw: kept as JsonObject };
	return undefined;
}

/** What was kept when the entry was read from this format; undefined for entries of any other origin. */
export function keptOf(extra: JsonObject | undefined): Kept | undefined {
	const kept = extra?.openclaw;
	return isObject(kept) ? (kept as Kept) : undefined;
}

const isoStart = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/;

/** ISO time of a line: its own, else that of its message, which is in milliseconds. */
export function timeOf(line: JsonObject, message?: JsonObject): string | undefined {
	const own = line.timestamp;
	if (typeof own === 'string' && isoStart.test(own)) return own;
	return isoTime(own) ?? isoTime(message?.timestamp);
}

/** Tokens as the model counts them. `reasoningTokens` is OpenClaw's name for `reasoning`. */
export function usageFrom(value: Json | undefined): Usage | undefined {
	if (!isObject(value)) return undefined;
	const oneHour = count(value.cacheWrite1h);
	const usage = {
		input: count(value.input),
		output: count(value.output),
		cacheRead: count(value.cacheRead),
		cacheWrite5m: Math.max(0, count(value.cacheWrite) - oneHour),
		cacheWrite1h: oneHour,
	};
	const reasoning = value.reasoning ?? value.reasoningTokens;
	return typeof reasoning === 'number' && Number.isFinite(reasoning) ? { ...usage, reasoning } : usage;
}

function count(value: Json | undefined): number {
	return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}

/** Dollars, where the client wrote a total. */
export function costFrom(usage: Json | undefined): number | undefined {
	if (!isObject(usage) || !isObject(usage.cost)) return undefined;
	const total = usage.cost.total;
	return typeof total === 'number' && Number.isFinite(total) ? total : undefined;
}
