/** Notices a model that goes round in circles: the same calls, the same answers, again and again. */
import type { ToolCall, ToolResultMessage } from '../../model/index.ts';

export class Repetition {
	/** How many equal rounds in a row are too many. */
	readonly most = 10;
	#last = '';
	#times = 0;

	isStuck(calls: readonly ToolCall[], results: readonly ToolResultMessage[]): boolean {
		const round = JSON.stringify([
			calls.map((call) => [call.name, call.arguments]),
			results.map((result) => result.content),
		]);
		this.#times = round === this.#last ? this.#times + 1 : 1;
		this.#last = round;
		return this.#times >= this.most;
	}
}
