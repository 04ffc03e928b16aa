/** Hooks that nobody waits for: they run beside the conversation, what they said is heard when it is at rest, and they have a time limit when the session is left. */
import type { HookEvent } from '../../model/index.ts';
import type { Conversation } from '../config.ts';
import type { Host } from '../machine.ts';

/** What a hook in the background has left. */
export interface HookEnded {
	readonly label: string;
	readonly record: HookEvent;
	/** For the model. */
	readonly told: readonly string[];
	/** For the user. */
	readonly message?: string | undefined;
}

const name = 'background hooks';
/** How long they may go on when the session is left. */
const lastWaitMs = 5000;

export class BackgroundHooks implements AsyncDisposable {
	readonly #control = new AbortController();
	readonly #running = new Set<Promise<void>>();
	readonly #ended: HookEnded[] = [];

	/** Those of a conversation: they outlive the run that has called them, and end with the session. */
	static of({ kept }: Conversation): BackgroundHooks {
		const found = kept.get(name);
		if (found instanceof BackgroundHooks) return found;
		const made = new BackgroundHooks();
		kept.set(name, made);
		return made;
	}

	/** Undefined where no hook was ever left to itself. */
	static in({ kept }: Conversation): BackgroundHooks | undefined {
		const found = kept.get(name);
		return found instanceof BackgroundHooks ? found : undefined;
	}

	/** `run` never throws; its signal ends it. */
	start(run: (signal: AbortSignal) => Promise<HookEnded>): void {
		const running = run(this.#control.signal).then((ended) => {
			this.#ended.push(ended);
			this.#running.delete(running);
		});
		this.#running.add(running);
	}

	/** What has ended since somebody asked. */
	take(): readonly HookEnded[] {
		return this.#ended.splice(0);
	}

	/** Waits for all of them, and ends those that take longer than somebody who leaves would wait. */
	async finish(host: Host): Promise<void> {
		const waiting = new AbortController();
		const all = Promise.all(this.#running).then(() => waiting.abort());
		await host.sleep(lastWaitMs, waiting.signal);
		this.#control.abort();
		await all;
	}

	async [Symbol.asyncDispose](): Promise<void> {
		this.#control.abort();
		await Promise.all(this.#running);
	}
}
