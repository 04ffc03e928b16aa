/** The places part of Cline's codec. */
import type { PlacesPart } from '../../codec.ts';
import { sessionIndex } from './index-row.ts';
import { locate } from './locate.ts';
import { manage } from './manage.ts';
import { usage } from './usage.ts';

export const places: PlacesPart = {
	...locate,
	manage,
	index: sessionIndex,
	usage,
};
