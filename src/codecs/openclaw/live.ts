/** How pi writes while a run goes on. A reply that was interrupted is kept as it was, and never sent again. */
import type { LiveRules } from '../live.ts';
import { keep } from './values.ts';

export const live: LiveRules = {
	abortedCalls: 'keep',
	emptyAborted: true,
	interrupted: () => undefined,
	usageFields: (usage) => keep({ message: { usage } }) ?? {},
};
