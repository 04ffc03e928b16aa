/** Packs the files of a source for storage: in compressed pieces that can be read one by one, how large these are, and from which size on nothing is compressed. */
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** Where one file is in the stored bytes. */
export interface StoredFile {
	/** The path relative to the folder of the main file, with slashes; the main file comes first. */
	readonly path: string;
	readonly length: number;
}

export interface SourceFile {
	readonly path: string;
	/** The bytes; each piece is valid until the next is asked for. */
	pieces(): Iterable<Uint8Array>;
}

/** What was packed. */
export interface Packed {
	readonly files: readonly StoredFile[];
	/** Lengths of the compressed pieces; empty where they are not compressed. */
	readonly pieces: readonly number[];
}

const pieceSize = 1 << 20;
/** Larger files are not compressed: that would take about as long as parsing all of their lines. */
export const plainFrom = 1 << 26;

/** The bytes to store. Each piece is valid until the next is asked for; `packed` is complete after the last. */
export function* packedPieces(
	files: readonly SourceFile[],
	size: number,
	packed: { readonly files: StoredFile[]; readonly pieces: number[] },
): Generator<Uint8Array> {
	const plain = piecesOfAll(files, packed.files);
	if (size >= plainFrom) yield* plain;
	else yield* compressed(plain, packed.pieces);
}

function* piecesOfAll(files: readonly SourceFile[], told: StoredFile[]): Generator<Uint8Array> {
	for (const file of files) {
		let length = 0;
		for (const piece of file.pieces()) {
			length += piece.length;
			yield piece;
		}
		told.push({ path: file.path, length });
	}
}

/** A fast level of compression, for somewhat more room. */
const fast = { params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 } };

function* compressed(pieces: Iterable<Uint8Array>, told: number[]): Generator<Uint8Array> {
	const room = Buffer.allocUnsafeSlow(pieceSize);
	let used = 0;
	const end = (): Uint8Array => {
		const made = zstdCompressSync(room.subarray(0, used), fast);
		told.push(made.length);
		used = 0;
		return made;
	};
	for (const piece of pieces) {
		for (let at = 0; at < piece.length; ) {
			const part = piece.subarray(at, at + pieceSize - used);
			room.set(part, used);
			used += part.length;
			at += part.length;
			if (used === pieceSize) yield end();
		}
	}
	if (used > 0) yield end();
}

/** The packed files, in order, each whole. Undefined where the compressed pieces are damaged. */
export function unpacked(
	stored: Uint8Array,
	{ files, pieces }: Packed,
): readonly { path: string; bytes: Uint8Array }[] | undefined {
	let all = stored;
	try {
		let at = 0;
		const parts = pieces.map((length) => {
			at += length;
			return zstdDecompressSync(stored.subarray(at - length, at));
		});
		if (parts.length > 0) all = Buffer.concat(parts);
	} catch (error) {
		if (!(error instanceof Error && 'code' in error)) throw error;
		return undefined;
	}
	let from = 0;
	return files.map(({ path, length }) => {
		from += length;
		return { path, bytes: all.subarray(from - length, from) };
	});
}
