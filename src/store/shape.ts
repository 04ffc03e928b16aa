/** Reads what a session is made of without what it says: long texts are not parsed where the format allows that. */
import { type Codec, makeLine, noFlaws, readLines, readSession, type Taker } from '../codecs/index.ts';
import { type Entry, reusedPieces, type Source } from '../model/index.ts';
import { createShortener, type ShortenOptions } from '../scan/index.ts';
import { type Tallied, Tally } from './tally.ts';

export type ReadShapeOptions = Omit<ShortenOptions, 'keys'>;

/** The same as decoding everything and counting it. */
export function readShape(codec: Codec, source: Source, options: ReadShapeOptions = {}): Tallied {
	return readShort(codec, source, options) ?? readWhole(codec, source);
}

function readWhole(codec: Codec, source: Source): Tallied {
	const tally = new Tally(codec);
	const reading = readSession(codec);
	for (const piece of reusedPieces(source)) tally.add(reading.push(piece));
	tally.add(reading.end());
	return tally.end(reading.issues());
}

/** Undefined where nothing can be cut, a cut text turns out to matter, or a line is too long to be looked at. */
function readShort(codec: Codec, source: Source, options: ReadShapeOptions): Tallied | undefined {
	const { shape } = codec;
	const shortener = shape && createShortener({ ...options, keys: shape.keys });
	if (!shortener) return undefined;
	const { mark } = shortener;
	const tally = new Tally(codec);
	let missed = false;
	const taker: Taker = {
		record: (record) => tally.record(record.type),
		entry(entry) {
			missed ||= isPlacedBy(entry, mark);
			tally.entry(entry);
		},
		header(patch) {
			missed ||= Object.values(patch).includes(mark);
			tally.header(patch);
		},
	};
	const reading = readLines(codec, taker);
	let index = 0;
	const held = shortener.read(source, ({ at, bytes, unended, value }) => {
		// What was made short had no flaw.
		if (value && shape.suffices(value)) {
			reading.visit({ index, at, line: index + 1, length: bytes.length, bytes, part: 'item', value, flaws: noFlaws });
		} else reading.visit(makeLine(bytes, at, index + 1, index, unended));
		index += 1;
	});
	if (!held || missed) return undefined;
	const tallied = tally.end(reading.issues());
	return Object.hasOwn(tallied.blocks, mark) ? undefined : tallied;
}

function isPlacedBy({ id, parent, logicalParent, agent }: Entry, mark: string): boolean {
	return id === mark || parent === mark || logicalParent === mark || agent === mark;
}
