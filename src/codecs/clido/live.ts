/** How Clido writes while a run goes on. */
import type { LivePart } from '../shared/live.ts';

export const live: LivePart = {
	abortedCalls: 'drop',
	emptyAborted: false,
	interrupted: () => undefined,
};
