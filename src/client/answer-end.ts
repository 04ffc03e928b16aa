/** What its reader is told of an answer that ended without a problem and is none all the same: as long as the model may write, or with nothing said at all. */
import type { RunResult } from '../agent/config.ts';

/** Undefined for an answer that came to its end. */
export function answerEndText({ outcome, message, text }: RunResult): string | undefined {
	if (outcome !== 'success') return undefined;
	if (message?.stopReason === 'length')
		return 'the answer stopped at the output limit of the model: “go on” continues it';
	if (message?.stopReason === 'stop' && text.trim() === '')
		return 'the model answered with nothing, also when asked again';
	return undefined;
}
