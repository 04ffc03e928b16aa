/** What could not be taken over, for people. */
import type { Loss } from '../model/index.ts';

export function lossLines(losses: readonly Loss[]): readonly string[] {
	return losses.map(({ entry, path, how, note }) => `${how}: ${[entry, path].filter(Boolean).join(' ')}: ${note}`);
}
