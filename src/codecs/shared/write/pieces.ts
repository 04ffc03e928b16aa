/** Writing in pieces: joins them where the whole is wanted, and gives up where pieces are not enough. */
import type { Encoded, EncodedPieces } from '../../codec.ts';

/** Thrown when a session cannot be written in pieces; the message says why. */
export class NotPossible extends Error {}

export function joined({ pieces, losses, beside }: EncodedPieces): Encoded {
	// Each part as large as it is: a run writes lines one by one, and room for many would be garbage with each of them.
	const parts = Array.from(pieces, (piece) => Buffer.from(piece as string));
	const [only = new Uint8Array(0)] = parts;
	return { bytes: parts.length > 1 ? Buffer.concat(parts) : only, losses, beside };
}

/** Room for lines with a picture as well: memory for each of them would cost more than the writing. */
const roomSize = 1 << 20;
/** The most bytes that a UTF-16 unit takes. */
const mostBytes = 3;

/** The bytes of pieces, always in the same memory: each part is valid until the next is asked for. */
export function* bytesOf(pieces: Iterable<string | Uint8Array>): Generator<Uint8Array> {
	const room = Buffer.allocUnsafeSlow(roomSize);
	let used = 0;
	for (const piece of pieces) {
		const needed = typeof piece === 'string' ? piece.length * mostBytes : roomSize;
		if (used > 0 && used + needed > roomSize) {
			yield room.subarray(0, used);
			used = 0;
		}
		if (typeof piece === 'string' && needed <= roomSize) used += room.write(piece, used, 'utf8');
		else yield typeof piece === 'string' ? Buffer.from(piece, 'utf8') : piece;
	}
	if (used > 0) yield room.subarray(0, used);
}
