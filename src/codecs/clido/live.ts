/** How Clido writes during a run. */
import type { LivePart } from '../shared/live.ts';

export const live: LivePart = {
	abortedCalls: 'drop',
	emptyAborted: false,
	interrupted: () => undefined,
};
