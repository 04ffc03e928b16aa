/** Reads what a session is made of without what it says: long texts are not parsed where the format allows that. */
import { type Codec, type Line, makeLine, noFlaws, readLines, type Taker } from '../codecs/index.ts';
import { type Entry, type Header, type Issue, reusedPieces, type Source, stringAt } from '../model/index.ts';
import { createShortener, type ShortenOptions } from '../scan/index.ts';
import { type Tallied, Tally } from './tally.ts';

export interface ReadShapeOptions extends Omit<ShortenOptions, 'keys'> {
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

const noBytes = new Uint8Array(0);

/** Undefined where nothing can be cut, a cut text turns out to matter, or a line is too long to be looked at. */
function readShort<T extends ShapeTaker>(
	codec: Codec,
	source: Source,
	taker: T,
	options: ReadShapeOptions,
): Shaped<T> | undefined {
	const { shape } = codec;
	const keys = shape && (options.calls ? [...shape.keys, ...(shape.callKeys ?? [])] : shape.keys);
	const shortener = keys && createShortener({ ...(shape.longest ? { longest: shape.longest } : {}), ...options, keys });
	if (!shortener) return undefined;
	const { mark } = shortener;
	let missed = false;
	let told: Header = {};
	/** The last line that was taken without the decoder. */
	let unseen: Line | undefined;
	let muted = false;
	const watched: Taker = {
		record(record) {
			if (!muted) taker.record(record);
		},
		entry(entry) {
			if (muted) return;
			missed ||= isPlacedBy(entry, mark);
			taker.entry(entry);
		},
		header(patch) {
			told = { ...told, ...patch };
			missed ||= Object.values(patch).includes(mark);
			taker.header(patch);
		},
	};
	const reading = readLines(codec, watched);
	function catchUp(): void {
		if (!unseen) return;
		muted = true;
		reading.visit(unseen);
		muted = false;
		unseen = undefined;
	}
	function visit(line: Line): void {
		catchUp();
		reading.visit(line);
	}
	let index = 0;
	const held = shortener.read(source, (short) => {
		const { at, length, value } = short;
		const line = index + 1;
		// What was made short had no flaw.
		if (value && shape.suffices(value)) {
			const message = shape.message?.(value, index, told);
			if (message) {
				watched.entry(message);
				taker.record({ index, at, line, length, type: stringAt(value, 'type') ?? '' });
				unseen = { index, at, line, length, bytes: noBytes, part: 'item', value, flaws: noFlaws };
			} else visit({ index, at, line, length, bytes: short.bytes, part: 'item', value, flaws: noFlaws });
		} else visit(makeLine(short.bytes, at, line, index, short.unended));
		index += 1;
	});
	catchUp();
	return held && !missed && !taker.misses(mark) ? { taker, issues: reading.issues() } : undefined;
}

function isPlacedBy({ id, parent, logicalParent, agent }: Entry, mark: string): boolean {
	return id === mark || parent === mark || logicalParent === mark || agent === mark;
}
