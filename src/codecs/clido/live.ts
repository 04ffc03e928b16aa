/** How Clido writes during a run: tool calls of an interrupted reply are dropped. */
import type { LivePart } from '../shared/live.ts';

export const live: LivePart = {
	abortedCalls: 'drop',
	emptyAborted: false,
	interrupted: () => undefined,
};
