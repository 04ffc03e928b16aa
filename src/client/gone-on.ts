/** A session that others have written to since this client last read or wrote it: what counts is what its file says now. */
import type { ChangeKeeper } from '../agent/contracts.ts';
import { tellOwn } from '../agent/own-runs.ts';
import { resumeConversation } from '../agent/recording/resume.ts';
import { countOf, type EntryId } from '../model/index.ts';
import type { Listener } from './listener.ts';
import { type ClientSession, readConversation } from './session.ts';

/** Called before a prompt is answered: the model would be asked with less than the session says that it was told. */
export async function catchUp({ handle, conversation }: ClientSession, listener: Listener): Promise<void> {
	const caught = await handle.caughtUp();
	if (!caught) return;
	const { messages, seen, tracked, notices, earlier, settings, unanswered, answers, deferred } =
		readConversation(handle).resumed.conversation;
	const more = caught.isOnPath ? messages.length - saidUpTo(handle.path, caught.leaf) : 0;
	// What runs in the background keeps this conversation: it stays the same object, and so do its lists and maps.
	conversation.messages.splice(0, Infinity, ...messages);
	for (const [file, content] of seen) conversation.seen.set(file, content);
	for (const [file, state] of tracked) conversation.tracked.set(file, state);
	conversation.notices.push(...notices.filter((text) => !conversation.notices.includes(text)));
	Object.assign(conversation, { earlier, settings, unanswered, answers, deferred });
	// A title that somebody gave is nothing that was said.
	if (more === 0 && caught.isOnPath) return;
	const read = more > 0 ? `${countOf(more, 'message was', 'messages were')} read` : 'it was read again';
	listener.note?.(`the session has gone on elsewhere: ${read}`);
	await listener.goneOn?.(handle.path, caught.leaf);
}

/** As the file has it: a client that is open keeps what goes along with a prompt as messages of their own, and formats join them. */
function saidUpTo(path: string, leaf: EntryId | null): number {
	return leaf === null ? 0 : resumeConversation(path, leaf).conversation.messages.length;
}

/** What the user has run since the last prompt is written. A new session begins with a prompt: there it waits for that. */
export async function keepRan(
	session: ClientSession,
	listener: Listener,
	changes: ChangeKeeper | undefined,
): Promise<void> {
	const { handle, conversation } = session;
	if (handle.leaf === null || conversation.ran.length === 0) return;
	await catchUp(session, listener);
	await tellOwn(conversation, async (draft) => (await handle.append(draft)).entries, Date.now(), changes);
	await handle.sync();
	await handle.rest();
}
