/** Reads what a file tells about responses, by the rules of its format. */
import type { Sighting, UsageRules, UsageSink } from '../../codecs/index.ts';
import type { JsonObject, Source } from '../../model/index.ts';
import { readRows } from '../rows.ts';
import type { Access } from './collect.ts';

/** Where a reading stopped, to go on when the file has grown. Serialisable. */
export interface CostPosition {
	/** Behind the last whole line. */
	readonly at: number;
	/** What the format needs to remember of the lines before. */
	readonly memo?: JsonObject;
}

/** A document is always read from its beginning; its position says nothing. */
export function readCosts(
	rules: UsageRules,
	source: Source,
	sink: UsageSink,
	from: CostPosition = { at: 0 },
): CostPosition {
	const visitor = rules.visitor(sink, from.memo);
	const at = readRows(rules, source, (row) => visitor.visit(row), from.at);
	const memo = visitor.memo?.();
	return memo === undefined ? { at } : { at, memo };
}

/** True when a file beside the session told of responses: then its main file is not asked. */
export function readCostsBeside(
	rules: UsageRules,
	path: string,
	access: Access,
	sinkOf: (path: string) => UsageSink,
): boolean {
	const beside = rules.beside?.(path);
	if (beside === undefined || access.folders.head(beside.path, 1).length === 0) return false;
	using source = access.open(beside.path);
	const sink = sinkOf(beside.path);
	let told = false;
	const seen = (sighting: Sighting): void => {
		told = true;
		sink.seen(sighting);
	};
	readCosts(beside.rules, source, { ...sink, seen });
	return told;
}

export function someTokens({ input, output, cacheRead, cacheWrite5m, cacheWrite1h }: Sighting['usage']): number {
	return input + output + cacheRead + cacheWrite5m + cacheWrite1h;
}
