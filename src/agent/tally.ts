/** Counts what a run uses (tokens, dollars, requests, time), and knows when its limits are reached. */
import { type AssistantMessage, addUsage, countOf, noUsage, type Usage } from '../model/index.ts';
import type { AgentConfig, ModelUse, Outcome, RunResult } from './config.ts';
import { neutralUsage } from './recording/blocks.ts';

export class Tally {
	readonly #config: AgentConfig;
	readonly #began: number;
	readonly #models = new Map<string, ModelUse>();
	#usage: Usage = noUsage;
	#cost = 0;
	#turns = 0;
	#apiMs = 0;
	#requests = 0;

	constructor(config: AgentConfig) {
		this.#config = config;
		this.#began = config.host.now();
	}

	/** A budget is for all: what sub-agents spend is their parent's, too. */
	get spent(): number {
		return this.#config.agent?.parent?.spent() ?? this.#cost + (this.#config.limits?.spentUsd ?? 0);
	}

	/** Which limit is reached, if any. */
	overLimit(): { readonly outcome: Exclude<Outcome, 'success'>; readonly problem: string } | undefined {
		const { turns, costUsd } = this.#config.limits ?? {};
		if (turns !== undefined && this.#requests >= turns) {
			return { outcome: 'max_turns', problem: `the limit of ${countOf(turns, 'turn')} was reached` };
		}
		const { spent } = this;
		if (costUsd === undefined || spent < costUsd) return undefined;
		return { outcome: 'max_budget', problem: `the budget of ${dollarText(costUsd)} is spent (${dollarText(spent)})` };
	}

	/** A request begins; what is returned is called when its answer is there. */
	request(): () => void {
		const { host } = this.#config;
		this.#requests += 1;
		const began = host.now();
		return () => {
			this.#apiMs += Math.max(0, host.now() - began);
		};
	}

	/** A reply that broke off has used tokens all the same. */
	count(message: AssistantMessage, whole: boolean): void {
		const { model, provider, usage } = message;
		this.#config.agent?.parent?.used(message);
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

	totals(): Pick<RunResult, 'usage' | 'models' | 'costUsd' | 'turns' | 'durationMs' | 'apiMs'> {
		return {
			usage: this.#usage,
			models: this.#models,
			costUsd: this.#cost,
			turns: this.#turns,
			durationMs: Math.max(0, this.#config.host.now() - this.#began),
			apiMs: this.#apiMs,
		};
	}
}

/** Small amounts with all their digits, and never as powers of ten. */
function dollarText(dollars: number): string {
	return `$${dollars.toFixed(9).replace(/(\.\d\d\d*?)0+$/, '$1')}`;
}
