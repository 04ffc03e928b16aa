/** Small readings of foreign values, shared by decoding, encoding and validation. */
import { isObject, type Json, type JsonObject, type Usage } from '../../../model/index.ts';
import { isoTime } from '../../shared/times.ts';

/** What an entry keeps of its line beyond the neutral model, under a name that no other format writes. */
export interface Kept {
	/** Leftover fields of the line. */
	readonly line?: JsonObject;
	/** Leftover fields of the message; the whole message where its role has no neutral counterpart. */
	readonly message?: JsonObject;
	/** Leftover fields of content blocks, by index. */
	readonly blocks?: { readonly [index: string]: JsonObject };
	/** True for an entry that repeats a part of another's line and is written with that one. */
	readonly part?: true;
}

export function keep(kept: Kept): JsonObject | undefined {
	for (const key in kept) if (kept[key as keyof Kept] !== undefined) return { openclaw: kept as JsonObject };
	return undefined;
}

/** What was kept of an entry of this format; undefined for entries of any other. */
export function keptOf(extra: JsonObject | undefined): Kept | undefined {
	const kept = extra?.openclaw;
	return isObject(kept) ? (kept as Kept) : undefined;
}

const isoStart = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/;

/** A line's time in ISO form: its own, else that of its message, which is in milliseconds. */
export function timeOf(line: JsonObject, message?: JsonObject): string | undefined {
	const own = line.timestamp;
	if (typeof own === 'string' && isoStart.test(own)) return own;
	return isoTime(own) ?? isoTime(message?.timestamp);
}

/** Usage in neutral counts. `reasoningTokens` is OpenClaw's name for `reasoning`. */
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

/** Dollars, if the client wrote a total. */
export function costFrom(usage: Json | undefined): number | undefined {
	if (!isObject(usage) || !isObject(usage.cost)) return undefined;
	const total = usage.cost.total;
	return typeof total === 'number' && Number.isFinite(total) ? total : undefined;
}
