/** The places part of Clido's codec, and by which line beginning a list of sessions finds titles. */
import type { PlacesPart } from '../../codec.ts';
import { locate } from './locate.ts';
import { manage } from './manage.ts';
import { usage } from './usage.ts';

export const places: PlacesPart = {
	...locate,
	manage,
	listing: { titles: ['{"type":"title"'] },
	usage,
};
