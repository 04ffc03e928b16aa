/** The key table: the numbers that a Map of the same keys would give. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KeyTable } from './key-table.ts';

function numberOf(table: KeyTable, key: string): number {
	const known = table.get(key);
	return known === -1 ? table.add() : known;
}

describe('the key table', () => {
	it('numbers keys as a map does, in the order they come', () => {
		fc.assert(
			fc.property(fc.array(fc.oneof(fc.string({ maxLength: 3 }), fc.string({ unit: 'binary' }))), (keys) => {
				const table = new KeyTable();
				const map = new Map<string, number>();
				for (const key of keys) {
					if (!map.has(key)) map.set(key, map.size);
					expect(numberOf(table, key)).toBe(map.get(key));
				}
				expect(table.size).toBe(map.size);
			}),
		);
	});

	it('keeps a hundred thousand keys apart that differ in a digit', () => {
		const table = new KeyTable();
		const count = 100_000;
		for (let index = 0; index < count; index += 1) expect(numberOf(table, `msg_01 ${index}`)).toBe(index);
		for (let index = 0; index < count; index += 997) expect(table.get(`msg_01 ${index}`)).toBe(index);
		expect(table.get('msg_01')).toBe(-1);
	});
});
