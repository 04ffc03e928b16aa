/** Remedies for the blocks of messages: what every format does alike, wherever it keeps them. */
import { isObject, type Json, type JsonObject } from '../../../model/index.ts';
import { parseJson } from '../read/parse.ts';
import { byRecord, type Problem, type Remedy, type RepairFile } from './repair.ts';

export interface Thinking {
	/** The rule that the changes are told under. */
	readonly rule: string;
	/** The types of its blocks. */
	readonly types: readonly string[];
	/** The content of a record, and where it stands in it. */
	contentOf(value: JsonObject | undefined): Json | undefined;
	readonly path: string;
	readonly mend: Remedy['mend'];
}

/** Only when it is asked for: nobody but the model's provider can tell whether a signature still holds. */
export function thinkingOnRequest({ rule, types, contentOf, path, mend }: Thinking): Remedy {
	const find = ({ lines }: RepairFile): readonly Problem[] =>
		lines.flatMap(({ index, value }) => {
			const content = contentOf(value);
			if (!Array.isArray(content)) return [];
			return (content as readonly Json[]).flatMap((block, at) =>
				isObject(block) && types.includes(String(block.type)) ? [{ rule, index, path: `${path}[${at}]` }] : [],
			);
		});
	return {
		rules: [],
		does: 'With `--thinking`, all thinking becomes text or is taken out, signed or not.',
		find: (file) => (file.options.thinking === undefined ? [] : find(file)),
		mend,
	};
}

export interface BrokenBlocks {
	/** The record. */
	readonly index: number;
	/** The rule that it broke first. */
	readonly rule: string;
	/** Its blocks that have a problem, each once; the last comes first, because taking one out moves those after it. */
	readonly blocks: readonly (readonly [at: number, problem: Problem])[];
}

export function* brokenBlocks(
	problems: readonly Problem[],
	blockAt: (path: string) => number,
): Generator<BrokenBlocks> {
	for (const [index, found] of byRecord(problems)) {
		const byBlock = new Map(found.map((problem) => [blockAt(problem.path), problem]));
		yield { index, rule: found[0]?.rule ?? '', blocks: [...byBlock].sort(([a], [b]) => b - a) };
	}
}

/** An input that is no object: the object that its text holds, or the value under a name of its own. */
export function objectFrom(value: Json | undefined): JsonObject {
	const parsed = typeof value === 'string' ? parseJson(value) : value;
	if (isObject(parsed)) return parsed;
	return value === undefined || value === null ? {} : { input: value };
}
