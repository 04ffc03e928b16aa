/** Laws of splices: what is not named stays, and every byte's origin is known. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Splice } from '../../codecs/shared/check/repair.ts';
import { applySplices, offsetsBefore, trimmed } from './splices.ts';

const source = Uint8Array.from({ length: 60 }, (_, n) => n);

/** Sorted splices that do not overlap; inserted bytes have values above all of the source's. */
const splices = fc.array(fc.tuple(fc.nat(8), fc.nat(5), fc.nat(4)), { maxLength: 6 }).map((steps) => {
	const made: Splice[] = [];
	let at = 0;
	for (const [skip, remove, add] of steps) {
		at += skip + 1;
		if (at + remove > source.length) break;
		made.push({ at, remove, insert: Uint8Array.from({ length: add }, () => 200) });
		at += remove;
	}
	return made;
});

test('bytes outside of all splices keep their value and their order, and lead back to where they were', () => {
	fc.assert(
		fc.property(splices, (made) => {
			const after = applySplices(source, made);
			const kept = [...source].filter((n) => !made.some(({ at, remove }) => n >= at && n < at + remove));
			expect([...after].filter((byte) => byte < 200)).toEqual(kept);
			after.forEach((byte, offset) => {
				if (byte < 200) expect(offsetsBefore(made)(offset)).toBe(byte);
			});
		}),
	);
});

test('trimming a splice changes nothing about its outcome', () => {
	fc.assert(
		fc.property(fc.nat(50), fc.nat(9), fc.uint8Array({ max: 59, maxLength: 9 }), (at, remove, insert) => {
			const splice = { at, remove, insert };
			expect(applySplices(source, [trimmed(source, splice)])).toEqual(applySplices(source, [splice]));
		}),
	);
});
