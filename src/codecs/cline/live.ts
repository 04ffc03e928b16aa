/** How Cline writes while a run goes on. */
import type { LiveRules } from '../live.ts';

export const live: LiveRules = {
	turnUsage: 'published',
	abortedCalls: 'drop',
	emptyAborted: false,
	interrupted: () => undefined,
};
