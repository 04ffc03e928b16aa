/** Ends of a reply, in the words of Anthropic's API, for which the published stop reasons have no word. */
import type { ModelEvent } from '../agent/contracts.ts';

const words: { readonly [stop: string]: string } = { stop_sequence: 'stop_sequence', pause_turn: 'pause' };

/** An event that records such an end, so that the session can say how the reply really ended. */
export function endedBy(stop: string | null, sequence: string | null = null): readonly ModelEvent[] {
	const word = stop === null ? undefined : words[stop];
	if (word === undefined) return [];
	return [{ type: 'response', stop: word, ...(sequence === null ? {} : { stopSequence: sequence }) }];
}
