/** Counts what a run uses: tokens, dollars, requests, time. */
import { type AssistantMessage, addUsage, noUsage, type Usage } from '../model/index.ts';
import { neutralUsage } from './blocks.ts';
import type { ModelUse, RunResult } from './config.ts';

export class Tally {
	readonly #began: number;
	readonly #models = new Map<string, ModelUse>();
	#usage: Usage = noUsage;
	#cost = 0;
	#turns = 0;
	#apiMs = 0;

	constructor(began: number) {
		this.#began = began;
	}

	get costUsd(): number {
		return this.#cost;
	}

	api(ms: number): void {
		this.#apiMs += Math.max(0, ms);
	}

	/** A reply that broke off has used tokens all the same. */
	count({ model, provider, usage }: AssistantMessage, whole: boolean): void {
		if (whole) this.#turns += 1;
		const used = neutralUsage(usage);
		const { total } = usage.cost;
		this.#usage = addUsage(this.#usage, used);
		this.#cost += total;
		const before = this.#models.get(model);
		this.#models.set(model, {
			provider,
			usage: addUsage(before?.usage ?? noUsage, used),
			costUsd: (before?.costUsd ?? 0) + total,
			priced: before?.priced === true || total > 0,
		});
	}

	totals(now: number): Pick<RunResult, 'usage' | 'models' | 'costUsd' | 'turns' | 'durationMs' | 'apiMs'> {
		return {
			usage: this.#usage,
			models: this.#models,
			costUsd: this.#cost,
			turns: this.#turns,
			durationMs: Math.max(0, now - this.#began),
			apiMs: this.#apiMs,
		};
	}
}
