/** Scanning a source, or a part of it. */
import type { Source } from '../model/index.ts';
import type { Scanner, VisitLines } from './scanner.ts';

export interface ScanRange {
	/** Offset of a line's start. Default 0. */
	readonly from?: number;
	/** Offset behind a newline, or the end of the source (default). */
	readonly to?: number;
}

/**
 * Visits the lines of a source, reading straight into the scanner's memory where the source can. Returns the offset
 * behind the last line that ended with a newline: where to go on when the source has grown.
 */
export function scanSource(source: Source, scanner: Scanner, visit: VisitLines, range: ScanRange = {}): number {
	const end = Math.min(range.to ?? source.size, source.size);
	let at = range.from ?? 0;
	scanner.reset(at);
	while (at < end) {
		const read = readInto(source, at, scanner.room().subarray(0, end - at));
		if (read === 0) break; // the source has shrunk meanwhile
		scanner.filled(read, visit);
		at += read;
	}
	scanner.end(visit);
	return scanner.position();
}

/** Reads where the source can, copies where not. */
export function readInto(source: Source, at: number, target: Uint8Array): number {
	if (source.readInto) return source.readInto(at, target);
	const bytes = source.read(at, target.length);
	target.set(bytes);
	return bytes.length;
}
