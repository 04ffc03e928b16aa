/** How Clido writes while a run goes on. */
import type { LiveRules } from '../live.ts';

export const live: LiveRules = {
	abortedCalls: 'drop',
	emptyAborted: false,
	interrupted: () => undefined,
};
