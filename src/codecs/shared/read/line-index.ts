/** An index of a file's lines: a few fields of each at hand, the content parsed on demand. */
import type { Json, JsonObject } from '../../../model/index.ts';
import { isObject } from '../../../model/index.ts';
import type { Codec } from '../../codec.ts';
import type { Flaw, Line, Position } from './line.ts';

/**
 * Few lines of a session of gigabytes matter to a question. An index gives the envelope (`type`, ids, parents, times)
 * of every line and parses single lines. A scanner or a full parse can be behind it.
 */
export interface LineIndex {
	/** The number of lines that hold a JSON object, in file order; flawed and blank ones are left out. */
	readonly length: number;
	/** True when the file has lines before the first of these: answers that need them are not possible. */
	readonly partial: boolean;
	/** A field of the envelope, by a path that the codec's `envelope` lists. */
	field(line: number, path: string): Json | undefined;
	/** The whole line, parsed. Throws BrokenLine for one that only looked like JSON: leave it out and ask again. */
	value(line: number): JsonObject;
	position(line: number): Position;
	/** For a partial index: the lines in the first `headSize` bytes of the file, unless they are too long. */
	head?(): LineIndex | undefined;
	/**
	 * Visits every line that is not blank, flawed ones included, until `visit` returns false. For clients that refuse a
	 * whole file because of one line. Only an index over parsed lines has it.
	 */
	records?(visit: (line: Line) => boolean): void;
	/** For documents only: what is around the messages, and all flaws. */
	readonly document?: DocumentFrame;
}

/** The size of a file's beginning in which formats say what it is. */
export const headSize = 1 << 16;

/** A client parses a document as a whole or not at all, so one flaw anywhere can cost every message. */
export interface DocumentFrame {
	/** The fields beside the messages; absent for a bare array. */
	readonly header?: JsonObject;
	readonly flaws: ReadonlySet<Flaw>;
}

/** Thrown for a line whose envelope could be read but whose content is not JSON. */
export class BrokenLine extends Error {
	override readonly name: string = 'BrokenLine';
	readonly position: Position;
	constructor(position: Position) {
		super(`line ${position.line} is not JSON`);
		this.position = position;
	}
}

/** An index over parsed lines, for documents, small files and tests. */
export function parsedIndex(codec: { readonly read: Pick<Codec['read'], 'reader'> }, bytes: Uint8Array): LineIndex {
	const lines: PlacedValue[] = [];
	const records: Line[] = [];
	const flaws = new Set<Flaw>();
	let frame: { readonly header?: JsonObject } | undefined;
	const reader = codec.read.reader();
	const visit = (line: Line): void => {
		for (const flaw of line.flaws) flaws.add(flaw);
		if (line.part === 'header') frame = line.value ? { header: line.value } : {};
		if (line.part !== 'item') return;
		records.push(line);
		if (!line.value) return;
		lines.push({ value: line.value, at: { index: line.index, at: line.at, line: line.line } });
	};
	reader.push(bytes, visit);
	reader.end(visit);
	return {
		...valueIndex(lines),
		records(visit) {
			for (const line of records) if (!visit(line)) return;
		},
		...(frame ? { document: { ...frame, flaws } } : {}),
	};
}

export interface PlacedValue {
	readonly value: JsonObject;
	readonly at: Position;
}

/** What an index has for a line. An index is asked only for its own lines: another number is a mistake of ours. */
export function indexed<T extends object>(lines: readonly T[], line: number): T {
	const found = lines[line];
	if (!found) throw new RangeError(`the index has ${lines.length} lines, not ${line}`);
	return found;
}

/** An index over parsed lines that the caller holds. */
export function valueIndex(lines: readonly PlacedValue[]): LineIndex {
	const at = (line: number): PlacedValue => indexed(lines, line);
	return {
		length: lines.length,
		partial: false,
		field: (line, path) => valueAt(at(line).value, path),
		value: (line) => at(line).value,
		position: (line) => at(line).at,
	};
}

/** The value at a dotted path, own properties only. */
export function valueAt(object: JsonObject, path: string): Json | undefined {
	let value: Json | undefined = object;
	for (const step of path.split('.')) {
		if (!isObject(value) || !Object.hasOwn(value, step)) return undefined;
		value = value[step];
	}
	return value;
}
