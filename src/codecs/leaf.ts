/** Where a conversation goes on: the codec decides it by its client's rule, and everybody else asks here. */
import { type EntryId, type Json, lastInGraph, type Source } from '../model/index.ts';
import type { Codec, EncodeInput } from './codec.ts';
import type { Line, Position } from './line.ts';
import type { LineIndex } from './line-index.ts';
import { parseRecord } from './parse.ts';

/**
 * The entry that the client goes on from; `null` where all was taken back. `last` is the last entry of the conversation in the
 * file: formats whose lines do not name each other go on from it, and so do files in which the client would find no line to go
 * on from, such as a sub-agent's own. `more`: the index is partial, and lines before its first one could change the answer.
 */
export function leafIn(
	codec: Codec,
	dialect: string,
	index: () => LineIndex,
	last: EntryId | null,
): EntryId | null | 'more' {
	const { trail } = codec;
	if (!trail?.links(dialect)) return last;
	const lines = index();
	const line = trail.leaf(lines);
	if (line === null || line === 'more') return line;
	return (line === undefined ? undefined : trail.id(lines, line)) ?? last;
}

/** The leaf of what a writer is given. */
export function leafToWrite({ entries, leaf }: Pick<EncodeInput, 'entries' | 'leaf'>): EntryId | null {
	return leaf === undefined ? lastInGraph(entries) : leaf;
}

/** What a line says about its place in the conversation: the fields of the codec's `trail.envelope`, in that order. */
export interface LineLinks extends Position {
	readonly values: readonly (Json | undefined)[];
	readonly length: number;
}

/** Takes over what a parsed line says about its place, so that the rest of it need not be held. */
export function linksOf(
	{ value, part, at, length, line, index }: Line,
	fields: readonly string[],
): LineLinks | undefined {
	if (!value || part !== 'item') return undefined;
	const values = fields.map((name) => value[name]);
	return { values, at, length, line, index };
}

/** An index over such lines; a whole line is parsed again from the source when somebody asks for it. */
export function linksIndex(lines: readonly LineLinks[], fields: readonly string[], source: Source): LineIndex {
	const columns = new Map(fields.map((name, column) => [name, column]));
	const at = (line: number): LineLinks => {
		const found = lines[line];
		if (!found) throw new RangeError(`the index has ${lines.length} lines, not ${line}`);
		return found;
	};
	return {
		length: lines.length,
		partial: false,
		field: (line, path) => at(line).values[columns.get(path) ?? -1],
		value(line) {
			const { at: from, length } = at(line);
			return parseRecord(source.read(from, length), from === 0).value ?? {};
		},
		position: at,
	};
}
