/** How pi writes during a run. An interrupted reply is kept as it was, and never sent again. */
import type { LivePart } from '../shared/live.ts';
import { keep } from './read/values.ts';

export const live: LivePart = {
	abortedCalls: 'keep',
	emptyAborted: true,
	interrupted: () => undefined,
	applicationData: 'client',
	usageFields: (usage) => keep({ message: { usage } }) ?? {},
};
