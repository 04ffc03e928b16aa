/** Work that is done in pieces: joined where the whole is wanted, and given up where pieces are not enough. */
import type { Encoded, EncodedPieces } from './codec.ts';

/** What was begun piece by piece cannot be ended that way; the message says why. */
export class NotPossible extends Error {}

const enough = 1 << 16;

/** Texts are gathered before they become bytes: most are short, and together they may be longer than a string can be. */
export function joined({ pieces, losses, beside }: EncodedPieces): Encoded {
	const parts: Uint8Array[] = [];
	let waiting = '';
	const flush = (): void => {
		if (waiting !== '') parts.push(Buffer.from(waiting, 'utf8'));
		waiting = '';
	};
	for (const piece of pieces) {
		if (typeof piece === 'string') waiting += piece;
		else {
			flush();
			parts.push(piece);
		}
		if (waiting.length > enough) flush();
	}
	flush();
	const [only = new Uint8Array(0)] = parts;
	return { bytes: parts.length > 1 ? Buffer.concat(parts) : only, losses, beside };
}
