/** Reads what a session is made of without what it says: long texts are not parsed where the format allows that. */
import { type Codec, type Line, makeLine, noFlaws, readLines, type Shape, type Taker } from '../codecs/index.ts';
import {
	type Entry,
	type EntryId,
	type Header,
	type Issue,
	type JsonObject,
	reusedPieces,
	type Source,
	stringAt,
} from '../model/index.ts';
import { createShortener, type ShortenOptions, type ShortLine } from '../scan/index.ts';
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

const noBytes = new Uint8Array(0);

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
	const { mark } = shortener;
	let missed = false;
	let told: Header = {};
	/** The last line that was taken without the decoder. */
	let unseen: ShortLine | undefined;
	/** The entries of patterns by number, as long as the header stays as it is: what they are may depend on it. */
	let known: (Entry | undefined)[] = [];
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
			missed ||= Object.values(patch).includes(mark);
			taker.header(patch);
			// Some lines say again what is known.
			if (!Object.entries(patch).some(([key, value]) => told[key as keyof Header] !== value)) return;
			told = { ...told, ...patch };
			known = [];
		},
	};
	const reading = readLines(codec, watched);
	let index = 0;
	/** Before `index` is counted up. */
	function catchUp(): void {
		if (!unseen?.value) return;
		muted = true;
		reading.visit(lineOf(unseen, unseen.value, noBytes, index - 1));
		muted = false;
		unseen = undefined;
	}
	/** True when the line is like one whose message is known. */
	function isTaken(short: ShortLine): boolean {
		const { pattern, id, parent } = short;
		const like = pattern && known[pattern.number];
		if (!like || !id || parent === '') return false;
		if (taker.again) {
			missed ||= id === mark || parent === mark;
			taker.again(like, id, parent, stringAt(pattern.value, 'type') ?? '');
		} else take({ ...like, id, parent, records: [index] }, short);
		return true;
	}
	function take(message: Entry, { at, length, value }: ShortLine): void {
		watched.entry(message);
		taker.record({ index, at, line: index + 1, length, type: stringAt(value ?? {}, 'type') ?? '' });
	}
	function visit(short: ShortLine): void {
		const { value, pattern } = short;
		const isEnough = value !== undefined && shape?.suffices(value) === true;
		const message = isEnough ? shape.message?.(value, index, told) : undefined;
		if (message) {
			if (pattern) known[pattern.number] = message;
			take(message, short);
			unseen = short;
			return;
		}
		catchUp();
		const { bytes, at, unended } = short;
		reading.visit(isEnough ? lineOf(short, value, bytes, index) : makeLine(bytes, at, index + 1, index, unended));
	}
	const held = shortener.read(source, (short) => {
		if (isTaken(short)) unseen = short;
		else visit(short);
		index += 1;
	});
	catchUp();
	return held && !missed && !taker.misses(mark) ? { taker, issues: reading.issues() } : undefined;
}

/** What was made short had no flaw. */
function lineOf({ at, length }: ShortLine, value: JsonObject, bytes: Uint8Array, index: number): Line {
	return { index, at, line: index + 1, length, bytes, part: 'item', value, flaws: noFlaws };
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

function isPlacedBy({ id, parent, logicalParent, agent }: Entry, mark: string): boolean {
	return id === mark || parent === mark || logicalParent === mark || agent === mark;
}
