/** When a run compacts by itself: before a request that would not fit, or after a server refused it; and after how many failures it stops trying (`compact-when.ts` has the token limits). */

import type { Failure } from '../contracts.ts';
import { type Compacted, type Compacting, type CompactionWish, compactNow } from './compact.ts';
import { compactionLimit, contextTokens, isThrashing, type Refills, thrashing } from './compact-when.ts';

/** As often as a compaction may fail in a run before nobody tries any more. */
const mostFailures = 3;

export interface Watching extends Omit<Compacting, 'rules'> {
	/** Tells the model something that nobody typed. */
	tell(text: string): Promise<void>;
}

export class Compactor {
	readonly #input: Watching;
	#failures = 0;
	/** The last request was compacted for because a server refused it: a second refusal is no matter of length. */
	#refused = false;

	constructor(input: Watching) {
		this.#input = input;
	}

	/** A reply came: what was done for its request has helped. */
	replied(): void {
		this.#refused = false;
		const { replies } = this.#refills;
		if (replies !== undefined) this.#refills.replies = replies + 1;
	}

	/** Compacts where the next request would come too close to the limit. Returns why the run cannot go on, if so. */
	async beforeRequest(): Promise<string | undefined> {
		const { config, conversation } = this.#input;
		const { compaction: rules } = config;
		if (!rules?.auto || this.#failures >= mostFailures) return undefined;
		if (contextTokens(conversation.messages, config) < compactionLimit(rules)) return undefined;
		if (isThrashing(this.#refills)) return thrashing;
		await this.#compactByItself();
		return undefined;
	}

	/** True for a failure after which `afterFailure` compacts. */
	helpsWith({ code }: Failure): boolean {
		const { auto } = this.#input.config.compaction ?? {};
		return code === 'context-overflow' && auto === true && !this.#refused && this.#failures < mostFailures;
	}

	/** Compacts where the server has found the request too long; false where that does not help. */
	async afterFailure(failure: Failure): Promise<boolean> {
		if (!this.helpsWith(failure)) return false;
		this.#refused = true;
		return await this.#compactByItself();
	}

	/** The user wants it, however long the conversation is. */
	async onWish(instructions: string): Promise<Compacted> {
		return await this.#compact({ trigger: 'manual', instructions, goesOn: false });
	}

	get #refills(): Refills {
		const { conversation } = this.#input;
		conversation.refills ??= { quick: 0, replies: undefined };
		return conversation.refills;
	}

	/** A compaction that fails is said, and the request is tried as it is. */
	async #compactByItself(): Promise<boolean> {
		const done = await this.#compact({ trigger: 'auto', goesOn: true });
		const { journal, signal } = this.#input;
		if (done.ok || signal.aborted) return done.ok;
		this.#failures = done.stopped ? mostFailures : this.#failures + 1;
		await journal.warn(`the conversation was not compacted: ${done.problem}`);
		return false;
	}

	async #compact(wish: CompactionWish): Promise<Compacted> {
		const { compaction: rules } = this.#input.config;
		if (!rules) return { ok: false, problem: 'this run cannot compact its conversation' };
		const done = await compactNow({ ...this.#input, rules }, wish);
		if (done.ok) for (const text of done.asides) await this.#input.tell(text);
		return done;
	}
}
