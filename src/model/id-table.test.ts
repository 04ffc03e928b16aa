/** A table of ids is a map from ids to the order in which they came. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { IdTable } from './id-table.ts';

const id = fc.oneof(
	fc.uuid(),
	fc.string({ maxLength: 3, unit: fc.constantFrom('a', 'b', '\u0000', 'é', '的') }),
	fc.nat(500).map((number) => `line:${number}`),
);

describe('a table of ids', () => {
	it('knows each id by the position it got first', () => {
		fc.assert(
			fc.property(fc.array(id, { maxLength: 800 }), fc.array(id), (ids, others) => {
				const table = new IdTable();
				const known = new Map<string, number>();
				for (const one of ids) {
					if (!known.has(one)) known.set(one, known.size);
					expect(table.add(one)).toBe(known.get(one));
				}
				expect(table.length).toBe(known.size);
				for (const one of [...ids, ...others]) expect(table.find(one)).toBe(known.get(one));
				for (const [one, position] of known) expect(table.at(position)).toBe(one);
			}),
		);
	});
});
