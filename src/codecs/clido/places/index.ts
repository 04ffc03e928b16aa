/** Where Clido's sessions are, and what people do to them there. */
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
