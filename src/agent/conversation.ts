/** Conversations: a new one, and the end of one with what its tools have left running. */
import type { Conversation } from './config.ts';

/** A new conversation; `resumeConversation` makes one of a session that is there already. */
export function newConversation(): Conversation {
	return {
		messages: [],
		seen: new Map(),
		kept: new Map(),
		earlier: [],
		notices: [],
		ran: [],
		tracked: new Map(),
		granted: [],
		source: 'startup',
		settings: {},
		unanswered: [],
	};
}

/** Ends what tools have left running for a conversation. */
export async function endConversation({ kept }: Conversation): Promise<void> {
	for (const value of kept.values()) {
		if (typeof value === 'object' && value !== null && Symbol.asyncDispose in value)
			await (value as AsyncDisposable)[Symbol.asyncDispose]();
	}
}
