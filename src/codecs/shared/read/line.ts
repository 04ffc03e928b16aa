/** A line: a record with its parsed value, as decoders and validators get it. */
import type { Json, JsonObject } from '../../../model/index.ts';

/** What is wrong with a record before its meaning is looked at. */
export type Flaw = 'torn' | 'not-json' | 'not-utf8' | 'not-object' | 'bom' | 'too-long';

/** The position of a line, kept by validators that report at the end. */
export interface Position {
	readonly index: number;
	readonly at: number;
	readonly line: number;
}

export interface Line extends Position {
	readonly length: number;
	/** The exact bytes, line ending included. Valid only while the line is visited. */
	readonly bytes: Uint8Array;
	/** `header`: the document around its messages. `gap`: blank lines and separators, which are never visited. */
	readonly part: 'header' | 'item' | 'gap';
	/** The parsed object; absent when the record is not a JSON object. */
	readonly value?: JsonObject;
	/** The parsed value when it is JSON but not an object. */
	readonly other?: Json;
	readonly flaws: readonly Flaw[];
}

export const noFlaws: readonly Flaw[] = [];

export function positionOf(line: Line): Position {
	return { index: line.index, at: line.at, line: line.line };
}
