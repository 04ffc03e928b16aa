/** The lines of a file with their envelope at hand, and their content parsed only when somebody asks for it. */
import type { Json, JsonObject } from '../model/index.ts';
import { isObject } from '../model/index.ts';
import type { Codec } from './codec.ts';
import type { Line, Position } from './line.ts';

/**
 * A session of gigabytes has few lines that matter to a question. An index answers what the envelope says (`type`, ids,
 * parents, times) for every line, and hands out whole lines one by one. A scanner or a full parse can be behind it.
 */
export interface LineIndex {
	/** Lines that hold a JSON object, in file order; flawed and blank ones are left out. */
	readonly length: number;
	/** An envelope field, by a path that the codec's `envelope` names. */
	field(line: number, path: string): Json | undefined;
	/** The whole line, parsed. */
	value(line: number): JsonObject;
	position(line: number): Position;
}

/** An index over lines that are parsed already: for documents, small files and tests. */
export function parsedIndex(codec: Pick<Codec, 'reader'>, bytes: Uint8Array): LineIndex {
	const lines: { readonly value: JsonObject; readonly at: Position }[] = [];
	const reader = codec.reader();
	const visit = (line: Line): void => {
		if (line.part !== 'item' || !line.value) return;
		lines.push({ value: line.value, at: { index: line.index, at: line.at, line: line.line } });
	};
	reader.push(bytes, visit);
	reader.end(visit);
	const at = (line: number) => {
		const found = lines[line];
		if (!found) throw new RangeError(`the index has ${lines.length} lines, not ${line}`);
		return found;
	};
	return {
		length: lines.length,
		field: (line, path) => valueAt(at(line).value, path),
		value: (line) => at(line).value,
		position: (line) => at(line).at,
	};
}

/** The value at a dotted path of own properties. */
export function valueAt(object: JsonObject, path: string): Json | undefined {
	let value: Json | undefined = object;
	for (const step of path.split('.')) {
		if (!isObject(value) || !Object.hasOwn(value, step)) return undefined;
		value = value[step];
	}
	return value;
}
