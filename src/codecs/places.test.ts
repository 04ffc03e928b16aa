/** What is said of formats without their codecs is what the codecs say. */
import { expect, it } from 'vitest';
import { codecs } from './index.ts';
import { places, placesOf } from './places.ts';

it('every format has the places, the rules and the side files of its codec, in the same order', () => {
	const told = codecs.map(({ id, locate, usage, sideHeader }) => ({ id, locate, usage, sideHeader }));
	expect(places.map((place) => ({ sideHeader: undefined, ...place }))).toEqual(told);
	for (const { id, locate, usage } of codecs) {
		expect(placesOf(id)?.locate).toBe(locate);
		expect(placesOf(id)?.usage).toBe(usage);
	}
	expect(placesOf('nobody')).toBeUndefined();
});
