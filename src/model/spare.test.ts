/** Laws of memory that serves again. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seed } from '../../test/support/mutate.ts';
import { Spare } from './spare.ts';

test('nobody gets what another still holds, and what is taken is large enough', () => {
	const step = fc.oneof(fc.record({ take: fc.nat(64) }), fc.record({ leave: fc.nat(5) }));
	fc.assert(
		fc.property(fc.array(step), (steps) => {
			const spare = new Spare(32);
			const held: Buffer<ArrayBuffer>[] = [];
			for (const one of steps) {
				if ('take' in one) {
					const room = spare.take(one.take);
					expect(room.length).toBeGreaterThanOrEqual(one.take);
					if (room.length > 0) expect(held).not.toContain(room);
					held.push(room);
				} else {
					const [room] = held.splice(one.leave, 1);
					if (room) spare.leave(room);
				}
			}
		}),
		{ seed },
	);
});

test('memory that was left serves the next, unless it is too large to be kept', () => {
	const spare = new Spare(32);
	const [small, large] = [spare.take(16), spare.take(33)];
	spare.leave(small);
	spare.leave(large);
	expect(spare.take(10)).toBe(small);
	expect(spare.take(33)).not.toBe(large);
});
