/** What both engines offer: a window of bytes, and columns that describe the lines in it. */

/** One row per line. The arrays are reused: they hold until the next scan. */
export interface Columns {
	/** Byte offsets in the whole input. `end` is behind the newline, so lines tile the input. */
	readonly at: Float64Array;
	readonly end: Float64Array;
	/** See `scanFlag`. */
	readonly flags: Uint16Array;
	/** Per path: where its raw value begins and ends, counted from the line's start. `to` is 0 where it is absent. */
	readonly from: readonly Uint32Array[];
	readonly to: readonly Uint32Array[];
}

export interface Engine {
	readonly name: 'wasm' | 'js';
	/**
	 * The window. Replaced by `reserve`; the last `slack` bytes are the engine's own. A Buffer, because its search for a
	 * byte is several times faster than that of a plain array.
	 */
	window(): Buffer;
	/** Makes room for at least `size` bytes and keeps the first `kept`. */
	reserve(size: number, kept: number): void;
	columns(): Columns;
	/** The bytes that come next are a document whose elements under `key` shall be lines. */
	beginDocument(key: string): void;
	/** Makes lines of window[from, to), the next bytes of the document: see `Splitter`. */
	split(from: number, to: number): void;
	/**
	 * Describes the lines in window[from, to), which ends with a newline, until the columns are full. `base` is the
	 * offset of the window's first byte in the input.
	 */
	scan(from: number, to: number, base: number): Scanned;
	/** See `ScannedLines.pack`. */
	pack?(row: number, end: number, base: number, used: number): Packed;
}

/** Views of the engine's memory, which hold until the next call. */
export interface Packed {
	readonly lines: number;
	/** The values of these lines, one after the other. */
	readonly bytes: Uint8Array;
	/** For each field of each line where its value begins, and its length; 0 and 0 where it is absent. */
	readonly spans: Uint32Array;
}

export interface Scanned {
	readonly lines: number;
	/** Where the next line begins. */
	readonly next: number;
}

/** An engine reads up to this many bytes behind the last newline, and never looks at what they are. */
export const slack = 64;
/** Lines per batch. */
export const batchLines = 2048;
/** Brackets inside brackets that the scanner follows. */
export const deepest = 1024;
