/** Reads the responses that a file records, by its format's rules and from where reading stopped; and when a side file is read in place of the main one. */
import type { Sighting, UsageRules, UsageSink } from '../../codecs/index.ts';
import type { JsonObject, Source } from '../../model/index.ts';
import { readRows } from '../rows.ts';
import type { Access } from './collect.ts';

/** Where reading stopped, to go on when the file has grown. It can be serialised. */
export interface CostPosition {
	/** The offset behind the last whole line. */
	readonly at: number;
	/** What the format has to remember of the lines before. */
	readonly memo?: JsonObject;
}

/** Reads responses from a position on. A document is always read from its beginning. */
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

/** True when a side file recorded the responses: the main file is then not read for them. */
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
