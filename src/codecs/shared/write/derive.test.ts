/** Derived ids depend on what they are derived from, and on nothing else. */
import { expect, test } from 'vitest';
import { isUuid, uuidsAfter } from './derive.ts';

test('the UUID for eight hex digits ends with them', () => {
	const derived = uuidsAfter('format', 'session');
	for (const id of ['1d1176f4', '00000000']) {
		for (const part of [[], ['block 0']]) {
			const uuid = derived(id, ...part);
			expect(isUuid(uuid)).toBe(true);
			expect(uuid.endsWith(id)).toBe(true);
		}
	}
});

test('other sessions, ids, parts and tries get other UUIDs, and the same ones the same', () => {
	const asked: readonly (readonly [string, ...string[]])[] = [
		['1d1176f4'],
		['1d1176f5'],
		['1D1176F4'],
		['1d1176f4a'],
		['msg_1'],
		['1d1176f4', 'block 0'],
		['1d1176f4', 'block 1'],
		['1d1176f4', 'block 0', '1'],
		['msg_1', 'block 0'],
	];
	const all = ['a', 'b'].flatMap((session) => {
		const [once, again] = [uuidsAfter('format', session), uuidsAfter('format', session)];
		return asked.map((parts) => {
			expect(again(...parts)).toBe(once(...parts));
			return once(...parts);
		});
	});
	expect(new Set(all).size).toBe(2 * asked.length);
	expect(all.every(isUuid)).toBe(true);
});
