/** The places part of Claude Code's codec, and by which line beginnings a list of sessions finds titles and git branches. */
import type { PlacesPart } from '../../codec.ts';
import { locate } from './locate.ts';
import { manage } from './manage.ts';
import { usage } from './usage.ts';

export const places: PlacesPart = {
	...locate,
	manage,
	listing: { titles: ['{"type":"summary"', '{"type":"ai-title"', '{"type":"custom-title"'], branch: '"gitBranch":"' },
	usage,
};
