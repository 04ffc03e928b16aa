/** One prompt, answered as `reprise -p` answers it: session, model, tools, instructions and permissions put together. */
import type { Prompt, RunResult } from '../agent/config.ts';
import type { Ask, Hook, Provider, Tool } from '../agent/contracts.ts';
import type { RunOptions } from '../agent/run.ts';
import type { Elicit } from '../mcp/elicitation.ts';
import { compact } from '../model/index.ts';
import { InputError } from '../store/errors.ts';
import type { ClientOptions } from './options.ts';

export interface RunPromptOptions extends ClientOptions, Pick<RunOptions, 'onEvent' | 'signal'> {
	/** Who answers, instead of a model that is set up here; `model` is then the name that it is asked by. */
	readonly provider?: Provider;
	/** Tools of your own, beside those that come with Reprise. */
	readonly moreTools?: readonly Tool[];
	/** Hooks of your own, beside those of the settings. */
	readonly hooks?: readonly Hook[];
	/** Asked what the permission rules leave open. Without it such calls are denied. */
	readonly ask?: Ask;
	/** Answers what MCP servers ask their user. Without it they are told that nobody answers. */
	readonly elicit?: Elicit;
	/** Told what a user should know: why another model answers, which files have changed since … */
	readonly warn?: (message: string) => void;
}

export interface PromptResult extends RunResult {
	/** The session that it was written into. */
	readonly session: { readonly id: string; readonly path: string };
}

/** Lets a model work on the prompt until it is done. Everything is in the session's file by then, whatever the outcome. */
export async function runPrompt(prompt: Prompt, options: RunPromptOptions = {}): Promise<PromptResult> {
	if (typeof prompt === 'string' ? prompt.trim() === '' : prompt.length === 0)
		throw new InputError('usage', 'there is nothing to do: the prompt is empty');
	// Models, tools and the loop are large: only those who ask a model load them.
	const [{ openClientSession }, { Client }, { placeHere }] = await Promise.all([
		import('./session.ts'),
		import('./client.ts'),
		import('./place-here.ts'),
	]);
	await using session = await openClientSession(options, process.cwd());
	const { provider, ask, elicit, moreTools, hooks, onEvent, warn, signal } = options;
	await using client = await Client.start({
		...{ options, session, provider, moreTools, hooks, first: prompt },
		...(await placeHere(options, session.cwd)),
		listener: compact({ event: onEvent, note: warn }),
		attend: () => ({ ask, elicit }),
	});
	const result = await client.answer(prompt, compact({ signal }));
	await client.leave();
	const { handle } = client.station().session;
	return { ...result, session: { id: handle.session.id, path: handle.path } };
}
