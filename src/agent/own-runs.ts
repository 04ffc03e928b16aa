/** What the user has done beside the prompts (shell commands, an interruption): where and in which tags the session and the model are told of it, and that what it changes is kept. */
import { compact, type Entry, type UserMessage } from '../model/index.ts';
import type { Draft } from '../store/handle/draft.ts';
import { onlyLooks } from './calls/circumstances.ts';
import type { AgentConfig, Conversation } from './config.ts';
import type { ChangeKeeper } from './contracts.ts';
import { userBlocks } from './recording/blocks.ts';
import { interruptedNotice } from './replies/unfinished.ts';

/** What the message of its output begins with. */
const printed = '<bash-stdout>';

/** A shell command that the user has run, and what it has printed, in the tags that Claude Code's transcripts have for them. */
export function ranTexts(command: string, output: string): readonly string[] {
	return [`<bash-input>${command}</bash-input>`, `${printed}${output}</bash-stdout><bash-stderr></bash-stderr>`];
}

/** Before the command runs: what it changes is kept as what a call does. What it gives is called when the command has ended. */
export async function keepOwn(
	command: string,
	{ changes, ...config }: AgentConfig,
	conversation: Conversation,
): Promise<() => Promise<void>> {
	if (!changes || (await onlyLooks({ tool: 'Bash', input: { command } }, config, conversation)))
		return async () => undefined;
	return await changes.before({ id: `own-${config.host.randomHex(16)}`, tool: '!', what: command });
}

/** Called before anything else is said: that an answer was interrupted, and the commands that were run since. */
export async function tellOwn(
	{ notices, ran, messages }: Conversation,
	add: (draft: Draft) => Promise<readonly Entry[]>,
	timestamp: number,
	changes: ChangeKeeper | undefined,
): Promise<void> {
	const at = notices.indexOf(interruptedNotice);
	// The interruption is told as our words; a command is the user's own doing, which readers of the session are to see.
	const interrupted = at === -1 ? [] : notices.splice(at, 1).map((text) => ({ text, audience: 'model' as const }));
	for (const { text, ...rest } of [...interrupted, ...ran.splice(0).map((text) => ({ text, audience: undefined }))]) {
		const entries = await add({ kind: 'message', role: 'user', content: userBlocks(text), ...compact(rest) });
		// Whoever keeps its output in the conversation keeps what it changed; to go back to the command itself is to go back before it.
		if (text.startsWith(printed)) for (const { id } of entries) changes?.prompt(id);
		const message: UserMessage = { role: 'user', content: text, timestamp };
		messages.push(message);
	}
}
