/** What comes up while the calls of one reply run, and the loop has to know afterwards. */
import type { PermissionFacts } from '../codecs/index.ts';
import type { Denial } from './config.ts';
import type { HookAnswer } from './hooks/hook-points.ts';

export interface Turn {
	/** What hooks have for the model; it is told behind the results. */
	readonly asides: string[];
	/** How it came about that a call was run or not, by its id, where somebody or something decided. */
	readonly decided: Map<string, PermissionFacts>;
	/** Why a hook ends the run. */
	halt?: string;
	/** The call that a hook has put off. */
	deferred?: Omit<Denial, 'reason'>;
}

export function newTurn(): Turn {
	return { asides: [], decided: new Map() };
}

/** Takes what any hook may say: something for the model, and that the run ends. */
export function hear(turn: Turn, answers: readonly (HookAnswer & { readonly told?: string })[]): void {
	for (const { told, halt } of answers) {
		if (told !== undefined) turn.asides.push(told);
		if (halt !== undefined) turn.halt ??= halt;
	}
}
