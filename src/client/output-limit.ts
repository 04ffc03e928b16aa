/** What is said of an answer that ended because it was as long as the model may write, and not because all was said. */
import type { RunResult } from '../agent/config.ts';

/** What its reader is told; undefined for an answer that came to its end. */
export function cutOffText({ outcome, message }: RunResult): string | undefined {
	if (outcome !== 'success' || message?.stopReason !== 'length') return undefined;
	return 'the answer stopped at the output limit of the model: “go on” continues it';
}
