/** Starts what a prompt wants of a model: an answer, or one of the built-in commands that a model is asked for. */
import type { AgentConfig, Conversation, Prompt } from '../../agent/config.ts';
import { type Run, type RunOptions, startCompaction, startRun } from '../../agent/run.ts';
import type { SessionHandle } from '../../store/handle/handle.ts';
import { calledIn } from './called.ts';

/** Without a prompt the run goes on with the call that a hook has put off. */
export function startPrompt(
	handle: SessionHandle,
	conversation: Conversation,
	prompt: Prompt | undefined,
	config: AgentConfig,
	options: RunOptions,
): Run {
	const called = prompt === undefined ? undefined : calledIn(prompt);
	if (called?.name === 'compact') return startCompaction(handle, conversation, called.args, config, options);
	return startRun(handle, conversation, prompt, config, options);
}
