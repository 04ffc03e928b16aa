/** Splits a byte stream into lines. Every byte belongs to exactly one; the last may lack its newline. */
import type { Line } from './line.ts';
import { parseRecord } from './parse.ts';

/** Where reading stands: enough to go on later from the same place. */
export interface ReadPosition {
	readonly at: number;
	readonly line: number;
	readonly index: number;
}

export const startPosition: ReadPosition = { at: 0, line: 1, index: 0 };

/** A source of lines that is fed with chunks. */
export interface RecordReader {
	push(chunk: Uint8Array, visit: (line: Line) => void): void;
	/** No more bytes will come: the rest is a record too. */
	end(visit: (line: Line) => void): void;
	/** After the last whole record. */
	position(): ReadPosition;
}

const newline = 10;

export function lineReader(from: ReadPosition = startPosition): RecordReader {
	let { at, line, index } = from;
	const pending = new Pending();

	function emit(bytes: Uint8Array, visit: (line: Line) => void): void {
		visit(makeLine(bytes, at, line, index));
		at += bytes.length;
		line += 1;
		index += 1;
	}

	return {
		push(chunk, visit) {
			let start = 0;
			for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
				const piece = chunk.subarray(start, end + 1);
				start = end + 1;
				if (pending.length === 0) emit(piece, visit);
				else {
					pending.add(piece);
					emit(pending.take(), visit);
				}
			}
			if (start < chunk.length) pending.add(chunk.subarray(start));
		},
		end(visit) {
			// It stays pending: when its newline comes after all, it is one line with what comes before that.
			if (pending.length > 0) visit(makeLine(pending.bytes(), at, line, index, true));
		},
		position: () => ({ at, line, index }),
	};
}

const nothing = Buffer.alloc(0);
const keptRoom = 1 << 23;

/**
 * The bytes of a line whose newline has not come yet: copied, because the caller may reuse the chunk's memory for the next
 * read, and into the same memory for every line, because new memory costs more than the copying.
 */
class Pending {
	length = 0;
	#room = nothing;

	add(piece: Uint8Array): void {
		const length = this.length + piece.length;
		if (length > this.#room.length) {
			const larger = Buffer.allocUnsafeSlow(Math.max(length, this.#room.length * 2));
			larger.set(this.#room.subarray(0, this.length));
			this.#room = larger;
		}
		this.#room.set(piece, this.length);
		this.length = length;
	}

	/** What was added, until more is. */
	bytes(): Uint8Array {
		return this.#room.subarray(0, this.length);
	}

	/** The same, and begins anew. */
	take(): Uint8Array {
		const bytes = this.bytes();
		this.length = 0;
		if (this.#room.length > keptRoom) this.#room = nothing;
		return bytes;
	}
}

/** Each kind of line is written out: copying a common part would cost more than the rest of reading a short line. */
export function makeLine(bytes: Uint8Array, at: number, line: number, index: number, last = false): Line {
	const { length } = bytes;
	const { value, other, flaws, blank } = parseRecord(bytes, at === 0);
	if (value !== undefined) return { index, at, line, length, bytes, part: 'item', value, flaws };
	if (blank) return { index, at, line, length, bytes, part: 'gap', flaws };
	if (other !== undefined) return { index, at, line, length, bytes, part: 'item', other, flaws };
	// The last line without a newline and without an end is a write that was cut off.
	const told = last ? flaws.map((flaw) => (flaw === 'not-json' ? 'torn' : flaw)) : flaws;
	return { index, at, line, length, bytes, part: 'item', flaws: told };
}
