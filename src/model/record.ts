/** Records: the bytes of a session file, exactly as found. */

/**
 * A run of source bytes. Joining a session's records in order gives the file back, so nothing a client wrote is ever
 * lost, whether we understand it or not. The bytes themselves stay in the source and are read on demand: a session may
 * be larger than memory.
 */
export interface SessionRecord {
	/** Position among the session's records, from 0. */
	readonly index: number;
	/** Byte offset in the source. */
	readonly at: number;
	/** Length in bytes, line ending included. */
	readonly length: number;
	/** The line it starts on, from 1. */
	readonly line: number;
	/** The format's own name for it (`user`, `tool_result`, `message` …); empty for blank lines and separators. */
	readonly type: string;
}

/** Bytes to write over as many others, after a file was written. */
export interface Amendment {
	readonly at: number;
	readonly bytes: Uint8Array;
}

/** Where a session's bytes are. Reading is synchronous: files and memory are, and remote logs are fetched first. */
export interface Source {
	readonly size: number;
	read(at: number, length: number): Uint8Array;
	/** Reads into existing memory and returns how many bytes came. For readers of whole files. */
	readInto?(at: number, target: Uint8Array): number;
}

/** Reads into existing memory where the source can, else copies. Returns how many bytes came. */
export function readInto(source: Source, at: number, target: Uint8Array): number {
	if (source.readInto) return source.readInto(at, target);
	const bytes = source.read(at, target.length);
	target.set(bytes);
	return bytes.length;
}

/** Bytes in memory as a source. */
export function memorySource(bytes: Uint8Array): Source {
	return { size: bytes.length, read: (at, length) => bytes.subarray(at, at + length) };
}

const pieceSize = 1 << 20;

/** The bytes of a source from `from` on, in pieces. */
export function* piecesOf(source: Source, from = 0): Generator<Uint8Array> {
	for (let at = from; at < source.size; at += pieceSize) yield source.read(at, Math.min(pieceSize, source.size - at));
}

/**
 * `piecesOf` in the same memory each time, for readers that are done with a piece when they ask for the next. New
 * memory for every piece costs as much as reading.
 */
export function* reusedPieces(source: Source, from = 0): Generator<Uint8Array> {
	if (!source.readInto) {
		yield* piecesOf(source, from);
		return;
	}
	const memory = Buffer.allocUnsafeSlow(Math.min(reusedSize, Math.max(1, source.size - from)));
	for (let at = from; at < source.size; ) {
		const length = source.readInto(at, memory);
		if (length === 0) return; // the source has shrunk meanwhile
		yield length === memory.length ? memory : memory.subarray(0, length);
		at += length;
	}
}

const reusedSize = 1 << 18;

/** The bytes of one record. */
export function recordBytes(source: Source, record: Pick<SessionRecord, 'at' | 'length'>): Uint8Array {
	return source.read(record.at, record.length);
}

/** All records joined: the file again. */
export function joinRecords(source: Source, records: readonly SessionRecord[]): Uint8Array {
	let size = 0;
	for (const record of records) size += record.length;
	const joined = new Uint8Array(size);
	let at = 0;
	for (const record of records) {
		joined.set(recordBytes(source, record), at);
		at += record.length;
	}
	return joined;
}
