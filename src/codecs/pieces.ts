/** Work that is done in pieces: joined where the whole is wanted, and given up where pieces are not enough. */
import type { Encoded, EncodedPieces } from './codec.ts';

/** What was begun piece by piece cannot be ended that way; the message says why. */
export class NotPossible extends Error {}

const enough = 1 << 16;

export function joined({ pieces, losses, beside }: EncodedPieces): Encoded {
	const parts = [...bytesOf(pieces)];
	const [only = new Uint8Array(0)] = parts;
	return { bytes: parts.length > 1 ? Buffer.concat(parts) : only, losses, beside };
}

/** Texts are gathered before they become bytes: most are short, and together they may be longer than a string can be. */
export function* bytesOf(pieces: Iterable<string | Uint8Array>): Generator<Uint8Array> {
	let waiting = '';
	for (const piece of pieces) {
		if (typeof piece === 'string') waiting += piece;
		else {
			if (waiting !== '') yield Buffer.from(waiting, 'utf8');
			waiting = '';
			yield piece;
		}
		if (waiting.length <= enough) continue;
		yield Buffer.from(waiting, 'utf8');
		waiting = '';
	}
	if (waiting !== '') yield Buffer.from(waiting, 'utf8');
}
