/** Files one after the other, compressed in pieces that can be read one by one. */
import { constants, zstdCompressSync } from 'node:zlib';

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

const pieceSize = 1 << 20;
/** As much as a block of zstd can hold. */
const blockSize = 1 << 17;
/** From this size on files are not compressed: that takes about as long as parsing all of their lines. */
export const plainFrom = 1 << 26;

/** What the files hold, in pieces that zstd reads. Each holds until the next is asked for. */
export function* packedPieces(files: readonly SourceFile[], size: number, packed: Packed): Generator<Uint8Array> {
	const frame = size < plainFrom ? new CompressedFrame() : new PlainFrame();
	for (const file of files) {
		let length = 0;
		for (const piece of file.pieces()) {
			length += piece.length;
			for (let at = 0; at < piece.length; ) {
				at += frame.take(piece, at);
				if (!frame.full) continue;
				const made = frame.end();
				packed.pieces.push(made.length);
				yield made;
			}
		}
		packed.files.push({ path: file.path, length });
	}
	if (frame.empty) return;
	const last = frame.end();
	packed.pieces.push(last.length);
	yield last;
}

/** Gathers bytes up to the size of a piece. */
class Frame {
	protected used = 0;

	get full(): boolean {
		return this.used === pieceSize;
	}

	get empty(): boolean {
		return this.used === 0;
	}
}

class CompressedFrame extends Frame {
	readonly #room = Buffer.allocUnsafeSlow(pieceSize);

	/** Takes what fits of the bytes from `at` on, and says how much that was. */
	take(bytes: Uint8Array, at: number): number {
		const part = bytes.subarray(at, at + pieceSize - this.used);
		this.#room.set(part, this.used);
		this.used += part.length;
		return part.length;
	}

	end(): Uint8Array {
		const made = zstdCompressSync(this.#room.subarray(0, this.used), fast);
		this.used = 0;
		return made;
	}
}

/** Less time than the usual level takes, for somewhat more of room. */
const fast = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

const frameHead = 9;
const blockHead = 3;

/** A frame of zstd whose blocks are the bytes as they are (RFC 8878, 3.1.1): readers need not know. */
class PlainFrame extends Frame {
	readonly #room = Buffer.allocUnsafeSlow(frameHead + (pieceSize / blockSize) * (blockHead + blockSize));

	take(bytes: Uint8Array, at: number): number {
		const inBlock = this.used % blockSize;
		const part = bytes.subarray(at, at + blockSize - inBlock);
		this.#room.set(part, blockAt(this.used - inBlock) + blockHead + inBlock);
		this.used += part.length;
		return part.length;
	}

	end(): Uint8Array {
		const room = this.#room;
		const size = this.used;
		room.writeUInt32LE(0xfd2fb528, 0);
		room[4] = 0xa0; // one segment, its size in four bytes, no checksum
		room.writeUInt32LE(size, 5);
		for (let at = 0; at < size; at += blockSize) {
			const length = Math.min(blockSize, size - at);
			const isLast = at + length === size;
			room.writeUIntLE((length << 3) | (isLast ? 1 : 0), blockAt(at), blockHead);
		}
		this.used = 0;
		return room.subarray(0, blockAt(size - 1 - ((size - 1) % blockSize)) + blockHead + ((size - 1) % blockSize) + 1);
	}
}

/** Where the head of the block with this byte of the content is, if it is the first of it. */
function blockAt(first: number): number {
	return frameHead + (first / blockSize) * (blockHead + blockSize);
}
