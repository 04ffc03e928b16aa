/** How many tokens a model of Ollama is given (`num_ctx`): what the user or the model's file sets, else a default. The server shortens what is longer without a word. */
import type { ShowResponse } from 'ollama/browser';
import { HttpError } from './failures.ts';
import { type Env, firstOf } from './service.ts';

/** Enough for the tools and some work, and little enough for the memory of most machines. Servers themselves begin at 4,096. */
const usualWindow = 32_768;

/** What a user sets for the server counts here too. */
const windowName = 'OLLAMA_CONTEXT_LENGTH';

type Show = (model: string) => Promise<Pick<ShowResponse, 'parameters' | 'model_info'>>;

/**
 * The window of each model, which is asked for once, and sent with every request as `num_ctx`. A server that was not
 * there, or did not know the model yet, is asked again: what it says then would otherwise never count.
 */
export function ollamaWindows(env: Env, show: Show): (model: string) => Promise<number> {
	const known = new Map<string, Promise<number>>();
	const set = positive(firstOf(env, [windowName])?.value);
	return async (model) => {
		if (set !== undefined) return set;
		const asked = known.get(model) ?? show(model).then((shown) => windowIn(model, shown));
		known.set(model, asked);
		try {
			return await asked;
		} catch (error) {
			// Whatever is wrong with the server or the model, the request itself will tell.
			if (!knowsNoSuchCall(error)) known.delete(model);
			return usualWindow;
		}
	};
}

/** True for the answer of an old server, which will be the same at every request. */
function knowsNoSuchCall(error: unknown): boolean {
	return error instanceof HttpError && [404, 405, 501].includes(error.status) && !/\bmodel\b/.test(error.message);
}

/** What the model's own file sets, else what it was made for, up to what machines usually have memory for. */
function windowIn(model: string, { parameters, model_info: info }: Awaited<ReturnType<Show>>): number {
	const set = positive(/^num_ctx\s+(\d+)/m.exec(parameters ?? '')?.[1]);
	if (set !== undefined) return set;
	const told = Object.entries(info ?? {}).find(([name]) => name.endsWith('.context_length'))?.[1];
	const most = positive(String(told)) ?? usualWindow;
	// Models that are not on this machine take nothing of its memory.
	return /[:-]cloud$/.test(model) ? most : Math.min(most, usualWindow);
}

function positive(text: string | undefined): number | undefined {
	const number = Number(text);
	return text !== undefined && text.trim() !== '' && Number.isInteger(number) && number > 0 ? number : undefined;
}
