/** Ids are found alike, whether there are few or many. */
import { expect, it } from 'vitest';
import { Ids } from './ids.ts';

it('an id keeps its position, however many come after it', () => {
	const ids = new Ids();
	const names = Array.from({ length: 70_000 }, (_, n) => (n % 5000 === 0 ? `é${n}` : `id-${n}`));
	for (const [position, name] of names.entries()) {
		expect(ids.find(name)).toBeUndefined();
		expect(ids.add(name)).toBe(position);
		if (position > 0) expect(ids.find(names[position - 1] as string)).toBe(position - 1);
	}
	expect(ids.length).toBe(names.length);
	for (const position of [0, 1, 4999, 5000, 65_535, 65_536, 69_999]) {
		expect(ids.at(position)).toBe(names[position]);
		expect(ids.add(names[position] as string)).toBe(position);
		expect(ids.find(names[position] as string)).toBe(position);
	}
	expect(ids.find('nobody')).toBeUndefined();
});
