/** Where a conversation goes on: the codec decides by its client's rule, and all other code asks here. */
import { type EntryId, type Json, lastInGraph, type Source } from '../../../model/index.ts';
import type { Codec, EncodeInput } from '../../codec.ts';
import type { Line, Position } from '../read/line.ts';
import { indexed, type LineIndex } from '../read/line-index.ts';
import { parseRecord } from '../read/parse.ts';

/**
 * The entry that the client goes on from; `null` where all was taken back. `last`, the last entry of the conversation
 * in the file, is the answer for formats without links, and for files in which the client would go on from no line,
 * such as a sub-agent's own. `more`: the index is partial, and lines before its first one could change the answer.
 */
export function leafIn<Last extends EntryId | null | undefined>(
	codec: Codec,
	dialect: string,
	index: () => LineIndex,
	last: Last,
): EntryId | null | 'more' | Last {
	const { resumePath } = codec.context;
	if (!resumePath?.links(dialect)) return last;
	const lines = index();
	const line = resumePath.leaf(lines);
	if (line === null || line === 'more') return line;
	return (line === undefined ? undefined : resumePath.id(lines, line)) ?? last;
}

/** The leaf of a file whose lines have all been read. An index of all of them has no more to give. */
export function leafOfLinks(
	codec: Codec,
	dialect: string,
	index: () => LineIndex,
	last: EntryId | null,
): EntryId | null {
	const leaf = leafIn(codec, dialect, index, last);
	return leaf === 'more' ? last : leaf;
}

/** The leaf of the entries that a writer is given. */
export function leafToWrite({ entries, leaf }: Pick<EncodeInput, 'entries' | 'leaf'>): EntryId | null {
	return leaf === undefined ? lastInGraph(entries) : leaf;
}

/** The linking fields of a line, in the order of the codec's `resumePath.envelope`. */
export interface LineLinks extends Position {
	readonly values: readonly (Json | undefined)[];
	readonly length: number;
}

/** Copies the linking fields of a parsed line, so that the rest of it can be dropped. */
export function linksOf(
	{ value, part, at, length, line, index }: Line,
	fields: readonly string[],
): LineLinks | undefined {
	if (!value || part !== 'item') return undefined;
	const values = fields.map((name) => value[name]);
	return { values, at, length, line, index };
}

/** An index over such lines, which parses a whole line from the source again when it is asked for. */
export function linksIndex(lines: readonly LineLinks[], fields: readonly string[], source: Source): LineIndex {
	const columns = new Map(fields.map((name, column) => [name, column]));
	const at = (line: number): LineLinks => indexed(lines, line);
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
