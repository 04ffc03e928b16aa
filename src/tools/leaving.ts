/** Calls that are waited for and can be left: what they have started goes on in the background, and the call has its result at once. */
import type { ToolContext } from '../agent/contracts.ts';
import { kept } from './kept.ts';

const keptAs = 'leaving';

class Leaving {
	readonly #calls = new Map<string, () => void>();

	/** Resolves when somebody wants the call to be left; disposed of when it is over. */
	waits(call: string): Disposable & { readonly left: Promise<void> } {
		const { promise, resolve } = Promise.withResolvers<void>();
		this.#calls.set(call, resolve);
		return { left: promise, [Symbol.dispose]: () => void this.#calls.delete(call) };
	}

	/** One call, or all where none is named. False where there is none. */
	leave(call?: string): boolean {
		const found = call === undefined ? [...this.#calls.keys()] : this.#calls.has(call) ? [call] : [];
		for (const one of found) this.#calls.get(one)?.();
		return found.length > 0;
	}
}

export function leaving(context: ToolContext): Leaving {
	return kept(context, keptAs, () => new Leaving());
}

/** The same by what the tools of a conversation keep. */
export function leaveIn(values: ReadonlyMap<string, unknown>, call?: string): boolean {
	const found = values.get(keptAs);
	return found instanceof Leaving && found.leave(call);
}
