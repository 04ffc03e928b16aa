/** Which rate limits a host has to hear of: those that have changed, and that requests which were refused are answered again. */
import type { LoopEvent } from '../../agent/config.ts';
import type { RateLimits } from '../../agent/contracts.ts';

export class LimitsNews {
	#told = 'allowed';
	#isRefused = false;

	/** Limits that a host has to hear of because of this event. */
	in(event: LoopEvent): RateLimits | undefined {
		if (event.type === 'retry' || event.type === 'failed') this.#isRefused ||= event.failure.code === 'rate-limit';
		if (event.type === 'limits') return this.#areNews(event.limits) ? event.limits : undefined;
		if (event.type !== 'reply' || !this.#isRefused) return undefined;
		this.#isRefused = false;
		// Many a provider says nothing of its limits but that they are reached. One that did say something has been heard before its reply.
		return this.#told.startsWith('["rejected"') && this.#areNews(over) ? over : undefined;
	}

	/** Not that more of them is used: as long as all is well, nobody has to know. */
	#areNews({ status, kind, surpassedThreshold }: RateLimits): boolean {
		const now = status === 'allowed' ? status : JSON.stringify([status, kind, surpassedThreshold]);
		if (now === this.#told) return false;
		this.#told = now;
		return true;
	}
}

const over: RateLimits = { status: 'allowed' };
