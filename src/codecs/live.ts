/** How a client writes while a run goes on, as far as that differs between the formats. */

import type { Profile } from '../model/index.ts';

export interface LiveRules {
	/** The profile in which only the last reply of a turn says what was used: all of the turn. */
	readonly turnUsage?: Profile;
	/**
	 * Tool calls of a reply that was interrupted. `answer`: each gets a result that says so. `keep`: they stay without one, because
	 * the client leaves such a reply out anyway. `drop`: they are not written.
	 */
	readonly abortedCalls: 'answer' | 'keep' | 'drop';
	/** True: a reply that was interrupted before anything arrived is written all the same. */
	readonly emptyAborted: boolean;
	/** What the client says in the user's name after an interruption, if anything. */
	interrupted(during: 'reply' | 'tool'): string | undefined;
}
