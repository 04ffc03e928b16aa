/** Files one after the other, compressed in pieces that can be read one by one. */
import { zstdCompressSync } from 'node:zlib';

/** A part of the stored bytes. */
export interface StoredFile {
	/** Relative to the folder of the main file, with slashes; the main file itself comes first. */
	readonly path: string;
	readonly length: number;
}

export interface SourceFile {
	readonly path: string;
	/** Each piece holds until the next is asked for. */
	pieces(): Iterable<Uint8Array>;
}

/** What was packed, when all pieces have been taken. */
export interface Packed {
	readonly files: StoredFile[];
	/** Lengths of the compressed pieces. */
	readonly pieces: number[];
}

const pieceSize = 1 << 22;

export function* packedPieces(files: readonly SourceFile[], packed: Packed): Generator<Uint8Array> {
	const room = Buffer.allocUnsafeSlow(pieceSize);
	let used = 0;
	const full = (): Uint8Array => {
		const piece = zstdCompressSync(room.subarray(0, used));
		packed.pieces.push(piece.length);
		used = 0;
		return piece;
	};
	for (const file of files) {
		let length = 0;
		for (const piece of file.pieces()) {
			length += piece.length;
			for (let at = 0; at < piece.length; ) {
				const part = piece.subarray(at, at + pieceSize - used);
				room.set(part, used);
				used += part.length;
				at += part.length;
				if (used === pieceSize) yield full();
			}
		}
		packed.files.push({ path: file.path, length });
	}
	if (used > 0) yield full();
}
