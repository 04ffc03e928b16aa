/** The remedy for several tool calls with one id, which formats share: all but the first get a new id, and so do their results. */
import type { JsonObject } from '../../../model/index.ts';
import type { Path } from '../write/json-edit.ts';
import { type Edits, lossNote, type Remedy } from './repair.ts';
import { blockAt, type Ref } from './repair-blocks.ts';

export interface RepeatedCalls extends Pick<Remedy, 'rules' | 'does'> {
	/** The path of a message's blocks. */
	readonly content: Path;
	/** Makes an id in the format's form that depends only on these parts. */
	newId(...parts: readonly string[]): string;
	callsOf(value: JsonObject | undefined): readonly Ref[];
	/** Finds the ids that must change with a call's id: the record and the path of each. */
	answersIn(edits: Edits): (index: number, old: string) => Iterable<readonly [index: number, path: Path]>;
	readonly fromLast: boolean;
	/** The note for those ids. */
	readonly follows?: string;
}

/** Gives all but the first of several calls with one id a new id. */
export function repeatedCalls(format: RepeatedCalls): Remedy {
	const { rules, does, content, newId, callsOf, answersIn, fromLast } = format;
	const follows = format.follows ?? 'the result answers the call under its new id';
	return {
		rules,
		does,
		mend(edits, problems) {
			const answers = answersIn(edits);
			for (const { index, path, rule } of fromLast ? problems.toReversed() : problems) {
				const at = blockAt(path);
				const old = callsOf(edits.value(index)).find((call) => call.at === at)?.id;
				if (old === undefined) continue;
				const id = newId('repaired call', edits.file.options.id, old, String(index), String(at));
				const what = `gave the second call ${old} an id of its own`;
				edits.set(index, [...content, at, 'id'], id, lossNote(rule, what, 'invented', 'the id of a call'));
				for (const [answer, place] of answers(index, old)) edits.set(answer, place, id, { rule, what: follows });
			}
		},
	};
}
