/** Prompts typed while another is answered: which are heard at the next step and which after the turn, and which are held or taken back when it is stopped. */
import type { Client } from '../client/client.ts';
import { calledIn } from '../client/commands/called.ts';
import type { Queued } from './state.ts';

export interface QueuePlace {
	get(): readonly Queued[];
	set(queue: readonly Queued[]): void;
	/** Keeps in the session that a prompt waits; undefined where no run goes on. */
	running(): Pick<Client, 'announce' | 'unannounce'> | undefined;
}

export class PromptQueue {
	readonly #at: QueuePlace;

	constructor(at: QueuePlace) {
		this.#at = at;
	}

	add(texts: readonly string[], after: boolean): void {
		this.#at.set([...this.#at.get(), ...texts.map((text) => this.#queued(text, after))]);
	}

	/** Commands are no words for a model that is at work. */
	#queued(text: string, after: boolean): Queued {
		if (text.startsWith('!') || calledIn(text)) return { text, after: true };
		const running = this.#at.running();
		running?.announce(text);
		return { text, ...(after && { after }), ...(running && { announced: true }) };
	}

	/** What the run that goes on is to hear now. */
	takeStep(): Queued | undefined {
		const next = this.#take(this.#at.get().find(({ after, held }) => !after && !held));
		if (next?.announced) this.#at.running()?.unannounce('dequeue');
		return next;
	}

	/** What is answered next. */
	takeNext(): Queued | undefined {
		return this.#take(this.#at.get().find(({ held }) => !held));
	}

	/** The last one goes back to whoever has typed it. */
	takeLast(): Queued | undefined {
		const last = this.#take(this.#at.get().at(-1));
		if (last?.announced) this.#at.running()?.unannounce('remove');
		return last;
	}

	/** The turn was stopped: nothing of this is sent by itself any more. */
	hold(): void {
		const queue = this.#at.get();
		for (const { announced } of queue) if (announced) this.#at.running()?.unannounce('remove');
		if (queue.length > 0) this.#at.set(queue.map(({ announced: _, ...one }) => ({ ...one, held: true })));
	}

	/** What is held is answered in its order. False: there is none. */
	release(): boolean {
		const queue = this.#at.get();
		if (!queue.some(({ held }) => held)) return false;
		this.#at.set(queue.map(({ held: _, ...one }) => one));
		return true;
	}

	#take(one: Queued | undefined): Queued | undefined {
		if (one) this.#at.set(this.#at.get().filter((other) => other !== one));
		return one;
	}
}
