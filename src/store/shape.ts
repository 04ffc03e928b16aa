/** Reads what a session is made of without what it says: long texts are not parsed where the format allows that. */
import { type Codec, readLines, type Shape, type Taker } from '../codecs/index.ts';
import { type Entry, type EntryId, type Issue, reusedPieces, type Source } from '../model/index.ts';
import { createShortener, type ShortenOptions } from '../scan/index.ts';
import { ShortReading } from './short-reading.ts';
import { type Tallied, Tally } from './tally.ts';

export interface ReadShapeOptions extends Pick<ShortenOptions, 'longest' | 'window' | 'maxLine'> {
	/** Which call a result answers is wanted, too. */
	readonly calls?: boolean;
}

/** The same as decoding everything and counting it. */
export function readShape(codec: Codec, source: Source, options: ReadShapeOptions = {}): Tallied {
	const { taker, issues } = readShaped(codec, source, () => new Tally(codec), options);
	return taker.end(issues);
}

export interface ShapeTaker extends Taker {
	/** True when something that matters to this taker was cut: `mark` stands for it. */
	misses(mark: string): boolean;
	/** Another line of this type with a message that differs from one that came in nothing but its links. Else it comes as all others. */
	again?(like: Entry, id: EntryId, parent: EntryId | null, type: string): void;
}

export interface Shaped<T> {
	readonly taker: T;
	readonly issues: readonly Issue[];
}

/** Gives everything that a source holds to a taker, without long texts where the format allows that. */
export function readShaped<T extends ShapeTaker>(
	codec: Codec,
	source: Source,
	make: () => T,
	options: ReadShapeOptions = {},
): Shaped<T> {
	return readShort(codec, source, make(), options) ?? readWhole(codec, source, make());
}

function readWhole<T extends ShapeTaker>(codec: Codec, source: Source, taker: T): Shaped<T> {
	const reading = readLines(codec, taker);
	const reader = codec.reader();
	for (const piece of reusedPieces(source)) reader.push(piece, reading.visit);
	reader.end(reading.visit);
	return { taker, issues: reading.issues() };
}

/** Undefined where nothing can be cut, a cut text turns out to matter, or a line is too long to be looked at. */
function readShort<T extends ShapeTaker>(
	codec: Codec,
	source: Source,
	taker: T,
	options: ReadShapeOptions,
): Shaped<T> | undefined {
	const { shape } = codec;
	const shortener = shape && createShortener({ ...shortening(shape, options.calls ?? false), ...options });
	if (!shortener) return undefined;
	const reading = new ShortReading(codec, shape, taker, shortener.mark);
	const held = shortener.read(source, reading.visit, reading.take);
	const issues = reading.end();
	return held && issues && !taker.misses(shortener.mark) ? { taker, issues } : undefined;
}

/** Counting needs no more of calls and texts than that they are there. */
function shortening(shape: Shape, calls: boolean): ShortenOptions {
	const { keys, callKeys = [], texts = [], links, longest } = shape;
	return {
		keys: calls ? [...new Set([...keys, ...callKeys])] : keys,
		veiled: calls ? texts : [...texts, ...callKeys],
		...(links ? { links } : {}),
		...(longest ? { longest } : {}),
	};
}
