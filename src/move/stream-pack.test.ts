/** Stored files come out as they went in, compressed or not. */
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seed } from '../../test/support/mutate.ts';
import { type Packed, packedPieces, plainFrom, type StoredFile, unpacked } from './stream-pack.ts';

/** Files of `said` bytes in stored form. */
function stored(files: readonly Buffer[], said: number): { readonly bytes: Buffer; readonly told: Packed } {
	const told = { files: [] as StoredFile[], pieces: [] as number[] };
	const sources = files.map((bytes, index) => ({ path: `${index}`, pieces: () => [bytes] }));
	const copies: Buffer[] = [];
	for (const piece of packedPieces(sources, said, told)) copies.push(Buffer.from(piece));
	return { bytes: Buffer.concat(copies), told };
}

describe('packed files', () => {
	it('are what they were, whatever their sizes are', () => {
		const size = fc.oneof(fc.nat(300), fc.constantFrom((1 << 20) - 1, 1 << 20, (1 << 20) + 1, 3_000_000));
		fc.assert(
			fc.property(fc.array(size, { maxLength: 4 }), fc.constantFrom(0, plainFrom), (sizes, said) => {
				const files = sizes.map((length, index) => Buffer.alloc(length, `file ${index} of many `));
				const { bytes, told } = stored(files, said);
				const back = unpacked(bytes, told) ?? [];
				expect(back.map((file) => file.path)).toEqual(files.map((_, index) => `${index}`));
				for (const [index, file] of back.entries()) expect(files[index]?.equals(file.bytes)).toBe(true);
			}),
			{ seed, numRuns: 40 },
		);
	});

	it('are not unpacked where a compressed byte has changed', () => {
		const { bytes, told } = stored([randomBytes(5000)], 0);
		for (const at of [5, 20, 2500, bytes.length - 1]) {
			const damaged = Buffer.from(bytes);
			damaged[at] = (damaged[at] ?? 0) ^ 1;
			expect(unpacked(damaged, told)).toBeUndefined();
		}
	});

	it('are stored as they are where they are large, and in less room where they are not', () => {
		const file = Buffer.alloc(3_000_000, 'x');
		expect(stored([file], plainFrom).bytes.equals(file)).toBe(true);
		expect(stored([file], plainFrom - 1).bytes.length).toBeLessThan(3000);
	});
});
