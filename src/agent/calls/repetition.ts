/** When a run is ended because the model goes round in circles: after so many equal rounds of calls and answers. */
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
