/** What is stored comes out as it went in, compressed or as it is. */
import { zstdDecompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seed } from '../../test/support/mutate.ts';
import { type Packed, packedPieces } from './stream-pack.ts';

const large = 1 << 30;

function packed(files: readonly Buffer[], said: number): { readonly back: Buffer; readonly told: Packed } {
	const told: Packed = { files: [], pieces: [] };
	const sources = files.map((bytes, index) => ({ path: `${index}`, pieces: () => [bytes] }));
	const copies: Buffer[] = [];
	for (const piece of packedPieces(sources, said, told)) copies.push(Buffer.from(piece));
	const stored = Buffer.concat(copies);
	const parts: Buffer[] = [];
	let at = 0;
	for (const length of told.pieces) {
		parts.push(zstdDecompressSync(stored.subarray(at, at + length)));
		at += length;
	}
	expect(at).toBe(stored.length);
	return { back: Buffer.concat(parts), told };
}

describe('packed files', () => {
	it('are what they were, whatever their sizes are', () => {
		const size = fc.oneof(fc.nat(300), fc.constantFrom(131_071, 131_072, 131_073, 1 << 20, (1 << 20) + 1, 3_000_000));
		fc.assert(
			fc.property(fc.array(size, { maxLength: 4 }), fc.constantFrom(0, large), (sizes, said) => {
				const files = sizes.map((length, index) => Buffer.alloc(length, `file ${index} of many `));
				const { back, told } = packed(files, said);
				expect(back.equals(Buffer.concat(files))).toBe(true);
				expect(told.files.map((file) => file.length)).toEqual(sizes);
			}),
			{ seed, numRuns: 40 },
		);
	});

	it('take hardly more room than their bytes where they are not compressed', () => {
		const { told } = packed([Buffer.alloc(3_000_000, 'x')], large);
		expect(told.pieces.reduce((sum, length) => sum + length, 0)).toBeLessThan(3_000_200);
	});
});
