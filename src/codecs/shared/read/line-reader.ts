/** Splits bytes into lines. Every byte belongs to exactly one; the last may lack its newline. */
import type { Line } from './line.ts';
import { parseRecord } from './parse.ts';

/** Where reading stands, to go on later from the same place. */
export interface ReadPosition {
	readonly at: number;
	readonly line: number;
	readonly index: number;
}

export const startPosition: ReadPosition = { at: 0, line: 1, index: 0 };

/** Makes records of the bytes that it is fed with. */
export interface RecordReader {
	push(chunk: Uint8Array, visit: (line: Line) => void): void;
	/** Ends the input: the rest is a record too. */
	end(visit: (line: Line) => void): void;
	/** The position behind the last whole record. */
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
			// The bytes stay pending: if the newline comes after all, they are the start of one line.
			if (pending.length > 0) visit(makeLine(pending.bytes(), at, line, index, true));
		},
		position: () => ({ at, line, index }),
	};
}

const nothing = Buffer.alloc(0);
const keptRoom = 1 << 23;

/**
 * The bytes of a line whose newline has not come yet. They are copied, because the caller may reuse its memory for the
 * next read, and always into the same memory, because new memory costs more than the copying.
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

	/** The bytes so far; valid until more are added. */
	bytes(): Uint8Array {
		return this.#room.subarray(0, this.length);
	}

	/** The bytes so far, after which the next line begins. */
	take(): Uint8Array {
		const bytes = this.bytes();
		this.length = 0;
		if (this.#room.length > keptRoom) this.#room = nothing;
		return bytes;
	}
}

/** Makes a line. Each kind is written out: copying a common part would cost more than reading a short line. */
export function makeLine(bytes: Uint8Array, at: number, line: number, index: number, last = false): Line {
	const { length } = bytes;
	const { value, other, flaws, blank } = parseRecord(bytes, at === 0);
	if (value !== undefined) return { index, at, line, length, bytes, part: 'item', value, flaws };
	if (blank) return { index, at, line, length, bytes, part: 'gap', flaws };
	if (other !== undefined) return { index, at, line, length, bytes, part: 'item', other, flaws };
	// A last line without a newline that is not JSON is an unfinished write.
	const told = last ? flaws.map((flaw) => (flaw === 'not-json' ? 'torn' : flaw)) : flaws;
	return { index, at, line, length, bytes, part: 'item', flaws: told };
}
