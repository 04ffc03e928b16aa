/** What the user has done beside the prompts (shell commands, an interruption): where and in which tags the session and the model are told of it. */
import { compact, type UserMessage } from '../model/index.ts';
import type { Draft } from '../store/handle/draft.ts';
import type { Conversation } from './config.ts';
import { userBlocks } from './recording/blocks.ts';
import { interruptedNotice } from './replies/unfinished.ts';

/** A shell command that the user has run, and what it has printed, in the tags that Claude Code's transcripts have for them. */
export function ranTexts(command: string, output: string): readonly string[] {
	return [`<bash-input>${command}</bash-input>`, `<bash-stdout>${output}</bash-stdout><bash-stderr></bash-stderr>`];
}

/** Called before anything else is said: that an answer was interrupted, and the commands that were run since. */
export async function tellOwn(
	{ notices, ran, messages }: Conversation,
	add: (draft: Draft) => Promise<unknown>,
	timestamp: number,
): Promise<void> {
	const at = notices.indexOf(interruptedNotice);
	// The interruption is told as our words; a command is the user's own doing, which readers of the session are to see.
	const interrupted = at === -1 ? [] : notices.splice(at, 1).map((text) => ({ text, audience: 'model' as const }));
	for (const { text, ...rest } of [...interrupted, ...ran.splice(0).map((text) => ({ text, audience: undefined }))]) {
		await add({ kind: 'message', role: 'user', content: userBlocks(text), ...compact(rest) });
		const message: UserMessage = { role: 'user', content: text, timestamp };
		messages.push(message);
	}
}
