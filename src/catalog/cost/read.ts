/** Reads what a file tells about responses, by the rules of its format. */
import type { Sighting, UsageRules, UsageSink } from '../../codecs/index.ts';
import type { JsonObject, Source } from '../../model/index.ts';
import { type RowReader, rowReader } from '../rows.ts';
import type { Access } from './collect.ts';

/** Where a reading stopped, to go on when the file has grown. Serialisable. */
export interface CostPosition {
	/** Behind the last whole line. */
	readonly at: number;
	/** What the format needs to remember of the lines before. */
	readonly memo?: JsonObject;
}

/** One reader for many files, one after the other: what scanning needs is made once per format. */
export class CostReader {
	readonly #rows = new Map<UsageRules, RowReader>();

	/** A document is always read from its beginning; its position says nothing. */
	read(rules: UsageRules, source: Source, sink: UsageSink, from: CostPosition = { at: 0 }): CostPosition {
		const rows = this.#rowsOf(rules);
		const visitor = rules.visitor(sink, from.memo);
		const visit = visitor.visit.bind(visitor);
		if (rules.elements !== undefined) {
			rows.read(source, visit);
			return { at: 0 };
		}
		const at = rows.read(source, visit, { from: from.at });
		const memo = visitor.memo?.();
		return memo === undefined ? { at } : { at, memo };
	}

	#rowsOf(rules: UsageRules): RowReader {
		let rows = this.#rows.get(rules);
		if (rows === undefined) {
			rows = rowReader(rules.fields, rules);
			this.#rows.set(rules, rows);
		}
		return rows;
	}

	/** True when a file beside the session told of responses: then its main file is not asked. */
	readBeside(rules: UsageRules, path: string, access: Access, sinkOf: (path: string) => UsageSink): boolean {
		const beside = rules.beside?.(path);
		if (beside === undefined || access.folders.head(beside.path, 1).length === 0) return false;
		using source = access.open(beside.path);
		const sink = sinkOf(beside.path);
		let told = false;
		const seen = (sighting: Sighting): void => {
			told = true;
			sink.seen(sighting);
		};
		this.read(beside.rules, source, { ...sink, seen });
		return told;
	}
}

export function someTokens({ input, output, cacheRead, cacheWrite5m, cacheWrite1h }: Sighting['usage']): number {
	return input + output + cacheRead + cacheWrite5m + cacheWrite1h;
}
